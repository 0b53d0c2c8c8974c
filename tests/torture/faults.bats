#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The driver refuses, fails, dies or hangs, or somebody else moves memory, at every call in turn.

setup() {
	cd "$BATS_TEST_DIRNAME" || return
	[ -e "${CUCTX_BUILD:-}/lib/cuctx/sim/libcuda.so.1" ] || skip "this build has no simulated device"
}

@test "a call that is refused is a refused row, and the run ends with 0" {
	./faults.py refuse
}

@test "a call without memory is a refused row, and the run ends with 0" {
	./faults.py oom
}

@test "a call that fails is a failed row, and the run ends with 1" {
	./faults.py fail
}

@test "a process that dies is a crashed row, and the run ends with 1" {
	./faults.py abort
}

@test "a call that hangs is a timeout row, and the run ends with 1" {
	./faults.py hang
}

@test "a stranger who comes makes a disturbed attempt and a clean one" {
	./faults.py stranger
}

@test "a stranger who gives memory back makes a disturbed attempt and a clean one" {
	./faults.py stranger-free
}

@test "a stranger who comes and goes is seen when a reading falls in between" {
	./faults.py stranger-blink
}

@test "memory that comes back late is missing at the step and not at the end" {
	./faults.py slow-release
}

@test "the runtime library's calls are refused" {
	./runtime.py refuse
}

@test "the runtime library's calls end the process" {
	./runtime.py abort
}
