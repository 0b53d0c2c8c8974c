# SPDX-License-Identifier: MIT
what = "What cleaning up gives back, and what only the end of the context or the process"
load plots_dir."steps.gp"
eval begin(1360, 740, 2)
eval room_for_steps(740)

firsts = "nothing clean-up"
first_words(k) = k == 1 ? "nothing is cleaned up before the end" : "everything is cleaned up before the end"
ends = "destroy release reset exit"
shapes = "4 6 8 2"
end_words = "cuCtxDestroy cuDevicePrimaryCtxRelease cuDevicePrimaryCtxReset _exit"
colours = orange." ".blue
of(first) = is("first", word(firsts, first)) && is_ok(0)

eval measure("total", 'is_ok(0) ? column("total_bytes") : NaN')
eval measure("created", 'if_row(at("create"), column("total_bytes"))')
if (!created_found) { eval nothing_to_draw(what) }

# Left, a line through the most that any of the ends leaves after a step. Steps that are left out change nothing.
set print $path
print "first,place,bytes"
do for [first=1:2] {
	after = NaN
	do for [i=1:words(steps)] {
		eval measure("step", 'if_row(of(first) && place(strcol("step")) == i, column("total_bytes"))')
		if (step_found) { after = step_max }
		print sprintf("%d,%f,%.17g", first, i - 0.5, after)
		print sprintf("%d,%f,%.17g", first, i + 0.5, after)
	}
	print ""
}

# Right, the least that a step gave back, whatever end came later; the end itself for each way to end.
cleaning = ""
do for [i=1:words(steps)] {
	if (place("allocate") > 0 && i > place("allocate") \
		&& word(steps, i) ne "end" && word(steps, i) ne "exit") { cleaning = cleaning." ".word(steps, i) }
}
bars = cleaning." ".ends
is_end(i) = i > words(cleaning)
# The process that exits has no step that ends its context.
last_step(end) = end eq "exit" ? "exit" : "end"
bar_of(i) = is_end(i) ? at(last_step(word(bars, i))) && is("end", word(bars, i)) : at(word(bars, i))
set print $given
print "first,place,bytes"
do for [first=1:2] {
	do for [i=1:words(bars)] {
		eval measure("delta", 'if_row(of(first) && bar_of(i), column("delta_bytes"))')
		if (delta_found) { print sprintf("%d,%d,%.17g", first, i, 0 - delta_max) }
	}
}
print "1,0,0" # beyond the axis, for a run of which nothing got that far
set print
eval measure("given", 'if_row(of(1) || of(2), 0 - column("delta_bytes"))')
eval measure("least", 'is_ok(0) && column("delta_bytes") < 0 ? 0 - column("delta_bytes") : NaN')
given_least = or_granule(least_min)

panel_left = 0.088
panel_right = 0.985
panel_gap_x = 0.08
eval panels(what, 1, 2)
set ylabel "device memory of the process"
set title "all of it, step by step (the most that any end leaves)"
set xrange [0.4:words(steps) + 0.6]
set xtics () rotate by 45 right
set for [i=1:words(steps)] xtics add (word(steps, i) i)
eval linear_bytes("y", total_max, 6)
plot for [k=1:2] $path using (column("first") == k ? column("place") : NaN):"bytes" with lines \
	linewidth 7.5 - 3 * k linecolor rgb word(colours, k) title first_words(k)
eval next_panel

set ylabel "bytes given back"
set title "what each step gives back, and each way to end"
set xrange [0.4:words(bars) + 0.6]
set xtics ()
set for [i=1:words(bars)] xtics add ((is_end(i) ? "end: " : "").word(bars, i) i)
set boxwidth 0.36
set style fill solid 0.85 noborder
zero_y = given_least / 4.0
eval log_bytes("y", given_least, or_granule(given_max) * 12, zero_y)
half(k) = 0.2 * (2 * k - 3)
plot for [k=1:2] $given using (column("first") == k ? column("place") + half(k) : NaN): \
		(or_zero(column("bytes"), zero_y)) with boxes linecolor rgb word(colours, k) notitle, \
	$given using (column("place") + half(column("first"))):(or_zero(column("bytes"), zero_y)): \
		(size(column("bytes"))) with labels rotate by 90 left offset 0,0.4 font font_size(0.85) notitle
eval chart_end
