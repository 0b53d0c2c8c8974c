# SPDX-License-Identifier: MIT
load plots_dir."steps.gp"
eval begin(1440, 720, 3)
eval room_for_steps(720)
what = "Whether modules that come and go leave anything behind"

ways = "module library in-order reverse shuffled"
sizes = "large small"
held = "in-order reverse shuffled"
held_words = "\"in order\" \"in reverse\" shuffled"
held_steps = "create load-held get-held launch-held unload-half unload-rest"

# Samples of the two kinds end in steps of different names.
is_end(row) = at("cycle-rest") || at("unload-rest")
way_of(row) = sum [i_=1:words(ways)] (is("way", word(ways, i_)) ? i_ : 0)
left(k) = if_row(above_context(0) > -1e300 && is_end(0) && is("module_size", word(sizes, k)), above_context(0))

held_place(step) = sum [i_=1:words(held_steps)] (word(held_steps, i_) eq step ? i_ : 0)
is_held(k) = is("module_size", word(sizes, k)) && strstrt(" ".held." ", " ".strcol("way")." ") > 0

eval measure("left", 'if_row(above_context(0) > -1e300 && is_end(0), above_context(0))')
array most_[words(sizes)]
array most_held_[words(sizes)]
do for [k=1:words(sizes)] {
	eval measure("most", 'if_row(is_end(0) && is("module_size", word(sizes, k)), column("cycles"))')
	most_[k] = most_found ? most_max : 0
	eval measure("most", 'if_row(at("launch-held") && is_held(k), column("cycles"))')
	most_held_[k] = most_found ? most_max : 0
}
if (!left_found) { eval nothing_to_draw(what) }

is_shown(k, j) = is_held(k) && column("cycles") == most_held_[k] && is("way", word(held, j)) \
	&& held_place(strcol("step")) > 0 && is_ok(0)
held_bytes(k, j) = if_row(above_context(0) > -1e300 && is_shown(k, j), above_context(0))
set print $path
print "line,place,bytes"
print "0,0,0" # so that there is something, where none were held
array held_max_[words(sizes)]
do for [k=1:words(sizes)] {
	held_max_[k] = 0
	do for [j=1:words(held)] {
		do for [i=1:words(held_steps)] {
			eval measure("step", 'if_row(held_place(strcol("step")) == i, held_bytes(k, j))')
			if (step_found) {
				held_max_[k] = step_max > held_max_[k] ? step_max : held_max_[k]
				print sprintf("%d,%f,%.17g", 10 * k + j, i - 0.5, step_max)
				print sprintf("%d,%f,%.17g", 10 * k + j, i + 0.5, step_max)
			}
		}
		print ""
	}
}
set print
eval measure("gone", 'if_row(at("destroy"), column("total_bytes"))')

colour_of(k) = word(blue." ".orange, k)
shade_of(j) = word(green." ".pink." ".sky, j)
panel_left = 0.075
panel_right = 0.98
panel_gap_x = 0.065
eval panels(what, 1, 3)

# ---- what is left ----

set xrange [0.4:words(ways) + 0.6]
set xtics () rotate by 45 right
set for [i=1:words(ways)] xtics add (word(ways, i) i)
eval linear_bytes("y", left_max, 6)
set ylabel "device memory on top of the context"
set title "when all have been unloaded, whatever their number"
set key at screen 0.06,screen key_y left
plot for [k=1:words(sizes)] data using (way_of(0) + 0.24 * (k - 1.5)):(left(k)) with points \
		pointtype 2 * k + 3 pointsize dot(1.6) linewidth 1.8 linecolor rgb colour_of(k) \
		title sprintf("%s module, up to %s times", word(sizes, k), count_words(most_[k]))
eval next_panel

# ---- held all at once ----

unset ylabel
if (gone_found) {
	set label 3 "destroying the context leaves ".size(gone_max) at screen 0.98, screen 0.02 right
}
set xrange [0.4:words(held_steps) + 0.6]
set xtics () rotate by 45 right
set for [i=1:words(held_steps)] xtics add (word(held_steps, i) i)
do for [k=1:words(sizes)] {
	set title most_held_[k] == 0 ? sprintf("no %s modules held at once", word(sizes, k)) \
		: sprintf("%s %s modules held at once, step by step", count_words(most_held_[k]), word(sizes, k))
	eval linear_bytes("y", held_max_[k], 6)
	# The same for both, so said once.
	if (k == 1) { set key at screen 0.42,screen key_y left } else { unset key; unset label 3 }
	plot for [j=1:words(held)] $path using (column("line") == 10 * k + j ? column("place") : NaN):"bytes" \
			with lines linewidth 2 + 2.5 * (words(held) - j) linecolor rgb shade_of(j) \
			title "unloaded ".word(held_words, j), \
		NaN notitle
}
eval chart_end
