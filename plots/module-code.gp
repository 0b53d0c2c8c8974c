# SPDX-License-Identifier: MIT
eval begin(1200, 700, 5)
eval use_law("code-lazy")
what = "What the code of a kernel costs, and which call loads it"

of(loading, step) = is("loading", loading) && at(step)
code(loading, step) = if_row(above_context(0) > -1e300 && of(loading, step), above_context(0))

eval measure("context", 'if_row(at("create"), column("total_bytes"))')
eval measure("code", 'code("lazy", "launch-2")')
eval measure("size", 'column("instructions")')

if (!context_found) { eval nothing_to_draw(what) }

# The first few granules, where the edges are, apart from the whole.
near_max = granule > 0 && has_law && law_slope > 0 ? 4.5 * granule / law_slope : size_max / 8
near_max = near_max < size_max / 2 ? near_max : size_max / 2
law_offset = has_law ? law_offset - context_min : 0
counted(n) = n < 2**10 ? sprintf("%.4g", n) : n < 2**20 ? sprintf("%.4g Ki", n / 2**10) \
	: sprintf("%.4g Mi", n / 2**20)
count_tics(v, high, step) = v > high ? "" \
	: sprintf("\"%s\" %e,", counted(v), v).count_tics(v + step, high, step)
count_axis(high) = sprintf("set xrange [%e:%e];", -0.03 * high, 1.06 * high) \
	.set_tics("x", count_tics(0, high, power_step(high, 5)))

points_eager = "with points pointtype 4 pointsize dot(1.8) linewidth 1.6 linecolor rgb orange"
points_launched = "with points pointtype 6 pointsize dot(1.4) linewidth 1.6 linecolor rgb green"
points_loaded = "with points pointtype 2 pointsize dot(1.0) linewidth 1.6 linecolor rgb grey"
points_lazy = "with points pointtype 7 pointsize dot(0.8) linecolor rgb blue"
eval panels(what, 1, 2)
set xlabel "instructions of the kernel"
set ylabel "device memory on top of the context"

set title "all sizes"
eval count_axis(size_max)
eval linear_bytes("y", code_max, 6)
eval law_line(0, size_max, 0)
plot $law using "x":"y" with lines linestyle 1 title law_words("instructions"), \
	data using (column("instructions")):(code("eager", "load")) @points_eager \
		title "CUDA_MODULE_LOADING=EAGER: after loading the module", \
	data using (column("instructions")):(code("lazy", "load")) @points_loaded \
		title "LAZY: after loading the module", \
	data using (column("instructions")):(code("lazy", "launch-1")) @points_launched \
		title "LAZY: after the first launch", \
	data using (column("instructions")):(code("lazy", "get-function")) @points_lazy \
		title "LAZY: after asking for the kernel"
eval next_panel

unset ylabel
set title "the first granules"
eval count_axis(near_max)
high_near = has_law ? law(near_max) : code_max
eval linear_bytes("y", high_near, 6)
eval law_line(0, near_max, 0)
plot $law using "x":"y" with lines linestyle 1 notitle, \
	data using (column("instructions")):(code("eager", "load")) @points_eager notitle, \
	data using (column("instructions")):(code("lazy", "load")) @points_loaded notitle, \
	data using (column("instructions")):(code("lazy", "launch-1")) @points_launched notitle, \
	data using (column("instructions")):(code("lazy", "get-function")) @points_lazy notitle
eval chart_end
