# SPDX-License-Identifier: MIT
what = "What arrays, textures and surfaces cost, and whether destroying them gives that back"
eval begin(1280, 720, 7)

kinds = "array array-tiny texture texture-linear surface"
kind_words(k) = word("arrays,_4_KiB_each arrays_of_one_element textures_of_an_array textures_of_a_buffer surfaces", k)
spaced(text) = (gap_ = strstrt(text, "_"), gap_ ? text[1:gap_ - 1]." ".spaced(text[gap_ + 1:*]) : text)
# Large and hollow ones first, so that equal values are seen around each other.
shape_of(k) = int(word("4 2 6 12 7", k))
size_of(k) = real(word("2.6 1.4 2.6 1.8 0.7", k))
colour_of(k) = word(grey." ".pink." ".green." ".orange." ".blue, k)
of_kind(k) = is("kind", word(kinds, k))

# What objects took, whatever they look at.
before_ = NaN
above_base(row) = (before_ = at("create") || at("make-base") ? column("total_bytes") : before_, \
	column("total_bytes") - before_)
steps = "create-objects destroy-objects create-again destroy-again"
place(step) = sum [i_=1:words(steps)] (word(steps, i_) eq step ? i_ : 0)
held(k) = if_row(above_base(0) > -1e300 && is_ok(0) && place(strcol("step")) && of_kind(k), above_base(0))
first_held(k) = if_row(held(k) > -1e300 && at("create-objects"), held(k))

eval measure("number", 'if_row(at("create-objects"), column("objects"))')
if (!number_found) { eval nothing_to_draw(what) }
eval measure("objects", 'column("objects")')
eval measure("above_zero", 'if_row(column("objects") > 0, column("objects"))')
eval measure("positive", 'if_row(above_base(0) > 0 && place(strcol("step")) && is_ok(0), above_base(0))')
eval measure("refused", 'if_row(refused("create-objects"), column("objects"))')

zero_x = (above_zero_found ? above_zero_min : 1) / (objects_min > 0 ? 1.0 : 8.0)
zero_y = positive_found ? positive_min / 4.0 : or_granule(0) / 4.0
bytes_axis = log_bytes("y", or_granule(positive_min), or_granule(positive_max), zero_y)
shown(bytes) = bytes < zero_y ? zero_y : bytes

# Lines of two laws: eval law_block(BLOCK).
law_block(block) = sprintf("set print %s; print \"x,y\"; do for [i=0:1500] { " \
	."x = %e * (%e)**(i / 1500.0); print sprintf(\"%%.17g,%%.17g\", x, shown(law(x))) }; set print", \
	block, zero_x, real(objects_max) / zero_x)

panel_left = 0.09
panel_right = 0.98
panel_gap_x = 0.08
eval panels(what, 1, 2)
eval log_counts("x", above_zero_found ? above_zero_min : 1, objects_max, zero_x)
eval bytes_axis
set xlabel "objects created"
set ylabel "device memory that they took"
set title "after the step create-objects"
if (refused_found) {
	set label 2 "refused\nfrom ".count_words(refused_min) at graph 0.97, graph 0.12 right textcolor rgb orange
}
eval use_law("arrays")
eval law_block("$arrays")
array_words = has_law ? "arrays, ".law_words("objects") : ""
eval use_law("textures")
eval law_block("$textures")
texture_words = has_law ? "textures, ".law_words("objects") : ""
plot $arrays using "x":"y" with lines linestyle 1 title array_words, \
	$textures using "x":"y" with lines linestyle 1 dashtype 2 title texture_words, \
	for [k=1:words(kinds)] data using (or_zero(column("objects"), zero_x)):(shown(first_held(k))) with points \
		pointtype shape_of(k) pointsize dot(size_of(k)) linewidth 1.8 linecolor rgb colour_of(k) \
		title spaced(kind_words(k))
unset label 2
eval next_panel

unset logscale x
unset ylabel
unset xlabel
set title "step by step, ".count_words(number_max)." objects"
set xrange [0.5:words(steps) + 0.5]
set xtics ()
set for [i=1:words(steps)] xtics add (word(steps, i) i)
eval bytes_axis
held_last(k) = if_row(held(k) > -1e300 && column("objects") == number_max, held(k))
plot for [k=1:words(kinds)] data using (place(strcol("step"))):(shown(held_last(k))) with points \
	pointtype shape_of(k) pointsize dot(size_of(k)) linewidth 1.8 linecolor rgb colour_of(k) notitle
eval chart_end
