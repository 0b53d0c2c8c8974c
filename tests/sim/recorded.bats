#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The profile h200 gives back what was recorded on an H200 with its driver; recorded.py says how.

export LC_ALL=C

setup() {
	local release
	release=$(sed -n 's/^driver_release,//p' "$CUCTX_SOURCE/sim/profiles/h200.csv")
	[ -n "$release" ]
	runs=("${CUCTX_RESULTS:-$CUCTX_SOURCE/results}"/nvidia-h200_"$release"_*/)
	[ -d "${runs[0]}" ] || skip "no run on an H200 with driver $release is among the results"
}

# compare RUN: 77 is no failure but no test.
compare() {
	run "$BATS_TEST_DIRNAME/recorded.py" "$1"
	[ "$status" -ne 77 ] || skip "$output"
	echo "$1: $output"
}

@test "every row of the recorded runs is simulated to the byte" {
	for recorded in "${runs[@]}"; do
		compare "$recorded"
		[ "$status" -eq 0 ]
	done
}

@test "one byte more in a recorded run is seen" {
	cp "${runs[0]}"/{kernels,context}.csv "$BATS_TEST_TMPDIR"
	sed -i '0,/,548995072,/s//,548995073,/' "$BATS_TEST_TMPDIR/context.csv"
	compare "$BATS_TEST_TMPDIR"
	[ "$status" -eq 1 ]
	[[ $output == *" 1 cells differ" ]]
}
