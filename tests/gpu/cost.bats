#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What tracing costs on the GPU of this machine, which nothing else should use meanwhile: cost.sh says what is too much.

setup() {
	cost=$CUCTX_BUILD/lib/cuctx/cost/cost.sh
	[ -x "$cost" ] || skip "this build traces no programs"
}

@test "a launch costs what it costs with a callback that does nothing" {
	run "$cost" launches --times 3
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "a loop of PyTorch's matrix products is not slowed" {
	run "$cost" matmuls
	echo "$output"
	[ "$status" -ne 77 ] || skip "no PyTorch"
	[ "$status" -eq 0 ]
}

@test "a program ends while its threads call CUDA, traced as without" {
	run "$cost" exit --times 20
	echo "$output"
	[ "$status" -eq 0 ]
}
