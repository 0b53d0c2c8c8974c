/* SPDX-License-Identifier: MIT */
#include "inspect/selection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool selection_has_image(const struct selection *selection, const struct device_image *image)
{
	unsigned int wanted = selection->wish->architecture;

	return !wanted || wanted == image->architecture;
}

static bool matches(const regex_t *pattern, const char *name, const char *mangled)
{
	return !pattern || !regexec(pattern, name, 0, NULL, 0) ||
	       !regexec(pattern, mangled, 0, NULL, 0);
}

static void pick_from(struct selection *selection, size_t i)
{
	const struct device_image *image = &selection->contents->images[i];

	for (size_t k = 0; k < image->cubin.kernel_count; k++) {
		const struct cubin_kernel *kernel = &image->cubin.kernels[k];

		if (matches(selection->wish->pattern, image->names[k], kernel->name))
			selection->kernels[selection->match_count++] =
				(struct picked_kernel){ .image = image,
							.image_number = i + 1,
							.kernel = kernel,
							.name = image->names[k] };
	}
}

/* Equal ones by architecture, then as in the file. */
static int compare_kernels(const void *a, const void *b)
{
	const struct picked_kernel *left = a, *right = b;

	if (left->kernel->text_bytes != right->kernel->text_bytes)
		return left->kernel->text_bytes > right->kernel->text_bytes ? -1 : 1;
	if (left->image->architecture != right->image->architecture)
		return left->image->architecture < right->image->architecture ? -1 : 1;
	if (left->image_number != right->image_number)
		return left->image_number < right->image_number ? -1 : 1;
	return (left->kernel > right->kernel) - (left->kernel < right->kernel);
}

/* ---- sums ---- */

static struct image_sum sum_of(const struct device_image *image)
{
	struct image_sum sum = {
		.kind = image->kind,
		.is_unlinked = image->is_unlinked,
		.architecture = image->architecture,
		.image_count = 1,
		.kernel_count = image->cubin.kernel_count,
		.function_bytes = image->cubin.function_bytes,
		.static_bytes = image->cubin.static_bytes,
		.file_bytes = image->file_bytes,
		.image_bytes = image->image_bytes,
	};

	for (size_t i = 0; i < image->cubin.kernel_count; i++) {
		sum.text_bytes += image->cubin.kernels[i].text_bytes;
		sum.constant_bytes += image->cubin.kernels[i].constant_bytes;
	}
	return sum;
}

static void add_sum(struct image_sum *sum, const struct image_sum *more)
{
	sum->image_count += more->image_count;
	sum->kernel_count += more->kernel_count;
	sum->text_bytes += more->text_bytes;
	sum->function_bytes += more->function_bytes;
	sum->constant_bytes += more->constant_bytes;
	sum->static_bytes += more->static_bytes;
	sum->file_bytes += more->file_bytes;
	sum->image_bytes += more->image_bytes;
}

static int compare_sums(const void *a, const void *b)
{
	const struct image_sum *left = a, *right = b;

	if (left->kind != right->kind)
		return left->kind < right->kind ? -1 : 1;
	if (left->is_unlinked != right->is_unlinked)
		return left->is_unlinked ? 1 : -1;
	return (left->architecture > right->architecture) -
	       (left->architecture < right->architecture);
}

/* One per image becomes one per kind and architecture. */
static void merge_sums(struct selection *selection)
{
	size_t kept = 0;

	qsort(selection->sums, selection->sum_count, sizeof *selection->sums, compare_sums);
	for (size_t i = 0; i < selection->sum_count; i++)
		if (kept && !compare_sums(&selection->sums[kept - 1], &selection->sums[i]))
			add_sum(&selection->sums[kept - 1], &selection->sums[i]);
		else
			selection->sums[kept++] = selection->sums[i];
	selection->sum_count = kept;
}

int selection_make(struct selection *selection, const struct contents *contents,
		   const struct selection_wish *wish, struct err *reterr)
{
	*selection = (struct selection){
		.contents = contents,
		.wish = wish,
		.kernels = calloc(contents->kernel_count + 1, sizeof *selection->kernels),
		.sums = calloc(contents->count + 1, sizeof *selection->sums),
	};
	if (!selection->kernels || !selection->sums) {
		selection_free(selection);
		return err_set(reterr, ENOMEM, "%s: out of memory", contents->path);
	}
	for (size_t i = 0; i < contents->count; i++) {
		if (!selection_has_image(selection, &contents->images[i]))
			continue;
		pick_from(selection, i);
		selection->sums[selection->sum_count++] = sum_of(&contents->images[i]);
	}
	qsort(selection->kernels, selection->match_count, sizeof *selection->kernels,
	      compare_kernels);
	merge_sums(selection);
	selection->kernel_count = selection->match_count;
	if (wish->kernel_count_max && selection->kernel_count > wish->kernel_count_max)
		selection->kernel_count = wish->kernel_count_max;
	return 0;
}

void selection_free(struct selection *selection)
{
	free(selection->kernels);
	free(selection->sums);
	*selection = (struct selection){ 0 };
}
