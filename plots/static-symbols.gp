# SPDX-License-Identifier: MIT
what = "What a __device__ array costs, and which call takes its memory"
number = "symbol_bytes"
number_words = "size of the array"
number_is_bytes = 1
after = "launch-2"
lines = "loading"
line_words = "CUDA_MODULE_LOADING="
line_values = "eager lazy"
law_called = "symbols-lazy"
law_words_of = ""
law_has_context = 1
each_words = ""
load plots_dir."by-number.gp"
