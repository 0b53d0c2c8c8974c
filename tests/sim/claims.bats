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

# without CLAIM COLUMN VALUE: it is not measured where no line of kernels.csv is so. Those are options of a build.
without() {
	columns "$directory/kernels.csv" "$2" | grep -qx -- "$3" ||
		expected=$(awk -F "|" -v claim="$1" '{ print $1 == claim ? claim "|not measured" : $0 }' <<<"$expected")
}

# whole BENCHMARK ARGS...: puts its points into the directory, instead of those of a quick run. Says nothing of claims.
whole() {
	run --separate-stderr "$cuctx" run "$@" --repeat 1 --no-claims "--simulate=$profile" --out "$profile-whole"
	[ "$status" -eq 0 ]
	# shellcheck disable=SC2154 # "run" assigns it
	! grep -q Claims <<<"$stderr" || return
	# They are told apart by the run that is in each row.
	sed "s/^${output##*/},/${directory##*/},/" "$output/$1.csv" >"$directory/$1.csv"
}

# judge PROFILE: the verdicts of a quick run, as claims.csv expects them. A quick run has few first calls, few cycles of
# modules, of kernels in several forms only one that is too small to be seen, and variables loaded in one way.
calls=cudaMemGetInfo,cudaSetDevice,cudaGetDeviceProperties,nvmlDeviceGetMemoryInfo
judge() {
	local directory expected profile=$1
	run --separate-stderr "$cuctx" run --quick --simulate="$1" --axis cycles=1000 --axis module_size=small \
		--axis "call=$calls" --out "$1"
	[ "$status" -eq 0 ]
	# shellcheck disable=SC2154 # "run" assigns it
	grep -q "SIMULATED" <<<"$stderr" && grep -q "^Claims: what is said" <<<"$stderr"
	grep -q "^Not measured: [1-9][0-9]* of [1-9][0-9]*; claims.csv" <<<"$stderr"
	directory=$output
	whole module-source
	whole static-symbols --axis symbol_bytes=64M --axis symbol=device
	"$cuctx" report --write "$directory" >/dev/null
	expected=$(columns "$BATS_TEST_DIRNAME/claims.csv" claim "$1")
	without code-is-small instructions 2097152
	without mostly-context instructions 2097152
	without device-launch-free-unless-called module launch-linked
	diff <(echo "$expected") <(columns "$directory/claims.csv" claim verdict)
	# Nor does a part of it say anything else.
	"$CUCTX_BUILD/tests/test_claims_subsets" "$directory" 20
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
	printf 'key,value\nrun,r\nsimulated,no\n' >empty/environment.csv
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
