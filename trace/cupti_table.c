/* SPDX-License-Identifier: MIT */
#include "trace/cupti_table.h"

#include <errno.h>
#include <stddef.h>

#include "base/array.h"
#include "harness/library.h"

/* One that the program has loaded answers to its soname before any file is looked for. */
static const char *const names[] = { "libcupti.so.13",
				     "libcupti.so.12",
				     "/usr/local/cuda/lib64/libcupti.so",
				     "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so",
				     "libcupti.so",
				     NULL };

static const struct library library = {
	.what = "CUPTI",
	.variable = "CUCTX_LIBCUPTI",
	.names = names,
	.help = "it comes with the CUDA toolkit; set CUCTX_LIBCUPTI to where it is",
};

enum { OPTIONAL = false, NEEDED = true };

static const struct library_entry entries[] = {
#define CUPTI_CALL(field, symbol, need) { #symbol, offsetof(struct cupti, field), need },
#include "trace/cupti.def"
#undef CUPTI_CALL
};

int cupti_load(struct cupti *cupti, struct err *reterr)
{
	struct cupti loaded = { 0 };
	const char *missing;
	void *handle;
	int r = library_open(&library, &handle, reterr);

	if (r < 0)
		return r;
	missing = library_fill(handle, entries, ARRAY_COUNT(entries), &loaded);
	if (missing)
		return err_set(reterr, ENODEV, "CUPTI has no %s", missing);
	*cupti = loaded;
	return 0;
}

int cupti_check(const struct cupti *cupti, CUptiResult result, const char *what, struct err *reterr)
{
	const char *text = NULL;
	bool is_taken = result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED ||
			result == CUPTI_ERROR_MAX_LIMIT_REACHED;

	if (result == CUPTI_SUCCESS)
		return 0;
	if (is_taken)
		return err_set(reterr, EBUSY,
			       "CUPTI serves one tool at a time, and another one is there");
	if (!cupti->get_result_string || cupti->get_result_string(result, &text))
		text = "an error without a name";
	return err_set(reterr, EIO, "CUPTI's %s answers %s (%d)", what, text, (int)result);
}
