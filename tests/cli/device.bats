#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# No device, no driver, not the right one: one line, and exit 3.

# shellcheck disable=SC2154,SC2030,SC2031 # common.sh assigns them
load common.sh

setup() { cli_setup; }
teardown() { cli_teardown; }

simulator_by_hand() {
	needs_simulator
	export CUCTX_LIBCUDA=$CUCTX_BUILD/lib/cuctx/sim/libcuda.so.1
	export CUCTX_LIBNVML=$CUCTX_BUILD/lib/cuctx/sim/libnvidia-ml.so.1
	export CUCTX_LIBCUDART=$CUCTX_BUILD/lib/cuctx/sim/libcudart.so
	export CUCTX_SIM_PROFILE=$CUCTX_BUILD/share/cuctx/profiles/h200.csv
	export CUCTX_SIM_STATE=$work/state
}

# stub FILE SYMBOL...: a library with functions that succeed and do nothing.
stub() {
	local file=$1
	shift
	printf 'int %s(void) { return 0; }\n' "$@" | cc -shared -fPIC -xc - -o "$file"
}

# Second column of the rows of a list whose last one is as named.
symbols() {
	sed -n "s/^[A-Z]*_CALL([a-z0-9_]*, \([A-Za-z0-9_]*\),.*$2)/\1/p" "$CUCTX_SOURCE/harness/$1"
}

small=(run context --quiet --axis contexts=1 --repeat 1)

@test "no driver: exit 3, and how to try without one" {
	[ "$(ldconfig -p 2>/dev/null | grep -c 'libcuda\.so\.1')" -eq 0 ] || skip "there is a driver here"
	refused 3 "cannot load libcuda.so.1; install the NVIDIA driver, or add --simulate" run
	cuctx doctor
	said 3 "cannot load libcuda.so.1" doctor
}

@test "without a usable device, doctor still tells of modules and gnuplot" {
	local count
	count=$(cut -d, -f1 "$CUCTX_BUILD"/share/cuctx/modules/sm_*/kernels.csv | tail -n +2 | sort -u | wc -l)
	mkdir none
	ln -s "$(type -P true)" none/gnuplot
	CUCTX_LIBCUDA=/nonexistent PATH=$work/none cuctx doctor
	said 3 /nonexistent doctor
	grep -qx "modules  *$count, all as /.*/kernels.csv describes them" "$work/out" || complain modules
	grep -qx "gnuplot  *found" "$work/out" || complain gnuplot
	! grep -q "SMs\|^meter\|^neighbours" "$work/out" || complain "nothing is known of a device"
	CUCTX_MODULES=/nonexistent CUCTX_LIBCUDA=/nonexistent PATH=/nonexistent cuctx doctor
	said 3 /nonexistent doctor
	grep -q "^modules  *none that can be used: .*/nonexistent" "$work/out" || complain modules
	grep -qx "gnuplot  *none" "$work/out" || complain gnuplot
}

@test "a driver that is named and is not there, or is no library" {
	echo "not a library" >text
	CUCTX_LIBCUDA=/nonexistent refused 3 "/nonexistent" run
	CUCTX_LIBCUDA=$work/text refused 3 "$work/text" run
	CUCTX_LIBCUDA=$work refused 3 "(CUCTX_LIBCUDA is set)" run
	CUCTX_LIBCUDA=$work/text cuctx doctor
	said 3 "$work/text" doctor
	[ "$(ls results 2>/dev/null)" = "" ] || complain "a run directory was made"
}

@test "a driver that is older than needed: the call that it lacks is named" {
	command -v cc >/dev/null || skip "there is no compiler here"
	local lacking all
	mapfile -t all < <(symbols driver.def NEEDED)
	[ "${#all[@]}" -gt 15 ]
	for lacking in "${all[@]}"; do
		mapfile -t kept < <(printf '%s\n' "${all[@]}" | grep -vx "$lacking")
		stub old.so "${kept[@]}"
		CUCTX_LIBCUDA=$work/old.so refused 3 "older than needed: it has no $lacking;" "${small[@]}"
	done
}

@test "a driver that answers nonsense is no device either" {
	command -v cc >/dev/null || skip "there is no compiler here"
	mapfile -t all < <(symbols driver.def NEEDED)
	stub empty.so "${all[@]}" # all succeed; no device is counted
	CUCTX_LIBCUDA=$work/empty.so refused 3 "device 0: there are 0" "${small[@]}"
}

@test "a library that ends the process while it is loaded or started" {
	command -v cc >/dev/null || skip "there is no compiler here"
	echo '#include <stdlib.h>
	__attribute__((constructor)) static void end(void) { abort(); }' | cc -shared -fPIC -xc - -o abort.so
	echo '__attribute__((constructor)) static void hang(void) { for (;;); }' | cc -shared -fPIC -xc - -o hang.so
	CUCTX_LIBCUDA=$work/abort.so refused 3 "the driver ended the process (Aborted) while it started" "${small[@]}"
	CUCTX_LIBCUDA=$work/hang.so refused 3 "the driver did not answer within 1 s" "${small[@]}" --timeout 1
}

@test "a device that is not there" {
	needs_simulator
	refused 3 "device 1: there are 1, numbered from 0" "${small[@]}" --simulate --device 1
	refused 3 "device 2147483647: there are 1" "${small[@]}" --simulate --device 2147483647
	cuctx doctor --simulate --device 1
	said 3 "device 1: there are 1" doctor
}

@test "--device all measures each device there is" {
	needs_simulator
	accepted "${small[@]}" --simulate --device all --out a
	[ "$(column "$(run_directory)/context.csv" device | sort -u)" = 0 ]
}

@test "without NVML its columns are empty, and the environment says why" {
	simulator_by_hand
	CUCTX_LIBNVML=/nonexistent accepted "${small[@]}" --out a
	directory=$(run_directory)
	[[ $(value "$directory" nvml_problem) == *NVML*/nonexistent* ]]
	for name in nvml_used_bytes nvml_process_bytes nvml_other_bytes nvml_reserved_bytes; do
		[ "$(column "$directory/context.csv" "$name" | sort -u)" = "" ]
	done
	[ "$(column "$directory/context.csv" status | sort -u)" = ok ]
	[ "$(value "$directory" foreign_process_count)" = "" ]
}

@test "who cannot be seen may be there: without NVML a sample takes a quarter of the memory at most" {
	simulator_by_hand
	large=(run limit-malloc-heap --quiet --axis "malloc_heap_limit_bytes=8M,64G" --axis module=called --axis api=driver --repeat 1)
	CUCTX_LIBNVML=/nonexistent accepted "${large[@]}" --out a
	[ "$(column "$(run_directory)/limit-malloc-heap.csv" status | grep -c skipped)" = 1 ]
	CUCTX_LIBNVML=/nonexistent accepted "${large[@]}" --max-memory 100% --out b
	[ "$(column b/*/limit-malloc-heap.csv status | grep -c skipped)" = 0 ]
	CUCTX_LIBNVML=/nonexistent accepted doctor
	grep -A1 "^neighbours .*unknown" "$work/out" | grep -q "a quarter of the free memory"
}

@test "without a runtime library its points are unsupported, with the reason" {
	simulator_by_hand
	CUCTX_LIBCUDART=/nonexistent accepted "${small[@]}" --out a
	directory=$(run_directory)
	[ "$(value "$directory" runtime_api_version)" = "" ]
	[[ $(value "$directory" runtime_problem) == *"the CUDA runtime"*/nonexistent* ]]
	python3 -c 'import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
runtime = [row for row in rows if row["api"] == "runtime"]
assert len(runtime) == 1 and runtime[0]["status"] == "unsupported" and "/nonexistent" in runtime[0]["note"], runtime
assert all(row["status"] == "ok" for row in rows if row["api"] == "driver"), rows' "$directory/context.csv"
}

# untaken_calls DIRECTORY: the calls of first-call that are unsupported, and what their notes say.
untaken_calls() {
	python3 -c 'import csv, sys
for row in csv.DictReader(open(sys.argv[1], newline="")):
    if row["status"] == "unsupported":
        print(row["call"], row["step"], row["note"])' "$1/first-call.csv" | sort
}

@test "a point goes untaken for want of the library that it needs, and no other" {
	simulator_by_hand
	calls=cuDevicePrimaryCtxRetain,cudaFree,nvmlDeviceGetMemoryInfo
	CUCTX_LIBCUDART=/nonexistent accepted run first-call --quiet --axis call=$calls --repeat 1 --out a
	[[ $(untaken_calls "$(run_directory)") == "cudaFree none the CUDA runtime"*/nonexistent* ]]
	[ "$(untaken_calls "$(run_directory)" | wc -l)" = 1 ]
	rm -r a
	CUCTX_LIBNVML=/nonexistent accepted run first-call --quiet --axis call=$calls --repeat 1 --out a
	[[ $(untaken_calls "$(run_directory)") == "nvmlDeviceGetMemoryInfo none NVML"*/nonexistent* ]]
	[ "$(untaken_calls "$(run_directory)" | wc -l)" = 1 ]
}

# created DIRECTORY: what the context of context-settings took.
created() {
	python3 -c 'import csv, sys
print(*(row["delta_bytes"] for row in csv.DictReader(open(sys.argv[1], newline="")) if row["step"] == "create"))' \
		"$1/context-settings.csv"
}

@test "where no variable is asked for, none that is set counts" {
	needs_simulator
	settings=(run context-settings --simulate=odd --quiet --axis flags=auto --repeat 1)
	accepted "${settings[@]}" --axis setting=none --out a
	usual=$(created "$(run_directory)")
	rm -r a
	export CUDA_DEVICE_MAX_CONNECTIONS=32
	accepted "${settings[@]}" --axis setting=none,copy-connections-1 --out a
	# Four copy connections fewer, of 30,011 bytes each.
	[ "$(created "$(run_directory)" | tr ' ' '\n' | sort -n | tr '\n' ' ')" = "$((usual - 4 * 30011)) $usual " ]
}

@test "a runtime library that lacks a call" {
	command -v cc >/dev/null || skip "there is no compiler here"
	simulator_by_hand
	stub old.so cudaRuntimeGetVersion cudaSetDevice
	CUCTX_LIBCUDART=$work/old.so accepted "${small[@]}" --out a
	[[ $(value "$(run_directory)" runtime_problem) == "the CUDA runtime has no cuda"* ]]
}

@test "points that the device cannot have are unsupported; points that others need the memory for are skipped" {
	needs_simulator
	accepted run context --simulate --quiet --axis contexts=9 --repeat 1 --out a
	[ "$(column "$(run_directory)/context.csv" status | sort -u)" = unsupported ]
	accepted run limit-malloc-heap --simulate --quiet --axis malloc_heap_limit_bytes=1G --repeat 1 --max-memory 512M --out b
	directory=$(run_directory)
	[ "$(column "$directory/limit-malloc-heap.csv" status | sort -u)" = skipped ]
	# With what comes with the heap in a module that allocates, and without.
	[[ $(column "$directory/limit-malloc-heap.csv" note | sort -u) == *"1.02 GiB"*"512 MiB"*"--max-memory"*"1.25 GiB"* ]]
	# A neighbour: a quarter of what is free.
	CUCTX_SIM_FAULTS=stranger=136G@observer:1 accepted run limit-malloc-heap --simulate --quiet \
		--axis malloc_heap_limit_bytes=1M,1G --axis module=none --axis api=driver --repeat 1 --out c
	[ "$(column "$(run_directory)/limit-malloc-heap.csv" status | sort -u | paste -sd' ')" = "ok skipped" ]
}

@test "sizes that no module was built for are unsupported, and the row says so" {
	needs_simulator
	accepted run static-symbols constant-memory local-frame stack-overflow --simulate --quiet --repeat 1 --out a \
		--axis symbol_bytes=7 --axis constant_bytes=7 --axis frame_bytes=7 --axis array_bytes=7 --axis stack_limit_bytes=1K
	for name in static-symbols constant-memory local-frame stack-overflow; do
		[ "$(column a/*/$name.csv status | sort -u)" = unsupported ]
		[[ $(column a/*/$name.csv note | sort -u) == "no module of this size is built"* ]]
	done
}

@test "what a sample that fails is told with is the note of the row that failed" {
	needs_simulator
	mkdir modules && cp -r "$CUCTX_BUILD"/share/cuctx/modules/* modules
	truncate -s 0 modules/*/empty.cubin
	CUCTX_MODULES=$work/modules cuctx run other-limits --simulate --quiet --quick --axis value=1 --out a
	[ "$code" -ne 0 ]
	grep -q "empty.cubin" "$work/err" || complain "it should name the file"
}

@test "sizes beyond all others are told as the largest" {
	needs_simulator
	accepted run stack-overflow --simulate --quiet --repeat 1 --axis array_bytes=40 --out a \
		--axis stack_limit_bytes=18446744073709551615 --max-memory 9223372036854775808
	[[ $(column a/*/stack-overflow.csv note) == "it may take 8388608 TiB, and 8388608 TiB are allowed here"* ]]
}

@test "a profile that is not there, or is none" {
	needs_simulator
	local profiles=$CUCTX_BUILD/share/cuctx/profiles
	refused 2 "profile 'nope': No such file or directory; there are: " "${small[@]}" --simulate=nope
	grep -q "h200" "$work/err" && grep -q "odd" "$work/err" || complain "the shipped ones should be named"
	refused 2 "profile './nope.csv'" "${small[@]}" --simulate=./nope.csv
	sed 's/^sm_count,.*/sm_count,0/' "$profiles/h200.csv" >value.csv
	refused 2 "./value.csv: " "${small[@]}" --simulate=./value.csv
	grep -q sm_count "$work/err" || complain "the key should be named"
	sed 's/^sm_count/sm_cuont/' "$profiles/h200.csv" >key.csv
	refused 2 "./key.csv: " "${small[@]}" --simulate=./key.csv
	grep -q sm_cuont "$work/err" || complain "the key should be named"
	grep -v '^sm_count' "$profiles/h200.csv" >missing.csv
	refused 2 "sm_count is missing" "${small[@]}" --simulate=./missing.csv
	: >empty.csv
	refused 2 "./empty.csv: " "${small[@]}" --simulate=./empty.csv
	refused 2 "./empty.csv: " doctor --simulate=./empty.csv
	CUCTX_SIM_FAULTS=nonsense refused 2 'fault "nonsense"' "${small[@]}" --simulate
	[ "$(ls results 2>/dev/null)" = "" ] || complain "a run directory was made"
}
