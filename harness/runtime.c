/* SPDX-License-Identifier: MIT */
#include "harness/runtime.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/array.h"
#include "cuctx_config.h"
#include "harness/library.h"

/* Newest first: what is installed beside the driver, then where the build's toolkit lies. */
static const char *const names[] = {
	"libcudart.so.13",
	"libcudart.so.12",
	"libcudart.so.11.0",
	CUCTX_CUDART_DIR "/libcudart.so.13",
	CUCTX_CUDART_DIR "/libcudart.so.12",
	CUCTX_CUDART_DIR "/libcudart.so.11.0",
	CUCTX_CUDART_DIR "/libcudart.so",
	"/usr/local/cuda/lib64/libcudart.so",
	"libcudart.so",
	NULL,
};

static const struct library library = {
	.what = "the CUDA runtime",
	.variable = "CUCTX_LIBCUDART",
	.names = names,
	.help = "set CUCTX_LIBCUDART to the path of a libcudart.so",
};

enum { OPTIONAL = false, NEEDED = true };

static const struct library_entry entries[] = {
#define RUNTIME_CALL(field, symbol, parameters, need) \
	{ #symbol, offsetof(struct runtime, field), need },
#include "harness/runtime.def"
#undef RUNTIME_CALL
};

int runtime_load(struct runtime *runtime, struct err *reterr)
{
	struct runtime loaded = { 0 };
	const char *missing;
	void *handle;
	int r = library_open(&library, &handle, reterr);

	if (r < 0)
		return r;
	missing = library_fill(handle, entries, ARRAY_COUNT(entries), &loaded);
	if (missing)
		return err_set(reterr, ENODEV, "the CUDA runtime has no %s", missing);
	*runtime = loaded;
	return 0;
}
