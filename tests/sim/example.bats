#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The program to be traced, alone on the simulated device: what it prints is what was planted, and adds up.

bats_require_minimum_version 1.5.0

export LC_ALL=C

setup() {
	program=${CUCTX_BUILD:-}/lib/cuctx/examples/surprise
	simulated=${CUCTX_BUILD:-}/lib/cuctx/sim
	[ -e "$simulated/libcuda.so.1" ] || skip "this build has no simulated device"
	[ -x "$program" ] || skip "this build has no example"
	unset "${!CUCTX_SIM_@}" "${!CUCTX_LIB@}" CUDA_MODULE_LOADING
	cd "$BATS_TEST_TMPDIR" || return
}

# profile NAME [SED-SCRIPT]: a profile, changed.
profile() {
	sed "${2:-}" "$CUCTX_BUILD/share/cuctx/profiles/$1.csv" >profile.csv
}

planted() {
	sed -n "s/^$1,//p" profile.csv
}

surprise() {
	run --separate-stderr env LD_LIBRARY_PATH="$simulated" CUCTX_SIM_PROFILE="$PWD/profile.csv" \
		CUCTX_SIM_STATE="$PWD/state" "$@" "$program"
	rm -f state
}

# change LINE: the bytes of the line that begins so.
change() {
	sed -n "s/^$1[^0-9-].* \(-\{0,1\}[0-9,]*\) bytes .*/\1/p" <<<"$output" | tr -d ,
}

add_up() {
	awk '/ MB$/{ gsub(",", ""); last = $(NF - 3); sum += last; rows++ }
		END { exit !(rows == 17 && sum - last == last) }' <<<"$output"
}

@test "on the H200's profile: 31 MB of code come with heavy() and go with it" {
	profile h200
	surprise
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[ "$(change 'first launch of heavy()')" -eq $((15 * 2097152)) ]
	[ "$(change 'second launch of heavy()')" -eq 0 ]
	[ "$(change 'unload heavy()')" -eq $((-15 * 2097152)) ]
	add_up
}

@test "sort() takes its array for all threads, and printing takes what it takes" {
	profile h200
	surprise
	stack=$(($(planted sm_count) * $(planted max_threads_per_sm) * (4096 - $(planted stack_default_bytes))))
	[ "$(change 'first launch of sort()')" -eq "$stack" ]
	[ "$(change 'set the stack limit')" -eq "-$stack" ]
	# And a granule for its text, which unloading gives back.
	[ "$(change 'first launch of check()')" -eq $(($(planted printf_fixed_bytes) + $(planted granule_bytes))) ]
	[ "$(change 'unload check()')" -eq "-$(planted granule_bytes)" ]
	[ "$(change 'less free than at first')" -eq "$(planted printf_fixed_bytes)" ]
}

@test "on another device the numbers are others, and they add up" {
	profile odd
	surprise
	[ "$status" -eq 0 ]
	[ "$(change 'first launch of heavy()')" -ne $((15 * 2097152)) ]
	add_up
}

@test "code that is loaded eagerly comes at the same call" {
	profile h200
	surprise CUDA_MODULE_LOADING=EAGER
	[ "$status" -eq 0 ]
	[ "$(change 'first launch of heavy()')" -eq $((15 * 2097152)) ]
	add_up
}

@test "a device that the modules are not for, and one without room, are told in one line" {
	profile h200 's/^compute_capability,.*/compute_capability,8.0/'
	surprise
	[ "$status" -eq 1 ]
	[[ $stderr == "surprise: no modules for compute capability 8.0 beside this program" ]]
	profile h200 's/^total_bytes,.*/total_bytes,600000000/'
	surprise
	[ "$status" -eq 1 ]
	[[ $stderr == "surprise: cu"*": CUDA_ERROR_OUT_OF_MEMORY" ]]
}
