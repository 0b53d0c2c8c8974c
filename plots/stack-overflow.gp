# SPDX-License-Identifier: MIT
what = "How deep a kernel can recurse under a stack limit"
eval begin(1120, 720, 6)
eval in_order("array_bytes", 5) # there are no more colours
arrays = list
granted(row) = carry("granted_bytes")
depth(row) = strlen(strcol("worked_calls")) ? column("worked_calls") : NaN
of(k) = column("array_bytes") == int(word(arrays, k))

eval measure("granted", 'if_row(granted(0) > 0, granted(0))')
eval measure("depth", 'depth(0)')
eval measure("positive", 'if_row(depth(0) > 0, depth(0))')
if (!depth_found) { eval nothing_to_draw(what) }
granted_least = granted_found ? granted_min : 1
zero_x = granted_least / 4.0
zero_y = (positive_found ? positive_min : 1) / 2.0

# One call over the bytes that the law allows for each.
slope(k) = law_parameter("calls-".word(arrays, k), "per_unit", 0)
frame_words(k) = slope(k) > 0 ? sprintf(": %.0f bytes for each call", 1 / slope(k)) : ""
shape(k) = int(word("7 4 6 12 2", k))
colour(k) = word(blue." ".orange." ".green." ".pink." ".grey, k)

eval panels(what, 1, 1)
set xlabel "granted stack limit, per thread"
set ylabel "nested calls that worked"
eval log_bytes("x", granted_least, granted_max, zero_x)
eval log_counts("y", positive_found ? positive_min : 1, or_granule(depth_max), zero_y)
set samples 600
plot for [k=1:words(arrays)] [granted_least:granted_max] slope(k) > 0 ? slope(k) * x : NaN with lines linewidth 1.2 \
		linecolor rgb colour(k) notitle, \
	for [k=1:words(arrays)] data using (or_zero(granted(0), zero_x)):(of(k) && strlen(strcol("worked_calls")) ? or_zero(depth(0), zero_y) : NaN) \
		with points pointtype shape(k) pointsize dot(1.8) linewidth 1.8 linecolor rgb colour(k) \
		title "an array of ".size(real(word(arrays, k)))." in each call".frame_words(k), \
	NaN with lines linewidth 1.2 linecolor rgb ink title "limit / bytes for each call"
eval chart_end
