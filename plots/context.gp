# SPDX-License-Identifier: MIT
eval begin(1000, 640, 4)
panel_left = 0.115
eval use_law("context")
what = "What a context costs, and what destroying it gives back"

count_after(step) = step[1:7] eq "create-" ? int(step[8:*]) \
	: step[1:8] eq "destroy-" ? int(step[9:*]) - 1 : NaN
bytes_if(wanted) = strcol("status") eq "ok" && wanted ? column("total_bytes") : NaN

eval measure("total", 'bytes_if(strcol("step")[1:7] eq "create-")')
eval measure("count", 'is_ok(0) ? count_after(strcol("step")) : NaN')
if (!count_found) { eval nothing_to_draw(what) }
eval panels(what, 1, 1)
set xlabel "contexts that exist in the process"
set ylabel "device memory taken"
set xrange [-0.3:count_max + 0.3]
set xtics 1
eval linear_bytes("y", total_max, 6)
eval law_line(0, count_max, 0)
plot $law using "x":"y" with lines linestyle 1 \
		title law_words("contexts"), \
	data using (count_after(strcol("step"))):(bytes_if(strcol("step")[1:8] eq "destroy-" \
		&& strcol("api") eq "driver")) with points pointtype 6 pointsize dot(2.1) \
		linewidth 2 linecolor rgb orange title "after cuCtxDestroy", \
	data using (count_after(strcol("step"))):(bytes_if(strcol("step")[1:7] eq "create-" \
		&& strcol("api") eq "driver")) with points pointtype 7 pointsize dot(0.9) \
		linecolor rgb blue title "after cuCtxCreate", \
	data using (count_after(strcol("step"))):(bytes_if(strcol("api") eq "runtime")) \
		with points pointtype 4 pointsize dot(2.4) linewidth 2 linecolor rgb green \
		title "runtime API: after the first call, after cudaDeviceReset"
eval chart_end
