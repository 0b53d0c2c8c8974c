# SPDX-License-Identifier: MIT
# The chart of a limit that matters only to kernels that use a device-side library. Set before:
# limit_axis, limit_words, what ("device printf"), law_called (component of laws.csv), shows_host (whether
# what the limit is about lies in host memory).
eval begin(shows_host ? 1640 : 1280, 640, 4)
eval use_law(law_called)

headline_text = "What ".what." costs, when, and what its limit changes"
granted(row) = carry("granted_bytes")
of(module) = is("module", module)
asked(row) = accepted(0) ? or_zero(column(limit_axis), zero_x) : NaN

eval measure("granted", 'if_row(at("get"), column("granted_bytes"))')
eval measure("asked", 'column(limit_axis)')
eval measure("default", 'if_row(at("get-default"), column("default_bytes"))')
eval measure("total", 'if_row(at("launch-2"), column("total_bytes"))')
eval measure("load", 'if_row(at("load"), column("delta_bytes"))')
eval measure("launch", 'if_row(at("launch-1"), column("delta_bytes"))')
eval measure("above_zero", 'if_row(column(limit_axis) > 1, column(limit_axis))')
eval measure("launch_above_zero", \
	'if_row(at("launch-1") && column("delta_bytes") > 0, column("delta_bytes"))')
eval measure("host", 'if_row(at("launch-2"), column("host_rss_bytes"))')
eval measure("refused", 'if_row(refused("set"), column(limit_axis))')
if (!total_found || !granted_found) { eval nothing_to_draw(headline_text) }

# Where 0, and 1, which no axis could tell from it, are drawn.
asked_least = above_zero_found ? above_zero_min : or_granule(asked_max)
zero_x = asked_least / 8.0
launch_least = launch_above_zero_min
is_steep = launch_least > 0 && launch_max > 16 * launch_least

panel_left = shows_host ? 0.065 : 0.085
panel_right = 0.972
panel_gap_x = shows_host ? 0.07 : 0.085
log_tics_x = 4
eval panels(headline_text, 1, shows_host ? 4 : 3)
points_none = "with points pointtype 2 pointsize dot(1.0) linewidth 1.6 linecolor rgb grey"
points_linked = "with points pointtype 6 pointsize dot(1.9) linewidth 1.8 linecolor rgb orange"
points_called = "with points pointtype 7 pointsize dot(0.9) linecolor rgb blue"

set xlabel limit_words.", as asked for"
set label 1 " default ".size(default_max) at default_max, graph 1.025 left font font_size(1) \
	textcolor rgb grey
set arrow 1 from default_max, graph 0 to default_max, graph 1 nohead dashtype 3 linecolor rgb grey
eval log_bytes("x", asked_least, asked_max, zero_x)

set title "taken by loading the module"
if (refused_found) {
	set label 2 "refused\nfrom ".size(refused_min) at graph 0.98, graph 0.24 right textcolor rgb orange
}
eval linear_bytes("y", or_granule(load_max), 6)
plot data using (asked(0)):(if_row(at("load") && of("none"), column("delta_bytes"))) @points_none \
		title "a kernel without ".what, \
	data using (asked(0)):(if_row(at("load") && of("linked"), column("delta_bytes"))) @points_linked \
		title "linked, not called", \
	data using (asked(0)):(if_row(at("load") && of("called"), column("delta_bytes"))) @points_called \
		title "linked and called", \
	NaN with lines linestyle 1 title law_words("granted limit")
eval next_panel

unset label 2
set title "taken by the first launch"
if (is_steep) {
	eval log_bytes("y", launch_least, launch_max, launch_least / 4)
} else {
	eval linear_bytes("y", or_granule(launch_max), 6)
}
launched(bytes) = is_steep ? or_zero(bytes, launch_least / 4) : bytes
plot data using (asked(0)):(if_row(at("launch-1") && of("none"), launched(column("delta_bytes")))) \
		@points_none notitle, \
	data using (asked(0)):(if_row(at("launch-1") && of("linked"), launched(column("delta_bytes")))) \
		@points_linked notitle, \
	data using (asked(0)):(if_row(at("launch-1") && of("called"), launched(column("delta_bytes")))) \
		@points_called notitle
eval next_panel

if (shows_host && host_found) {
	set title "host memory of the process after that"
	eval log_bytes("y", host_min, host_max, host_min)
	plot data using (asked(0)):(if_row(at("launch-2") && of("none"), column("host_rss_bytes"))) \
			@points_none notitle, \
		data using (asked(0)):(if_row(at("launch-2") && of("linked"), column("host_rss_bytes"))) \
			@points_linked notitle, \
		data using (asked(0)):(if_row(at("launch-2") && of("called"), column("host_rss_bytes"))) \
			@points_called notitle
	eval next_panel
}

set title "all device bytes of the process after that"
set xlabel limit_words.", as granted"
granted_least = granted_min > 0 ? granted_min : asked_least
eval log_bytes("x", granted_least, granted_max, granted_min > 0 ? granted_least : zero_x)
if (total_max > 16 * total_min) {
	eval log_bytes("y", total_min, total_max, total_min)
} else {
	eval linear_bytes("y", total_max, 6)
}
eval law_line(granted_least, granted_max, 1)
plot $law using "x":"y" with lines linestyle 1 notitle, \
	data using (or_zero(granted(0), zero_x)):(if_row(at("launch-2") && of("none"), \
		column("total_bytes"))) @points_none notitle, \
	data using (or_zero(granted(0), zero_x)):(if_row(at("launch-2") && of("linked"), \
		column("total_bytes"))) @points_linked notitle, \
	data using (or_zero(granted(0), zero_x)):(if_row(at("launch-2") && of("called"), \
		column("total_bytes"))) @points_called notitle
eval chart_end
