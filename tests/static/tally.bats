#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The closing line of run_tests.sh tells the truth.

# counts N,N,N: tally.py, given stdin as the output of ctest, counts so many passed, failed, skipped.
counts() {
	run "$BATS_TEST_DIRNAME/../tally.py"
	echo "$output"
	[ "${lines[-1]}" = "$1" ]
}

@test "tests are counted one by one" {
	counts "3 passed, 0 failed, 0 skipped" <<-'END'
		1: 1..2
		1: ok 1 - a
		2: ok 1 a suite: with a name
		1: ok 2 - b
		1: # ok - group
		1/2 Test #1: test_a ....   Passed    0.01 sec
		2/2 Test #2: static_b ....   Passed    10.01 sec
	END
	[ "$status" -eq 0 ]
}

@test "a failed test is named, with what it said" {
	counts "1 passed, 1 failed, 0 skipped" <<-'END'
		1: ok 1 - a
		1: not ok 2 - b
		1: # why
		 1/1 Test  #1: test_a ....***Failed    0.01 sec
	END
	[ "$status" -eq 1 ]
	[[ $output == *"# why"*"FAILED   test_a: b"* ]]
}

@test "a program that dies is a failure, whatever it said before" {
	counts "1 passed, 1 failed, 0 skipped" <<-'END'
		1: ok 1 - a
		1: ERROR: AddressSanitizer
		1/1 Test #1: test_a ....***Failed    0.01 sec
	END
	[ "$status" -eq 1 ]
	counts "0 passed, 2 failed, 0 skipped" <<-'END'
		1/2 Test #1: test_a ....***Timeout  120.01 sec
		2/2 Test #2: test_b ....***Exception: SegFault  0.10 sec
	END
	[[ $output == *"test_a: ended badly: Timeout"*"test_b: ended badly: Exception: SegFault"* ]]
}

@test "a skipped test is not a passed test" {
	counts "1 passed, 0 failed, 4 skipped" <<-'END'
		1: ok 1 a # skip no GPU
		1: ok 2 b
		2: ok 1 a # skip
		3: 1..0 # skip nothing there
		4: not ok 1 # SKIP from_cmocka
		1/4 Test #1: cli_a ....   Passed    0.01 sec
		2/4 Test #2: cli_b ....***Skipped   0.01 sec
		3/4 Test #3: cli_c ....***Skipped   0.01 sec
		4/4 Test #4: test_d ....   Passed   0.01 sec
	END
	[ "$status" -eq 0 ]
	[[ $output == *"cli_a: a (no GPU)"*"cli_c: nothing there"*"test_d: (from_cmocka)"* ]]
}

@test "nothing at all is no success" {
	counts "0 passed, 0 failed, 0 skipped" </dev/null
	[ "$status" -eq 1 ]
	counts "1 passed, 0 failed, 0 skipped" <<<"1/1 Test #1: silent ....   Passed    0.01 sec"
	[ "$status" -eq 0 ]
}
