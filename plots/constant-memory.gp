# SPDX-License-Identifier: MIT
what = "What a __constant__ array costs, and which call takes its memory"
number = "constant_bytes"
number_words = "size of the array"
number_is_bytes = 1
after = "launch-2"
lines = "loading"
line_words = "loading: "
line_values = "data-eager data-lazy eager lazy"
law_called = "constants-lazy"
law_words_of = " (lazy)"
law_has_context = 1
each_words = ""
load plots_dir."by-number.gp"
