# SPDX-License-Identifier: MIT
eval begin(1200, 740, 8)
eval use_law("kernels-eager")

what = "Of many kernels in a module, whose code is loaded, and when"
of(loading, launched) = is("loading", loading) && (launched < 0 || column("launched") == launched)
code(loading, launched, step) = if_row(above_context(0) > -1e300 && at(step) \
	&& of(loading, launched), above_context(0))
text(row) = strlen(strcol("text_bytes")) ? column("text_bytes") : NaN

eval measure("code", 'above_context(0) > -1e300 && at("launch-2") ? above_context(0) : NaN')
eval measure("kernels", 'column("kernels")')
eval measure("context", 'if_row(at("create"), column("total_bytes"))')
eval measure("text", 'text(0)')
high = code_max > text_max ? code_max : text_max

if (!code_found) { eval nothing_to_draw(what) }

# The law is of all bytes; the chart is of those on top of the context.
law_offset = has_law && context_found ? law_offset - context_min : 0
eval law_line(1, kernels_max, 1)

eval in_order("kernels", 16)
kernel_counts = list
eval in_order("launched", 5) # there are no more colours
counts = list

set print $text
print "kernels,bytes"
do for [i=1:words(kernel_counts)] {
	eval measure("bytes", 'if_row(column("kernels") == int(word(kernel_counts, i)), text(0))')
	if (bytes_found) { print sprintf("%s,%.17g", word(kernel_counts, i), bytes_max) }
}
set print
shades = "#8a8f98 #56b4e9 #009e73 #0072b2 #cc79a7"
shapes = "2 8 12 7 5"

eval panels(what, 1, 2)
set xlabel "kernels in the module"
set logscale x 2
set xrange [0.8:kernels_max * 1.25]
set xtics 2 format "%.0f"
eval linear_bytes("y", high, 6)
set ylabel "device memory on top of the context"

do for [panel=1:2] {
	step = panel == 1 ? "load" : "launch-2"
	set title panel == 1 ? "after loading the module" : "after launching some of its kernels"
	plot $law using "x":"y" with lines linestyle 1 title law_words("kernels")." (eager)", \
		$text using "kernels":"bytes" with lines dashtype 2 linewidth 1.2 linecolor rgb grey \
			title "all code in the module (.text)", \
		data using (column("kernels")):(code("eager", -1, step)) with points pointtype 4 \
			pointsize dot(2.2) linewidth 1.6 linecolor rgb orange \
			title "EAGER, however many are launched", \
		for [i=1:words(counts)] data using (column("kernels")):(code("lazy", int(word(counts, i)), step)) \
			with points pointtype int(word(shapes, i)) pointsize dot(1.0) linewidth 1.4 \
			linecolor rgb word(shades, i) title "LAZY, ".word(counts, i)." launched"
	eval next_panel
	unset ylabel
}
eval chart_end
