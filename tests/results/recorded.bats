#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Recorded runs, and what is quoted from them; test_recorded.py says what is checked.

check() {
	run python3 "$BATS_TEST_DIRNAME/test_recorded.py" "${source:-$CUCTX_SOURCE}" "$1"
	echo "$output"
}

# A copy of the results with one cell changed, to see each check fail.
spoil() {
	source=$BATS_TEST_TMPDIR/copy
	mkdir -p "$source"
	cp -r "$CUCTX_SOURCE"/results "$CUCTX_SOURCE/README.md" "$CUCTX_SOURCE/docs" "$source"
	sed -i "$2" "$source"/results/nvidia-*/"$1"
}

@test "each recorded run is of a real device and a clean commit" {
	check clean
	[ "$status" -eq 0 ]
}

@test "each row is ok, or refused or unsupported with a reason" {
	check statuses
	[ "$status" -eq 0 ]
}

@test "each recorded trace is of a real device and a clean commit, adds up, and has the summary that is made of it" {
	[ -x "${CUCTX_BUILD:-}/bin/cuctx" ] || skip "nothing has been built"
	local trace folder count=0
	for trace in "$CUCTX_SOURCE"/results/trace-*/trace.csv; do
		folder=$BATS_TEST_TMPDIR/$((count += 1))
		cp -r "$(dirname "$trace")" "$folder"
		"$CUCTX_SOURCE/tests/cli/trace_sums.py" "$trace"
		grep -q ',fact,.*,simulated,.*,no$' "$trace"
		grep -q -E ',fact,.*,git_commit,.*,[0-9a-f]{40}$' "$trace"
		"$CUCTX_BUILD/bin/cuctx" trace --from "$folder/trace.csv" 2>/dev/null | diff "$folder/summary.txt" -
		diff "$folder/plots/trace.svg" "$(dirname "$trace")/plots/trace.svg"
	done
	[ "$count" -ge 5 ]
}

@test "each planned sample is there once" {
	check plan
	[ "$status" -eq 0 ]
}

@test "all repeats are equal to the byte" {
	check repeats
	[ "$status" -eq 0 ]
}

@test "every figure that the documents quote is in the rows of the run that they name" {
	check figures
	[ "$status" -eq 0 ]
}

@test "every run that the documents tell to make can be made" {
	[ -x "${CUCTX_BUILD:-}/bin/cuctx" ] || skip "nothing has been built"
	check commands
	[ "$status" -eq 0 ]
}

@test "what METHOD.md says of NVML's process list is so" {
	check hidden
	[ "$status" -eq 0 ]
}

@test "what a copy costs, times the copies, is what so many take at once" {
	check copies
	[ "$status" -eq 0 ]
}

# The newest that was taken with several things in one context.
combined_run() {
	local directory
	for directory in "$CUCTX_SOURCE"/results/nvidia-*/combined.csv; do
		[ -e "$directory" ] && printf '%s %s\n' "${directory##*_}" "$(dirname "$directory")"
	done | sort | tail -1 | cut -d' ' -f2-
}

@test "what predict says of combinations is what they took, to a granule for each component and a hundredth" {
	[ -x "${CUCTX_BUILD:-}/bin/cuctx" ] || skip "nothing has been built"
	local directory
	directory=$(combined_run)
	[ -n "$directory" ] || skip "no recorded run has several things in one context"
	run python3 "$BATS_TEST_DIRNAME/../predicted.py" "$CUCTX_BUILD/bin/cuctx" "$directory"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "a prediction that is off by four granules would be noticed" {
	[ -x "${CUCTX_BUILD:-}/bin/cuctx" ] || skip "nothing has been built"
	local directory
	directory=$(combined_run)
	[ -n "$directory" ] || skip "no recorded run has several things in one context"
	cp -r "$directory" "$BATS_TEST_TMPDIR/off"
	python3 - "$BATS_TEST_TMPDIR/off/combined.csv" <<-'END'
		import csv, sys
		rows = list(csv.DictReader(open(sys.argv[1], newline="")))
		for row in rows:
		    if row["parts"] == "stack-2K+frame-4K" and row["step"] == "part-2":
		        row["total_bytes"] = str(int(row["total_bytes"]) + 4 * 2**21)
		with open(sys.argv[1], "w", newline="") as file:
		    writer = csv.DictWriter(file, rows[0], lineterminator="\n")
		    writer.writeheader()
		    writer.writerows(rows)
	END
	run python3 "$BATS_TEST_DIRNAME/../predicted.py" "$CUCTX_BUILD/bin/cuctx" "$BATS_TEST_TMPDIR/off"
	[ "$status" -eq 1 ]
	[[ $output == *"stack-2K+frame-4K: "*"off by"* ]]
}

@test "a simulated or changed program would be noticed" {
	spoil environment.csv 's/^simulated,no/simulated,yes/; s/^git_commit,.*/&-dirty/'
	check clean
	[ "$status" -eq 1 ]
	[[ $output == *"not one clean commit"* ]]
}

@test "a failed row would be noticed" {
	spoil limit-stack.csv '9s/,ok,/,crashed,/'
	check statuses
	[ "$status" -eq 1 ]
}

@test "a lost row would be noticed" {
	spoil context.csv '/,exit,/{N;d}'
	check plan
	[ "$status" -eq 1 ]
}

@test "one byte more in one repeat would be noticed" {
	spoil context.csv '0,/548995072/s/548995072/548995073/'
	check repeats
	[ "$status" -eq 1 ]
	[[ $output == *548995073* ]]
}

# A copy whose findings are stdin, behind a line that names a recorded run.
find_out() {
	local run
	spoil context.csv 's/nothing/nothing/'
	run=$(basename "$source"/results/nvidia-*/)
	{ echo "# Findings of results/$run" && cat; } >"$source/docs/FINDINGS.md"
}

@test "a figure that no row has would be noticed" {
	spoil context.csv 's/nothing/nothing/'
	sed -i 's/548,995,072/548,995,073/' "$source/README.md"
	check figures
	[ "$status" -eq 1 ]
	[[ $output == *"README.md: 548,995,073 is in no row of"* ]]
}

@test "what a block of the simulated device shows is of no run; what any other block shows is" {
	find_out <<<$'```\nSIMULATED\n548995073\n```'
	check figures
	[ "$status" -eq 0 ]
	find_out <<<$'```\n548995073\n```\n\n```\nSIMULATED\n```'
	check figures
	[ "$status" -eq 1 ]
}

@test "so would one in the findings, a wrong size, and a run that is not there" {
	# shellcheck disable=SC2016 # Markdown
	find_out <<<'It takes 548995072 bytes (523.56 MiB, 524 MiB or 0.51 GiB), 64 MiB of them for `printf`.'
	check figures
	[ "$status" -eq 0 ]
	local wrong
	for wrong in 548995073 548,995,073 "523.57 MiB" "7.77 GiB" "9,999 MiB"; do
		find_out <<<"It takes $wrong."
		check figures
		[ "$status" -eq 1 ]
		[[ $output == *"docs/FINDINGS.md: $wrong is in no row of"* ]]
	done
	find_out <<<"See results/nvidia-of-another-day."
	check figures
	[ "$status" -eq 1 ]
	[[ $output == *"there is no results/nvidia-of-another-day"* ]]
}

@test "a section is about the run that it names" {
	find_out </dev/null
	mkdir "$source/results/trace"
	printf 'step,bytes\nmalloc,123456\n' >"$source/results/trace/steps.csv"
	printf '## One\n123456 bytes in results/trace\n## Other\n548995072 or 123456 bytes\n' >>"$source/docs/FINDINGS.md"
	check figures
	[ "$status" -eq 0 ]
	printf '## Third\n548995072 bytes in results/trace\n' >>"$source/docs/FINDINGS.md"
	check figures
	[ "$status" -eq 1 ]
	[[ $output == *"548995072 is in no row of trace"* ]]
}

@test "a figure may be one of a claim" {
	find_out <<<"It is 7654321 bytes."
	check figures
	[ "$status" -eq 1 ]
	printf 'claim,figures\nit,it 7654321 bytes (toy)\n' >"$(echo "$source"/results/nvidia-*)/claims.csv"
	check figures
	[ "$status" -eq 0 ]
}

@test "a command that cannot be given would be noticed" {
	[ -x "${CUCTX_BUILD:-}/bin/cuctx" ] || skip "nothing has been built"
	# shellcheck disable=SC2016 # Markdown
	find_out <<<'`cuctx run limit-stack --axis stack_limit_bytes=0,1K --axis api=driver`, `cuctx run --resume DIR`'
	check commands
	[ "$status" -eq 0 ]
	local wrong
	for wrong in "limit-stacks" "limit-stack --axis stack=0" "context --axis api=neither" "context --filter nothing=1"; do
		find_out <<<"Try \`cuctx run $wrong\`."
		check commands
		[ "$status" -eq 1 ]
		[[ $output == *"docs/FINDINGS.md: cuctx run $wrong: "* ]]
	done
}

@test "copies that take two granules more than the law says would be noticed" {
	spoil module-copies.csv '/,4096,4096,one,1,.*,load-copies,/s/,287309824,/,291504128,/'
	check copies
	[ "$status" -eq 1 ]
	[[ $output == *"4096 copies of 4096 instructions take 291504128"* ]]
}
