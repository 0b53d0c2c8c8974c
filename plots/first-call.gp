# SPDX-License-Identifier: MIT
what = "Which call of a fresh process makes its context, and what it takes"
word_of(row) = strcol("call")
usual_order = "cuDeviceGetCount cuDeviceGetName cuDeviceTotalMem cuDeviceGetAttribute cuMemGetInfo" \
	." cuDevicePrimaryCtxGetState cuDevicePrimaryCtxRetain cuCtxCreate cudaDriverGetVersion cudaGetLastError" \
	." cudaGetDeviceCount cudaGetDeviceProperties cudaDeviceGetAttribute cudaDeviceReset cudaSetDevice" \
	." cudaInitDevice cudaMemGetInfo cudaFree cudaMalloc cudaHostAlloc cudaDeviceSynchronize" \
	." cudaDeviceSetLimit cudaDeviceGetLimit cudaStreamCreate nvmlDeviceGetMemoryInfo"
load plots_dir."by-word.gp"

stages = "first-call same-call-again rest"
stage_words = "'the call' 'the same call again' 'what the primary context then still takes'"
colours = blue." ".orange." #c3c9d1"
stage(k) = at(word(stages, k))

eval begin(1280, 250 + lines_height, 3)
eval measure("total", 'if_row(stage(1) || stage(2) || stage(3), column("total_bytes"))')
eval measure("time", 'if_row((stage(1) || stage(2)) && column("elapsed_ns") > 0, column("elapsed_ns"))')
eval measure("rest", 'if_row(stage(3), column("total_bytes"))')
if (!rest_found || !total_found || !time_found) { eval nothing_to_draw(what) }

panel_left = 0.19
panel_right = 0.975
panel_gap_x = 0.045
eval panels(what, 1, 2)
set title "device memory"
eval linear_bytes("x", total_max * 1.1, 6)
eval set_lines
set style fill solid 0.9 noborder
plot for [k=1:3] data using (if_row(stage(k) && column("delta_bytes") != 0, column("total_bytes"))): \
		(line_of(0)):(column("total_bytes") - column("delta_bytes")):(column("total_bytes")): \
		(line_of(0) - 0.34):(line_of(0) + 0.34) with boxxyerror linecolor rgb word(colours, k) \
		title word(stage_words, k), \
	data using (if_row(stage(1) && column("delta_bytes") != 0, column("total_bytes") / 2.0)): \
		(line_of(0)):(size(column("delta_bytes"))) with labels font font_size(0.8) \
		textcolor rgb "#ffffff" notitle, \
	data using (if_row(refused("first-call"), rest_min)):(line_of(0)):("refused: ".strcol("error")) \
		with labels left offset 0.5,0 font font_size(0.8) textcolor rgb orange notitle
eval next_panel

set title "time that the call took, each repeat"
eval log_times("x", time_min, time_max)
eval drop_words
plot for [k=1:2] data using (if_row(stage(k) && column("elapsed_ns") > 0, column("elapsed_ns"))): \
	(line_of(0)) with points pointtype int(word("7 6", k)) pointsize dot(1.3) linewidth 1.6 \
	linecolor rgb word(colours, k) notitle
eval chart_end
