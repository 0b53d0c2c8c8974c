/* SPDX-License-Identifier: MIT */
/*
 * Build tool: writes kernels.csv, one row per kernel of the modules given, as read back from them.
 *
 *   describe OUTPUT.csv MODULE.cubin...
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/csv.h"
#include "kernels/cubin.h"

#define CUBIN_SUFFIX ".cubin"

static const char *const columns[] = { "module",       "kernel",         "architecture",
				       "instructions", "text_bytes",     "cubin_bytes",
				       "local_bytes",  "constant_bytes", "static_bytes",
				       "crc32" };

/* kernel_2 before kernel_10: the symbol table has an order of its own. */
static int by_name(const void *a, const void *b)
{
	return strverscmp(((const struct cubin_kernel *)a)->name,
			  ((const struct cubin_kernel *)b)->name);
}

static void add_kernel(struct csv_row *rows, const char *module, const struct cubin *cubin,
		       const struct cubin_kernel *kernel)
{
	csv_row_text(rows, module);
	csv_row_text(rows, kernel->name);
	csv_row_uint(rows, cubin->architecture);
	csv_row_uint(rows, kernel->instructions);
	csv_row_uint(rows, kernel->text_bytes);
	csv_row_uint(rows, cubin->cubin_bytes);
	csv_row_uint(rows, kernel->local_bytes);
	csv_row_uint(rows, kernel->constant_bytes);
	csv_row_uint(rows, cubin->static_bytes);
	csv_row_uint(rows, cubin->crc32);
	csv_row_end(rows);
}

/* "fma-31" of "/modules/sm_90/fma-31.cubin". */
static int module_name(const char *path, char *name, size_t name_size, struct err *reterr)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	size_t length = strlen(base), suffix = strlen(CUBIN_SUFFIX);

	if (length <= suffix || strcmp(base + length - suffix, CUBIN_SUFFIX) != 0 ||
	    length - suffix >= name_size)
		return err_set(reterr, EINVAL, "%s: not called MODULE" CUBIN_SUFFIX, path);
	memcpy(name, base, length - suffix);
	name[length - suffix] = '\0';
	return 0;
}

static int add_module(struct csv_row *rows, const char *path, struct err *reterr)
{
	struct cubin cubin;
	char name[64];
	int r = module_name(path, name, sizeof name, reterr);

	if (r < 0)
		return r;
	r = cubin_read_file(&cubin, path, reterr);
	if (r < 0)
		return r;
	if (cubin.kernel_count)
		qsort(cubin.kernels, cubin.kernel_count, sizeof *cubin.kernels, by_name);
	else
		r = err_set(reterr, EBADMSG, "%s: no kernel in it", path);
	for (size_t i = 0; i < cubin.kernel_count; i++)
		add_kernel(rows, name, &cubin, &cubin.kernels[i]);
	cubin_free(&cubin);
	return r;
}

int main(int argc, char **argv)
{
	struct csv_row rows;
	struct err err;
	int r = 0;

	if (argc < 3) {
		fputs("usage: describe OUTPUT.csv MODULE.cubin...\n", stderr);
		return 2;
	}
	csv_row_init(&rows);
	for (size_t i = 0; i < ARRAY_COUNT(columns); i++)
		csv_row_text(&rows, columns[i]);
	csv_row_end(&rows);
	for (int i = 2; i < argc && !r; i++)
		r = add_module(&rows, argv[i], &err);
	if (!r)
		r = csv_row_save(&rows, argv[1], O_TRUNC, &err);
	csv_row_free(&rows);
	if (r < 0)
		fprintf(stderr, "describe: %s\n", err.text);
	return r < 0;
}
