# SPDX-License-Identifier: MIT
# One benchmark of several runs, a series for each:
#
#     gnuplot -c plots/overlay.gp NAME FORMAT OUT DATA SIMULATED SUBTITLE
#
# DATA is a CSV as analysis/overlay.h says. A panel for each series of the benchmark, a colour and a shape for each
# run, the first largest and hollow, so that equal values are seen around each other.

if (ARGC != 6) {
	printerr "usage: gnuplot -c overlay.gp NAME FORMAT OUT DATA SIMULATED SUBTITLE"
	exit status 2
}
chart_format = ARG2
chart_out = ARG3
data = (ARG4[1:1] eq "/") ? ARG4 : "./".ARG4
chart_name = ARG1
is_simulated = ARG5 ne "no"
subtitle = ARG6
granule = 0
plots_dir = ARG0[1:strlen(ARG0) - strlen("overlay.gp")]
load plots_dir."canvas.gp"

between(text, from) = (from_ = strstrt(text, from), from_ \
	? (rest_ = text[from_ + strlen(from):*], rest_[1:strstrt(rest_, "\n") - 1]) : "")

# ---- what there is -----------------------------------------------------------------------------------

# "\nNUMBER\tWORDS\n" for each; and the words of each line of a panel with words.
runs_text = ""
series_text = ""
axes_text = ""
units_text = ""
points_text = ""
longest = 0
note(text, number, words) = strstrt(text, sprintf("\n%d\t", number)) ? text : text.sprintf("\n%d\t%s\n", number, words)
stats data using (runs_text = note(runs_text, column("run"), strcol("label")), \
	series_text = note(series_text, column("panel"), strcol("series")), \
	axes_text = note(axes_text, column("panel"), strcol("axis")), \
	units_text = note(units_text, column("panel"), strcol("unit")), 0) nooutput
eval measure("line", 'strlen(strcol("line")) ? column("line") : NaN')
eval measure("panel", 'column("panel")')
eval measure("run", 'column("run")')
run_count = int(run_max)
panel_count = int(panel_max)
line_count = line_found ? int(line_max) : 0
if (line_count) {
	stats data using (longest = strlen(strcol("point")) > longest ? strlen(strcol("point")) : longest, 0) nooutput
}
run_words(k) = between(runs_text, sprintf("\n%d\t", k))
series_words(k) = between(series_text, sprintf("\n%d\t", k))
axis_words(k) = between(axes_text, sprintf("\n%d\t", k))
unit_words(k) = between(units_text, sprintf("\n%d\t", k))

# ---- looks -------------------------------------------------------------------------------------------

colour_of(k) = word(blue." ".orange." ".green." ".pink." ".yellow." ".sky." ".grey." #4b3f8f #7a5c3a #2f8f8f #b0506b #8f9a1e #24292f #f08080 #006400 #b59ad6", k)
shape_of(k) = int(word("6 4 8 10 12 2 1", (k - 1 + (k - 1) / 7) % 7 + 1))
size_of(k) = 0.9 + 2.2 * (run_count - k) / (run_count > 1 ? run_count - 1.0 : 1.0)
is_bytes(name) = strlen(name) > 6 && name[strlen(name) - 5:*] eq "_bytes"
on(panel, run) = column("panel") == panel && column("run") == run

# Steps of 1, 2 or 5 and zeros, as there are no parts of things; or, of what is counted in Ki and Mi, of those.
ten_step(step) = (ten_ = 10.0**floor(log10(step)), times_ = step / ten_, \
	ten_ * (times_ <= 1 ? 1 : times_ <= 2 ? 2 : times_ <= 5 ? 5 : 10))
count_step(high, steps) = high >= 2**17 ? power_step(high, steps) : high <= steps ? 1 : ten_step(high / real(steps))
count_tics(v, high, step) = v > high ? "" : sprintf("\"%s\" %e,", count_words(v), v).count_tics(v + step, high, step)
linear_counts(axis, high, steps) = (high_ = high > 0 ? high : 1, sprintf("unset logscale %s; set %srange [%e:%e];", \
	axis, axis, -0.04 * high_, 1.06 * high_).set_tics(axis, count_tics(0, high_, count_step(high_, steps))))

# Amounts that span much are drawn by factors, with 0 at the left end.
eval_x(name, low, high, zero) = high > 64 * low ? (is_bytes(name) ? log_bytes("x", low, high, zero) : log_counts("x", low, high, zero)) \
	: is_bytes(name) ? linear_bytes("x", high, 5) : linear_counts("x", high, 6)
# From 0, unless what is drawn differs by little compared to how much it is, so that sizes on the axis still differ.
is_from_zero(low, high) = line_count || low < 0.75 * high || high - low < high / 100.0
signed_range(low, high) = (low_ = low < 0 || !is_from_zero(low, high) ? low : 0, high_ = high > 0 ? high : 0, \
	span_ = or_granule(high_ - low_), \
	step_ = power_step(span_, line_count ? 3 : 6), \
	sprintf("unset logscale %s; set %srange [%e:%e];", value_axis, value_axis, low_ - 0.06 * span_, high_ + 0.06 * span_) \
	.set_tics(value_axis, tics_by_adding(step_ * ceil(low_ / step_), high_, step_)))
count_range(low, high) = sprintf("set %srange [%e:%e]; set %stics autofreq", value_axis, \
	(low < 0 ? 1.06 * low : 0) - 0.04 * (high > 0 ? high : 1), high > 0 ? 1.06 * high : 1, value_axis)

columns = line_count ? panel_count : panel_count == 1 ? 1 : panel_count <= 4 ? 2 : 3
rows = int(ceil(real(panel_count) / columns))
value_axis = line_count ? "x" : "y"
width = line_count ? 860 + 9 * longest : columns == 1 ? 1000 : columns == 2 ? 1280 : 1560
height = line_count ? 260 + (line_count < 12 ? 264 : 22 * line_count) + 20 * run_count \
	: 190 + 20 * run_count + rows * (rows == 1 ? 420 : 320)
eval begin(width, height, run_count)
panel_left = line_count ? (46 + 8.6 * longest) / width : columns == 1 ? 0.11 : columns == 2 ? 0.085 : 0.07
panel_right = 0.975
panel_gap_x = line_count ? 0.03 : columns == 2 ? 0.1 : 0.075
panel_gap_y = rows == 1 ? 0.16 : 100.0 / height
panel_bottom = panel_bottom + 24.0 / height
shown_count = sum [k=1:run_count] (strstrt(runs_text, sprintf("\n%d\t", k)) > 0)
eval panels(chart_name.(shown_count == 1 ? "" : ", ".shown_count." runs"), rows, columns)

# ---- panels ------------------------------------------------------------------------------------------

do for [panel=1:panel_count] {
	unset logscale xy
	set xrange [*:*]
	set yrange [*:*]
	eval measure("y", 'if_row(column("panel") == panel, column("y"))')
	set title series_words(panel)
	if (line_count) {
		set xlabel unit_words(panel)
		eval unit_words(panel) eq "bytes" ? signed_range(y_min, y_max) : count_range(y_min, y_max)
		set yrange [line_count + 0.7:0.3]
		if (panel == 1) {
			plot for [k=1:run_count] data using (if_row(on(panel, k), column("y"))):(column("line")):yticlabel(strcol("point")) \
				with points pointtype shape_of(k) pointsize dot(size_of(k)) linewidth 1.7 \
				linecolor rgb colour_of(k) title run_words(k)
		} else {
			plot for [k=1:run_count] data using (if_row(on(panel, k), column("y"))):(column("line")) \
				with points pointtype shape_of(k) pointsize dot(size_of(k)) linewidth 1.7 \
				linecolor rgb colour_of(k) notitle
		}
	} else {
		eval measure("x", 'if_row(column("panel") == panel, column("x"))')
		eval measure("above_zero", 'if_row(column("panel") == panel && column("x") > 0, column("x"))')
		low = above_zero_found ? above_zero_min : 1
		zero = low / (x_min > 0 ? 1.0 : 8.0)
		set xlabel axis_words(panel)
		set ylabel unit_words(panel)
		eval unit_words(panel) eq "bytes" ? signed_range(y_min, y_max) : count_range(y_min, y_max)
		eval eval_x(axis_words(panel), low, x_max, zero)
		place(x) = x > 0 || x_max <= 64 * low ? x : zero
		plot for [k=1:run_count] data using (place(column("x"))):(if_row(on(panel, k), column("y"))) \
			with points pointtype shape_of(k) pointsize dot(size_of(k)) linewidth 1.7 \
				linecolor rgb colour_of(k) title (panel == 1 ? run_words(k) : "")
	}
	eval next_panel
	if (line_count) { set ytics (); set format y "" }
}
eval chart_end
