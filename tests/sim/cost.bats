#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The script that measures what tracing costs does so, and notices what would make its figures wrong. The times
# themselves are a matter of a GPU.

bats_require_minimum_version 1.5.0

export LC_ALL=C

setup() {
	built=${CUCTX_BUILD:-}/lib/cuctx
	[ -x "$built/cost/cost.sh" ] || skip "this build traces no programs"
	[ -e "$built/sim/libcupti.so.13" ] || skip "this build has no simulated device"
	unset "${!CUCTX_SIM_@}" "${!CUCTX_LIB@}" CUDA_MODULE_LOADING
	cd "$BATS_TEST_TMPDIR" || return
}

# copy_of_tree WITHOUT: the built tree, where a file in lib/cuctx is not there.
copy_of_tree() {
	mkdir -p tree/lib/cuctx
	ln -s "$CUCTX_BUILD/share" tree/share
	cp -r "$built/cost" tree/lib/cuctx/cost
	ln -s "$built/sim" "$built/libcuctx_trace.so" tree/lib/cuctx
	rm "tree/lib/cuctx/$1"
}

@test "launches are measured three ways, and the times are not judged where they are simulated" {
	run --separate-stderr "$built/cost/cost.sh" launches --simulate --times 2 600 3
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[[ ${lines[0]} == *SIMULATED* ]]
	[[ ${lines[1]} =~ ^\ +plain\ +empty\ +traced$ ]]
	for line in "${lines[@]:2:3}"; do
		[[ $line =~ ^(1|2|least)(\ +[1-9][0-9]*\.[0-9]){3}$ ]]
	done
	[[ $output =~ traced\ /\ empty\ +[0-9]+\.[0-9]+ ]]
	[[ $output != *"should be"* ]]
}

@test "a program ends while its threads call CUDA, traced or not" {
	run --separate-stderr "$built/cost/cost.sh" exit --simulate --times 3 16 20
	[ "$status" -eq 0 ]
	[ "$(grep -c ' 3 times: exit code 0$' <<<"$output")" -eq 3 ]
}

@test "a program that hangs is told" {
	copy_of_tree cost/threads_at_exit
	printf '#!/bin/sh\nexit 124\n' >tree/lib/cuctx/cost/threads_at_exit
	chmod +x tree/lib/cuctx/cost/threads_at_exit
	run --separate-stderr tree/lib/cuctx/cost/cost.sh exit --simulate --times 1
	[ "$status" -eq 1 ]
	[ "$(grep -c ' 1 times: HUNG$' <<<"$output")" -eq 3 ]
}

@test "a program that fails only where it is traced is told by the exit code" {
	copy_of_tree cost/threads_at_exit
	# shellcheck disable=SC2016 # for the script
	printf '#!/bin/sh\ncase $CUDA_INJECTION64_PATH in *trace*) exit 3; esac\n: >"${EMPTY_CALLBACK_FILE:-/dev/null}"\n' \
		>tree/lib/cuctx/cost/threads_at_exit
	chmod +x tree/lib/cuctx/cost/threads_at_exit
	run --separate-stderr tree/lib/cuctx/cost/cost.sh exit --simulate --times 2
	[ "$status" -eq 1 ]
	[[ $output == *"plain       2 times: exit code 0"*"traced      2 times: exit code 3"* ]]
}

@test "times without the tracer do not pass for times with it" {
	copy_of_tree libcuctx_trace.so
	run --separate-stderr tree/lib/cuctx/cost/cost.sh launches --simulate --times 1 600 1
	[ "$status" -eq 1 ]
	# shellcheck disable=SC2154 # run assigns it
	[[ ${stderr_lines[0]} == "cost.sh: the program was not traced" ]]
}

@test "times without a callback do not pass for times with one" {
	copy_of_tree cost/empty_callback.so
	run --separate-stderr tree/lib/cuctx/cost/cost.sh launches --simulate --times 1 600 1
	[ "$status" -eq 1 ]
	[[ ${stderr_lines[0]} == "cost.sh: the driver did not load empty_callback.so" ]]
}

@test "without PyTorch and a GPU, products are skipped; what is not understood is refused" {
	mkdir torch
	printf 'class cuda:\n    is_available = staticmethod(lambda: False)\n' >torch/__init__.py
	PYTHONPATH=$PWD run "$built/cost/cost.sh" matmuls --times 1
	[ "$status" -eq 77 ]
	run "$built/cost/cost.sh" products
	[ "$status" -eq 2 ]
	run "$built/cost/cost.sh" launches --times 0
	[ "$status" -eq 2 ]
}
