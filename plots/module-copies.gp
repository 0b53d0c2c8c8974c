# SPDX-License-Identifier: MIT
what = "What one more copy of a small module costs"
number = "copies"
number_words = "copies of the module loaded"
number_is_bytes = 0
after = "load-copies"
lines = "kernel_instructions"
line_words = "instructions of its kernel: "
line_values = ""
law_called = ""
law_words_of = ""
law_has_context = 0
each_words = "copy"
each(row) = column("copies")
load plots_dir."by-number.gp"
