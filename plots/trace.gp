# SPDX-License-Identifier: MIT
# Device memory over the life of a program, its largest steps numbered and listed below:
#
#     gnuplot -c plots/trace.gp NAME FORMAT OUT DATA GPU DRIVER COMMAND SIMULATED
#
# DATA is a CSV as analysis/trace_steps.h says. A colour for each device.

if (ARGC != 8) {
	printerr "usage: gnuplot -c trace.gp NAME FORMAT OUT DATA GPU DRIVER COMMAND SIMULATED"
	exit status 2
}
chart_format = ARG2
chart_out = ARG3
data = (ARG4[1:1] eq "/") ? ARG4 : "./".ARG4
is_simulated = ARG8 ne "no"
shortened(text, most) = strlen(text) > most ? text[1:most - 1]."…" : text
subtitle = shortened(ARG7, 90)."   ·   ".ARG5.", driver ".ARG6
granule = 0
plots_dir = ARG0[1:strlen(ARG0) - strlen("trace.gp")]
load plots_dir."canvas.gp"
what = "Device memory over the life of a program"

between(text, from) = (from_ = strstrt(text, from), from_ \
	? (rest_ = text[from_ + strlen(from):*], rest_[1:strstrt(rest_, "\n") - 1]) : "")
signed_size(bytes) = (bytes < 0 ? "−" : "+").size(abs(bytes))
steps_text = ""
device_list = ""
stats data using (is_named_ = strlen(strcol("number")) > 0, steps_text = is_named_ \
	? steps_text.sprintf("\n%s\t%s   %s\n", strcol("number"), signed_size(column("delta_bytes")), \
	shortened(strcol("name"), 90)) : steps_text, \
	device_list = strstrt(" ".device_list, " ".strcol("device")." ") ? device_list : device_list.strcol("device")." ", 0) nooutput
step_words(k) = between(steps_text, sprintf("\n%d\t", k))
eval measure("time", 'column("time_ns")')
eval measure("lost", 'column("lost_bytes")')
eval measure("step", '(strlen(strcol("number")) ? column("number") : 0)')
if (!time_found) { eval begin(1000, 400, 1); eval nothing_to_draw(what) }
device_count = words(device_list)
step_count = int(step_max)
colour_of(k) = word(blue." ".orange." ".green." ".pink." ".yellow." ".sky." ".grey, (k - 1) % 7 + 1)

key_rows = step_count + (device_count > 1 ? device_count : 0)
eval begin(1100, 520 + 20 * key_rows, key_rows)
panel_left = 0.09
panel_right = 0.96
eval panels(what, 1, 1)
span = time_max > 0 ? time_max / 1e9 : 1
set xrange [-0.02 * span:1.06 * span]
eval linear_bytes("y", 1.1 * lost_max, 6)
set xlabel "seconds since the start"
set ylabel "taken since then" offset 1,0
is_of(k) = strcol("device") eq word(device_list, k)
plot for [k=1:device_count] data using (is_of(k) ? column("time_ns") / 1e9 : NaN):(column("lost_bytes")) \
		with steps linewidth 2 linecolor rgb colour_of(k) title (device_count > 1 ? "device ".word(device_list, k) : ""), \
	for [k=1:device_count] data using (is_of(k) ? column("time_ns") / 1e9 : NaN):(column("lost_bytes")) \
		with points pointtype 7 pointsize dot(0.5) linecolor rgb colour_of(k) notitle, \
	data using (strlen(strcol("numbers")) ? column("time_ns") / 1e9 : NaN):(column("lost_bytes")):(strcol("numbers")) \
		with labels right offset -0.6,0.6 font font_size(0.95) textcolor rgb ink notitle, \
	for [k=1:step_count] NaN with points pointtype 0 linecolor rgb "#ffffff" title sprintf("%d   %s", k, step_words(k))
eval chart_end
