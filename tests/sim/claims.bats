#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The verdicts about two profiles are those that follow from what they plant; claims.csv lists them, and the key of
# the profile that decides, where one does.

bats_require_minimum_version 1.5.0

export LC_ALL=C

setup() {
	cuctx=${CUCTX_BUILD:-}/bin/cuctx
	[ -e "${CUCTX_BUILD:-}/lib/cuctx/sim/libcuda.so.1" ] || skip "this build has no simulated device"
	cd "$BATS_TEST_TMPDIR" || return
	unset "${!CUCTX_SIM_@}" "${!CUCTX_LIB@}" CUDA_MODULE_LOADING
}

# columns FILE NAME...: these columns of a CSV, "|" between them.
columns() {
	python3 - "$@" <<-'END'
		import csv, sys
		for row in csv.DictReader(open(sys.argv[1], newline="")):
		    print("|".join(row[name] for name in sys.argv[2:]))
	END
}

# judge PROFILE: the verdicts of a quick run, as claims.csv expects them. So many events are slow here, and all
# calls that claims are about are not among the few of a quick run.
calls=cudaMemGetInfo,cudaSetDevice,cudaGetDeviceProperties,nvmlDeviceGetMemoryInfo
judge() {
	local directory expected
	run --separate-stderr "$cuctx" run --quick --simulate="$1" --axis events=1,1024 --axis "call=$calls" --out "$1"
	[ "$status" -eq 0 ]
	directory=$output
	expected=$(columns "$BATS_TEST_DIRNAME/claims.csv" claim "$1")
	# The largest kernels are an option of the build.
	columns "$directory/kernels.csv" instructions | grep -qx 2097152 ||
		expected=${expected/code-is-small|true/code-is-small|not measured}
	diff <(echo "$expected") <(columns "$directory/claims.csv" claim verdict)
	# shellcheck disable=SC2154 # "run" assigns it
	grep -q "claims (SIMULATED)" <<<"$stderr"
}

@test "claims about a device like the H200" {
	judge h200
}

@test "claims about an odd device" {
	judge odd
}

@test "a run of one benchmark leaves the others' claims open and says what to run" {
	local figures
	run --separate-stderr "$cuctx" run context --quick --simulate --out one
	[ "$status" -eq 0 ]
	figures=$(columns "$output/claims.csv" claim verdict figures | grep '^lazy-saves|')
	echo "$figures"
	[[ $figures == *"|not measured|"*"cuctx run module-kernels --axis kernels=512 --axis launched=1 --axis loading=lazy"* ]]
	[ "$(columns "$output/claims.csv" verdict | grep -cv "not measured")" -eq 1 ]
}

@test "what an open claim says to run is a command" {
	local command
	mkdir empty
	printf 'key,value\n' >empty/environment.csv
	"$cuctx" report --write empty >/dev/null
	columns empty/claims.csv figures | grep -o '(cuctx run [^)]*)' | sort -u >commands
	[ -s commands ]
	while read -r command; do
		command=${command#(cuctx }
		# shellcheck disable=SC2086 # words
		"$cuctx" ${command%)} --dry-run >planned || { echo "$command" && false; }
		[ -s planned ]
	done <commands
}
