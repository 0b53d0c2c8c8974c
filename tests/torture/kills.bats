#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Runs that are ended from outside, and what is left of them.

setup() {
	cd "$BATS_TEST_DIRNAME" || return
	[ -e "${CUCTX_BUILD:-}/lib/cuctx/sim/libcuda.so.1" ] || skip "this build has no simulated device"
}

@test "SIGKILL at any moment loses the sample in flight at most, and --resume completes" {
	./kills.py parent
}

@test "SIGKILL leaves no process behind, not even one that hangs in the driver" {
	./kills.py orphans
}

@test "files that are cut off anywhere are completed by --resume" {
	./kills.py cut
}

@test "an observer that is killed or stopped is replaced" {
	./kills.py observer
}

@test "a subject that is killed or stopped is one crashed or timed-out sample" {
	./kills.py subject
}

@test "SIGINT, SIGTERM and SIGHUP end a run with 130 and keep what was measured" {
	./kills.py signals
}

@test "SIGINT while the driver hangs ends the run at once" {
	./kills.py hanging
}
