#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# compare: what it finds between runs of simulated devices, and what it makes of files that are none.

# shellcheck disable=SC2154,SC2030,SC2031 # common.sh assigns them
load common.sh

# One set of runs is enough for all tests.
setup_file() {
	cuctx=${CUCTX_BUILD:-}/bin/cuctx
	runs=$BATS_FILE_TMPDIR
	export runs
	[ -e "$CUCTX_BUILD/lib/cuctx/sim/libcuda.so.1" ] || return 0
	measure base
	measure again
	# A granule of the context's fixed part; three costs that do not meet; an eighth more for each byte of
	# stack; a limit that is granted no more.
	measure granule-more context_fixed_bytes=274268160
	measure granule-less context_fixed_bytes=270073856
	measure three-keys printf_fixed_bytes=67108864 heap_extra_bytes=4194304 stream_large_slack_bytes=0
	measure steeper max_threads_per_sm=2304
	measure refusing stack_max_bytes=32768
}

# measure NAME [KEY=VALUE...]: $runs/NAME is a run of the h200 with these keys changed. One repeat is enough
# to be compared with two.
measure() {
	local name=$1 profile=$runs/$1.csv repeats=2 change
	shift
	((!$#)) || repeats=1
	cp "$CUCTX_BUILD/share/cuctx/profiles/h200.csv" "$profile"
	for change in "$@"; do
		grep -q "^${change%%=*}," "$profile" || return
		sed -i "s/^${change%%=*},.*/${change%%=*},${change#*=}/" "$profile"
	done
	"$cuctx" run limit-stack limit-printf-fifo limit-malloc-heap streams --quick --repeat $repeats --axis api=driver --quiet --no-claims \
		--simulate="$profile" --out "$runs/out-$name" >/dev/null || return
	mv "$runs/out-$name"/* "$runs/$name"
}

setup() {
	cli_setup
	needs_simulator
}
teardown() { cli_teardown; }

# finds CODE ARGS...: the exit code, and nothing on stderr.
finds() {
	local wanted=$1
	shift
	cuctx compare --quiet "$@"
	[ "$code" -eq "$wanted" ] || complain "compare $*: the exit code should be $wanted"
	[ ! -s "$work/err" ] || complain "compare $*: something is on stderr"
}

# changes: kind, benchmark, step, column and verdict of the differences in the CSV, each once.
changes() {
	python3 -c 'import csv, sys
print(*sorted({" ".join((row["kind"], row["benchmark"], row["step"], row["column"], row["verdict"]))
               for row in csv.DictReader(open(sys.argv[1], newline="")) if row["kind"] != "environment"}), sep="\n")' \
		"$work/out"
}

@test "a run against itself and against a repeat of itself: no difference" {
	local other
	for other in base again; do
		finds 0 "$runs/base" "$runs/$other" --fail-on any
		grep -q "no difference" "$work/out" || complain "it should say so"
		finds 0 "$runs/base" "$runs/$other" --fail-on any --format csv
		! grep -v "^kind,\|,simulated_profile," "$work/out" || complain "a row too many"
	done
}

@test "a driver that costs a granule more is one line, and fails where it is asked to" {
	finds 1 "$runs/base" "$runs/granule-more" --fail-on more
	[ "$(grep -c "+2097152" "$work/out")" -eq 1 ] || complain "one line should be there"
	grep -q "^create .* 548995072  *551092224  *+2097152  *+0.38 %  *more" "$work/out" ||
		complain "what it takes should be there"
	finds 0 "$runs/base" "$runs/granule-more"
	finds 0 "$runs/base" "$runs/granule-more" --fail-on more --threshold 2M
	finds 0 "$runs/base" "$runs/granule-more" --fail-on more --threshold 1%
	finds 1 "$runs/base" "$runs/granule-more" --fail-on more --threshold 0.1%
}

@test "a driver that costs a granule less fails only where any difference does" {
	finds 0 "$runs/base" "$runs/granule-less" --fail-on more
	finds 1 "$runs/base" "$runs/granule-less" --fail-on any
	grep -q "^create .* -2097152  *-0.38 %  *less" "$work/out" || complain "what it takes should be there"
}

@test "three costs that changed are three differences" {
	finds 1 "$runs/base" "$runs/three-keys" --fail-on more --format csv
	diff <(changes) - <<-EOF || complain "these should be there and no others"
		number limit-malloc-heap launch-1 delta_bytes more
		number limit-printf-fifo load delta_bytes more
		number streams create-streams delta_bytes more
	EOF
	finds 1 "$runs/base" "$runs/three-keys" --fail-on more --format markdown
	[ "$(grep -c "| +2097152 |" "$work/out")" -eq 3 ] || complain "each should be one line"
	finds 0 "$runs/base" "$runs/three-keys" --fail-on any --filter '^limit-stack'
}

@test "a slope that changed is one line, and its rows are none" {
	finds 1 "$runs/base" "$runs/steeper" --fail-on more --format csv
	diff <(changes | grep limit-stack) - <<-EOF || complain "these should be there and no others"
		law limit-stack stack bytes_per_unit more
		number limit-stack create delta_bytes more
	EOF
	grep -q "^law,.*,limit-stack,,stack,bytes_per_unit,270336,,304128,,33792,33792,12.50,more,,9$" "$work/out" ||
		complain "the law should say by how much, and for how many rows"
	# Without the law, they are there.
	finds 1 "$runs/base" "$runs/steeper" --fail-on more --format csv --column total_bytes --filter '^limit-stack'
	[ "$(grep -c "^number,.*,launch-2,total_bytes" "$work/out")" -gt 4 ] || complain "each row should be told"
}

@test "a call that is refused is a difference, and what is missing behind it is none" {
	finds 0 "$runs/base" "$runs/refusing" --fail-on more
	finds 1 "$runs/base" "$runs/refusing" --fail-on any --format csv
	grep -q "^status,.*,limit-stack,stack_limit_bytes=65536 api=driver direction=up,set,status,ok,,\
refused: CUDA_ERROR_INVALID_VALUE,,,,,changed,,$" "$work/out" || complain "the refusal should be there"
	! grep only-in "$work/out" || complain "steps that follow from a refusal"
	# The other way around: what is there of late.
	finds 1 "$runs/refusing" "$runs/base" --fail-on any --format csv
	! grep only-in "$work/out" || complain "steps that follow from a refusal that is none any more"
}

@test "points and benchmarks that only one run has" {
	cp -r "$runs/base" fewer
	rm fewer/streams.csv
	sed -i '/,8192,driver,/d' fewer/limit-stack.csv
	finds 1 "$runs/base" fewer --fail-on any --format csv
	diff <(changes) - <<-EOF || complain "these should be there and no others"
		benchmark streams   only-in-base
		point limit-stack   only-in-base
	EOF
	finds 1 fewer "$runs/base" --fail-on any --format csv
	[ "$(changes | grep -c only-in-new)" -eq 2 ] || complain "the other way around"
	finds 0 fewer "$runs/base" --fail-on more
	# A single CSV is compared with the same benchmark alone.
	finds 1 "$runs/base" fewer/limit-stack.csv --fail-on any --format csv
	diff <(changes) <(echo "point limit-stack   only-in-base") || complain "one benchmark"
}

@test "environment differences come first, and say nothing of a run's name, time or command" {
	finds 0 "$runs/base" "$runs/steeper"
	sed -n '/^Environment/,/^In several/p' "$work/out" >environment
	grep -q "^max_threads_per_sm  *2048  *2304" environment || complain "a fact that differs should be there"
	! grep -E "^(run|started_utc|command|host)  " environment || complain "what never counts"
}

@test "simulated runs are not compared with measured ones unless that is wanted" {
	local measured
	measured=$(echo "$CUCTX_SOURCE"/results/nvidia-*)
	[ -d "$measured" ] || skip "no recorded run is here"
	refused 2 "--allow-simulated" compare "$runs/base" "$measured"
	refused 2 "--allow-simulated" compare "$measured" "$runs/base/limit-stack.csv"
	finds 0 "$measured" "$runs/base" --allow-simulated --filter '^limit-stack .*api=driver'
	grep -q SIMULATED "$work/out" || complain "it should be marked"
	grep -q "^simulated  *no  *yes" "$work/out" || complain "it should be told"
	cuctx compare "$runs/base" "$runs/again" --format csv
	grep -q SIMULATED "$work/err" || complain "a CSV has no banner, so that it should be said"
	finds 0 "$measured" "$measured"
	! grep SIMULATED "$work/out" || complain "it was measured"
}

@test "labels: LABEL=PATH, a path with '=' in it, names that tell runs apart" {
	cp -r "$runs/base" a=b
	finds 0 old="$runs/base" new=a=b --format csv
	finds 0 a=b "$runs/granule-more" --format json
	grep -q '"path":"a=b"' "$work/out" || complain "a path that exists is meant"
	refused 2 "the label 'x' is given twice" compare x=a=b x="$runs/base"
	finds 0 "$runs/base" "$runs/base" "$runs/base" --format json
	[ "$(grep -o '"label":"[^"]*"' "$work/out" | sort -u | wc -l)" -eq 3 ] || complain "labels should differ"
}

@test "several new runs stand side by side" {
	finds 1 base="$runs/base" more="$runs/granule-more" less="$runs/granule-less" --fail-on more --format markdown
	grep -q "^| create | 548995072 | 551092224 (+2097152, more) | 546897920 (-2097152, less) | limit-stack, " \
		"$work/out" || complain "both should be in one line"
}

@test "usage" {
	refused 2 "two run directories" compare "$runs/base"
	refused 2 "'xml' is none of table, csv, markdown, json" compare a b --format xml
	refused 2 "'less' is none of more, any, none" compare a b --fail-on less
	refused 2 "--threshold: '-1'" compare a b --threshold -1
	refused 2 "--threshold: 'x%' is no percentage" compare a b --threshold x%
	refused 2 "filter '(': not a regular expression" compare "$runs/base" "$runs/base" --filter '('
	refused 2 "has a column 'no_such'" compare "$runs/base" "$runs/base" --column no_such
	refused 4 "nowhere: No such file" compare "$runs/base" nowhere
	mkdir empty
	refused 4 "empty/environment.csv" compare "$runs/base" empty
}

@test "files that are no results, or only just, and words that mean something somewhere" {
	python3 "$BATS_TEST_DIRNAME/hostile_csv.py" "$cuctx" "$work"
	mkfifo pipe
	refused 4 "pipe: not a regular file" compare pipe "$runs/base"
	refused 4 "/dev/null: not a regular file" compare "$runs/base" /dev/null
	cp -r "$runs/base" broken
	sed -i '1s/,step,/,stop,/' broken/streams.csv
	refused 4 "broken/streams.csv: line 1: no column 'step'" compare "$runs/base" broken
	rm broken/environment.csv
	refused 4 "broken/environment.csv" compare "$runs/base" broken
}
