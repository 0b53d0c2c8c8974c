# SPDX-License-Identifier: MIT
eval begin(1200, 680, 5)
eval use_law("stack")
what = "What the stack limit costs"

granted(row) = carry("granted_bytes")
going(way, api) = at("launch-2") && is("direction", way) && is("api", api)

eval measure("granted", 'granted(0)')
eval measure("total", 'if_row(at("launch-2"), column("total_bytes"))')
eval measure("default", 'if_row(at("get-default"), column("default_bytes"))')
eval measure("context", 'if_row(at("create"), column("total_bytes"))')
eval measure("refused", 'if_row(refused("set"), column("stack_limit_bytes"))')
if (!granted_found || !total_found) { eval nothing_to_draw(what) }

# Left everything on logarithmic axes, right what happens around the default, where granules show.
zoom_max = 2.0 * default_max + granule / 2**16
zero_x = 4.0
eval measure("near", 'if_row(granted(0) <= zoom_max && at("launch-2"), column("total_bytes"))')
set xlabel "stack limit per thread, as granted"
set ylabel "device memory of the process, context included"
eval panels(what, 1, 2)

set title "all limits, both axes logarithmic"
eval log_bytes("x", 16, granted_max * 2, zero_x)
eval log_bytes("y", total_min, total_max * 1.5, total_min)
set arrow 1 from default_max, graph 0 to default_max, graph 1 nohead dashtype 3 linecolor rgb grey
set label 1 " default ".size(default_max) at default_max, graph 1.025 left font font_size(1) \
	textcolor rgb grey
if (refused_found) {
	set label 2 "refused\nfrom ".size(refused_min) at graph 0.98, graph 0.1 right textcolor rgb orange
}
eval law_line(zero_x, granted_max, 1)
plot $law using "x":"y" with lines linestyle 1 \
		title law_words("limit"), \
	data using (or_zero(granted(0), zero_x)):(if_row(going("down", "driver"), column("total_bytes"))) \
		with points pointtype 4 pointsize dot(1.9) linewidth 1.6 linecolor rgb orange \
		title "lowered to the limit from twice as much", \
	data using (or_zero(granted(0), zero_x)):(if_row(going("up", "runtime"), column("total_bytes"))) \
		with points pointtype 6 pointsize dot(1.5) linewidth 1.6 linecolor rgb green \
		title "cudaDeviceSetLimit in a new context", \
	data using (or_zero(granted(0), zero_x)):(if_row(going("up", "driver"), column("total_bytes"))) \
		with points pointtype 7 pointsize dot(0.7) linecolor rgb blue \
		title "cuCtxSetLimit in a new context", \
	NaN with lines dashtype 2 linewidth 1.6 linecolor rgb pink title "right after creating the context"
eval next_panel

unset logscale
unset label 2
unset ylabel
set title "around the default, both axes linear"
eval linear_bytes("x", zoom_max, 5)
eval linear_bytes("y", near_max, 6)
eval law_line(0, zoom_max, 0)
plot $law using "x":"y" with lines linestyle 1 notitle, \
	context_max with lines dashtype 2 linewidth 1.6 linecolor rgb pink \
		notitle, \
	data using (granted(0)):(if_row(going("down", "driver"), column("total_bytes"))) \
		with points pointtype 4 pointsize dot(1.9) linewidth 1.6 linecolor rgb orange notitle, \
	data using (granted(0)):(if_row(going("up", "runtime"), column("total_bytes"))) \
		with points pointtype 6 pointsize dot(1.5) linewidth 1.6 linecolor rgb green notitle, \
	data using (granted(0)):(if_row(going("up", "driver"), column("total_bytes"))) \
		with points pointtype 7 pointsize dot(0.7) linecolor rgb blue notitle
eval chart_end
