#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The libraries offer what the instrument asks for under the same names, and nothing by accident.

export LC_ALL=C
mark=cuctx_simulated_device
probe=cuctx_simulated_probe

libraries() {
	echo "$CUCTX_BUILD/lib/cuctx/sim"
}

# Without the mark that tells the instrument what it has loaded, and what CUPTI's stand-in looks for.
exported() {
	nm -D --defined-only "$(libraries)/$1" | awk '{ print $3 }' | grep -vx -e "$mark" -e "$probe" | sort
}

# Second column of rows such as DRIVER_CALL(init, cuInit, …).
wanted() {
	sed -n "s/^$2([a-z0-9_]*, \([A-Za-z0-9_]*\),.*/\1/p" "$CUCTX_SOURCE/harness/$1" | sort
}

listed() {
	sed -n "s/^$2(\([A-Za-z0-9_]*\),.*/\1/p" "$CUCTX_SOURCE/sim/$1" | sort
}

# Lines of the first list that the second lacks.
missing() {
	comm -23 <(echo "$1") <(echo "$2")
}

@test "libcuda.so.1 has every driver call of the instrument" {
	[ -n "$(wanted driver.def DRIVER_CALL)" ]
	[ -z "$(missing "$(wanted driver.def DRIVER_CALL)" "$(exported libcuda.so.1)")" ]
}

@test "libnvidia-ml.so.1 has every NVML call of the instrument, and no other" {
	[ "$(wanted nvml.def NVML_CALL)" = "$(exported libnvidia-ml.so.1)" ]
}

@test "libcudart.so has every runtime call of the instrument" {
	[ -n "$(wanted runtime.def RUNTIME_CALL)" ]
	[ -z "$(missing "$(wanted runtime.def RUNTIME_CALL)" "$(exported libcudart.so)")" ]
}

@test "the lists of exports are all that is exported" {
	[ "$(listed driver_exports.def DRIVER_EXPORT)" = "$(exported libcuda.so.1)" ]
	[ "$(listed runtime_exports.def RUNTIME_EXPORT)" = "$(exported libcudart.so)" ]
}

# Of a build without CUPTI's headers, which has no such library.
need_cupti() {
	[ -e "$(libraries)/libcupti.so.13" ] || skip "CUPTI's headers were not there when this was built"
}

@test "libcupti.so.13 has every CUPTI call of the tracer" {
	need_cupti
	[ -n "$(wanted ../trace/cupti.def CUPTI_CALL)" ]
	[ -z "$(missing "$(wanted ../trace/cupti.def CUPTI_CALL)" "$(exported libcupti.so.13)")" ]
}

@test "CUPTI's stand-in finds the driver's by the name that it exports" {
	need_cupti
	grep -F "\"$probe\"" "$CUCTX_SOURCE/sim/probe.h"
	nm -D --defined-only "$(libraries)/libcuda.so.1" | grep -w "$probe"
}

@test "each library bears the mark that the instrument looks for" {
	grep -F "\"$mark\"" "$CUCTX_SOURCE/harness/library.h"
	for library in libcuda.so.1 libnvidia-ml.so.1 libcudart.so; do
		nm -D --defined-only "$(libraries)/$library" | grep -w "$mark"
	done
}

@test "each library is named as the real one" {
	for library in libcuda.so.1 libnvidia-ml.so.1 libcudart.so; do
		readelf -d "$(libraries)/$library" | grep -F "Library soname: [$library]"
	done
}

@test "the runtime library finds the driver library beside it" {
	readelf -d "$(libraries)/libcudart.so" | grep -F 'Shared library: [libcuda.so.1]'
	readelf -d "$(libraries)/libcudart.so" | grep -E '(RUNPATH|RPATH).*\[[$]ORIGIN\]'
}
