# SPDX-License-Identifier: MIT
what = "What several things take in one context, and what they would take each alone"
word_of(row) = strcol("parts")
usual_order = "printf malloc launch printf+malloc malloc+printf printf+launch launch+printf malloc+launch" \
	." launch+malloc printf+malloc+launch printf+launch+malloc malloc+printf+launch malloc+launch+printf" \
	." launch+printf+malloc launch+malloc+printf printf+malloc+launch+printf+malloc+launch" \
	." heap-64M+printf+malloc malloc+heap-64M fifo-64M+launch+printf stack-0+launch stack-0+malloc+launch" \
	." launch+pending-32K pending-32K+launch pending-8K+malloc+launch+printf streams-64 graphs-64" \
	." streams-64+graphs-64 graphs-64+streams-64 streams-7+graphs-37 graphs-129+streams-33+printf" \
	." pool-64M+streams-64+malloc streams-1+graphs-1+pool-1M+data-1M copies-1000+code-524255" \
	." code-524255+copies-1000 launch+copies-100 streams-5+copies-333 data-64M+code-524255+launch" \
	." malloc+code-4063+copies-77+graphs-21 frame-4K stack-2K+frame-4K frame-4K+stack-2K" \
	." stack-4K+frame-2K+code-131039+copies-100" \
	." frame-2K+printf+heap-32M+malloc+streams-3+graphs-11+data-4M+copies-250" \
	." stack-4K+heap-64M+printf+malloc+launch+streams-64+graphs-64+pool-64M"
load plots_dir."by-word.gp"

# A word is parts with '+' between them; the first, and all that come after it.
first_of(parts) = strstrt(parts, "+") ? parts[1:strstrt(parts, "+") - 1] : parts
others_of(parts) = strstrt(parts, "+") ? parts[strstrt(parts, "+") + 1:*] : ""
count_of(parts) = strlen(parts) ? 1 + count_of(others_of(parts)) : 0

# A part that comes first is one alone, whatever follows: "\nPART\tBYTES\n" for each.
alone_text = ""
alone(part) = between(alone_text, "\n".part."\t")
stats data using (at("part-1") && !strlen(alone(first_of(word_of(0)))) \
	? (alone_text = alone_text."\n".first_of(word_of(0))."\t".strcol("delta_bytes")."\n", 0) : 0) nooutput
is_known(parts) = !strlen(parts) ? 1 : strlen(alone(first_of(parts))) && is_known(others_of(parts))
sum_of(parts) = !strlen(parts) ? 0 : real(alone(first_of(parts))) + sum_of(others_of(parts))

# The row of the last part, and what all have taken there; the sum for each alone where that is in the run.
is_last(row) = at("part-".count_of(word_of(0)))
taken(row) = (taken_ = above_context(0), if_row(is_last(0), taken_))
has_sum(row) = is_last(0) && count_of(word_of(0)) > 1 && is_known(word_of(0))
alone_sum(row) = has_sum(0) ? sum_of(word_of(0)) : NaN
# Beyond bar and mark; the axis has no place for what is less than nothing.
farthest(row) = (taken_ = taken(0), alone_sum(0) > taken_ ? alone_sum(0) : taken_)
label_x(row) = (far_ = farthest(0), far_ > 0 || !is_last(0) ? far_ : low)
less(bytes) = bytes == 0 ? ", as much as the sum" : sprintf(", %s %s than the sum", \
	size(abs(bytes)), bytes > 0 ? "less" : "more")
words_of(row) = (taken_ < 0 ? size(-taken_)." given back" : size(taken_)) \
	.(has_sum(0) ? less(alone_sum(0) - taken_) : "")

eval measure("taken", 'taken(0)')
eval measure("least", '(taken_ = taken(0), taken_ > 0 ? taken_ : NaN)')
eval measure("far", 'farthest(0)')
eval measure("length", 'strlen(word_of(0))')
if (!taken_found || !least_found) { eval begin(1440, 400, 2); eval nothing_to_draw(what) }
low = least_min / 2.0

width = 1300 + 5 * length_max
eval begin(width, 250 + lines_height, 2)
panel_left = (30 + 8.8 * length_max) / width
panel_right = 0.985
eval panels(what, 1, 1)
eval log_bytes("x", low, far_max * 16, low)
set xrange [low:far_max * 40]
eval set_lines
set style fill solid 0.9 noborder
plot data using (taken(0)):(line_of(0)):(low):(taken(0)):(line_of(0) - 0.34):(line_of(0) + 0.34) \
		with boxxyerror linecolor rgb blue title "all parts in one context, when the last has been used", \
	data using (alone_sum(0)):(line_of(0)) with points pointtype 13 \
		pointsize dot(1.6) linewidth 2 linecolor rgb orange title "the sum of what each part takes alone", \
	data using (label_x(0)):(line_of(0)):(words_of(0)) with labels left offset 1.2,0 font font_size(0.8) notitle, \
	data using (if_row(strcol("status") eq "refused", low)):(line_of(0)):("refused: ".strcol("error")) \
		with labels left offset 1.2,0 font font_size(0.8) textcolor rgb orange notitle
eval chart_end
