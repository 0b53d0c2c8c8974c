# SPDX-License-Identifier: MIT
# One line of the chart for each word of an axis, one below the other, so that long words can be read. The caller
# sets beforehand
#   word_of(row)   the word of a row, without blanks
#   usual_order    the words as they should stand; what the run has beyond them comes last
# and then has
#   line_of(row)   where the word of a row stands, counted from 1 at the bottom
#   line_count, lines_height   how many there are, and the pixels of the SVG that they need
#   set_lines      for eval in the first panel: the words along y
#   drop_words     for eval in the next ones: the same lines without the words
#   bar(low, high) for the columns behind "using (x):" of boxxyerror
#   log_times(...) and signed_bytes(...)   axes for eval, like log_bytes and linear_bytes

names_ = " "
stats data using (name_ = word_of(0), \
	strstrt(names_, " ".name_." ") ? 0 : (names_ = names_.name_." "), 0) nooutput
lines = ""
do for [i_=1:words(usual_order)] {
	if (strstrt(names_, " ".word(usual_order, i_)." ")) { lines = lines." ".word(usual_order, i_) }
}
do for [i_=1:words(names_)] {
	if (!strstrt(lines." ", " ".word(names_, i_)." ")) { lines = lines." ".word(names_, i_) }
}
line_count = words(lines)
line_of(row) = (word_ = word_of(0), line_count + 1 \
	- sum [i_=1:line_count] (word(lines, i_) eq word_ ? i_ : 0))
lines_height = line_count < 12 ? 264 : 22 * line_count
set_lines = sprintf("set yrange [0.3:%d.7]; set ytics (); ", line_count) \
	."set for [i_=1:line_count] ytics add (word(lines, i_) line_count + 1 - i_)"
drop_words = "set ytics (); set for [i_=1:line_count] ytics add (\"\" i_)"

time_unit(ns) = ns < 1e3 ? 0 : ns < 1e6 ? 1 : ns < 1e9 ? 2 : 3
duration(ns) = (unit_ = time_unit(ns), sprintf("%.3g %s", ns / 1000.0**unit_, word("ns µs ms s", unit_ + 1)))
times_by_ten(v, high) = v > high ? "" : sprintf("\"%s\" %e,", duration(v), v).times_by_ten(v * 10, high)
log_times(axis, low, high) = (low_ = 10.0**floor(log10(low)), high_ = 10.0**ceil(log10(high)), \
	sprintf("unset logscale %s; set logscale %s 10; set %srange [%e:%e];", axis, axis, axis, \
	low / 1.5, high * 1.5).set_tics(axis, times_by_ten(low_, high_)))

# Like linear_bytes, with what lies below 0.
signed_bytes(axis, low, high, steps) = (low_ = low < 0 ? low : 0, high_ = high > 0 ? high : 0, \
	span_ = or_granule(high_ - low_), step_ = power_step(span_, steps), \
	sprintf("unset logscale %s; set %srange [%e:%e];", axis, axis, low_ - 0.05 * span_, \
	high_ + 0.3 * span_).set_tics(axis, tics_by_adding(step_ * ceil(low_ / step_), high_, step_)))
