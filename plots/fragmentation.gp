# SPDX-License-Identifier: MIT
what = "What is to be had in one block when buffers between modules are freed"
eval begin(1280, 700, 4)
eval in_order("buffer_bytes", 12)
sizes = list
kinds = "nothing modules again"
words_of(k) = k == 1 ? "nothing was between the buffers" : k == 2 ? "modules are between the holes" : "the modules are unloaded"
step_of(k) = k == 3 ? "search-largest-again" : "search-largest"
between_of(k) = k == 1 ? "nothing" : "modules"
found(k) = is("between", between_of(k)) && at(step_of(k))
colour(k) = word(blue." ".orange." ".green, k)
place(bytes) = sum [i_=1:words(sizes)] (int(word(sizes, i_)) == bytes ? i_ : 0)

eval measure("sought", 'if_row((found(1) || found(2) || found(3)) && column("sought_bytes") > 0, column("sought_bytes"))')
eval measure("largest", 'if_row((found(1) || found(2) || found(3)) && column("largest_bytes") > 0, column("largest_bytes"))')
if (!sought_found) { eval nothing_to_draw(what) }
largest_least = largest_found ? largest_min : sought_min
least = largest_least < sought_min ? largest_least : sought_min
share(row) = column("sought_bytes") > 0 ? 100.0 * column("largest_bytes") / column("sought_bytes") : NaN

panel_left = 0.08
panel_right = 0.97
panel_gap_x = 0.1
eval panels(what, 1, 2)
set ylabel "largest block, of what was sought in one, %"
set xlabel "size of each buffer"
set title "how much of it"
set xrange [0.4:words(sizes) + 0.6]
set yrange [0:112]
set ytics 0,20,100
set xtics ()
set for [i=1:words(sizes)] xtics add (size(real(word(sizes, i))) i)
set boxwidth 0.26
set style fill solid 0.85 noborder
plot for [k=1:3] data using (place(column("buffer_bytes")) + 0.28 * (k - 2)):(found(k) ? share(0) : NaN) with boxes \
		linecolor rgb colour(k) title words_of(k), \
	for [k=1:3] data using (place(column("buffer_bytes")) + 0.28 * (k - 2)):(found(k) ? share(0) : NaN): \
		(sprintf("%.3g", share(0))) with labels center offset 0,0.6 font font_size(0.85) notitle
eval next_panel

set ylabel "largest block"
set xlabel "sought: what is free but for the reserve"
set title "in bytes"
set ytics auto
log_tics_x = 5
eval log_bytes("x", sought_min, sought_max, sought_min)
eval log_bytes("y", least, sought_max, least)
set samples 400
plot x >= sought_min && x <= sought_max ? x : NaN with lines linestyle 1 notitle, \
	for [k=1:3] data using (found(k) ? column("sought_bytes") : NaN):"largest_bytes" with points \
		pointtype int(word("7 4 6", k)) pointsize dot(0.8 + 0.8 * k) linewidth 1.8 linecolor rgb colour(k) notitle
eval chart_end
