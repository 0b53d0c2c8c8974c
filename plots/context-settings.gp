# SPDX-License-Identifier: MIT
what = "What each variable and each flag saves or costs"
word_of(row) = strcol("setting") ne "none" ? strcol("setting") \
	: strcol("flags") ne "auto" ? "flag:".strcol("flags") : "none"
usual_order = "none flag:spin flag:yield flag:blocking-sync flag:map-host flag:lmem-resize-to-max" \
	." max-connections-1 max-connections-2 max-connections-4 max-connections-8 max-connections-16" \
	." max-connections-32 copy-connections-1 copy-connections-8 copy-connections-32 launch-queues-quarter" \
	." launch-queues-half launch-queues-2x launch-queues-4x module-loading-lazy module-loading-eager" \
	." data-loading-lazy data-loading-eager loader-threads-4 default-stack-512 launch-blocking" \
	." preload-libraries cache-disable persisting-l2-25 persisting-l2-100 managed-on-device" \
	." wait-on-exception coredump"
load plots_dir."by-word.gp"

eval begin(1440, 270 + lines_height, 4)
eval use_law("connections")

# Against what a context takes where nothing is set, as soon as it is there and when modules have run.
is_none(row) = word_of(0) eq "none"
eval measure("created", 'if_row(at("create"), column("total_bytes"))')
eval measure("none", 'if_row(at("create") && is_none(0), column("total_bytes"))')
eval measure("used", 'if_row(at("launch-again") && is_none(0), column("total_bytes"))')
eval measure("host", 'if_row(at("create"), column("host_rss_bytes"))')
eval measure("time", 'if_row((at("create") || at("init")) && column("elapsed_ns") > 0, column("elapsed_ns"))')
if (!created_found || !host_found || !time_found) { eval nothing_to_draw(what) }
base = none_found ? none_min : created_min
more(row) = column("total_bytes") - base
eval measure("more", 'if_row(at("create"), more(0))')
signed(bytes) = (bytes > 0 ? "+" : "").size(bytes)

panel_left = 0.155
panel_right = 0.985
panel_gap_x = 0.035
eval panels(what, 1, 3)
set title "device memory of a new context, against \"none\""
eval signed_bytes("x", more_min, more_max, 4)
eval set_lines
set style fill solid 0.9 noborder
set label 2 has_law ? "of the connections, by the ".law_words("connections") : "" \
	at screen 0.985, screen 0.02 right font font_size(0.9)
plot data using (if_row(at("create"), more(0))):(line_of(0)):(0):(more(0)):(line_of(0) - 0.34): \
		(line_of(0) + 0.34) with boxxyerror linecolor rgb blue title "cuCtxCreate", \
	data using (if_row(at("launch-again") && used_found, column("total_bytes") - used_min)):(line_of(0)) \
		with points pointtype 6 pointsize dot(1.3) linewidth 1.6 linecolor rgb orange \
		title "all that was taken by the time that two modules have run", \
	data using (if_row(at("create") && more(0) != 0, more(0) > 0 ? more(0) : 0)):(line_of(0)): \
		(signed(more(0))) with labels left offset 1,0 font font_size(0.8) notitle, \
	data using (if_row(at("create") && is_none(0), 0)):(line_of(0)):(size(column("total_bytes"))." in all") \
		with labels left offset 1,0 font font_size(0.8) notitle, \
	data using (if_row(refused("create"), 0)):(line_of(0)):("refused: ".strcol("error")) \
		with labels left offset 1,0 font font_size(0.8) textcolor rgb orange notitle
unset label 2
eval next_panel

set title "resident memory of the process, then"
eval linear_bytes("x", host_max, 5)
eval drop_words
plot data using (if_row(at("create"), column("host_rss_bytes"))):(line_of(0)) with points \
	pointtype 7 pointsize dot(1.3) linecolor rgb blue notitle
eval next_panel

set title "time of cuInit (hollow) and cuCtxCreate"
eval log_times("x", time_min, time_max)
plot data using (if_row(at("init") && column("elapsed_ns") > 0, column("elapsed_ns"))):(line_of(0)) with points \
		pointtype 6 pointsize dot(1.3) linewidth 1.6 linecolor rgb green notitle, \
	data using (if_row(at("create") && column("elapsed_ns") > 0, column("elapsed_ns"))):(line_of(0)) with points \
		pointtype 7 pointsize dot(1.3) linecolor rgb blue notitle
eval chart_end
