# SPDX-License-Identifier: MIT
eval begin(1200, 740, 8)
what = "What one more copy of a small module costs, below what the meter shows"

of(steps, size) = is("steps", steps) && column("kernel_instructions") == int(size)
edge(size) = if_row(above_context(0) > 0 && at("load-to-edge") && of("edges", size), above_context(0))
direct(size) = if_row(above_context(0) > 0 && at("load-copies") && of("one", size), above_context(0))

eval measure("context", 'if_row(at("create"), column("total_bytes"))')
eval measure("bytes", 'if_row(above_context(0) > 0 && (at("load-to-edge") || at("load-copies")), above_context(0))')
eval measure("copies", 'column("copies")')
eval in_order("kernel_instructions", 5) # there are no more colours
sizes = list

if (!bytes_found) { eval nothing_to_draw(what) }

parameter(size, name) = law_parameter("copy-".size, name, 0)
has_law_of(size) = strstrt(laws_text, "\ncopy-".size."\t") > 0
# Of copies on top of the context; nothing where a logarithm could not show it.
above(bytes) = bytes > 0 ? bytes : NaN
law_of(size, x) = !has_law_of(size) || parameter(size, "granule_bytes") == 0 ? NaN \
	: above(parameter(size, "intercept_bytes") - context_min + parameter(size, "granule_bytes") \
	* ceil((parameter(size, "bytes_per_unit") * x - parameter(size, "slack_bytes")) / parameter(size, "granule_bytes")))
each(size) = has_law_of(size) ? sprintf(": %.0f bytes each", parameter(size, "bytes_per_unit")) : ""
shades = "#cc79a7 #009e73 #d55e00 #0072b2 #56b4e9"

eval panels(what, 1, 1)
set xlabel "copies loaded"
set ylabel "device memory on top of the context"
eval log_bytes("y", bytes_min, bytes_max, bytes_min)
set logscale x 2
set xrange [0.8:copies_max * 1.25]
set xtics 4 format "%.0f"
set samples 4000
plot for [i=1:words(sizes)] [0.8:copies_max] law_of(word(sizes, i), x) with lines linewidth 1 linecolor rgb word(shades, i) \
		title "law of a kernel of ".word(sizes, i)." instructions".each(word(sizes, i)), \
	for [i=1:words(sizes)] data using (column("loaded_copies")):(edge(word(sizes, i))) with points pointtype 7 \
		pointsize dot(0.7) linecolor rgb word(shades, i) notitle, \
	for [i=1:words(sizes)] data using (column("copies")):(direct(word(sizes, i))) with points pointtype 4 \
		pointsize dot(2.0) linewidth 1.6 linecolor rgb word(shades, i) notitle, \
	NaN with points pointtype 7 pointsize dot(0.7) linecolor rgb ink title "the copy at which the meter moved", \
	NaN with points pointtype 4 pointsize dot(2.0) linewidth 1.6 linecolor rgb ink title "so many copies loaded at once"
eval chart_end
