/* SPDX-License-Identifier: MIT */
#include "inspect/names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A kernel that has no name to show yet. */
struct nameless {
	const char *mangled;
	char **shown;
};

static int compare_nameless(const void *a, const void *b)
{
	return strcmp(((const struct nameless *)a)->mangled, ((const struct nameless *)b)->mangled);
}

/* All kernels of an image to the end of `kernels`. False: no memory. */
static bool gather(struct device_image *image, struct nameless *kernels, size_t *count)
{
	const struct cubin *cubin = &image->cubin;

	image->names = calloc(cubin->kernel_count + 1, sizeof *image->names);
	for (size_t i = 0; image->names && i < cubin->kernel_count; i++)
		kernels[(*count)++] = (struct nameless){ cubin->kernels[i].name, &image->names[i] };
	return image->names != NULL;
}

static bool name_sorted(const struct nameless *kernels, size_t count,
			const struct contents_namer *namer)
{
	for (size_t i = 0; i < count; i++) {
		if (i && !strcmp(kernels[i].mangled, kernels[i - 1].mangled))
			*kernels[i].shown = strdup(*kernels[i - 1].shown);
		else
			*kernels[i].shown = namer->name(namer->context, kernels[i].mangled);
		if (!*kernels[i].shown)
			return false;
	}
	return true;
}

int contents_name(struct contents *contents, const struct contents_namer *namer, struct err *reterr)
{
	struct nameless *kernels = calloc(contents->kernel_count + 1, sizeof *kernels);
	bool is_fine = kernels != NULL;
	size_t count = 0;

	for (size_t i = 0; is_fine && i < contents->count; i++)
		is_fine = gather(&contents->images[i], kernels, &count);
	if (is_fine) {
		qsort(kernels, count, sizeof *kernels, compare_nameless);
		is_fine = name_sorted(kernels, count, namer);
	}
	free(kernels);
	return is_fine ? 0 : err_set(reterr, ENOMEM, "%s: out of memory", contents->path);
}
