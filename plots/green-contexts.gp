# SPDX-License-Identifier: MIT
what = "What green contexts cost, and whether destroying them gives that back"
eval in_order("sm_count", 3) # there are no more shapes
sizes = list
eval begin(1100, 700, words(sizes) + 4)
eval use_law("green-contexts")

shape_of(k) = int(word("7 4 8", k))
size_of(k) = real(word("0.9 2.2 3.0", k))
colour_of(k) = word(blue." ".green." ".sky, k)

# How many there are after a step that makes or ends one of them.
numbered(step, prefix) = step[1:strlen(prefix)] eq prefix ? int(step[strlen(prefix) + 1:*]) : NaN
above(wanted) = if_row(above_context(0) > -1e300 && is_ok(0) && wanted, above_context(0))
of_size(k) = column("sm_count") == real(word(sizes, k))
created(k) = above(numbered(strcol("step"), "create-green-") > 0 && of_size(k))

eval measure("context", 'if_row(at("create"), column("total_bytes"))')
eval measure("bytes", 'above(1)')
eval measure("count", 'if_row(is_ok(0), numbered(strcol("step"), "create-green-"))')
eval measure("whole", 'if_row(at("destroy"), column("partitions"))')
eval measure("refused", 'if_row(strcol("status") eq "refused" && numbered(strcol("step"), "create-green-") > 0, \
	column("sm_count"))')
if (!count_found) { eval nothing_to_draw(what) }
of_whole = whole_found ? whole_max : -1
law_offset = law_offset - context_min
law_floor = law_floor - context_min
law_cap = law_cap - context_min

eval panels(what, 1, 1)
set xlabel "green contexts that exist"
set ylabel "device memory on top of the primary context"
set xrange [-0.3:count_max + 0.3]
set xtics 1
eval linear_bytes("y", bytes_max, 6)
if (refused_found) {
	set label 2 sprintf("refused where not enough\nmultiprocessors are left\n(from %.0f in each)", refused_min) \
		at graph 0.97, graph 0.16 right textcolor rgb orange
}
eval law_line(0, count_max, 0)
plot $law using "x":"y" with lines linestyle 1 title has_law ? law_words("green contexts") : "", \
	data using (numbered(strcol("step"), "destroy-green-") - 1):(above(column("partitions") == of_whole)) \
		with points pointtype 6 pointsize dot(2.1) linewidth 2 linecolor rgb orange \
		title "after cuGreenCtxDestroy", \
	data using (column("partitions")):(above(strcol("step") eq "create-again")) \
		with points pointtype 2 pointsize dot(1.6) linewidth 2 linecolor rgb pink \
		title "all of them destroyed and created again", \
	data using (column("partitions")):(above(strcol("step") eq "create-streams")) \
		with points pointtype 12 pointsize dot(1.8) linewidth 2 linecolor rgb grey \
		title "with a stream more in each", \
	for [k=1:words(sizes)] data using (numbered(strcol("step"), "create-green-")):(created(k)) \
		with points pointtype shape_of(k) pointsize dot(size_of(k)) linewidth 2 linecolor rgb colour_of(k) \
		title sprintf("after cuGreenCtxCreate, %s multiprocessors in each", word(sizes, k))
eval chart_end
