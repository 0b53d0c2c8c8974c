# SPDX-License-Identifier: MIT
# What a context is made of and what first uses add, as bars of which each begins where the one before it ends:
#
#     gnuplot -c plots/components.gp NAME FORMAT OUT DATA SIMULATED SUBTITLE
#
# DATA is a CSV as analysis/components.h says. A colour for each run where there are several, else one for what a bar is.

if (ARGC != 6) {
	printerr "usage: gnuplot -c components.gp NAME FORMAT OUT DATA SIMULATED SUBTITLE"
	exit status 2
}
chart_format = ARG2
chart_out = ARG3
data = (ARG4[1:1] eq "/") ? ARG4 : "./".ARG4
is_simulated = ARG5 ne "no"
subtitle = ARG6
granule = 0
plots_dir = ARG0[1:strlen(ARG0) - strlen("components.gp")]
load plots_dir."canvas.gp"
what = "Where device memory goes before anything is allocated, and with first uses"

between(text, from) = (from_ = strstrt(text, from), from_ \
	? (rest_ = text[from_ + strlen(from):*], rest_[1:strstrt(rest_, "\n") - 1]) : "")
runs_text = ""
longest = 0
stats data using (runs_text = strstrt(runs_text, sprintf("\n%d\t", column("run"))) ? runs_text \
	: runs_text.sprintf("\n%d\t%s\n", column("run"), strcol("label")), \
	longest = strlen(strcol("drawn_as")) > longest ? strlen(strcol("drawn_as")) : longest, 0) nooutput
run_words(k) = between(runs_text, sprintf("\n%d\t", k))
eval measure("line", 'column("line")')
eval measure("run", 'column("run")')
eval measure("end", 'column("start_bytes") + (column("bytes") > 0 ? column("bytes") : 0)')
eval measure("least", 'column("start_bytes") + (column("bytes") < 0 ? column("bytes") : 0)')
if (!line_found) { eval begin(1200, 400, 2); eval nothing_to_draw(what) }
run_count = int(run_max)

# Runs share the height of a line.
share = 0.84 / run_count
middle(row) = column("line") - 0.42 + share * (column("run") - 0.5)
colour_of(k) = word(blue." ".orange." ".green." ".pink." ".yellow." ".sky." ".grey." #4b3f8f #7a5c3a #2f8f8f #b0506b #8f9a1e #24292f #f08080 #006400 #b59ad6", k)
kinds = "whole part more shared sum"
kind_words = "'all of a context' 'a part of it' 'what a first use adds' 'what is taken once only' 'the sum'"
kind_colours = grey." ".blue." ".green." ".orange." ".ink
low_of(row) = column("start_bytes") + (column("bytes") < 0 ? column("bytes") : 0)
high_of(row) = column("start_bytes") + (column("bytes") > 0 ? column("bytes") : 0)

line_pixels = run_count == 1 ? 34 : 16 + 16 * run_count
width = 760 + 8 * longest
key_rows = run_count == 1 ? 5 : run_count
eval begin(width, 200 + 20 * key_rows + line_pixels * line_max, key_rows)
panel_left = (40 + 7.6 * longest) / width
panel_right = 0.975
eval panels(what, 1, 1)
eval linear_bytes("x", end_max, 8)
low = least_min < 0 ? least_min : 0
span = or_granule(end_max - low)
set xrange [low - 0.01 * span:low + 1.16 * span]
set yrange [line_max + 0.6:0.4]
set xlabel "device memory of one process"
set grid noytics
set style fill solid 0.9 noborder
line_names = "data using (0):(column('line')):yticlabel(strcol('drawn_as')) with points pointtype -1 notitle"
if (run_count == 1) {
	plot for [k=1:5] data using (strcol("kind") eq word(kinds, k) ? low_of(0) : NaN):(middle(0)):(low_of(0)):(high_of(0)): \
			(middle(0) - 0.46 * share):(middle(0) + 0.46 * share) \
			with boxxyerror linecolor rgb word(kind_colours, k) title word(kind_words, k), \
		data using (high_of(0)):(middle(0)):(size(column("bytes"))) with labels left offset 0.6,0 \
			font font_size(0.85) notitle, @line_names
} else {
	plot for [k=1:run_count] data using (column("run") == k ? low_of(0) : NaN):(middle(0)):(low_of(0)):(high_of(0)): \
			(middle(0) - 0.46 * share):(middle(0) + 0.46 * share) \
			with boxxyerror linecolor rgb colour_of(k) title run_words(k), \
		data using (high_of(0)):(middle(0)):(size(column("bytes"))) with labels left offset 0.6,0 \
			font font_size(0.8) notitle, @line_names
}
eval chart_end
