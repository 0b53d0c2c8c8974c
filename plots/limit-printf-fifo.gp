# SPDX-License-Identifier: MIT
limit_axis = "printf_fifo_limit_bytes"
limit_words = "FIFO limit"
what = "device printf"
law_called = "printf-called"
shows_host = 1
load plots_dir."limit-of-module.gp"
