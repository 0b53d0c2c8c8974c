/* SPDX-License-Identifier: MIT */
/*
 * Build tool: writes kernels.csv, one row per kernel of the modules given, as read back from them.
 * A module's other forms come behind its cubin.
 *
 *   describe OUTPUT.csv {MODULE.cubin [MODULE.ptx...]}...
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
				       "crc32",        "call_bytes" };

/* kernel_2 before kernel_10: the symbol table has an order of its own. */
static int by_name(const void *a, const void *b)
{
	return strverscmp(((const struct cubin_kernel *)a)->name,
			  ((const struct cubin_kernel *)b)->name);
}

/* What is known of one module. */
struct module {
	char name[64];
	struct cubin cubin;
	struct cubin_form_file forms[CUBIN_FORM_COUNT];
};

static void add_forms(struct csv_row *rows, const struct module *module)
{
	for (size_t i = 0; i < CUBIN_FORM_COUNT; i++) {
		if (module->forms[i].bytes) {
			csv_row_uint(rows, module->forms[i].bytes);
			csv_row_uint(rows, module->forms[i].crc32);
		} else {
			csv_row_text(rows, "");
			csv_row_text(rows, "");
		}
	}
}

static void add_kernel(struct csv_row *rows, const struct module *module,
		       const struct cubin_kernel *kernel)
{
	const struct cubin *cubin = &module->cubin;

	csv_row_text(rows, module->name);
	csv_row_text(rows, kernel->name);
	csv_row_uint(rows, cubin->architecture);
	csv_row_uint(rows, kernel->instructions);
	csv_row_uint(rows, kernel->text_bytes);
	csv_row_uint(rows, cubin->cubin_bytes);
	csv_row_uint(rows, kernel->local_bytes);
	csv_row_uint(rows, kernel->constant_bytes);
	csv_row_uint(rows, cubin->static_bytes);
	csv_row_uint(rows, cubin->crc32);
	csv_row_uint(rows, kernel->call_bytes);
	add_forms(rows, module);
	csv_row_end(rows);
}

static bool has_suffix(const char *path, const char *suffix)
{
	size_t length = strlen(path), suffix_length = strlen(suffix);

	return length > suffix_length && !strcmp(path + length - suffix_length, suffix);
}

/* "fma-31" of "/modules/sm_90/fma-31.cubin". */
static int module_name(const char *path, char *name, size_t name_size, struct err *reterr)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	size_t length = strlen(base), suffix = strlen(CUBIN_SUFFIX);

	if (!has_suffix(base, CUBIN_SUFFIX) || length - suffix >= name_size)
		return err_set(reterr, EINVAL, "%s: not called MODULE" CUBIN_SUFFIX, path);
	memcpy(name, base, length - suffix);
	name[length - suffix] = '\0';
	return 0;
}

/* The longest suffix that fits is meant: .compressed.fatbin is no .fatbin. */
static int add_form(struct module *module, const char *path, struct err *reterr)
{
	size_t form = CUBIN_FORM_COUNT;

	for (size_t i = 0; i < CUBIN_FORM_COUNT; i++)
		if (has_suffix(path, cubin_form_names[i].suffix) &&
		    (form == CUBIN_FORM_COUNT ||
		     strlen(cubin_form_names[i].suffix) > strlen(cubin_form_names[form].suffix)))
			form = i;
	if (form == CUBIN_FORM_COUNT)
		return err_set(reterr, EINVAL, "%s: no form of a module is called so", path);
	return cubin_form_read_file(&module->forms[form], path, reterr);
}

/* Reads the cubin and its `form_count` other forms. */
static int read_module(struct module *module, char *const *paths, size_t form_count,
		       struct err *reterr)
{
	int r = module_name(paths[0], module->name, sizeof module->name, reterr);

	if (!r)
		r = cubin_read_file(&module->cubin, paths[0], reterr);
	for (size_t i = 0; i < form_count && !r; i++)
		r = add_form(module, paths[1 + i], reterr);
	return r;
}

static int add_module(struct csv_row *rows, char *const *paths, size_t form_count,
		      struct err *reterr)
{
	struct module module = { 0 };
	struct cubin *cubin = &module.cubin;
	int r = read_module(&module, paths, form_count, reterr);

	if (!r && !cubin->kernel_count)
		r = err_set(reterr, EBADMSG, "%s: no kernel in it", paths[0]);
	if (!r) {
		qsort(cubin->kernels, cubin->kernel_count, sizeof *cubin->kernels, by_name);
		for (size_t i = 0; i < cubin->kernel_count; i++)
			add_kernel(rows, &module, &cubin->kernels[i]);
	}
	cubin_free(cubin);
	return r;
}

static void add_header(struct csv_row *rows)
{
	for (size_t i = 0; i < ARRAY_COUNT(columns); i++)
		csv_row_text(rows, columns[i]);
	for (size_t i = 0; i < CUBIN_FORM_COUNT; i++) {
		csv_row_text(rows, cubin_form_names[i].bytes_column);
		csv_row_text(rows, cubin_form_names[i].crc32_column);
	}
	csv_row_end(rows);
}

/* How many of the paths, from the second on, are forms of the first. */
static size_t count_forms(char *const *paths)
{
	size_t count = 0;

	while (paths[1 + count] && !has_suffix(paths[1 + count], CUBIN_SUFFIX))
		count++;
	return count;
}

int main(int argc, char **argv)
{
	struct csv_row rows;
	struct err err;
	int r = 0;

	if (argc < 3) {
		fputs("usage: describe OUTPUT.csv {MODULE.cubin [MODULE.ptx...]}...\n", stderr);
		return 2;
	}
	csv_row_init(&rows);
	add_header(&rows);
	for (char **path = argv + 2; *path && !r;) {
		size_t form_count = count_forms(path);

		r = add_module(&rows, path, form_count, &err);
		path += 1 + form_count;
	}
	if (!r)
		r = csv_row_save(&rows, argv[1], O_TRUNC, &err);
	csv_row_free(&rows);
	if (r < 0)
		fprintf(stderr, "describe: %s\n", err.text);
	return r < 0;
}
