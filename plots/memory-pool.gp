# SPDX-License-Identifier: MIT
what = "What a stream-ordered allocation reserves, and what freeing and trimming give back"
number = "pool_bytes"
number_words = "bytes asked of cuMemAllocAsync"
number_is_bytes = 1
after = "allocate"
lines = "threshold"
line_words = "release threshold: "
line_values = "all none"
law_called = "pool"
law_words_of = ""
law_has_context = 0
each_words = ""
load plots_dir."by-number.gp"
