# SPDX-License-Identifier: MIT
load plots_dir."steps.gp"
eval begin(1440, 720, 6)
eval room_for_steps(720)
what = "What a __device__ or __managed__ array costs, and which call takes its memory"

# Large and hollow ones first, so that equal values are seen around each other.
loadings = "data-eager data-lazy eager lazy"
kinds = "device managed"
shape_of(k) = int(word("12 6 4 7", k))
size_of(k) = real(word("3.4 2.5 1.8 0.8", k))
colour_of(k) = word(pink." ".green." ".orange." ".blue, k)
kind_colour(j) = word(sky." ".yellow, j)

# A context's own bytes are not meant, whichever of the two it is.
beside(row) = (above_ = above_context(0), \
	at("destroy") || at("destroy-again") || at("exit") ? column("total_bytes") : above_)
of(kind, k) = is("symbol", kind) && is("loading", word(loadings, k))
taken(kind, k) = if_row(beside(0) > -1e300 && at("launch-2") && of(kind, k), beside(0))

eval measure("context", 'if_row(at("create"), column("total_bytes"))')
eval measure("size", 'if_row(at("launch-2"), column("symbol_bytes"))')
eval measure("taken", 'if_row(beside(0) > -1e300 && at("launch-2"), beside(0))')
eval measure("positive", 'if_row(beside(0) > 0 && at("launch-2"), beside(0))')
eval measure("most", 'if_row(at("launch-2") && is("symbol", "managed"), column("symbol_bytes"))')
eval measure("left", 'if_row(at("exit"), column("total_bytes"))')
if (!taken_found) { eval nothing_to_draw(what) }
compared = most_found ? most_max : size_max

# ---- the steps of one size ----

is_shown(row) = column("symbol_bytes") == compared && place(strcol("step")) > 0 && is_ok(0) && !at("exit")
step_bytes(j) = if_row(beside(0) > -1e300 && is_shown(0) && is("symbol", word(kinds, j)), beside(0))
last_place = place("exit") > 0 ? place("exit") - 1 : words(steps)
set print $path
print "kind,place,bytes"
do for [j=1:words(kinds)] {
	do for [i=1:last_place] {
		eval measure("step", 'if_row(place(strcol("step")) == i, step_bytes(j))')
		if (step_found) {
			print sprintf("%d,%f,%.17g", j, i - 0.5, step_max)
			print sprintf("%d,%f,%.17g", j, i + 0.5, step_max)
		}
	}
	print ""
}
print "0,0,0"
set print
eval measure("step", 'beside(0) > -1e300 && is_shown(0) ? beside(0) : NaN')

panel_left = 0.075
panel_right = 0.98
panel_gap_x = 0.065
log_tics_x = 4
eval panels(what, 1, 3)

# ---- by the size ----

eval log_bytes("x", size_min, size_max, size_min)
if (positive_found && positive_max > 16 * positive_min) {
	eval log_bytes("y", positive_min, positive_max, taken_min <= 0 ? positive_min / 4.0 : positive_min)
	lowest = positive_min / 4.0
} else {
	eval linear_bytes("y", taken_max, 6)
	lowest = 0
}
shown(bytes) = bytes < lowest ? lowest : bytes
set xlabel "size of the array"
set ylabel "device memory on top of the context"
set key at screen 0.06,screen key_y left
do for [j=1:words(kinds)] {
	kind = word(kinds, j)
	eval use_law((j == 1 ? "symbols" : "managed")."-lazy")
	law_offset = law_offset - context_min
	law_floor = law_floor - context_min
	law_cap = law_cap - context_min
	eval law_line(size_min, size_max, 1)
	set title "__".kind."__, after the step launch-2"
	plot $law using "x":(shown(column("y"))) with lines linestyle 1 notitle, \
		for [k=1:words(loadings)] data using (column("symbol_bytes")):(shown(taken(kind, k))) with points \
			pointtype shape_of(k) pointsize dot(size_of(k)) linewidth 1.8 linecolor rgb colour_of(k) \
			title "loading: ".word(loadings, k), \
		NaN with lines linestyle 1 title j == 1 ? law_words("size")." (__device__)" : ""
	if (j == 1) { eval next_panel; unset ylabel }
	if (j == 2) { unset key }
}

# ---- by the steps ----

unset logscale
unset xlabel
set title sprintf("step by step, an array of %s", size(compared))
set xrange [0.4:last_place + 0.6]
set xtics () rotate by 45 right
set for [i=1:last_place] xtics add (word(steps, i) i)
eval linear_bytes("y", step_max, 6)
if (left_found) { set label 3 "the end of the process leaves ".size(left_max) at screen 0.98, screen 0.02 right }
set key at screen 0.5,screen key_y left
plot for [j=1:words(kinds)] $path using (column("kind") == j ? column("place") : NaN):"bytes" with lines \
		linewidth 5.5 - 2 * j linecolor rgb kind_colour(j) title "__".word(kinds, j)."__"
eval chart_end
