#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The README's worked example is followed to the letter, and says what the README says.

# shellcheck disable=SC2154 # common.sh assigns them
load common.sh

setup() {
	cli_setup
	needs_simulator
	readme=${CUCTX_SOURCE:-}/README.md
	[ -r "$readme" ] || skip "the README is not here (CUCTX_SOURCE names the source tree)"
}
teardown() { cli_teardown; }

# block N: the Nth fenced block of the section on two drivers.
block() {
	awk -v wanted="$1" '/^## /{ inside = /^## Two drivers/ } inside && /^```/{ fences++; next }
		inside && fences == 2 * wanted - 1' "$readme"
}

@test "two drivers: the commands fail the job, and their output has every line that is shown, in that order" {
	ln -s "$CUCTX_BUILD" build
	block 2 >commands
	grep -q '^cuctx compare .*--fail-on more$' commands
	code=0
	PATH="$CUCTX_BUILD/bin:$PATH" bash -eu commands >said 2>/dev/null || code=$?
	[ "$code" -eq 1 ]
	block 3 | grep -v '^$' >shown
	grep -q SIMULATED shown
	python3 - <<-'END'
		import pathlib, sys
		# Columns are as wide as what stands in them, paths among it.
		def lines(name):
		    return [line.split() for line in pathlib.Path(name).read_text(encoding="utf-8").splitlines()]
		text = pathlib.Path("said").read_text(encoding="utf-8")
		said = iter(lines("said"))
		missing = [" ".join(line) for line in lines("shown") if line not in said]
		sys.exit("\n".join(["these lines are not in the output:", *missing, text]) if missing else 0)
	END
}

@test "two drivers: in the job, what fails is not lost in a pipe or an echo" {
	block 1 >job
	sed -n '/run: |/,$p' job | sed '1d' | sed 's/^ *//' >commands
	[ "$(wc -l <commands)" -eq 2 ]
	printf '#!/bin/sh\nexit 3\n' >cuctx
	chmod +x cuctx
	code=0
	GITHUB_STEP_SUMMARY=summary PATH=$PWD:$PATH bash -e commands || code=$?
	[ "$code" -eq 3 ]
}
