# SPDX-License-Identifier: MIT
what = "The first use of a kernel while hardly anything is free"
eval begin(1400, 780, 5)
panel_bottom = panel_bottom + 78.0 / 780 # for the names of steps
uses = "code frame printf malloc"
colours = blue." ".orange." ".green." ".pink
shapes = "7 4 6 12"
below(k) = is("first_use", word(uses, k)) && is("search", "below")
fresh(k) = is("first_use", word(uses, k)) && is("search", "fresh")
reading(name) = strlen(strcol(name)) ? column(name) : NaN

eval measure("free", 'is("search", "below") && column("observer_free_bytes") > 0 ? column("observer_free_bytes") : NaN')
eval measure("least", 'reading("least_free_bytes")')
eval measure("too_little", 'reading("refused_free_bytes") > 0 ? reading("refused_free_bytes") : NaN')
if (!free_found && !least_found) { eval nothing_to_draw(what) }
low = least_found && least_min > 0 ? least_min : or_granule(0)
if (too_little_found && too_little_min < low) { low = too_little_min }
high = least_found ? least_max : or_granule(low)
if (too_little_found && too_little_max > high) { high = too_little_max }

# While the device is full, and after.
way = "fill load-full get-full launch-full other-full climb launch-again free-filling launch-freed other-freed unload use-anew unload-anew"
place_of(step) = sum [i_=1:words(way)] (word(way, i_) eq step ? i_ : 0)
# Side by side, as some of them go the same way.
drawn(k) = below(k) && place_of(strcol("step")) ? place_of(strcol("step")) + 0.1 * (k - 2.5) : NaN

panel_left = 0.075
panel_right = 0.985
panel_gap_x = 0.075
eval panels(what, 1, 2)
set ylabel "free before the use"
set title "how much must be free"
set xrange [0.4:4.6]
set xtics ()
set for [k=1:4] xtics add (word(uses, k) k)
eval log_bytes("y", low, high * 1.6, low)
plot for [k=1:4] data using (fresh(k) ? k - 0.12 : NaN):(reading("refused_free_bytes")) with points pointtype 2 \
		pointsize dot(2.2) linewidth 2 linecolor rgb orange notitle, \
	for [k=1:4] data using (fresh(k) ? k - 0.12 : NaN):(reading("least_free_bytes")) with points pointtype 7 \
		pointsize dot(1.8) linecolor rgb blue notitle, \
	for [k=1:4] data using (below(k) ? k + 0.12 : NaN):(reading("least_free_bytes")) with points pointtype 4 \
		pointsize dot(2.2) linewidth 2 linecolor rgb green notitle, \
	for [k=1:4] data using (k):(fresh(k) ? reading("least_free_bytes") : NaN): \
		(size(reading("least_free_bytes"))) with labels center offset 0,1.4 font font_size(0.85) notitle, \
	NaN with points pointtype 7 pointsize dot(1.8) linecolor rgb blue title "the least with which it works in a new context", \
	NaN with points pointtype 2 pointsize dot(2.2) linewidth 2 linecolor rgb orange title "the most with which it is refused there", \
	NaN with points pointtype 4 pointsize dot(2.2) linewidth 2 linecolor rgb green title "the least after tries that were refused"
eval next_panel

set key at screen 0.97,screen key_y right top
set ylabel "free on the device"
set title "step by step, where refused tries go before (crosses: refused)"
set xrange [0.4:words(way) + 0.6]
set xtics () rotate by 45 right
set for [i=1:words(way)] xtics add (word(way, i) i)
eval log_bytes("y", or_granule(free_min), or_granule(free_max), or_granule(free_min))
plot for [k=1:4] data using (drawn(k)):"observer_free_bytes" with linespoints \
		pointtype int(word(shapes, k)) pointsize dot(2.6 - 0.4 * k) linewidth 4 - 0.7 * k linecolor rgb word(colours, k) \
		title word(uses, k), \
	for [k=1:4] data using (strcol("status") eq "refused" ? drawn(k) : NaN): \
		"observer_free_bytes" with points pointtype 2 pointsize dot(3.2) linewidth 2.4 linecolor rgb word(colours, k) notitle
eval chart_end
