# SPDX-License-Identifier: MIT
what = "What one more copy of a small module costs, below what the meter shows"

# Where edges say nothing of slots, there is no panel for them.
has_slot = strstrt(laws_text, "\nslot\t") > 0

of(steps, size) = is("steps", steps) && column("kernel_instructions") == int(size)
moved(row) = above_context(0) > 0 && at("load-to-edge") && column("delta_bytes") > 0
edge(size) = if_row(above_context(0) > 0 && at("load-to-edge") && of("edges", size), above_context(0))
direct(size) = if_row(above_context(0) > 0 && at("load-copies") && of("one", size), above_context(0))

eval measure("context", 'if_row(at("create"), column("total_bytes"))')
eval measure("bytes", 'if_row(above_context(0) > 0 && (at("load-to-edge") || at("load-copies")), above_context(0))')
eval measure("copies", 'column("copies")')
if (!bytes_found) {
	eval begin(1200, 760, 6)
	eval nothing_to_draw(what)
}

parameter(size, name) = law_parameter("copy-".size, name, 0)
has_law_of(size) = strstrt(laws_text, "\ncopy-".size."\t") > 0
# Too few copies have a law without a slope, which says nothing of one.
has_slope_of(size) = strstrt(laws_text, "\ncopy-".size."\tbytes_per_unit\t") > 0
# Of copies on top of the context; nothing where a logarithm could not show it.
above(bytes) = bytes > 0 ? bytes : NaN
law_of(size, x) = !has_law_of(size) || parameter(size, "granule_bytes") == 0 ? NaN \
	: above(parameter(size, "intercept_bytes") - context_min + parameter(size, "granule_bytes") \
	* ceil((parameter(size, "bytes_per_unit") * x - parameter(size, "slack_bytes")) / parameter(size, "granule_bytes")))
each(size) = has_slope_of(size) ? sprintf(": %.0f bytes each", parameter(size, "bytes_per_unit")) : ""
pale = "#aab0b8"
shades = "#cc79a7 #009e73 #d55e00 #0072b2 #56b4e9"

# Only sizes that have a law get a colour of their own; without laws, the first few.
eval in_order("kernel_instructions", 24)
all_sizes = list
with_law = ""
do for [i=1:words(all_sizes)] {
	if (has_law_of(word(all_sizes, i))) { with_law = with_law." ".word(all_sizes, i) }
}
sizes = ""
do for [i=1:words(strlen(with_law) ? with_law : all_sizes)] {
	if (i <= 5) { sizes = sizes." ".word(strlen(with_law) ? with_law : all_sizes, i) }
}

# ---- what the slots are, in words ----

slot_parameter(name) = law_parameter("slot", name, 0)
slot = slot_parameter("slot_bytes")
overhead = slot_parameter("overhead_bytes")
chunk = slot_parameter("chunk_bytes")
range_of(name) = sprintf("%.0f", slot_parameter(name)).(strstrt(laws_text, "\nslot\t".name."_low\t") \
	? sprintf(" (%.0f to %.0f)", slot_parameter(name."_low"), slot_parameter(name."_high")) : "")
slot_words = slot > 0 \
	? "code + overhead ".range_of("overhead_bytes").",\nrounded up to a slot of ".range_of("slot_bytes") \
		.",\n".(chunk > 0 ? "in chunks of ".size(chunk)." that no copy crosses" : "one behind the other") \
		.";\nof all copies, the first ".range_of("slack_bytes")."\nbytes cost nothing" \
	: "no slot meets all edges"
beyond_by_law(text) = slot > 0 ? slot * ceil((text + overhead) / slot) - text : NaN

# ---- what the edges say of each size, from the first to the last of them ----

if (has_slot) {
	piece_count = 0
	set print $pieces
	print "text,low,high"
	do for [i=1:words(all_sizes)] {
		eval measure("text", 'if_row(column("kernel_instructions") == int(word(all_sizes, i)), column("text_bytes"))')
		eval measure("edge", 'if_row(moved(0) && of("edges", word(all_sizes, i)), column("loaded_copies"))')
		eval measure("taken", 'if_row(moved(0) && of("edges", word(all_sizes, i)), column("total_bytes"))')
		copies_ = edge_max - edge_min
		if (text_found && edge_found && copies_ > 1) {
			taken_ = taken_max - taken_min
			low_piece = chunk > 0 ? chunk / (copies_ * chunk / taken_ + 1) : taken_ / (copies_ + 1)
			high_piece = chunk > 0 ? taken_ / copies_ : taken_ / (copies_ - 1)
			print sprintf("%.0f,%.17g,%.17g", text_max, low_piece - text_max, high_piece - text_max)
			piece_count = piece_count + 1
		}
	}
	set print
	has_slot = piece_count > 0
}
if (has_slot) {
	stats $pieces using "text" name "texts" nooutput
	stats $pieces using "low" name "lows" nooutput
}

# ---- by the copies ----

eval begin(has_slot ? 1440 : 1200, 760, has_slot ? 8 : 6)
panel_right = 0.98
eval panels(what, 1, has_slot ? 2 : 1)
set xlabel "copies loaded"
set ylabel "device memory on top of the context"
if (has_slot) { set title "when the meter moved" }
eval log_bytes("y", bytes_min, bytes_max, bytes_min)
set logscale x 2
set xrange [0.8:copies_max * 1.25]
set xtics 4 format "%.0f"
set samples 4000
plot for [i=1:words(sizes)] [0.8:copies_max] law_of(word(sizes, i), x) with lines linewidth 1 linecolor rgb word(shades, i) \
		title (has_slope_of(word(sizes, i)) ? "law of a kernel of " : "a kernel of ").word(sizes, i) \
		." instructions".each(word(sizes, i)), \
	for [i=1:words(sizes)] data using (column("loaded_copies")):(edge(word(sizes, i))) with points pointtype 7 \
		pointsize dot(0.7) linecolor rgb word(shades, i) notitle, \
	for [i=1:words(sizes)] data using (column("copies")):(direct(word(sizes, i))) with points pointtype 4 \
		pointsize dot(2.0) linewidth 1.6 linecolor rgb word(shades, i) notitle, \
	NaN with points pointtype 7 pointsize dot(0.7) linecolor rgb ink title "the copy at which the meter moved", \
	NaN with points pointtype 4 pointsize dot(2.0) linewidth 1.6 linecolor rgb ink title "so many copies loaded at once", \
	NaN with linespoints pointtype 7 pointsize dot(0.7) linewidth 3 linecolor rgb has_slot ? blue : "#ffffff" title has_slot ? "what the edges of one size allow" : "", \
	NaN with lines linewidth 2 linecolor rgb has_slot ? pale : "#ffffff" title has_slot ? "code and overhead, rounded up to slots" : ""
if (!has_slot) {
	eval chart_end
	exit status 0
}
eval next_panel

# ---- by the code ----

most = slot > 0 ? 1.6 * (overhead + slot) : lows_max
set title "what a copy takes beyond its code"
set xlabel "code of a copy"
unset ylabel
set format x
eval log_bytes("x", texts_min, texts_max, texts_min)
eval linear_bytes("y", most, 6)
set label 3 slot_words at graph 0.03, graph 0.97 left textcolor rgb ink
# The saw of a small slot becomes a band where kernels are large: pale, so that it hides nothing.
clipped(y) = y > 1.05 * most ? 1.05 * most : y
plot [texts_min / 1.2:texts_max * 1.2] beyond_by_law(x) with lines linewidth 1 linecolor rgb pale notitle, \
	$pieces using "text":(clipped(column("low"))):(0):(clipped(column("high")) - clipped(column("low"))) \
		with vectors nohead linewidth 3 linecolor rgb blue notitle, \
	$pieces using "text":(clipped((column("low") + column("high")) / 2)) with points pointtype 7 \
		pointsize dot(0.7) linecolor rgb blue notitle
eval chart_end
