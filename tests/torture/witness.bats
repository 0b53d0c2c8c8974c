#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What the two witnesses of a disturbance see, alone and together.

setup() {
	cd "$BATS_TEST_DIRNAME" || return
	[ -e "${CUCTX_BUILD:-}/lib/cuctx/sim/libcuda.so.1" ] || skip "this build has no simulated device"
}

@test "NVML falls silent at any call: its columns are empty, nothing else" {
	./witness.py quiet
}

@test "NVML knows everybody by other numbers: its columns are empty, and nobody counts as a stranger" {
	./witness.py foreign
}

@test "without NVML the free count tells on a stranger" {
	./witness.py count
}

@test "what neither can see is in the rows, and a repeat shows it" {
	./witness.py unseen
}

@test "disturbed at every attempt: three of them, exit 1" {
	./witness.py always
}

@test "a crash stays a crash, whoever else moved" {
	./witness.py crashed
}

@test "memory that comes back later than anybody waits disturbs" {
	./witness.py late
}
