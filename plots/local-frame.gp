# SPDX-License-Identifier: MIT
what = "What a kernel with a large stack frame costs, and what gives that back"
number = "frame_bytes"
number_words = "stack frame of the kernel, per thread"
number_is_bytes = 1
after = "launch-2"
lines = "grid"
line_words = "grid: one "
line_values = "device thread"
law_called = "frame"
law_words_of = ""
law_has_context = 1
each_words = ""
load plots_dir."by-number.gp"
