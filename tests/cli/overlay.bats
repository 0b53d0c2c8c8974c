#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Charts of several runs, and the one of what a context is made of.

# shellcheck disable=SC2154,SC2030,SC2031,SC2016 # common.sh assigns them; texts that are meant
load common.sh

setup_file() {
	cuctx=${CUCTX_BUILD:-}/bin/cuctx
	runs=$BATS_FILE_TMPDIR
	export runs
	[ -e "$CUCTX_BUILD/lib/cuctx/sim/libcuda.so.1" ] || return 0
	measure h200 h200
	measure odd odd
	measure less h200 --filter '^(context|limit-stack|first-call) '
}

# measure NAME PROFILE ARGS...: $runs/NAME is a run of some benchmarks, with laws and with words.
measure() {
	local name=$1 profile=$2
	shift 2
	"$cuctx" run context context-settings limit-stack limit-printf-fifo limit-malloc-heap device-runtime combined first-call \
		streams graphs memory-pool static-symbols textures other-limits --quick --quiet --no-claims --simulate="$profile" "$@" --out "$runs/out-$name" >/dev/null
	mv "$runs/out-$name"/* "$runs/$name"
}

setup() {
	cli_setup
	needs_simulator
	command -v gnuplot >/dev/null || skip "there is no gnuplot"
}
teardown() { cli_teardown; }

# plots CODE ARGS...: the exit code; what is drawn in out, what is said in err.
plots() {
	local wanted=$1
	shift
	cuctx plot --format svg "$@"
	[ "$code" -eq "$wanted" ] || complain "plot $*: the exit code should be $wanted"
}

@test "two runs are series of the same charts, drawn from a table that has both" {
	plots 0 "a=$runs/h200" "b=$runs/h200"
	[ ! -s "$work/err" ] || complain "something is on stderr"
	local chart
	for chart in components context limit-stack first-call streams graphs; do
		tail -c 20 "overlay/plots/$chart.svg" | grep -q "</svg>"
		grep -qF "a: NVIDIA H200, driver 580.159.04" "overlay/plots/$chart.svg" ||
			grep -qF "a: NVIDIA H200‚ driver 580.159.04" "overlay/plots/$chart.svg"
		grep -qF "b: NVIDIA H200" "overlay/plots/$chart.svg"
		[ "$(grep -c SIMULATED "overlay/plots/$chart.svg")" -ge 2 ]
		grep -qxF "overlay/plots/$chart.svg" "$work/out"
	done
	[ ! -e "$runs/h200/plots" ]
	# The table has the rows of both runs, number for number.
	python3 - "$runs/h200" <<-'END'
		import csv, sys
		def rows(path):
		    with open(path, newline="", encoding="utf-8") as file:
		        return list(csv.DictReader(file))
		drawn = rows("overlay/limit-stack.csv")
		measured = {(row["granted_bytes"], row["total_bytes"]) for row in rows(sys.argv[1] + "/limit-stack.csv")
		            if row["step"] == "get"}
		for run in "12":
		    points = {(row["x"], row["y"]) for row in drawn if row["run"] == run and row["series"] == "stack"}
		    assert points and points <= {(x, y) for x, y in measured} | points, points
		    assert len(points) >= 4, points
		assert {row["y"] for row in drawn if row["run"] == "1"} == {row["y"] for row in drawn if row["run"] == "2"}
	END
}

@test "a curve of each run is in the chart: as many marks as points" {
	plots 0 "a=$runs/h200" "b=$runs/h200" "c=$runs/h200" --out "three runs"
	local points
	points=$(grep -c ',stack,' "three runs/limit-stack.csv")
	[ "$((points % 3))" -eq 0 ]
	# A mark of the key for each run, and one for each point of both panels.
	grep -o "<use xlink:href='#gpPt[0-9]*' transform='translate" "three runs/plots/limit-stack.svg" >marks
	[ "$(sort -u marks | wc -l)" -eq 3 ]
	[ "$(wc -l <marks)" -eq "$(($(tail -n +2 "three runs/limit-stack.csv" | wc -l) + 3))" ]
}

@test "a series or a benchmark that one run lacks is an error that names it, and the rest is drawn" {
	plots 4 "all=$runs/h200" "few=$runs/less"
	grep -q "^cuctx: few: NVIDIA H200, driver 580.159.04: streams: the run has no such benchmark" "$work/err"
	grep -q "components, device printf, once a module links it: the run has no such series" "$work/err"
	[ -e overlay/plots/streams.svg ]
	[ -e overlay/plots/limit-stack.svg ]
	absent "limit-stack" "$work/err"
}

@test "what a device does not support is a remark, not an error" {
	plots 4 "h200=$runs/h200" "odd=$runs/odd"
	grep -q "^h200: NVIDIA H200, driver 580.159.04: other-limits, dev-runtime-sync-depth: not drawn, .* unsupported there" "$work/err"
	grep -q "^odd: .*: other-limits, persisting-l2-cache-size: not drawn, .* unsupported there" "$work/err"
	absent "other-limits.*the run has no such" "$work/err"
	# The odd device's default stack is none of the points, so its part of the context is missing.
	grep -q "^cuctx: odd: Odd Device, 17 SMs, driver 777.17.3: components, stack at the default limit: the run has no such series" "$work/err"
}

@test "a word that one run lacks is an error that names it, unless its rows say that it is unsupported" {
	cp -r "$runs/h200" fewer
	grep -v ',cudaFree,' "$runs/h200/first-call.csv" >fewer/first-call.csv
	plots 4 "all=$runs/h200" "fewer=fewer"
	[ "$(wc -l <"$work/err")" -eq 1 ]
	grep -q "^cuctx: fewer: .*: first-call, call=cudaFree.*: the run has no such series, others have" "$work/err"
	# The same point, as a driver that has no such call would leave it.
	grep ',cudaFree,' "$runs/h200/first-call.csv" | head -n 1 | awk -F, -v OFS=, '{
		for (i = 1; i <= NF; i++) if ($i == "ok") { $i = "unsupported"; $(i - 1) = "none"; $(i + 2) = $(i + 3) = $(i + 4) = ""; }
		print }' >>fewer/first-call.csv
	plots 0 "all=$runs/h200" "fewer=fewer"
	[ "$(wc -l <"$work/err")" -eq 1 ]
	grep -q "^fewer: .*: first-call, call=cudaFree.*: not drawn, its rows say that it is unsupported there" "$work/err"
}

@test "lines that the first run lacks stand where the others have them, and the sum comes last" {
	plots 4 "few=$runs/less" "all=$runs/h200"
	python3 - <<-'END'
		import csv
		with open("overlay/components.csv", newline="", encoding="utf-8") as file:
		    rows = list(csv.DictReader(file))
		lines = {row["component"]: int(row["line"]) for row in rows}
		assert sorted(lines.values()) == list(range(1, len(lines) + 1)), lines
		for run in "12":
		    own = [int(row["line"]) for row in rows if row["run"] == run]
		    assert own == sorted(own), (run, own)
		assert len({row["component"] for row in rows if row["run"] == "1"}) < len(lines), lines
		assert {row["line"] for row in rows if row["kind"] == "sum"} == {str(len(lines))}, lines
	END
}

@test "an axis begins at 0 unless all of it would be one line, and has no parts of things" {
	plots 0 "a=$runs/h200" "b=$runs/h200"
	# The connections are a hundredth of the context; contexts and streams begin at nothing.
	absent '<text>128 MiB</text>' overlay/plots/context-settings.svg
	grep -q '<text>52[4-9] MiB</text>' overlay/plots/context-settings.svg
	[ "$(grep -c '<text>0</text>' overlay/plots/context.svg)" -eq 2 ]
	grep -q '<text>0</text>' overlay/plots/streams.svg
	absent '<text>[0-9]*[.]5</text>' overlay/plots/context.svg
}

@test "measured and simulated are not drawn together unless that is asked for" {
	cp -r "$runs/h200" real
	sed -i 's/^simulated,yes/simulated,no/' real/environment.csv
	refused 2 "--allow-simulated shows them together" plot real "$runs/h200"
	[ ! -e overlay ]
	plots 0 real "$runs/h200" --allow-simulated
	grep -q SIMULATED overlay/plots/context.svg
	plots 0 real "again=real" --out measured
	absent SIMULATED measured/plots/context.svg
}

@test "no text of a label or of an environment is more than text" {
	local label='q"u, `touch ran` $(touch ran) <b>&amp; @e {/Bold x} \n'
	cp -r "$runs/h200" other
	sed -i 's/^gpu_name,.*/gpu_name,"""a, b"" `touch ran` <script>"/' other/environment.csv
	plots 0 "$label=$runs/h200" "plain=other"
	[ ! -e ran ]
	grep -qF 'q”u‚ `touch ran` $(touch ran) &lt;b>&amp;amp; @e {/Bold x} ∖n' overlay/plots/context.svg
	grep -qF 'a‚ b” `touch ran` &lt;script>' overlay/plots/context.svg
}

@test "a report of several runs has a column for each, in every format" {
	local format
	for format in text markdown html; do
		accepted report "h200=$runs/h200" "odd=$runs/odd" --format $format
		grep -q "SIMULATED" "$work/out"
		grep -q "What a context is made of" "$work/out"
	done
	accepted report "h200=$runs/h200" "odd=$runs/odd" --format markdown
	grep -qE '^\| Component \| h200 \| odd \|' "$work/out"
	grep -qE '^\| context, all of it \| 548995072 \| [0-9]+ \|' "$work/out"
	grep -qE '^\| of it: stack at the default limit \| 276824064 \| not measured \|' "$work/out"
	grep -qE '^\| driver_release \| 580.159.04 \| 777.17.3 \|' "$work/out"
	# The planted slopes: threads of the device, one below the other's.
	grep -qE '^\| stack, bytes_per_unit \| 270336 \| [0-9]+ \|' "$work/out"
	grep -qE '^\| call=cudaFree.* \| 548995072 \| [0-9]+ \|' "$work/out"
	[ "$(grep -c '^| Asking' "$work/out")" -ge 1 ]
}

@test "what one of the runs lacks is an empty word in its column, not another run's bytes" {
	accepted report "few=$runs/less" "all=$runs/h200" --format markdown
	grep -qE '^\| 64 streams \| not measured \| 35651584 \|' "$work/out"
	grep -qE '^\| streams, bytes_per_unit \| not measured \| [0-9/]+ \|' "$work/out"
}

@test "a report of several runs is written beside their charts, which are in it" {
	plots 0 "a=$runs/less" "b=$runs/less" --out both
	accepted report "a=$runs/less" "b=$runs/less" --out both --quiet
	[ ! -s "$work/out" ]
	[ "$(grep -c 'data:image/svg+xml;base64' both/report.html)" -eq "$(find both/plots -name '*.svg' | wc -l)" ]
	grep -qF '(<plots/components.svg>)' both/report.md
	refused 2 "--write is for one run" report "$runs/h200" "$runs/odd" --write
	refused 2 "--out is for several runs" report "$runs/h200" --out x
	refused 4 "nowhere" report "$runs/h200" nowhere
	cp -r "$runs/h200" real
	sed -i 's/^simulated,yes/simulated,no/' real/environment.csv
	refused 2 "--allow-simulated shows them together" report real "$runs/h200"
}

@test "a folder of several runs is none of theirs, and has nothing of others" {
	cp -r "$runs/less" mine
	sum=$(md5sum mine/context.csv)
	for command in plot report; do
		refused 2 "mine is a run directory" $command "a=mine" "b=$runs/less" --out mine
		mkdir -p own && cp mine/context.csv own
		refused 2 "own has a table or chart context of its own" $command "a=mine" "b=$runs/less" --out own
	done
	[ "$(md5sum mine/context.csv)" = "$sum" ]
	plots 0 "a=$runs/h200" "b=$runs/h200" --out both
	[ -e both/plots/streams.svg ]
	# Charts of others are neither shown nor left.
	accepted report "c=$runs/less" "d=$runs/less" --out both --quiet
	absent 'data:image' both/report.html
	[ ! -e both/plots/streams.svg ]
	[ ! -e both/streams.csv ]
}

@test "a folder with tables or charts of somebody else is left as it is" {
	mkdir -p mine/plots
	printf 'name,time\nmarathon,2:10\n' >mine/runs.csv
	echo theirs >mine/streams.csv
	for command in plot report; do
		refused 2 "mine has a runs.csv of its own" "$command" "a=$runs/h200" "b=$runs/odd" --out mine
	done
	rm mine/runs.csv mine/streams.csv
	echo theirs >mine/components.csv
	refused 2 "mine has a table or chart components of its own" plot "a=$runs/h200" "b=$runs/odd" --out mine
	rm mine/components.csv
	echo theirs >mine/plots/graphs.svg
	refused 2 "mine has a table or chart graphs of its own" report "a=$runs/h200" "b=$runs/odd" --out mine
	[ "$(<mine/plots/graphs.svg)" = theirs ] && [ "$(find mine -type f | wc -l)" -eq 1 ]
}

@test "what an environment says is a line of text on a terminal and in the chart of one run" {
	cp -r "$runs/h200" spoilt
	sed -i $'s/^gpu_name,.*/gpu_name,\x1b]0;pwned\x07\x1b[31mRED/' spoilt/environment.csv
	cuctx plot "a=spoilt" "b=$runs/less" --out spoilt-overlay
	absent '[\x00-\x09\x0b-\x1f\x7f]' "$work/err"
	cuctx plot spoilt --format svg
	python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse("spoilt/plots/components.svg")'
}

@test "without gnuplot there are all tables, and one line of advice" {
	mkdir bin
	ln -s "$(command -v bash)" bin/bash
	code=0
	PATH=$PWD/bin "$cuctx" plot "a=$runs/less" "b=$runs/less" >out 2>err || code=$?
	[ "$code" -eq 4 ]
	[ "$(grep -c gnuplot err)" -eq 1 ]
	grep -q "where it is, run: the same command$" err
	cp -r "$runs/less" one
	code=0
	PATH=$PWD/bin "$cuctx" plot one >out 2>err || code=$?
	[ "$code" -eq 4 ] && [ "$(wc -l <err)" -eq 1 ]
	grep -q "where it is, run: cuctx plot one$" err
	[ -e overlay/context.csv ]
	[ -e overlay/components.csv ]
	[ -e overlay/first-call.csv ]
}

@test "what was refused is no hole in the table" {
	accepted report "a=$runs/h200" "b=$runs/h200" --format markdown
	cp -r "$runs/h200" refusing
	sed -i 's/,first-call,ok,/,first-call,refused,/' refusing/first-call.csv
	accepted report "a=$runs/h200" "b=refusing" --format markdown
	grep -qE '^\| call=cudaFree.* \| 548995072 \| refused \|' "$work/out"
}

@test "what plot does not take" {
	refused 2 "--out is for several runs" plot "$runs/h200" --out x
	refused 2 "none of svg, png, pdf" plot "$runs/h200" --format gif
	refused 4 "nowhere" plot "$runs/h200" nowhere
	refused 4 "no run directory" plot "$runs/h200" "$runs/h200/context.csv"
	touch file
	refused 4 "file" plot "a=$runs/h200" "b=$runs/h200" --out file
}

@test "one run has the chart of what a context is made of, and its table adds up" {
	cp -r "$runs/h200" one
	plots 0 one
	grep -q "all of these‚ less what is shared" one/plots/components.svg
	grep -q SIMULATED one/plots/components.svg
	[ ! -e overlay ]
	python3 - <<-'END'
		import csv
		with open("one/components.csv", newline="", encoding="utf-8") as file:
		    rows = list(csv.DictReader(file))
		bars = {kind: [row for row in rows if row["kind"] == kind] for kind in ("whole", "part", "more", "shared", "sum")}
		whole, = bars["whole"]
		assert sum(int(row["bytes"]) for row in bars["part"]) == int(whole["bytes"]), rows
		total, = bars["sum"]
		assert int(total["bytes"]) == int(whole["bytes"]) + sum(int(row["bytes"]) for row in bars["more"] + bars["shared"])
		end = 0
		for row in bars["part"] + bars["more"] + bars["shared"]:
		    assert int(row["start_bytes"]) == end, row
		    end += int(row["bytes"])
		assert len(bars["more"]) == 7 and len(bars["shared"]) == 1, rows
	END
}

@test "charts of several runs come as PNG and PDF, too" {
	cuctx plot "a=$runs/less" "b=$runs/less" --format pdf
	[ "$code" -eq 0 ]
	[ "$(head -c 4 overlay/plots/context.pdf)" = %PDF ]
	cuctx plot "a=$runs/less" "b=$runs/less"
	[ "$(head -c 4 overlay/plots/context.png | tail -c 3)" = PNG ]
}
