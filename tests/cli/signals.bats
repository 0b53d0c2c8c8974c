#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Signals that whoever started cuctx had ignored.

# shellcheck disable=SC2154 # common.sh assigns them
load common.sh

setup() {
	cli_setup
	needs_simulator
}

teardown() {
	cli_teardown
}

# interrupted ARGS...: cuctx with SIGHUP and SIGINT ignored, which are sent to it once it has begun.
interrupted() {
	code=0
	python3 - "$cuctx" "$@" >"$work/out" 2>"$work/err" <<-'END' || code=$?
		import signal, subprocess, sys
		signals = signal.SIGHUP, signal.SIGINT
		for number in signals:
		    signal.signal(number, signal.SIG_IGN)
		run = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True)
		print(run.stdout.readline(), end="", flush=True)
		for number in signals:
		    run.send_signal(number)
		sys.exit(run.wait())
	END
}

# childless ARGS...: cuctx with SIGCHLD ignored.
childless() {
	code=0
	python3 -c 'import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.execv(sys.argv[1], sys.argv[1:])' "$cuctx" "$@" >"$work/out" 2>"$work/err" || code=$?
}

@test "nohup(1) and a shell in the background: what was to be ignored does not end a run" {
	interrupted "${one_sample[@]}" --repeat 40 --out a
	[ "$code" -eq 0 ] || complain "the exit code should be 0"
	samples_whole "$(run_directory)/context.csv"
	[ "$(column "$(run_directory)/context.csv" step | grep -c exit)" = 40 ]
}

@test "ends of children are seen, even if they were to be ignored" {
	childless "${one_sample[@]}" --out a
	[ "$code" -eq 0 ] || complain "the exit code should be 0"
	[ "$(column "$(run_directory)/context.csv" status | sort -u)" = ok ]
	printf '#!/bin/sh\nexit 1\n' >gnuplot
	chmod +x gnuplot
	PATH=$work:$PATH childless plot "$(run_directory)"
	[ "$code" -eq 4 ] || complain "a chart that could not be drawn: the exit code should be 4"
}
