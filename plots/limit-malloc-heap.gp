# SPDX-License-Identifier: MIT
limit_axis = "malloc_heap_limit_bytes"
limit_words = "heap limit"
what = "device malloc"
law_called = "heap-called"
shows_host = 0
load plots_dir."limit-of-module.gp"
