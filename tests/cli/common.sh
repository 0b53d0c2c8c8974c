# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# What the suites of the command line share. A suite loads it and calls cli_setup and cli_teardown.

cli_setup() {
	cuctx=${CUCTX_BUILD:-}/bin/cuctx
	[ -x "$cuctx" ] || skip "nothing has been built (CUCTX_BUILD names the build tree)"
	work=$(mktemp -d)
	cd "$work" || return
	unset "${!CUCTX_SIM_@}" "${!CUCTX_LIB@}" CUCTX_MODULES CUDA_MODULE_LOADING
}

cli_teardown() {
	[ -z "${work:-}" ] || rm -rf "$work"
}

needs_simulator() {
	[ -e "$CUCTX_BUILD/lib/cuctx/sim/libcuda.so.1" ] || skip "this build has no simulated device"
}

# cuctx ARGS...: leaves code, and what it said in the files out and err.
cuctx() {
	code=0
	"$cuctx" "$@" >"$work/out" 2>"$work/err" || code=$?
}

complain() {
	printf '%s\n' "$@" "exit code $code" "stdout:" "$(cat "$work/out")" "stderr:" "$(cat "$work/err")"
	return 1
}

# refused CODE PATTERN ARGS...: exit CODE, nothing on stdout, one line on stderr that has the PATTERN.
refused() {
	local wanted=$1 pattern=$2
	shift 2
	cuctx "$@"
	said "$wanted" "$pattern" "cuctx $*"
	[ ! -s "$work/out" ] || complain "cuctx $*: something is on stdout"
}

# said CODE PATTERN WHAT: how the last command ended, and its one line.
said() {
	[ "$code" -eq "$1" ] || complain "$3: the exit code should be $1"
	[ "$(wc -l <"$work/err")" -eq 1 ] || complain "$3: one line should be on stderr"
	# shellcheck disable=SC2053
	[[ $(<"$work/err") == cuctx:\ *$2* ]] || complain "$3: the line should have: $2"
}

# accepted ARGS...: exit 0 and nothing on stderr.
accepted() {
	cuctx "$@"
	[ "$code" -eq 0 ] || complain "cuctx $*: the exit code should be 0"
	[ ! -s "$work/err" ] || complain "cuctx $*: something is on stderr"
}

# absent PATTERN FILE
absent() {
	if grep -q -P -- "$1" "$2"; then
		complain "$2 should not have: $1"
	fi
}

# A run of one sample, and one of many.
# shellcheck disable=SC2034 # for the suites
one_sample=(run context --simulate --quiet --axis contexts=1 --axis api=driver --repeat 1)
# shellcheck disable=SC2034
many_samples=(run context --simulate --quiet --axis contexts=1 --axis api=driver --repeat 200)

# run_directory: the line that the last run printed, which must be all that it printed.
run_directory() {
	[ "$(wc -l <"$work/out")" -eq 1 ] || complain "a run prints one line"
	[ -d "$(<"$work/out")" ] || complain "a run prints its directory"
	cat "$work/out"
}

# value DIRECTORY KEY: from environment.csv.
value() {
	sed -n "s/^$2,//p" "$1/environment.csv"
}

# column FILE NAME: all cells of a column.
column() {
	python3 -c 'import csv, sys
for row in csv.DictReader(open(sys.argv[1], newline="")):
    print(row[sys.argv[2]])' "$1" "$2"
}

# samples_whole FILE: every row has the header's width, every sample ends in its last step, and the file in a newline.
samples_whole() {
	python3 -c 'import csv, sys
text = open(sys.argv[1], newline="").read()
assert text.endswith("\n"), "no newline at the end"
rows = list(csv.DictReader(text.splitlines()))
assert all(None not in row and None not in row.values() for row in rows), "a row of another width"
assert not rows or rows[-1]["step"] in ("exit", "none"), "the last sample is not whole"
index = -1
for row in rows:
    assert int(row["step_index"]) in (0, index + 1), "a step is missing"
    index = int(row["step_index"])' "$1"
}

# slow_profile FILE: the H200 with calls of a millisecond.
slow_profile() {
	sed 's/^call_delay_ns,.*/call_delay_ns,1000000/' "$CUCTX_BUILD/share/cuctx/profiles/h200.csv" >"$1"
}
