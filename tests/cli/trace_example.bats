#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The page that reads a trace line by line: its commands are given, and it says what they say.

# shellcheck disable=SC2154 # common.sh assigns them
load common.sh

setup() {
	cli_setup
	needs_simulator
	page=${CUCTX_SOURCE:-}/docs/TRACE-EXAMPLE.md
	[ -r "$page" ] || skip "the page is not here (CUCTX_SOURCE names the source tree)"
	[ -e "$CUCTX_BUILD/lib/cuctx/libcuctx_trace.so" ] || skip "CUPTI's headers were not there when this was built"
	unset CUDA_INJECTION64_PATH
	ln -s "$CUCTX_BUILD" build
	mkdir results
	cp -r "$CUCTX_SOURCE"/results/trace-surprise_* results
	PATH=$CUCTX_BUILD/bin:$PATH
	export NO_COLOR=1
	bash -eu <(block 1) >said 2>summary
}

teardown() { cli_teardown; }

# block N: the Nth fenced block.
block() {
	awk -v wanted="$1" '/^```/{ fences++; next } fences == 2 * wanted - 1' "$page"
}

# The trace that the page reads, which may be one that was recorded.
trace_read() {
	block 3 | sed -n 's/^cuctx trace --from \([^ ]*\)$/\1/p'
}

@test "the program prints what is shown, traced or not" {
	block 2 >shown
	[ "$(wc -l <shown)" -eq 17 ]
	diff shown said
	diff shown "$(dirname "$(trace_read)")/output.txt"
}

@test "the summary has every line that is shown, in that order" {
	[ -e "$(trace_read)" ]
	bash -eu <(block 3) >again
	block 4 >shown
	[ "$(wc -l <shown)" -gt 10 ]
	python3 - <<-'END'
		import pathlib, sys
		# Columns are as wide as what stands in them.
		def lines(name):
		    return [line.split() for line in pathlib.Path(name).read_text(encoding="utf-8").splitlines()]
		said = iter(lines("again"))
		missing = [" ".join(line) for line in lines("shown") if line not in said]
		sys.exit("\n".join(["these lines are not in the summary:", *missing, *open("again")]) if missing else 0)
	END
}

@test "the trace has every row that is shown, in that order" {
	python3 - "$page" "$(trace_read)" <<-'END'
		import csv, sys
		page, trace = sys.argv[1:]
		rows = iter(list(csv.DictReader(open(trace, newline=""))))
		def cells(line):
		    return [cell.strip() for cell in line.strip().strip("|").split("|")]
		missing, names, shown = [], None, 0
		for line in open(page):
		    if not line.startswith("|"):
		        names = None
		    elif names is None:
		        names = cells(line)
		    elif not line.startswith("| ---"):
		        shown += 1
		        wanted = dict(zip(names, cells(line)))
		        if not any(all(row[name] == cell for name, cell in wanted.items()
		                       if cell or name not in ("object", "kind")) for row in rows):
		            missing.append(line)
		            break
		assert shown > 15 or missing, "there are no tables"
		sys.exit("this row is not in the trace, or not there: " + missing[0] if missing else 0)
	END
}

@test "every figure in the text is one of the trace" {
	python3 - "$page" "$(trace_read)" <<-'END'
		import csv, re, sys
		page, trace = sys.argv[1:]
		rows = list(csv.DictReader(open(trace, newline="")))
		known = {cell.lstrip("-") for row in rows for cell in row.values()}
		# Sums: of what belongs to one module, and what the loading of code that prints left.
		sums = {}
		for row in rows:
		    key = row["module"], row["call"]
		    sums[key] = sums.get(key, 0) + int(row["delta_bytes"] or 0)
		loads = {module: total for (module, call), total in sums.items() if call == "cuModuleLoad"}
		known |= {str(abs(total)) for total in sums.values()}
		known |= {str(total + sums[module, "cuModuleUnload"]) for module, total in loads.items()
		          if (module, "cuModuleUnload") in sums}
		text = "".join(open(page).read().split("```")[::2])
		figures = re.findall(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?!\w|[.,]\d)", text)
		assert len(figures) > 8, "there are no figures"
		wrong = [figure for figure in figures if figure.replace(",", "") not in known]
		sys.exit(f"not in the trace: {wrong}" if wrong else 0)
	END
}
