#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The observer meets trouble at each of its calls.

setup() {
	cd "$BATS_TEST_DIRNAME" || return
	[ -e "${CUCTX_BUILD:-}/lib/cuctx/sim/libcuda.so.1" ] || skip "this build has no simulated device"
}

@test "a call of the observer that is refused: no run, or a new observer" {
	./observer.py refuse
}

@test "an observer that dies: no run, or a new observer" {
	./observer.py abort
}

@test "an observer that hangs: no run, or a new observer" {
	./observer.py hang
}

@test "no new observer to be had: exit 3, and --resume goes on" {
	./observer.py gone
}

@test "observers that never last for a sample: exit 1" {
	./observer.py weary
}

@test "a stranger who is there before the first sample changes no delta" {
	./observer.py stranger
}
