/* SPDX-License-Identifier: MIT */
#include "inspect/report.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/utf8.h"
#include "base/array.h"

void inspect_csv_header(struct csv_row *rows)
{
	static const char *const words[] = {
		"file",         "member",  "fatbin", "image",  "kind",
		"architecture", "packing", "linked", "kernel", "name"
	};
	static const char *const numbers[] = {
#define KERNEL_NUMBER(key, field) #key,
#define IMAGE_NUMBER(key, ...)    #key,
#include "inspect/columns.def"
	};

	for (size_t i = 0; i < ARRAY_COUNT(words); i++)
		csv_row_text(rows, words[i]);
	for (size_t i = 0; i < ARRAY_COUNT(numbers); i++)
		csv_row_text(rows, numbers[i]);
	csv_row_text(rows, "device_bytes");
	csv_row_text(rows, "uses");
	csv_row_text(rows, "trouble");
	csv_row_end(rows);
}

static void put_text(struct csv_row *rows, const char *text)
{
	if (text && *text)
		csv_row_text(rows, text);
	else
		csv_row_empty(rows);
}

/*
 * A name out of a file: neither a terminal nor a spreadsheet is to take it for more. No kernel that
 * a compiler has named has such characters.
 */
static void put_name(struct csv_row *rows, const char *name)
{
	char *clean = utf8_clean(name);

	if (clean && *clean && strchr("=+-@", *clean))
		clean[0] = '?';
	if (clean)
		put_text(rows, clean);
	rows->failed = rows->failed || !clean;
	free(clean);
}

static void put_place(const struct selection *selection, const struct device_image *image,
		      size_t image_number, struct csv_row *rows)
{
	put_name(rows, selection->contents->path);
	put_name(rows, image->member ? image->member : "");
	if (image->fatbin)
		csv_row_uint(rows, image->fatbin);
	else
		csv_row_empty(rows);
	csv_row_uint(rows, image_number);
	csv_row_text(rows, device_image_kind_text(image->kind));
	if (image->architecture)
		csv_row_uint(rows, image->architecture);
	else
		csv_row_empty(rows);
	csv_row_text(rows, fatbin_packing_text(image->packing));
	csv_row_text(rows, image->is_unlinked ? "no" : "yes");
}

static void put_image(const struct selection *selection, size_t i, struct csv_row *rows)
{
	const struct device_image *image = &selection->contents->images[i];
	struct text uses = { 0 };

	put_place(selection, image, i + 1, rows);
	csv_row_empty(rows);
	csv_row_empty(rows);
#define KERNEL_NUMBER(...)       csv_row_empty(rows);
#define IMAGE_NUMBER(key, field) csv_row_uint(rows, image->field);
#include "inspect/columns.def"
	csv_row_empty(rows);
	device_image_uses(image, &uses);
	put_text(rows, text_peek(&uses));
	rows->failed = rows->failed || uses.failed;
	text_free(&uses);
	put_text(rows, image->trouble);
	csv_row_end(rows);
}

static void put_kernel(const struct inspection *inspection, const struct picked_kernel *picked,
		       struct csv_row *rows)
{
	const struct cubin_kernel *kernel = picked->kernel;
	int64_t device_bytes;

	put_place(inspection->selection, picked->image, picked->image_number, rows);
	put_name(rows, kernel->name);
	put_name(rows, picked->name);
#define KERNEL_NUMBER(key, field) csv_row_uint(rows, kernel->field);
#define IMAGE_NUMBER(...)         csv_row_empty(rows);
#include "inspect/columns.def"
	if (inspect_cost_piece(inspection->cost, picked->image_number, kernel, &device_bytes))
		csv_row_int(rows, device_bytes);
	else
		csv_row_empty(rows);
	csv_row_empty(rows);
	csv_row_empty(rows);
	csv_row_end(rows);
}

void inspect_csv(const struct inspection *inspection, struct csv_row *rows)
{
	const struct selection *selection = inspection->selection;

	for (size_t i = 0; i < selection->contents->count && !selection->wish->pattern; i++)
		if (selection_has_image(selection, &selection->contents->images[i]))
			put_image(selection, i, rows);
	for (size_t i = 0; i < selection->kernel_count; i++)
		put_kernel(inspection, &selection->kernels[i], rows);
}
