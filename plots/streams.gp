# SPDX-License-Identifier: MIT
what = "What a stream costs, and what becomes of its memory when it is destroyed"
number = "streams"
number_words = "streams created"
number_is_bytes = 0
after = "create-streams"
lines = "priority"
line_words = "priority: "
line_values = "high default"
law_called = "streams"
law_words_of = " (default priority)"
law_has_context = 0
each_words = "stream"
each(row) = column("streams")
load plots_dir."by-number.gp"
