# SPDX-License-Identifier: MIT
what = "What executable graphs cost, and what destroying them gives back"
number = "nodes"
number_words = "kernel nodes in the graph"
number_is_bytes = 0
after = "launch-graphs"
lines = "executables"
line_words = "executable graphs of it: "
line_values = ""
law_called = "graphs"
law_words_of = " (1 executable graph)"
law_has_context = 1
each_words = "node and graph"
each(row) = column("nodes") * column("executables")
across_words = "executable graphs"
across_line_words = "nodes in each: "
across_laws = "1 executables-1-node 1024 executables-1024-nodes"
load plots_dir."by-number.gp"
