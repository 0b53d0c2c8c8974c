/* SPDX-License-Identifier: MIT */
#include "inspect/report.h"

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
#define IMAGE_NUMBER(key, field) json_number(text, #key, image->field);
#include "inspect/columns.def"
	device_image_uses(image, &uses);
	json_optional(text, "uses", text_peek(&uses));
	text->failed = text->failed || uses.failed;
	text_free(&uses);
	json_optional(text, "trouble", image->trouble ? image->trouble : "");
	text_add(text, "}");
}

static void add_kernel(const struct picked_kernel *picked, struct text *text)
{
	const struct cubin_kernel *kernel = picked->kernel;

	text_format(text, "{\"image\":%zu", picked->image_number);
	json_number(text, "architecture", picked->image->architecture);
	json_pair(text, "kernel", kernel->name, false);
	json_pair(text, "name", picked->name, false);
#define KERNEL_NUMBER(key, field) json_number(text, #key, kernel->field);
#include "inspect/columns.def"
	text_add(text, "}");
}

void inspect_json(const struct selection *selection, bool is_first, struct text *text)
{
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
		add_kernel(&selection->kernels[i], text);
	}
	text_add(text, "]}");
}
