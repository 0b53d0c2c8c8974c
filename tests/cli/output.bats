#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Where what is said goes: data to stdout, everything else to stderr, and SIMULATED wherever it is.

# shellcheck disable=SC2154,SC2030,SC2031 # common.sh assigns them
load common.sh

setup() { cli_setup; }
teardown() { cli_teardown; }

needs_terminal() {
	needs_simulator
	python3 -c 'import pty; pty.openpty()' 2>/dev/null || skip "there are no pseudo-terminals"
}

# on_terminal TERM ARGS...: what cuctx writes to a stderr that is a terminal.
on_terminal() {
	local term=$1
	shift
	TERM=$term python3 "$BATS_TEST_DIRNAME/terminal.py" "$cuctx" "$@"
}

@test "a run prints its directory and nothing else" {
	needs_simulator
	cuctx run context --simulate --axis contexts=1,2 --out results
	[ "$code" -eq 0 ] || complain "run"
	directory=$(run_directory)
	[[ $directory == results/* ]] || complain "it should be below --out"
	grep -q SIMULATED "$work/err" || complain "it should be marked"
	grep -q "^took .* inside CUDA calls" "$work/err" || complain "it should end by saying how long it took"
}

@test "--quiet: a run without trouble says nothing on stderr" {
	needs_simulator
	accepted "${one_sample[@]}" --out results
	run_directory
	CUCTX_SIM_FAULTS=abort@1:4 cuctx "${one_sample[@]}" --out again
	said 1 "context contexts=1 api=driver repeat=1 attempt=1: crashed" "a sample that crashed"
}

@test "list prints a table and a CSV, each with every benchmark" {
	local name
	accepted list
	cp "$work/out" table
	accepted list --format csv
	while read -r name; do
		grep -qx "$name" table || complain "$name is not in the table"
		column "$work/out" benchmark | grep -qx "$name" || complain "$name is not in the CSV"
	done < <(sed -n 's/^	\.name = "\(.*\)",/\1/p' "$CUCTX_SOURCE"/bench/*.c)
	[ "$(column "$work/out" question | grep -c '?$')" -eq "$(column "$work/out" question | wc -l)" ]
}

@test "--dry-run prints the samples, needs no device and makes nothing" {
	local taken
	CUCTX_LIBCUDA=/nonexistent accepted run context --dry-run --axis api=driver --repeat 3
	[ "$(wc -l <"$work/out")" -eq 24 ]
	sort "$work/out" | uniq -d | grep . && complain "a sample is there twice"
	[ ! -e results ]
	needs_simulator
	mv "$work/out" planned
	accepted run context --simulate --quiet --axis api=driver --repeat 3 --out out.d
	taken=$(run_directory)
	[ "$(column "$taken/context.csv" step | grep -c '^exit$')" -eq "$(wc -l <planned)" ]
}

@test "what a run is told to measure is what it measures, in the order of the dry run" {
	needs_simulator
	local options=(--filter 'contexts=[13] api=driver|module=linked' --repeat 2 --quick)
	accepted run --dry-run "${options[@]}"
	mv "$work/out" planned
	accepted run --simulate --quiet "${options[@]}" --out out.d
	python3 -c 'import csv, sys
for row in csv.DictReader(open(sys.argv[1], newline="")):
    words = [row["benchmark"]]
    words += [row[f"axis_{i}"] + "=" + row[f"value_{i}"] for i in (1, 2, 3) if row[f"axis_{i}"]]
    print(*words, "repeat=" + row["repeat"])' "$(run_directory)/plan.csv" >made
	cmp planned made
}

@test "a terminal gets one line that is rewritten, and none of it stays" {
	needs_terminal
	run on_terminal xterm run context --simulate --axis api=driver --out a
	[[ $output == *$'\r\e[K[1/16] context contexts='*'ETA '*$'\r\e[K'* ]]
	[[ $output != *$'\e['[0-9]* ]] # no colour, nothing else
}

@test "a dumb terminal and a file get no control characters" {
	needs_terminal
	run on_terminal dumb run context --simulate --axis api=driver --out a
	[[ $output == *SIMULATED* && $output != *$'\e'* && $output != *$'\r['* ]]
	run on_terminal "" run context --simulate --axis api=driver --out b
	[[ $output == *SIMULATED* && $output != *$'\e'* && $output != *$'\r['* ]]
	cuctx run context --simulate --axis api=driver --out c
	[ "$code" -eq 0 ]
	[ "$(grep -c $'[\e\r]' "$work/err")" -eq 0 ]
}

@test "NO_COLOR: no colour" {
	needs_terminal
	NO_COLOR=1 run on_terminal xterm-256color run context --simulate --axis api=driver --out a
	[[ $output == *SIMULATED* && $output != *$'\e['[0-9]*m* ]]
}

@test "a long line does not wrap on a narrow terminal" {
	needs_terminal
	COLUMNS=30 run on_terminal xterm run limit-stack --simulate --quick --out a
	[[ $output == *$'\r\e[K[1/'* ]]
	local line
	while IFS= read -r line; do
		[ "${#line}" -lt 30 ] || complain "too long: $line"
	done < <(tr '\r' '\n' <<<"$output" | sed -n 's/^\x1b\[K\(\[.*\)/\1/p')
}

@test "standard output that cannot be written is exit 4" {
	[ -c /dev/full ] || skip "there is no /dev/full"
	local arguments
	for arguments in list "list --format csv" "run --dry-run" "run --help" --version; do
		code=0
		# shellcheck disable=SC2086
		"$cuctx" $arguments >/dev/full 2>"$work/err" || code=$?
		said 4 "standard output" "cuctx $arguments >/dev/full"
	done
}

@test "closed standard files: no run writes into what it opened in their place" {
	needs_simulator
	code=0
	"$cuctx" "${one_sample[@]}" --out a <&- >&- 2>"$work/err" || code=$?
	said 4 "standard output cannot be written" "run >&-"
	samples_whole a/*/context.csv
	"$cuctx" "${one_sample[@]}" --out b >"$work/out" <&- 2>&-
	samples_whole "$(run_directory)/context.csv"
	[ "$(head -c 4 b/*/environment.csv)" = "key," ]
}

@test "a simulated run is marked in its name and its environment" {
	needs_simulator
	accepted "${one_sample[@]}" --out a
	directory=$(run_directory)
	[[ ${directory##*/} == simulated-nvidia-h200_* ]]
	[ "$(value "$directory" simulated)" = yes ]
	[[ $(value "$directory" simulated_profile) == */h200.csv ]]
	[ "$(value "$directory" run)" = "${directory##*/}" ]
	[ "$(column "$directory/context.csv" run | sort -u)" = "${directory##*/}" ]
	accepted report "$directory"
	grep -q SIMULATED "$work/out" || complain "the report does not say so"
}

@test "also where its libraries are named by hand" {
	needs_simulator
	CUCTX_LIBCUDA=$CUCTX_BUILD/lib/cuctx/sim/libcuda.so.1 CUCTX_SIM_PROFILE=$CUCTX_BUILD/share/cuctx/profiles/odd.csv \
		CUCTX_SIM_STATE=$work/state CUCTX_LIBNVML=/nonexistent CUCTX_LIBCUDART=/nonexistent \
		cuctx run context --axis contexts=1 --repeat 1 --out a
	[ "$code" -eq 0 ] || complain "run"
	grep -q SIMULATED "$work/err" || complain "it does not say so"
	directory=$(run_directory)
	[[ ${directory##*/} == simulated-odd-device-17-sms_* ]]
	[ "$(value "$directory" simulated)" = yes ]
}

@test "the run directory is named after GPU, driver and time, and is never made twice" {
	needs_simulator
	accepted "${one_sample[@]}" --out a
	accepted "${one_sample[@]}" --out a
	run ls a
	[ "${#lines[@]}" -eq 2 ]
	for name in "${lines[@]}"; do
		[[ $name =~ ^simulated-nvidia-h200_580\.159\.04_20[0-9]{6}T[0-9]{6}Z$ ]]
		[ "$(value "a/$name" started_utc)" = "${name##*_}" ]
	done
}

@test "the environment keeps the command and the variables that matter" {
	needs_simulator
	CUDA_VISIBLE_DEVICES=0 CUDA_ODD='a,"b' accepted "${one_sample[@]}" --out "with space"
	directory=$(run_directory)
	[ "$(value "$directory" command)" = "cuctx run context --simulate --axis contexts=1 --axis api=driver --repeat 1 --out 'with space'" ]
	[ "$(value "$directory" CUDA_VISIBLE_DEVICES)" = 0 ]
	[ "$(value "$directory" CUDA_ODD)" = '"a,""b"' ]
}

@test "report --write --quiet writes and prints nothing, without --quiet it prints the report" {
	needs_simulator
	accepted "${one_sample[@]}" --out a
	directory=$(run_directory)
	rm -f "$directory"/report.*
	accepted report --write --quiet "$directory"
	[ ! -s "$work/out" ] || complain "something was printed"
	grep -q SIMULATED "$directory/report.md"
	grep -q SIMULATED "$directory/report.html"
	accepted report --write "$directory"
	grep -q SIMULATED "$work/out" || complain "the report is missing"
	accepted report --quiet "$directory"
	grep -q SIMULATED "$work/out" || complain "the report is what was asked for"
}
