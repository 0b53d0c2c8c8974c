# SPDX-License-Identifier: MIT
what = "Which values the remaining limits take, and whether they cost memory"
limits = "dev-runtime-sync-depth dev-runtime-pending-launch-count max-l2-fetch-granularity persisting-l2-cache-size"
limit_names = "CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT" \
	." CU_LIMIT_MAX_L2_FETCH_GRANULARITY CU_LIMIT_PERSISTING_L2_CACHE_SIZE"
shapes = "12 6 4 7"
sizes = "3.2 2.4 1.7 0.8"
colours = pink." ".green." ".orange." ".blue
of(k) = is("limit", word(limits, k))
took(k) = if_row(above_context(0) > -1e300 && at("launch-1") && of(k), above_context(0))
granted(k) = if_row(accepted(0) && at("get") && of(k), column("granted_value"))

eval begin(1280, 720, 5)

# Limits of an axis hold for measuring, too: all of it comes before the first.
eval measure("value", 'column("value")')
eval measure("above_zero", 'if_row(column("value") > 0, column("value"))')
eval measure("granted", 'if_row(at("get"), column("granted_value"))')
eval measure("granted_above_zero", \
	'if_row(at("get") && column("granted_value") > 0, column("granted_value"))')
eval measure("taken", 'if_row(above_context(0) > -1e300 && at("launch-1"), above_context(0))')
eval measure("refused", 'if_row(refused("set"), column("value"))')
if (!taken_found) { eval nothing_to_draw(what) }

least = above_zero_found ? above_zero_min : 1
granted_least = granted_above_zero_found ? granted_above_zero_min : 1
zero_x = value_min > 0 ? least : least / 8.0
zero_y = granted_least / 8.0
refused_y = zero_y / 16.0

# What is not granted is not 0 either.
granted_shown(k) = (granted_ = granted(k), granted_ == 0 ? zero_y : granted_)

array defaults[4]
do for [k=1:4] {
	eval measure("default", 'if_row(at("get-default") && of(k), column("default_value"))')
	defaults[k] = default_found ? sprintf(" (default %.0f)", default_max) : ""
}

panel_left = 0.085
panel_right = 0.975
panel_gap_x = 0.1
eval panels(what, 1, 2)
set xlabel "value asked for"
set ylabel "value that the limit then has"
set title "asked and granted"
eval log_counts("x", least, value_max, zero_x)
eval log_counts("y", granted_least, granted_above_zero_found ? granted_max : 1, zero_y)
set yrange [refused_y / 4:(granted_max > granted_least ? granted_max : granted_least) * 4.0]
set ytics add ("refused" refused_y)
plot x >= least ? x : NaN with lines linestyle 1 title "what was asked for", \
	for [k=1:4] data using (or_zero(column("value"), zero_x)):(if_row(refused("set") && of(k), refused_y)) \
		with points pointtype int(word(shapes, k)) pointsize dot(real(word(sizes, k))) linewidth 1.8 \
		linecolor rgb word(colours, k) notitle, \
	for [k=1:4] data using (or_zero(column("value"), zero_x)):(granted_shown(k)) with points \
		pointtype int(word(shapes, k)) pointsize dot(real(word(sizes, k))) linewidth 1.8 \
		linecolor rgb word(colours, k) title word(limit_names, k).defaults[k]
eval next_panel

set ylabel "device memory on top of the context"
set title "taken by setting it, loading a module and launching"
unset logscale y
eval linear_bytes("y", taken_max, 6)
plot for [k=1:4] data using (or_zero(column("value"), zero_x)):(took(k)) with points \
	pointtype int(word(shapes, k)) pointsize dot(real(word(sizes, k))) linewidth 1.8 \
	linecolor rgb word(colours, k) notitle
eval chart_end
