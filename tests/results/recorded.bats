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

@test "each planned sample is there once" {
	check plan
	[ "$status" -eq 0 ]
}

@test "all repeats are equal to the byte" {
	check repeats
	[ "$status" -eq 0 ]
}

@test "every figure in the README is in the rows" {
	check readme
	[ "$status" -eq 0 ]
}

@test "what METHOD.md says of NVML's process list is so" {
	check hidden
	[ "$status" -eq 0 ]
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

@test "a figure that no row has would be noticed" {
	spoil context.csv 's/nothing/nothing/'
	sed -i 's/548,995,072/548,995,073/' "$source/README.md"
	check readme
	[ "$status" -eq 1 ]
	[[ $output == *"548,995,073"* ]]
}
