/* SPDX-License-Identifier: MIT */
/* What is in a file, as text for people and as data for programs. */
#ifndef INSPECT_REPORT_H
#define INSPECT_REPORT_H

#include <stdbool.h>

#include "analysis/document.h"
#include "base/csv.h"
#include "base/err.h"
#include "base/text.h"
#include "inspect/cost.h"
#include "inspect/selection.h"

struct inspection {
	const struct selection *selection;
	const struct inspect_cost *cost; /* NULL: no run was named */
};

/* `ret_text` is to be freed. */
int inspect_render(const struct inspection *inspection, enum document_format format,
		   char **ret_text, struct err *reterr);

/*
 * One header for all files, then for each of them a row per image and one per kernel. A number is
 * either of the image, whose row has no kernel, or of a kernel: any column can be added up. With a
 * pattern there are only kernels. device_bytes is what a kernel takes on the device of the run.
 */
void inspect_csv_header(struct csv_row *rows);
void inspect_csv(const struct inspection *inspection, struct csv_row *rows);

/* One object per file: {"files":[ … ]}. */
void inspect_json_begin(struct text *text);
void inspect_json(const struct inspection *inspection, bool is_first, struct text *text);
void inspect_json_end(struct text *text);

/* ---- for these ---- */

/* "printf malloc launch": what the driver is to add; each word only where it is so. */
void device_image_uses(const struct device_image *image, struct text *ret_text);

/* Without what it returns, and cut short where it is long; CSV and JSON have it whole. */
void kernel_short_name(const char *name, struct text *ret_text);

#endif
