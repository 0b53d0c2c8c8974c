#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# cuctx trace: the program is as it was, and its memory is accounted for to the byte.

# shellcheck disable=SC2154 # common.sh assigns them
load common.sh

setup() {
	cli_setup
	needs_simulator
	steps=$CUCTX_BUILD/tests/trace/steps
	modules=$CUCTX_BUILD/share/cuctx/modules/sm_90
	[ -x "$steps" ] || skip "CUPTI's headers were not there when this was built"
	unset CUDA_INJECTION64_PATH
}

teardown() {
	cli_teardown
}

# traced STEP...: the program of steps, into trace.csv.
traced() {
	rm -rf trace.csv plots
	cuctx trace --simulate --no-calibration --out trace.csv -- "$steps" "$@"
}

sums() {
	"$BATS_TEST_DIRNAME/trace_sums.py" trace.csv "$@"
}

@test "what the program prints, reads and ends with is its own" {
	cuctx trace --simulate --quiet --out t.csv -- sh -c "cat; echo out; echo err >&2; '$steps' context print=more; exit 7" <<<"from stdin"
	[ "$code" -eq 7 ]
	[ "$(<"$work/out")" = $'from stdin\nout\nmore' ]
	[ "$(<"$work/err")" = err ]
	cuctx trace --simulate --quiet --out u.csv -- "$steps" context exit=0
	[ "$code" -eq 0 ] && [ ! -s "$work/out" ] && [ ! -s "$work/err" ]
	head -n 1 u.csv | grep -q '^time_ns,process,'
}

@test "the summary is on stderr, with nothing on stdout" {
	traced context alloc=100 exit=3
	[ "$code" -eq 3 ] && [ ! -s "$work/out" ]
	# A long path makes more lines of it.
	tr '\n' ' ' <"$work/err" | grep -q "Where the memory went: .*steps context alloc=100 exit=3 "
	grep -q "SIMULATED" "$work/err"
	grep -q "SIMULATED" plots/trace.svg
}

@test "signals: the program's end is ours, and what is sent to us reaches it" {
	traced context abort
	[ "$code" -eq 134 ]
	sums cuDevicePrimaryCtxRetain=552402944
	cuctx trace --simulate --quiet --out k.csv -- sh -c 'kill -9 $$'
	[ "$code" -eq 137 ]
	# shellcheck disable=SC2016 # for the shell that is traced
	cuctx trace --simulate --quiet --out s.csv -- sh -c 'trap "echo got it; exit 5" TERM; kill $PPID; sleep 5 & wait'
	[ "$code" -eq 5 ]
	[ "$(<"$work/out")" = "got it" ]
}

@test "a program goes on when its tracer is killed" {
	cat >script <<-'END'
		echo $PPID >tracer
		while kill -0 "$(cat tracer)" 2>/dev/null; do sleep 0.05; done
		"$1" context alloc=100 && echo ended >end
	END
	"$cuctx" trace --simulate --quiet --out t.csv -- sh script "$steps" &
	for _ in {1..200}; do
		[ -s tracer ] && break
		sleep 0.05
	done
	kill -9 "$(<tracer)"
	wait "$!" || true
	for _ in {1..200}; do
		[ -s end ] && break
		sleep 0.05
	done
	[ "$(<end)" = ended ]
	# What had been written is a trace when it is asked for.
	[ ! -e t.csv ]
	cuctx trace --from t.csv.part
	[ "$code" -eq 0 ]
	grep -q "cuMemAlloc_v2" t.csv
}

@test "what cannot be run is told as a shell tells it" {
	refused_program() {
		cuctx trace --simulate --no-calibration --out t.csv -- "$2"
		said "$1" "$2" "$2"
		[ ! -e t.csv ] && [ ! -e t.csv.part ]
	}
	refused_program 127 ./nothing
	touch plain
	refused_program 126 ./plain
	refused 2 "a program to trace is needed" trace
	refused 2 "unknown option" trace --nothing -- true
	refused 2 "--top" trace --top 0 -- true
}

@test "planted bytes come back: context, code, frame, printf, allocations, streams, pool" {
	traced context alloc=100 alloc=5000000 module="$modules/frame-16384.cubin" kernel=kernel launch=3 \
		module="$modules/printf-called.cubin" kernel=kernel launch=1 module="$modules/fma-524255.cubin" kernel=kernel launch=2 \
		free stream=40 pool=100000 sync
	[ "$code" -eq 0 ]
	sums cuDevicePrimaryCtxRetain=552402944 cuMemAlloc_v2=8388608 cuMemFree_v2=-6291456 \
		kernel:launch=4152360960 cuModuleLoadData=67108864 cuMemAllocAsync=33554432 cuCtxSynchronize=-33554432
	grep -q "^stack for the frame  *4152360960 " "$work/err"
	grep -q "^contexts: stack at  *276824064 " "$work/err"
	grep -q "^contexts: all else of  *275578880 " "$work/err"
	grep -q "^allocations: what was  *100 \|^allocations: what was  *5000100 " "$work/err"
	grep -q "^first use of printf  *65011712 " "$work/err"
	grep -q "kernel has a frame of 16384 bytes" "$work/err"
}

@test "every row belongs to somebody, whatever the program does" {
	local -a life
	for life in "context alloc=100 free" "context threads=8" "context alloc=9000000 abort" "context alloc=9000000 _exit=0" \
		"context alloc=9000000 reset context alloc=100" "context close alloc=100 stream=20" "init" "fork context alloc=3000000" \
		"context limit=4096 limit=1024" "context host=100000 module=$modules/many-16.cubin kernel=kernel_3 launch=1 unload"; do
		# shellcheck disable=SC2086 # words
		traced $life
		sums || { echo "$life"; return 1; }
		# Threads on few processors are not always read when they were.
		[[ $life == *threads* ]] || absent unexplained "$work/err"
	done
	traced context close alloc=100
	sums cuMemAlloc_v2=2097152
}

@test "what is asked for may be more than any number in a trace" {
	for step in alloc limit; do
		traced context $step=18446744073709551615
		[ "$code" -eq 2 ]
		grep -q "^contexts: all else of " "$work/err"
		sums
		[ ! -e trace.csv.part ]
		python3 - <<-'END'
			import csv
			rows = [row for row in csv.DictReader(open("trace.csv", newline="")) if row["error"]]
			assert len(rows) == 1, rows
			assert not rows[0]["requested_bytes"] and rows[0]["note"] == "asked for more than can be written", rows
		END
	done
}

@test "two processes at once are told apart, and their contexts counted" {
	cuctx trace --simulate --no-calibration --out trace.csv -- sh -c "'$steps' context alloc=3000000 sleep=500 & '$steps' context alloc=3000000 sleep=500 & wait"
	[ "$code" -eq 0 ]
	sums cuMemAlloc_v2=8388608
	grep -q "^contexts: stack at  *553648128 " "$work/err"
	[ "$(cut -d, -f2 <(grep ',cuMemAlloc_v2,' trace.csv) | sort -u | wc -l)" -eq 2 ]
}

@test "files that are there or cannot be made: one line, and the program runs, unless that is not wanted" {
	echo mine >there.csv
	cuctx trace --simulate --out there.csv -- echo hello
	[ "$code" -eq 0 ] && [ "$(<"$work/out")" = hello ] && [ "$(<there.csv)" = mine ]
	said 0 "there.csv: File exists" "a file that is there"
	cuctx trace --simulate --out no/where.csv -- sh -c 'exit 4'
	said 4 "no/where.csv" "a folder that is not there"
	refused 4 "there.csv: File exists" trace --simulate --strict --out there.csv -- echo hello
	[ ! -s "$work/out" ]
}

@test "where nothing can be traced, one line says why, and the program runs" {
	CUDA_INJECTION64_PATH=/other.so cuctx trace --simulate --out t.csv -- echo hello
	said 0 "CUDA_INJECTION64_PATH is set to /other.so" "another tool's library"
	[ "$(<"$work/out")" = hello ] && [ ! -e t.csv ]
	CUCTX_LIBNVML=/nothing cuctx trace --out t.csv -- echo hello
	said 0 "" "no driver"
	[ "$(<"$work/out")" = hello ] && [ ! -e t.csv ]
	cuctx trace --simulate --no-calibration --out a.csv -- true
	[ "$code" -eq 0 ]
	grep -q "nothing was traced: no process of the program initialised CUDA" "$work/err"
	cuctx trace --simulate --quiet --no-calibration --out q.csv -- true
	said 0 "nothing was traced: no process of the program initialised CUDA" "true"
	CUCTX_LIBCUPTI=/nothing cuctx trace --simulate --quiet --no-calibration --out c.csv -- "$steps" context exit=5
	said 5 "was not traced: CUPTI: /nothing" "no CUPTI"
	CUCTX_SIM_CUPTI_BUSY=1 cuctx trace --simulate --no-calibration --out b.csv -- "$steps" context exit=6
	[ "$code" -eq 6 ]
	grep -q "was not traced: CUPTI serves one tool at a time" "$work/err"
}

@test "a program of 32 bits, or with other rights, is told before it runs" {
	cp "$steps" bits32 && printf '\1' | dd of=bits32 bs=1 seek=4 conv=notrunc status=none
	cuctx trace --simulate --out t.csv -- ./bits32
	[ "$code" -eq 126 ] || [ "$code" -eq 127 ]
	grep -q "^cuctx: ./bits32 is a 32-bit program" "$work/err"
	cp "$(type -P true)" other && chmod u+s other
	cuctx trace --simulate --out t.csv -- ./other
	said 0 "./other runs with other rights than yours" "setuid"
	refused 3 "./other runs with other rights" trace --simulate --strict --out t.csv -- ./other
	PATH=$work:$PATH cuctx trace --simulate --out t.csv -- other
	said 0 "other runs with other rights" "along PATH"
	[ ! -e t.csv ]
}

@test "a trace is summed up again at any time, and what is none is told by its name" {
	traced context alloc=100
	cp "$work/err" first
	cuctx trace --from trace.csv
	[ "$code" -eq 0 ] && [ ! -s "$work/err" ]
	diff <(sed '1d;$d' first) "$work/out"
	: >empty.csv
	printf 'a,b\n1,2\n' >other.csv
	sed '3s/^-*[0-9]*,/nonsense,/' trace.csv >number.csv
	sed '3s/^-*[0-9]*,/99999999999999999999,/' trace.csv >large.csv
	# Each of them can be, and all together cannot be added up.
	python3 -c 'import csv, sys
rows = list(csv.DictReader(open("trace.csv", newline="")))
out = csv.DictWriter(sys.stdout, rows[0].keys())
out.writeheader()
out.writerows({**row, "delta_bytes": row["delta_bytes"] and 2 ** 61 - 2} for row in rows)' >sums.csv
	head -c 4000 /dev/urandom >binary.csv
	for file in empty other number large sums binary missing; do
		refused 4 "$file.csv" trace --from "$file.csv"
	done
}

@test "names and arguments are only names" {
	local odd=$'a"b,c|d%s\e[31m`x`$(y)\n<script>&z'
	ln -s "$steps" "$odd"
	cuctx trace --simulate --no-calibration --out t.csv -- "./$odd" context "print=$odd" alloc=100
	[ "$code" -eq 0 ] && [ "$(<"$work/out")" = "$odd" ]
	absent '[\x00-\x08\x0b-\x1f\x7f]' "$work/err"
	python3 - "$odd" <<-'END'
		import csv, sys, xml.dom.minidom
		with open("t.csv", newline="", encoding="utf-8") as file:
		    rows = list(csv.DictReader(file))
		command, = [row["note"] for row in rows if row["object"] == "command"]
		assert command == f"./{sys.argv[1]} context print={sys.argv[1]} alloc=100", command
		xml.dom.minidom.parse("plots/t.svg")
	END
	[ "$(find . -newer "$odd" -name 'x' -o -name 'y' | wc -l)" -eq 0 ]
}
