# SPDX-License-Identifier: MIT
eval begin(1200, 720, 7)

base_ = NaN
above_context(row) = (base_ = at("create") ? column("total_bytes") : base_, \
	column("total_bytes") - base_)
of(loading, launched) = is("loading", loading) && (launched < 0 || column("launched") == launched)
code(loading, launched, step) = if_row(above_context(0) > -1e300 && at(step) \
	&& of(loading, launched), above_context(0))
text(row) = strlen(strcol("text_bytes")) ? column("text_bytes") : NaN

stats data using (above_context(0) > -1e300 && at("launch-2") ? above_context(0) : NaN) nooutput name "code"
stats data using (column("kernels")) nooutput name "kernels"
stats data using (text(0)) nooutput name "text"
high = code_max > text_max ? code_max : text_max

# How many kernels were launched, the first five numbers in order: there are no more colours.
counts = ""
last = -1
do for [i=1:5] {
	next = 1e300
	stats data using (next = column("launched") > last && column("launched") < next \
		? column("launched") : next, 0) nooutput
	if (next < 1e300) { counts = counts.sprintf(" %d", next) }
	last = next
}
shades = "#8a8f98 #56b4e9 #009e73 #0072b2 #cc79a7"
shapes = "2 8 12 7 5"

eval panels("Of many kernels in a module, whose code is loaded, and when", 1, 2)
set xlabel "kernels in the module"
set logscale x 2
set xrange [0.8:kernels_max * 1.25]
set xtics 2 format "%.0f"
eval linear_bytes("y", high > 0 ? high : granule > 0 ? granule : 1, 6)
set ylabel "device memory on top of the context"

do for [panel=1:2] {
	step = panel == 1 ? "load" : "launch-2"
	set title panel == 1 ? "after loading the module" : "after launching some of its kernels"
	plot data using (column("kernels")):(text(0)) with lines linestyle 1 smooth unique \
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
