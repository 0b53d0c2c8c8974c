#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What reads files is given what nobody would write. CUCTX_FUZZ_SECONDS says for how long each (30),
# CUCTX_FUZZ_SEED from which seed. The paths are long, as those of a build can be.

setup() {
	cd "$BATS_TEST_DIRNAME" || return
	programs=$CUCTX_BUILD/tests/fuzz
	seconds=${CUCTX_FUZZ_SECONDS:-30}
	seed=${CUCTX_FUZZ_SEED:-1}
	source=${CUCTX_SOURCE:-$BATS_TEST_DIRNAME/../..}
	export TMPDIR=$BATS_TEST_TMPDIR/a-folder-whose-name-is-longer-than-that-of-most-folders-but-not-too-long
	mkdir "$TMPDIR"
	# shellcheck source=tests/fuzz/seeds.sh
	. ./seeds.sh
}

# replay TARGET: what a fuzzer begins with, and what one has found before.
replay() {
	mkdir "$BATS_TEST_TMPDIR/seeds"
	write_seeds "$1" "$BATS_TEST_TMPDIR/seeds"
	"$programs/replay_$1" "$BATS_TEST_TMPDIR"/seeds/* corpus/"$1"/*
}

need() {
	[ -x "$programs/$1" ] || skip "clang with libFuzzer was not there when this was built"
}

fuzz() {
	need "fuzz_$1"
	run ./fuzz.sh "$programs/fuzz_$1" "$1" "$seconds" "$seed"
	echo "$output"
	echo "# ${lines[-1]}" >&3
	[ "$status" -eq 0 ]
}

# finds TARGET FILE [DEMAND]: a bug that was planted in a copy of it, by a demand of the target, or that
# one, and by nothing else. It takes seconds; a minute is for a machine that has much else to do.
finds() {
	need "fuzz_$1_$2"
	run ./fuzz.sh "$programs/fuzz_$1_$2" "$1" 60 "$seed"
	echo "$output"
	echo "# planted in $2: ${lines[-1]}" >&3
	[ "$status" -eq 1 ]
	grep -q -E "^[^ ]*/fuzz_$1[.]c:[0-9]+: not so: .*${3-}" <<<"$output"
	[[ ${lines[-1]} == *": found $programs/findings/"* ]]
	rm "${lines[-1]##*: found }"
}

@test "csv: seeds and earlier findings" {
	replay csv
}

@test "profile: seeds and earlier findings" {
	[ -x "$programs/replay_profile" ] || skip "this build has no simulated device"
	replay profile
}

@test "run: seeds and earlier findings" {
	replay run
}

@test "csv: whatever the file, both readers agree, and what is written is read" {
	fuzz csv
}

@test "profile: whatever the file, no number out of its range" {
	fuzz profile
}

# The reader and the profiles are what files of others reach first.
@test "run: whatever the rows, analysis, report and comparison get to their end" {
	seconds=$(((seconds + 2) / 3))
	fuzz run
}

@test "a cell that is cut short is found" {
	finds csv csv_read
}

@test "a carriage return that is kept is found" {
	finds csv csv_stream
}

@test "a mark that is taken away once more is found" {
	finds csv csv_write
}

@test "a number that is too large is found" {
	finds profile profile 'number >= key->min'
}

@test "a byte that a terminal would obey is found" {
	finds run utf8 'length$'
}
