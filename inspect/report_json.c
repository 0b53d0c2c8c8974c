/* SPDX-License-Identifier: MIT */
#include "inspect/report.h"

#include <inttypes.h>

#include "analysis/json.h"

void inspect_json_begin(struct text *text)
{
	text_add(text, "{\"schema_version\":1,\n\"files\":[");
}

void inspect_json_end(struct text *text)
{
	text_add(text, "]}\n");
}

static void add_image(const struct device_image *image, size_t number, struct text *text)
{
	struct text uses = { 0 };

	text_format(text, "{\"image\":%zu", number);
	json_number(text, "fatbin", image->fatbin);
	json_optional(text, "member", image->member ? image->member : "");
	json_pair(text, "kind", device_image_kind_text(image->kind), false);
	json_number(text, "architecture", image->architecture);
	json_pair(text, "packing", fatbin_packing_text(image->packing), false);
	json_name(text, "linked", false);
	text_add(text, image->is_unlinked ? "false" : "true");
#define IMAGE_NUMBER(key, field) json_number(text, #key, image->field);
#include "inspect/columns.def"
	device_image_uses(image, &uses);
	json_optional(text, "uses", text_peek(&uses));
	text->failed = text->failed || uses.failed;
	text_free(&uses);
	json_optional(text, "trouble", image->trouble ? image->trouble : "");
	text_add(text, "}");
}

static void add_kernel(const struct inspection *inspection, const struct picked_kernel *picked,
		       struct text *text)
{
	const struct cubin_kernel *kernel = picked->kernel;
	int64_t device_bytes;

	text_format(text, "{\"image\":%zu", picked->image_number);
	json_number(text, "architecture", picked->image->architecture);
	json_pair(text, "kernel", kernel->name, false);
	json_pair(text, "name", picked->name, false);
#define KERNEL_NUMBER(key, field) json_number(text, #key, kernel->field);
#include "inspect/columns.def"
	if (inspect_cost_piece(inspection->cost, picked->image_number, kernel, &device_bytes))
		json_number(text, "device_bytes", (uint64_t)device_bytes);
	text_add(text, "}");
}

static void add_estimate(struct text *text, const char *name, struct estimate bytes,
			 const char *from)
{
	text_add(text, "{");
	json_pair(text, "component", name, true);
	json_name(text, "predicted_bytes", false);
	text_format(text, "%" PRId64, bytes.bytes);
	json_name(text, "predicted_low_bytes", false);
	text_format(text, "%" PRId64, bytes.low_bytes);
	json_name(text, "predicted_high_bytes", false);
	text_format(text, "%" PRId64, bytes.high_bytes);
	json_optional(text, "from", from);
	text_add(text, "}");
}

static void add_cost(const struct inspect_cost *cost, struct text *text)
{
	json_name(text, "cost", false);
	text_add(text, "{");
	json_pair(text, "run", cost->run->dir, true);
	json_name(text, "simulated", false);
	text_add(text, environment_is_simulated(&cost->run->environment) ? "true" : "false");
	json_number(text, "architecture", cost->architecture);
	json_number(text, "loaded_images", cost->picked_count);
	json_number(text, "compiled_fatbins", cost->compiled_count);
	json_number(text, "useless_fatbins", cost->useless_count);
	json_number(text, "unlinked_fatbins", cost->unlinked_count);
	json_number(text, "stack_bytes", cost->stack_bytes);
	json_optional(text, "stack_kernel", cost->stack_kernel ? cost->stack_kernel : "");
	json_optional(text, "beyond", cost->beyond ? cost->beyond : "");
	json_name(text, "lines", false);
	text_add(text, "[");
	for (size_t i = 0; cost->is_predicted && i < cost->with.count; i++) {
		const struct predicted_line *line = &cost->with.lines[i];

		text_add(text, i ? ",\n" : "\n");
		add_estimate(text, line->name, line->bytes, line->from);
	}
	text_add(text, "]");
	if (cost->is_predicted) {
		json_name(text, "with", false);
		add_estimate(text, "process", cost->with.process, "");
		json_name(text, "without", false);
		add_estimate(text, "process", cost->without, "");
	}
	text_add(text, "}");
}

void inspect_json(const struct inspection *inspection, bool is_first, struct text *text)
{
	const struct selection *selection = inspection->selection;
	const struct contents *contents = selection->contents;
	bool has_images = false;

	text_add(text, is_first ? "\n{" : ",\n{");
	json_pair(text, "file", contents->path, true);
	json_number(text, "file_bytes", contents->file_bytes);
	json_number(text, "matching_kernels", selection->match_count);
	json_name(text, "images", false);
	text_add(text, "[");
	for (size_t i = 0; i < contents->count; i++) {
		if (!selection_has_image(selection, &contents->images[i]))
			continue;
		text_add(text, has_images ? ",\n" : "\n");
		add_image(&contents->images[i], i + 1, text);
		has_images = true;
	}
	text_add(text, "]");
	json_name(text, "kernels", false);
	text_add(text, "[");
	for (size_t i = 0; i < selection->kernel_count; i++) {
		text_add(text, i ? ",\n" : "\n");
		add_kernel(inspection, &selection->kernels[i], text);
	}
	text_add(text, "]");
	if (inspection->cost)
		add_cost(inspection->cost, text);
	text_add(text, "}");
}
