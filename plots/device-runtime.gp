# SPDX-License-Identifier: MIT
what = "What a kernel that launches kernels costs, and what the limit of pending launches changes"
number = "pending_launches"
number_words = "pending launches asked for (0: the default)"
number_is_bytes = 0
after = "launch-2"
lines = "module"
line_words = "a kernel that launches: "
line_values = "called linked none"
law_called = "launch-called"
law_words_of = " (a kernel that launches)"
law_has_context = 1
zero_is_default = 1
refused_at = "set-pending"
each_words = ""
load plots_dir."by-number.gp"
