# SPDX-License-Identifier: MIT
what = "Whether it matters if a kernel comes as a cubin, in a fat binary, or as PTX"
sources = "cubin fatbin fatbin-compressed ptx ptx-unoptimised"
source_place(row) = sum [i_=1:words(sources)] (is("source", word(sources, i_)) ? i_ : 0)

eval begin(1440, 720, 4)
panel_bottom = panel_bottom + 78.0 / 720
eval in_order("kernel_instructions", 4) # there are no more colours
sizes = list
size_count = words(sizes)
of(k) = column("kernel_instructions") == real(word(sizes, k))
colour_of(k) = word(blue." ".orange." ".green." ".pink, k)
shape_of(k) = int(word("7 6 4 12", k))
# Beside each other, so that equal values are all seen.
where(k) = source_place(0) + 0.16 * (k - (size_count + 1) / 2.0)

# What the process had resident before it loaded, carried on to the step that loads.
resident_ = NaN
resident_more(row) = (resident_ = at("create") ? column("host_rss_bytes") : resident_, \
	column("host_rss_bytes") - resident_)
taken(k) = if_row(above_context(0) > -1e300 && at("launch-2") && of(k), above_context(0))
spent_ms(step, k) = if_row(at(step) && of(k), column("elapsed_ns") / 1e6)
grown(k) = if_row(resident_more(0) > -1e300 && at("load") && of(k), resident_more(0))

eval measure("taken", 'if_row(above_context(0) > -1e300 && at("launch-2"), above_context(0))')
eval measure("spent", 'if_row(at("load") || at("load-again"), column("elapsed_ns") / 1e6)')
eval measure("grown", 'if_row(resident_more(0) > -1e300 && at("load"), resident_more(0))')
if (!taken_found || !spent_found) { eval nothing_to_draw(what) }

panel_left = 0.07
panel_right = 0.985
panel_gap_x = 0.065
eval panels(what, 1, 3)
set xrange [0.5:words(sources) + 0.5]
set xtics () rotate by 45 right
set for [i=1:words(sources)] xtics add (word(sources, i) i)

set title "device memory on top of the context"
eval linear_bytes("y", taken_max, 6)
plot for [k=1:size_count] data using (where(k)):(taken(k)) with points pointtype shape_of(k) \
		pointsize dot(1.6) linewidth 1.8 linecolor rgb colour_of(k) \
		title count_words(real(word(sizes, k)))." instructions", \
	NaN with points pointtype 2 pointsize dot(1.2) linewidth 1.4 linecolor rgb ink \
		title "loaded again, in the same process"
eval next_panel

set title "time that loading takes, in milliseconds"
unset logscale y
set logscale y 10
set yrange [spent_min / 2.0:spent_max * 2.0]
set ytics autofreq
set format y "%g"
plot for [k=1:size_count] data using (where(k)):(spent_ms("load", k)) with points pointtype shape_of(k) \
		pointsize dot(1.6) linewidth 1.8 linecolor rgb colour_of(k) notitle, \
	for [k=1:size_count] data using (where(k)):(spent_ms("load-again", k)) with points pointtype 2 \
		pointsize dot(1.2) linewidth 1.4 linecolor rgb colour_of(k) notitle
eval next_panel

set title "resident host memory that loading adds"
set format y "% h"
eval linear_bytes("y", grown_max, 6)
plot for [k=1:size_count] data using (where(k)):(grown(k)) with points pointtype shape_of(k) \
	pointsize dot(1.6) linewidth 1.8 linecolor rgb colour_of(k) notitle
eval chart_end
