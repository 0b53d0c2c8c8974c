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

@test "a run that is interrupted says what is missing, and how to go on" {
	local ended=0
	CUCTX_SIM_FAULTS=hang@3:cuCtxCreate_v2 "$cuctx" run context --simulate --axis api=driver --repeat 1 --out "a b" \
		>"$work/out" 2>"$work/err" &
	until [ "$(cat "a b"/*/context.csv 2>/dev/null | grep -c ,exit,)" -eq 2 ]; do sleep 0.02; done
	kill -TERM $!
	wait $! || ended=$?
	[ "$ended" -eq 130 ]
	grep -qF "6 of 8 samples are missing; \`cuctx run --resume 'a b/$(basename "a b"/*)'\` goes on" "$work/err" ||
		complain "it should say so"
	accepted run --quiet --resume "$(run_directory)"
	cuctx run --resume "$(<"$work/out")"
	! grep -q missing "$work/err" || complain "nothing is missing"
}

@test "who no longer reads the path of the directory gets its samples all the same" {
	{ "$cuctx" "${one_sample[@]}" --out a 2>"$work/err" || echo $? >ended; } | true
	[ "$(<ended)" -eq 4 ]
	samples_whole a/*/context.csv
	grep -q "standard output cannot be written" "$work/err"
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
