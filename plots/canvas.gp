# SPDX-License-Identifier: MIT
# What every chart is drawn with: sizes on axes, colours, panels. Whoever loads it has set
#   chart_format, chart_out   svg, png or pdf, and the file to write
#   data                      the CSV whose rows measure() looks at
#   granule                   bytes, 0: not known
#   is_simulated, subtitle    what stands across the chart, and below its headline

set datafile separator comma
set datafile columnheaders
set encoding utf8

# ---- sizes in words and on axes --------------------------------------------------------------------

unit_of(bytes) = bytes < 2**10 ? 0 : bytes < 2**20 ? 1 : bytes < 2**30 ? 2 : bytes < 2**40 ? 3 : 4
unit_name(unit) = word("B KiB MiB GiB TiB", unit + 1)
size(bytes) = (size_unit_ = unit_of(abs(bytes)), \
	sprintf("%.4g %s", bytes / 1024.0**size_unit_, unit_name(size_unit_)))

# About `count` steps up to `most`, each a power of two.
log2(x) = log(x) / log(2)
power_step(most, count) = 2.0**ceil(log2(most / real(count)))

# The tics of axes in bytes, as gnuplot wants them listed; its own formats know no KiB.
tics_by_adding(v, high, step) = v > high ? "" \
	: sprintf("\"%s\" %e,", v == 0 ? "0" : size(v), v).tics_by_adding(v + step, high, step)
tics_by_factor(v, high, factor) = v > high ? "" \
	: sprintf("\"%s\" %e,", size(v), v).tics_by_factor(v * factor, high, factor)
set_tics(axis, list) = sprintf("set %stics (%s)", axis, list[1:strlen(list) - 1])

# What an axis goes up to where all is zero.
or_granule(bytes) = bytes > 0 ? bytes : granule > 0 ? granule : 1

# eval linear_bytes("y", HIGH, STEPS): from a little below 0, so that points at 0 are whole.
linear_bytes(axis, high, steps) = (high_ = or_granule(high), \
	sprintf("unset logscale %s; set %srange [%e:%e];", axis, axis, -0.04 * high_, 1.06 * high_) \
	.set_tics(axis, tics_by_adding(0, high_, power_step(high_, steps))))

# eval log_bytes("x", LOW, HIGH, ZERO): 0 is drawn at ZERO if that is below LOW.
log_tics_x = 6
log_tics_y = 6
factor_(axis, span) = (doublings_ = ceil(log2(span) / (axis eq "x" ? log_tics_x : log_tics_y)), \
	2.0**(doublings_ < 1 ? 1 : doublings_))
log_bytes(axis, low, high, zero) = (high_ = or_granule(high), low_ = low > 0 && low <= high_ ? low : high_, \
	sprintf("unset logscale %s; set logscale %s 2; set %srange [%e:%e];", axis, axis, axis, \
	zero < low_ ? zero / 1.5 : low_ / 1.2, high_ * 1.5) \
	.set_tics(axis, (zero < low_ ? sprintf("\"0\" %e,", zero) : "") \
	.tics_by_factor(2.0**floor(log2(low_) + 0.263), high_ * 1.4, \
	factor_(axis, high_ / (zero < low_ ? zero : low_)))))
or_zero(x, zero) = x > 0 ? x : zero

# eval log_counts("x", LOW, HIGH, ZERO): the same for numbers of things.
count_words(n) = n < 2**17 ? sprintf("%.0f", n) : n < 2**20 ? sprintf("%.4g Ki", n / 2**10) \
	: n < 2**30 ? sprintf("%.4g Mi", n / 2**20) : sprintf("%.4g Gi", n / 2**30)
count_tics_by_factor(v, high, factor) = v > high ? "" \
	: sprintf("\"%s\" %e,", count_words(v), v).count_tics_by_factor(v * factor, high, factor)
log_counts(axis, low, high, zero) = log_bytes(axis, low, high, zero)."; " \
	.set_tics(axis, (zero < low_ ? sprintf("\"0\" %e,", zero) : "") \
	.count_tics_by_factor(2.0**floor(log2(low_) + 0.263), high_ * 1.4, \
	factor_(axis, high_ / (zero < low_ ? zero : low_))))

# ---- what rows have --------------------------------------------------------------------------------

# The number if the row is meant, else nothing to draw.
if_row(wanted, value) = wanted ? value : NaN

# eval measure("total", 'EXPRESSION') sets total_min and total_max, or total_found to 0 where no row has one.
measure(name, expression) = sprintf("low_ = 1e300; high_ = -1e300; stats data using (value_ = (%s), " \
	."value_ < low_ ? (low_ = value_) : 0, value_ > high_ ? (high_ = value_) : 0, 0) nooutput;" \
	."%s_found = high_ > -1e300; %s_min = %s_found ? low_ : 0; %s_max = %s_found ? high_ : 0", \
	expression, name, name, name, name, name)

# ---- looks -----------------------------------------------------------------------------------------

# Okabe and Ito's colours, which the colour-blind can tell apart.
blue = "#0072b2"
orange = "#d55e00"
green = "#009e73"
yellow = "#e69f00"
sky = "#56b4e9"
pink = "#cc79a7"
grey = "#8a8f98"
ink = "#24292f"

# Terminals differ in what a size is.
base_font = chart_format eq "svg" ? 14.0 : chart_format eq "png" ? 11.0 : 10.0
font_size(factor) = sprintf(",%.1f", factor * base_font)
dot(size) = (chart_format eq "svg" ? 0.75 : 1.0) * size

# eval begin(WIDTH, HEIGHT, ROWS) in pixels of the SVG; the key has so many rows, below all panels.
terminal(width, height) = \
	chart_format eq "png" ? sprintf("pngcairo size %d,%d noenhanced font \"DejaVu Sans,%.0f\" " \
		."fontscale 1.5 linewidth 1.5 pointscale 1.5", 1.5 * width, 1.5 * height, base_font) : \
	chart_format eq "pdf" ? sprintf("pdfcairo size %f,%f noenhanced font \"DejaVu Sans,%.0f\" " \
		."fontscale 0.85 linewidth 1 pointscale 0.8", width / 96.0, height / 96.0, base_font) : \
	sprintf("svg size %d,%d noenhanced font \"sans-serif,%.0f\"", width, height, base_font)
begin(width, height, key_rows) = "set terminal ".terminal(width, height)." background \"#ffffff\";" \
	."set output chart_out;" \
	.sprintf("panel_bottom = %f; panel_top = %f; subtitle_y = %f; key_y = %f", \
	(key_rows * 20.0 + 80) / height, 1 - 104.0 / height, 1 - 50.0 / height, \
	(key_rows * 20.0 + 12) / height)
if (strstrt(" svg png pdf ", " ".chart_format." ") == 0) {
	printerr chart_format.": use svg, png or pdf"
	exit status 2
}

set border 3 linewidth 1 linecolor rgb ink
set tics nomirror textcolor rgb ink
set grid linewidth 0.6 linecolor rgb "#e3e6ea"
set samples 2000
unset title

# Law lines: darker than points would need, thin, behind them.
set style line 1 linecolor rgb "#5b6168" linewidth 1.6

# eval nothing_to_draw("Headline"): a chart that says so, where a run has only refusals or failures.
nothing_to_draw(text) = panels(text, 1, 1)."; unset border; unset tics; unset key; set xrange [0:1];" \
	."set yrange [0:1]; set label 2 \"nothing to draw: the report says why\" at 0.5, 0.85 center;" \
	."plot NaN notitle;".chart_end."; exit status 0"

# Behind everything in each panel, so that no part of a simulated chart can be taken for a measurement.
mark(columns) = sprintf("set label 1000 \"SIMULATED\" at graph 0.5, graph 0.5 center rotate by 24 back " \
	."font \"%s\" textcolor rgb \"#f6d9c9\";", font_size(columns == 1 ? 6.2 : columns == 2 ? 4.6 : 3.6))

# eval panels("Headline", ROWS, COLUMNS) begins a chart, eval next_panel goes on, eval chart_end ends it.
headline(text) = (is_simulated ? "SIMULATED, no real GPU: " : "").text
title_ink = is_simulated ? "#b03000" : ink
panels(text, rows, columns) = (is_simulated ? mark(columns) : "") \
	.sprintf("set multiplot layout %d,%d title \"%s\" font font_size(1.35) " \
	."textcolor rgb title_ink offset 0,-0.2 margins screen panel_left,panel_right,panel_bottom,panel_top " \
	."spacing screen panel_gap_x,panel_gap_y;" \
	."set label 1001 subtitle at screen 0.5,subtitle_y center font font_size(1.1) textcolor rgb ink;" \
	."set key at screen 0.5,screen key_y center top vertical maxcols 1 Left reverse samplen 2 " \
	."textcolor rgb ink", \
	rows, columns, headline(text))
next_panel = "unset label 1001; unset key"
chart_end = "unset multiplot; unset output"
panel_left = 0.1
panel_right = 0.96
panel_gap_x = 0.08
panel_gap_y = 0.16
