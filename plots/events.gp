# SPDX-License-Identifier: MIT
what = "What an event costs, and whether destroying it gives that back"
number = "events"
number_words = "events created"
number_is_bytes = 0
after = "create-events"
lines = ""
line_words = ""
line_values = ""
law_called = "events"
law_words_of = ""
law_has_context = 0
each_words = ""
load plots_dir."by-number.gp"
