#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The charts and the report of simulated runs, from the command line to the file.

setup_file() {
	export cuctx="${CUCTX_BUILD:-$BATS_TEST_DIRNAME/../../build}/bin/cuctx"
	export common="${CUCTX_BUILD:-$BATS_TEST_DIRNAME/../../build}/share/cuctx/plots/common.gp"
	[ -x "$cuctx" ] || skip "cuctx is not built"
	# All that there are: a benchmark without a chart is to be noticed here.
	charts=$("$cuctx" list | grep '^[a-z]')
	export charts
	command -v gnuplot >/dev/null || skip "there is no gnuplot"
	# As "cuctx plot" has it: gnuplot warns of a locale that has no degree sign.
	export LC_ALL=C.UTF-8
	# gnuplot is to see nothing in a path but a path.
	export work="$BATS_FILE_TMPDIR/a 'b' \"c\" \`touch d\` \$HOME @e \\f"
	mkdir -p "$work"
	"$cuctx" run --simulate=odd --quick --repeat 1 --quiet --out "$work" >/dev/null
	run_dir=$(echo "$work"/simulated-*)
	export run_dir
	"$cuctx" plot "$run_dir" >/dev/null
}

teardown_file() {
	rm -rf "$work"
}

# value KEY: of the run's environment, as the CSV quotes it.
value() {
	sed -n "s/^$1,//p" "$run_dir/environment.csv" | sed 's/^"\(.*\)"$/\1/'
}

@test "every benchmark has its chart in both formats" {
	local chart
	for chart in $charts; do
		[ "$(head -c 5 "$run_dir/plots/$chart.svg")" = "<?xml" ]
		tail -c 20 "$run_dir/plots/$chart.svg" | grep -q "</svg>"
		[ "$(head -c 4 "$run_dir/plots/$chart.png" | tail -c 3)" = PNG ]
	done
}

@test "a chart names the GPU, the driver and the granule, and that it is simulated" {
	local chart
	for chart in $charts; do
		grep -qF "$(value gpu_name), driver $(value driver_release)" "$run_dir/plots/$chart.svg"
		grep -qF "granule of the meter" "$run_dir/plots/$chart.svg"
		[ "$(grep -c SIMULATED "$run_dir/plots/$chart.svg")" -ge 2 ]
	done
}

@test "a law that was found is in its chart" {
	local slope
	slope=$(sed -n 's/^limit-stack,stack,[a-z]*,bytes_per_unit,\([0-9]*\),.*/\1/p' "$run_dir/laws.csv")
	[ -n "$slope" ]
	grep -qF "$slope x limit" "$run_dir/plots/limit-stack.svg"
}

@test "no chart of a whole run is empty" {
	run grep -l "nothing to draw" "$run_dir"/plots/*.svg
	[ "$status" -eq 1 ]
}

@test "a law that does not hold says so in its chart" {
	mkdir -p "$work/fails/plots"
	cp "$run_dir"/{environment,streams}.csv "$work/fails"
	sed '/^streams,/s/,yes,\(yes\|no\)$/,no,\1/' "$run_dir/laws.csv" >"$work/fails/laws.csv"
	# Not by "cuctx plot", which finds the laws anew.
	gnuplot -c "$common" streams svg "$work/fails/plots/streams.svg" "$work/fails" GPU 1.0 now 4096 yes
	grep -q "(it does not hold)" "$work/fails/plots/streams.svg"
	run grep -q "it does not hold" "$run_dir/plots/streams.svg"
	[ "$status" -eq 1 ]
}

# bytes BENCHMARK PATTERN COLUMN: of the row of the run that has the PATTERN.
bytes() {
	awk -F, -v pattern="$2" -v name="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i }
		$0 ~ pattern { print $column; exit }' "$run_dir/$1.csv"
}

# size BYTES: as charts write it.
size() {
	awk -v bytes="${1#-}" 'BEGIN {
		split("B KiB MiB GiB TiB", units, " ")
		for (i = 1; bytes >= 1024; i++) bytes /= 1024
		printf "%.4g %s", bytes, units[i] }'
}

@test "a chart says what one of many costs" {
	local after before
	after=$(bytes streams ",streams,0,64,.*,create-streams,ok," total_bytes)
	before=$(bytes streams ",streams,0,64,.*,create,ok," total_bytes)
	[ "$after" -gt "$before" ]
	grep -qF "($(size "$(awk "BEGIN { print ($after - $before) / 64 }")") each at 64 streams)" \
		"$run_dir/plots/streams.svg"
}

@test "the chart of copies says what they are rounded up to, or that nothing explains them" {
	local slot spoilt="$work/spoilt"
	slot=$(sed -n 's/^module-copies,slot,slots,slot_bytes,\([0-9]*\),.*/\1/p' "$run_dir/laws.csv")
	[ "$slot" -gt 1 ]
	grep -qF "rounded up to a slot of $slot" "$run_dir/plots/module-copies.svg"
	# One edge comes some copies late.
	mkdir "$spoilt"
	cp "$run_dir"/{environment,kernels,module-copies}.csv "$spoilt"
	sed -i 's/,load-to-edge,ok,,,74,/,load-to-edge,ok,,,80,/' "$spoilt/module-copies.csv"
	"$cuctx" plot --format svg "$spoilt" >/dev/null
	grep -qF "no slot meets all edges" "$spoilt/plots/module-copies.svg"
}

@test "a chart has the steps in their order, up to the end of the context" {
	local step steps="" drawn
	for step in create get-pool set-threshold allocate read-allocated free read-freed allocate-again \
		free-again trim; do
		steps+=">$step<"
	done
	drawn=$(grep -oE '>[^<>]+</' "$run_dir/plots/memory-pool.svg" | sed 's|/$||' | tr -d '\n')
	[[ $drawn == *"$steps"* ]]
	grep -qF "destroying the context leaves 0 B" "$run_dir/plots/memory-pool.svg"
}

@test "a chart says to the byte what each way to end gives back" {
	local end step given
	for end in destroy release reset exit; do
		step=end
		[ "$end" != exit ] || step="exit"
		given=$(bytes teardown ",0,$end,clean-up,.*,$step,ok," delta_bytes)
		[ -n "$given" ]
		grep -qF ">$(size "$given")<" "$run_dir/plots/teardown.svg"
	done
}

@test "names in a file are drawn, not run" {
	# shellcheck disable=SC2016 # nobody is to expand it
	local command='system(""touch${IFS}d"")' drawn='touch${IFS}d`@d'
	mkdir -p "$work/names"
	cp "$run_dir"/{environment,laws}.csv "$work/names"
	sed "s/,destroy-streams,/,\`touch\${IFS}d\`@d,/" "$run_dir/streams.csv" >"$work/names/streams.csv"
	sed "s/,free,/,\"'.$command.'\",/; s/,unload-code,/,\"\\\\\"\";$command;\",/" "$run_dir/teardown.csv" \
		>"$work/names/teardown.csv"
	cd "$work/names"
	"$cuctx" plot --format svg . >/dev/null
	grep -qF "$drawn" plots/streams.svg
	grep -qF "system(" plots/teardown.svg
	[ ! -e d ]
}

@test "a measured run's chart does not say simulated" {
	mkdir -p "$work/measured"
	cp "$run_dir"/*.csv "$work/measured"
	sed -i 's/^simulated,.*/simulated,no/' "$work/measured/environment.csv"
	"$cuctx" plot --format svg "$work/measured" >/dev/null
	run grep -q SIMULATED "$work"/measured/plots/*.svg
	[ "$status" -eq 1 ]
}

@test "pdf charts can be drawn" {
	"$cuctx" plot --format pdf "$run_dir" >/dev/null
	[ "$(head -c 5 "$run_dir/plots/limit-stack.pdf")" = "%PDF-" ]
}

@test "gnuplot complains about no chart of a whole run" {
	local chart
	for chart in $charts; do
		run gnuplot -c "$common" "$chart" svg "$work/again.svg" "$run_dir" GPU 1.0 now 4096 yes
		[ "$status" -eq 0 ]
		[ -z "$output" ]
	done
}

@test "a run of refusals only gets a chart that says so" {
	"$cuctx" run context --simulate --axis contexts=3 --axis api=runtime --repeat 1 --quiet \
		--out "$work/refused" >/dev/null
	"$cuctx" plot --format svg "$work"/refused/* >/dev/null
	grep -q "nothing to draw" "$work"/refused/*/plots/context.svg
}

@test "runs of a single point get a chart" {
	local axes
	for axes in "limit-stack stack_limit_bytes=1024 direction=up" \
		"limit-stack stack_limit_bytes=0 api=runtime" \
		"limit-printf-fifo printf_fifo_limit_bytes=0 module=none" \
		"limit-malloc-heap malloc_heap_limit_bytes=1M api=runtime" \
		"module-kernels kernels=1 launched=0" \
		"static-symbols symbol_bytes=1 loading=eager" \
		"constant-memory constant_bytes=1 loading=lazy" \
		"local-frame frame_bytes=0 grid=device" \
		"module-copies copies=1 kernel_instructions=40" \
		"module-cycle cycles=1 module_size=large" \
		"streams streams=1" \
		"events events=1" \
		"textures objects=1 kind=surface" \
		"textures objects=0 kind=array" \
		"green-contexts partitions=1 sm_count=8" \
		"memory-pool pool_bytes=1 threshold=all" \
		"graphs nodes=1 executables=1" \
		"other-limits value=0 limit=dev-runtime-sync-depth" \
		"teardown end=exit first=nothing" \
		"first-call call=cudaFree" \
		"first-call call=cuMemGetInfo" \
		"context-settings setting=persisting-l2-100" \
		"context-settings setting=coredump flags=auto" \
		"context contexts=1"; do
		# shellcheck disable=SC2086
		set -- $axes
		rm -rf "$work/single"
		"$cuctx" run "$1" --simulate --axis "$2" ${3:+--axis "$3"} --repeat 1 --quiet \
			--out "$work/single" >/dev/null
		"$cuctx" plot --format svg "$work"/single/* >/dev/null
		[ -s "$(echo "$work"/single/*/plots/"$1".svg)" ]
	done
}

@test "runs that have no law, no piece or nothing but zeros get a chart without a complaint" {
	local axes
	for axes in "graphs nodes=256 executables=1,8" \
		"graphs nodes=16 executables=0,1,2" \
		"graphs nodes=0 executables=1" \
		"streams streams=0" \
		"module-copies steps=edges copies=10" \
		"fragmentation buffer_bytes=0,7" \
		"other-limits value=0 limit=dev-runtime-sync-depth"; do
		# shellcheck disable=SC2086
		set -- $axes
		rm -rf "$work/bare"
		"$cuctx" run "$1" --simulate --axis "$2" ${3:+--axis "$3"} --repeat 1 --quiet \
			--out "$work/bare" >/dev/null
		run "$cuctx" plot --format svg "$work"/bare/*
		[ "$status" -eq 0 ]
		[ "$output" = "$(echo "$work"/bare/*/plots/"$1".svg)" ]
	done
}

@test "a line break in the environment is nothing to a chart" {
	CUDA_FOO=$'a\nb"c' "$cuctx" run context --simulate --quick --repeat 1 --quiet \
		--out "$work/"$'n\nsimulated,no\nl' >/dev/null
	run "$cuctx" plot --format svg "$work/"$'n\nsimulated,no\nl'/*
	[ "$status" -eq 0 ]
	grep -q SIMULATED "$work/"$'n\nsimulated,no\nl'/*/plots/context.svg
}

@test "a chart that cannot be drawn keeps no other from it" {
	# Something that a file cannot take the place of.
	mkdir -p "$work/some/plots/streams.svg"
	cp "$run_dir"/{environment,context,streams,events}.csv "$work/some"
	run "$cuctx" plot --format svg "$work/some"
	[ "$status" -eq 4 ]
	[[ $output == *"plots/streams.svg: it could not be written"* ]]
	[ -s "$work/some/plots/context.svg" ]
	[ -s "$work/some/plots/events.svg" ]
	[ -s "$work/some/plots/components.svg" ]
	run "$cuctx" plot --format svg "$work/nowhere"
	[ "$status" -eq 4 ]
	[[ $output == *"nowhere: no run directory"* ]]
}

@test "a full disk: exit 4, no chart that is cut off, and the old ones stay" {
	local disk="$work/disk" old="$work/old.svg" kib size
	mkdir -p "$disk"
	mount -t tmpfs -o size=1m none "$disk" 2>/dev/null || skip "no small file system can be mounted here"
	mkdir "$disk/run"
	cp "$run_dir"/{environment,kernels,laws,context}.csv "$disk/run"
	"$cuctx" plot --format svg "$disk/run" >/dev/null
	cp "$disk/run/plots/context.svg" "$old"
	for kib in 4 8; do
		size=$(($(df -k --output=used "$disk" | tail -n 1) + kib))
		mount -o "remount,size=${size}k" "$disk"
		run "$cuctx" plot "$disk/run"
		result="$status $(cmp "$old" "$disk/run/plots/context.svg" 2>&1) $(ls -A "$disk/run/plots")"
		[ "$result" = $'4  components.svg\ncontext.svg' ] || break
	done
	umount "$disk"
	echo "$kib KiB: $result: $output"
	[ "$result" = $'4  components.svg\ncontext.svg' ]
	[[ $output == *"plots/context.svg: it could not be written; is the disk full?"* ]]
}

@test "a format that gnuplot has, but cuctx does not offer, is refused" {
	run gnuplot -c "$common" context gif "$work/context.gif" "$run_dir" GPU 1.0 now 4096 yes
	[ "$status" -eq 2 ]
	[ ! -e "$work/context.gif" ]
}

@test "the page holds every chart and needs no other file" {
	"$cuctx" report --format html "$run_dir" >"$work/report.html"
	[ "$(grep -c 'src="data:image/svg+xml;base64,' "$work/report.html")" \
		-eq "$(wc -w <<<"$charts components")" ]
	run grep -qE '(src|href)="[^d]' "$work/report.html"
	[ "$status" -eq 1 ]
}

@test "nothing of the path was run" {
	[ ! -e d ]
	[ ! -e "$BATS_TEST_DIRNAME/d" ]
}
