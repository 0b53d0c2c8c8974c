# SPDX-License-Identifier: MIT
what = "What a stream costs, and whether destroying it gives that back"
number = "streams"
number_words = "streams created"
number_is_bytes = 0
after = "create-streams"
lines = ""
line_words = ""
line_values = ""
law_called = "streams"
law_words_of = ""
law_has_context = 0
each_words = "stream"
each(row) = column("streams")
load plots_dir."by-number.gp"
