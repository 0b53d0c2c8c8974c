# SPDX-License-Identifier: MIT
what = "Whether loading, launching and unloading a module over and over leaks"
number = "cycles"
number_words = "times that the module was loaded, launched and unloaded"
number_is_bytes = 0
after = "cycle-rest"
lines = "module_size"
line_words = "module: "
line_values = "large small"
law_called = "cycle-large"
law_words_of = " (large module)"
law_has_context = 1
each_words = ""
load plots_dir."by-number.gp"
