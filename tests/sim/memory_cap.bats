#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# No sample takes more than --max-memory was told that it may take.

setup() {
	[ -e "${CUCTX_BUILD:-}/lib/cuctx/sim/libcuda.so.1" ] || skip "this build has no simulated device"
}

@test "on a device like the H200" {
	"$BATS_TEST_DIRNAME/memory_cap.py" h200
}

@test "on an odd device" {
	"$BATS_TEST_DIRNAME/memory_cap.py" odd
}
