# SPDX-License-Identifier: MIT
# The chart of a benchmark whose memory follows a number. Set before:
#   what             the headline
#   number           the axis, number_words what it is, number_is_bytes whether it is a size
#   after            the step after which the bytes are looked at
#   lines            the axis that has a line per value, "" for none; line_words what is said before the value
#   line_values      its values in order, "" where they are numbers
#   law_called       component of laws.csv, "" for none; law_words_of what it is about
#   law_has_context  whether the law counts the context, which the chart does not
#   zero_is_default  whether 0 stands for another number, so that the law says nothing of it; not set: no
#   refused_at       the step whose refusals are marked; not set: any step's
#   each_words       what each thing is called, "" where that is no question; then
#   each(row)        how many of them took the bytes
# and, where the lines are numbers that deserve an axis of their own, which then takes the place of what each has:
#   across_words     what they are; across_line_words what is said before a value of `number`
#   across_laws      pairs of a value of `number` and the law of its points, "1 one-node 1024 many-nodes"
load plots_dir."steps.gp"

if (strlen(lines) && !strlen(line_values)) {
	eval in_order(lines, 5) # there are no more colours
	line_values = list
}
line_count = strlen(lines) ? words(line_values) : 1
line_name(k) = strlen(lines) ? line_words.word(line_values, k) : "measured"
on_line(k) = !strlen(lines) || is(lines, word(line_values, k))
taken(k) = if_row(above_context(0) > -1e300 && at(after) && on_line(k), above_context(0))

# Large and hollow ones first, so that equal values are seen around each other.
shape_of(k) = int(word("7 4 6 12 2", line_count - k + 1))
size_of(k) = real(word("0.8 1.8 2.5 3.4 1.4", line_count - k + 1))
colour_of(k) = word(blue." ".orange." ".green." ".pink." ".grey, line_count - k + 1)

has_across = exists("across_words")
width = strlen(each_words) ? 1440 : 1280
eval begin(width, 720, has_across ? 6 : line_count + 1)
eval room_for_steps(720)
eval use_law(law_called)

eval measure("context", 'if_row(at("create"), column("total_bytes"))')
number_of(value) = number_is_bytes ? size(value) : count_words(value)

# Limits of an axis hold for measuring, too: all of it comes before the first.
eval measure("number", 'column(number)')
eval measure("above_zero", 'if_row(column(number) > 0, column(number))')
eval measure("taken", 'if_row(above_context(0) > -1e300 && at(after), above_context(0))')
eval measure("positive", 'if_row(above_context(0) > 0 && at(after), above_context(0))')
if (!exists("zero_is_default")) { zero_is_default = 0 }
if (!exists("refused_at")) { refused_at = "" }
is_refused(row) = strlen(refused_at) ? refused(refused_at) : strcol("status") eq "refused"
eval measure("refused", 'if_row(is_refused(0), column(number))')
eval measure("most", 'if_row(at(after), column(number))')
eval measure("left", 'if_row(at("destroy"), column("total_bytes"))')
if (has_across) {
	eval in_order(number, 5)
	across_list = list
	eval measure("across", 'if_row(at(after), column(lines))')
	eval measure("across_above_zero", 'if_row(at(after) && column(lines) > 0, column(lines))')
	across_low = across_above_zero_found ? across_above_zero_min : 1
	across_high = across_max > across_low ? across_max : across_low
	across_zero = across_low / (across_min > 0 ? 1.0 : 8.0)
}
if (!taken_found) { eval nothing_to_draw(what) }

share(k) = (share_ = taken(k), share_ > 0 ? share_ / each(0) : NaN)
give_or_take(row) = granule / each(0)
array shares_[line_count]
do for [k=1:line_count] {
	shares_[k] = ""
	if (strlen(each_words)) {
		eval measure("last", 'if_row(column(number) == most_max, share(k))')
		if (last_found) {
			shares_[k] = sprintf(" (%s each at %s %s)", size(last_max), number_of(most_max), number)
		}
	}
}
if (strlen(each_words)) {
	eval measure("share", \
		'if_row(above_context(0) > 0 && at(after) && each(0) > 0, above_context(0) / (each(0) > 0 ? each(0) : 1))')
}

# The steps of the last number that has an answer, on top of the context, so only until that is destroyed. Those
# between two others that a sample does not have, or that were refused, change nothing.
shown_steps = place("destroy") > 0 ? place("destroy") - 1 : words(steps)
is_last(row) = column(number) == most_max && place(strcol("step")) <= shown_steps && is_ok(0)
after_step(k) = if_row(above_context(0) > -1e300 && is_last(0) && on_line(k), above_context(0))

set print $path
print "line,place,bytes"
do for [k=1:line_count] {
	last = 0
	do for [i=1:shown_steps] {
		eval measure("step", 'if_row(place(strcol("step")) == i, after_step(k))')
		if (step_found) {
			if (last > 0) { print sprintf("%d,%f,%.17g", k, i - 0.5, last_bytes) }
			print sprintf("%d,%f,%.17g", k, i - 0.5, step_max)
			print sprintf("%d,%f,%.17g", k, i + 0.5, step_max)
			last = i
			last_bytes = step_max
		}
	}
	print ""
}
set print
eval measure("step", 'above_context(0) > -1e300 && is_last(0) ? above_context(0) : NaN')

if (law_has_context) {
	law_offset = law_offset - context_min
	law_floor = law_floor - context_min
	law_cap = law_cap - context_min
}

panel_left = strlen(each_words) ? 0.075 : 0.085
panel_right = 0.98
panel_gap_x = strlen(each_words) ? 0.065 : 0.08
log_tics_x = strlen(each_words) ? 4 : 6
eval panels(what, 1, strlen(each_words) ? 3 : 2)
if (has_across) { set key at screen 0.04,screen key_y left }

# ---- by the number ----

zero_x = (above_zero_found ? above_zero_min : 1) / (number_min > 0 ? 1.0 : 8.0)
number_axis(low) = number_is_bytes ? log_bytes("x", low, number_max, zero_x) \
	: log_counts("x", low, number_max, zero_x)
eval number_axis(above_zero_found ? above_zero_min : 1)
is_steep = positive_found && positive_max > 16 * positive_min
zero_y = is_steep && taken_min <= 0 ? positive_min / 4.0 : 0
if (is_steep) {
	eval log_bytes("y", positive_min, positive_max, taken_min <= 0 ? zero_y : positive_min)
} else {
	eval linear_bytes("y", taken_max, 6)
}
shown(bytes) = is_steep && bytes < zero_y ? zero_y : bytes
set xlabel number_words
set ylabel "device memory on top of the context"
set title "after the step ".after
if (refused_found) {
	set label 2 "refused\nfrom ".number_of(refused_min) \
		at graph 0.97, graph 0.12 right textcolor rgb orange
}
eval law_line(zero_is_default && above_zero_found ? above_zero_min : zero_x, number_max, 1)
plot $law using "x":(shown(column("y"))) with lines linestyle 1 \
		title has_law ? law_words(number).law_words_of : "", \
	for [k=1:line_count] data using (or_zero(column(number), zero_x)):(shown(taken(k))) with points \
		pointtype shape_of(k) pointsize dot(size_of(k)) linewidth 1.8 linecolor rgb colour_of(k) \
		title line_name(k).shares_[k]
unset label 2
eval next_panel

# ---- by the lines, one for each number ----

if (has_across) {
	array across_each_[words(across_list)]
	have_law = ""
	set print $across
	print "line,x,y"
	do for [k=1:words(across_list)] {
		across_each_[k] = ""
		do for [i=1:words(across_laws) / 2] {
			eval use_law(word(across_laws, 2 * i))
			if (has_law && int(word(across_list, k)) == int(word(across_laws, 2 * i - 1))) {
				have_law = have_law.sprintf(" %d", k)
				across_each_[k] = sprintf(" (by its law, %.0f bytes each)", law_slope)
				law_offset = law_offset - (law_has_context ? context_min : 0)
				do for [step_=0:300] {
					x_ = across_low * (real(across_high) / across_low)**(step_ / 300.0)
					print sprintf("%d,%.17g,%.17g", k, x_, law(x_))
				}
				print ""
			}
		}
	}
	set print
	shade_of(k) = word(blue." ".orange." ".green." ".pink." ".grey, int(k) > 0 ? int(k) : 1)
	across_is(k) = column(number) == int(word(across_list, k))
	across_taken(k) = if_row(above_context(0) > -1e300 && at(after) && across_is(k), above_context(0))
	law_is(k) = if_row(column("line") == int(k), column("x"))
	eval log_counts("x", across_low, across_high, across_zero)
	unset ylabel
	set xlabel across_words
	set title "the same by their number, and the law of each"
	set key at screen 0.42,screen key_y left
	if (!strlen(have_law)) {
		have_law = "0" # of no line
		set print $across append
		print "-1,NaN,NaN"
		set print
	}
	plot for [k in have_law] $across using (law_is(k)):(shown(column("y"))) with lines linewidth 1.6 \
			linecolor rgb shade_of(k) notitle, \
		for [k=1:words(across_list)] data using (or_zero(column(lines), across_zero)):(shown(across_taken(k))) with points \
			pointtype 7 pointsize dot(1.0) linecolor rgb shade_of(k) \
			title across_line_words.word(across_list, k).across_each_[k]
	eval next_panel
}

# ---- of each ----

if (strlen(each_words) && !has_across) {
	if (share_max > 8 * share_min) {
		eval log_bytes("y", share_min, share_max, share_min)
	} else {
		eval linear_bytes("y", share_max, 6)
	}
	share_low = share_max > 8 * share_min ? share_min / 1.2 : 0
	unset ylabel
	if (!share_found) { set label 2 "less than the meter shows" at graph 0.5, graph 0.85 center }
	set title "of that, for each ".each_words.", give or take a granule"
	plot for [k=1:line_count] data using (or_zero(column(number), zero_x)):(share(k)): \
			(real(share(k) - give_or_take(0)) < share_low ? share_low : share(k) - give_or_take(0)): \
			(share(k) + give_or_take(0)) with yerrorbars pointtype shape_of(k) \
			pointsize dot(size_of(k)) linewidth 1.4 linecolor rgb colour_of(k) notitle
	unset label 2
	eval next_panel
}

# ---- by the steps ----

unset logscale
unset ylabel
unset xlabel
if (left_found) {
	set label 3 "destroying the context leaves ".size(left_max) at screen 0.98, screen 0.02 right
}
set title "step by step, ".number." = ".number_of(most_max)
set xrange [0.4:shown_steps + 0.6]
set xtics () rotate by 45 right
set for [i=1:shown_steps] xtics add (word(steps, i) i)
eval linear_bytes("y", step_max, 6)
plot for [k=1:line_count] $path using (column("line") == k ? column("place") : NaN):"bytes" \
		with lines linewidth 2 + 2.5 * (line_count - k) linecolor rgb colour_of(k) notitle, \
	for [k=1:line_count] data using (place(strcol("step"))):(after_step(k)) with points \
		pointtype shape_of(k) pointsize dot(size_of(k)) linewidth 1.8 linecolor rgb colour_of(k) notitle
eval chart_end
