/* SPDX-License-Identifier: MIT */
#include "inspect/cost.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* ---- which images the driver loads ---- */

/* "9.0" is 90. */
static int read_architecture(struct inspect_cost *cost, struct err *reterr)
{
	const char *capability = environment_get(&cost->run->environment, "compute_capability");
	char *point, *end;
	unsigned long major = strtoul(capability, &point, 10), minor = 0;

	end = point;
	if (*point == '.')
		minor = strtoul(point + 1, &end, 10);
	if (!isdigit((unsigned char)*capability) || end <= point + 1 || *end || major > 99 ||
	    minor > 9)
		return err_set(reterr, ENODATA,
			       "%s does not say what its device is: compute_capability is '%s'",
			       cost->run->dir, capability);
	cost->architecture = (unsigned int)(major * 10 + minor);
	return 0;
}

static bool fits(const struct inspect_cost *cost, const struct device_image *image)
{
	return image->kind == IMAGE_CUBIN && !image->trouble &&
	       fatbin_runs_on(image->architecture, cost->architecture);
}

static void pick(struct inspect_cost *cost, size_t image)
{
	cost->is_picked[image] = true;
	cost->picked_count++;
}

/* Of the images from `first` to before `end`, which are one fat binary. */
static void pick_from_fatbin(struct inspect_cost *cost, const struct contents *contents,
			     size_t first, size_t end)
{
	size_t best = end;
	bool has_ptx = false;

	for (size_t i = first; i < end; i++) {
		const struct device_image *image = &contents->images[i];

		if (fits(cost, image) &&
		    (best == end || image->architecture > contents->images[best].architecture))
			best = i;
		has_ptx = has_ptx ||
			  (image->kind == IMAGE_PTX && image->architecture <= cost->architecture);
	}
	if (best < end)
		pick(cost, best);
	else if (has_ptx)
		cost->compiled_count++;
	else
		cost->useless_count++;
}

static void pick_images(struct inspect_cost *cost, const struct contents *contents)
{
	size_t end;

	for (size_t i = 0; i < contents->count; i = end) {
		const struct device_image *image = &contents->images[i];

		end = i + 1;
		while (image->fatbin && end < contents->count &&
		       contents->images[end].fatbin == image->fatbin)
			end++;
		if (image->is_unlinked)
			cost->unlinked_count++;
		else if (image->fatbin)
			pick_from_fatbin(cost, contents, i, end);
		else if (fits(cost, image))
			pick(cost, i);
		else
			cost->useless_count++;
	}
}

/* ---- what of it a law is asked about ---- */

struct amounts {
	int64_t data_bytes;
	bool has_managed;
	bool has_printf;
	bool has_malloc;
	bool has_launch;
};

/* No law takes more than the largest number, either. */
static int64_t plus(int64_t sum, uint64_t bytes)
{
	return bytes > (uint64_t)(INT64_MAX - sum) ? INT64_MAX : sum + (int64_t)bytes;
}

static int add_kernels(struct inspect_cost *cost, const struct device_image *image,
		       struct err *reterr)
{
	const struct cubin *cubin = &image->cubin;
	int r = 0;

	for (size_t i = 0; i < cubin->kernel_count && !r; i++) {
		const struct cubin_kernel *kernel = &cubin->kernels[i];

		if (kernel->stack_bytes > cost->stack_bytes) {
			cost->stack_bytes = kernel->stack_bytes;
			cost->stack_kernel = image->names[i];
		}
		r = wish_add_code(&cost->wish,
				  (struct code_wish){ (int64_t)kernel->instructions, 1,
						      (int64_t)kernel->text_bytes },
				  reterr);
	}
	return r;
}

static int add_image(struct inspect_cost *cost, const struct device_image *image,
		     struct amounts *amounts, struct err *reterr)
{
	const struct cubin *cubin = &image->cubin;

	amounts->data_bytes = plus(amounts->data_bytes, cubin->static_bytes - cubin->managed_bytes);
	amounts->has_managed = amounts->has_managed || cubin->managed_bytes;
	amounts->has_printf = amounts->has_printf || cubin->uses_printf;
	amounts->has_malloc = amounts->has_malloc || cubin->uses_malloc;
	amounts->has_launch = amounts->has_launch || cubin->uses_device_runtime;
	cost->function_bytes += cubin->function_bytes;
	return add_kernels(cost, image, reterr);
}

/* A switch has the amount 0. */
static void choose(struct inspect_cost *cost, const char *option, int64_t amount)
{
	const struct requests *requests = cost->run->requests;

	for (size_t i = 0; i < requests->term_count; i++)
		if (!strcmp(requests->terms[i].option, option))
			cost->wish.terms[i] = (struct term_wish){ .is_chosen = true,
								  .has_amount = amount != 0,
								  .amount = amount };
}

static void choose_all(struct inspect_cost *cost, const struct amounts *amounts)
{
	const struct {
		const char *option; /* of the terms */
		bool is_chosen;
		int64_t amount;
	} choices[] = { { "frame", cost->stack_bytes > 0, (int64_t)cost->stack_bytes },
			{ "data", amounts->data_bytes > 0, amounts->data_bytes },
			{ "managed", amounts->has_managed, 0 },
			{ "printf", amounts->has_printf, 0 },
			{ "malloc", amounts->has_malloc, 0 },
			{ "launch", amounts->has_launch, 0 } };

	for (size_t i = 0; i < ARRAY_COUNT(choices); i++)
		if (choices[i].is_chosen)
			choose(cost, choices[i].option, choices[i].amount);
}

static int make_wish(struct inspect_cost *cost, const struct contents *contents, struct err *reterr)
{
	struct amounts amounts = { 0 };
	int r = wish_init(&cost->wish, cost->run->requests, reterr);

	for (size_t i = 0; i < contents->count && !r; i++)
		if (cost->is_picked[i])
			r = add_image(cost, &contents->images[i], &amounts, reterr);
	if (!r)
		choose_all(cost, &amounts);
	return r;
}

/* ---- what the laws say ---- */

static int predict_nothing(struct inspect_cost *cost, const struct laws *laws, struct err *reterr)
{
	struct prediction prediction;
	struct wish nothing;
	int r = wish_init(&nothing, cost->run->requests, reterr);

	if (!r)
		r = predict(&prediction, cost->run, laws, &nothing, reterr);
	if (!r) {
		cost->without = prediction.process;
		prediction_free(&prediction);
	}
	wish_free(&nothing);
	return r;
}

/* Beyond what was measured where there is no other way, which is told. */
static int predict_all(struct inspect_cost *cost, const struct contents *contents,
		       const struct laws *laws, struct err *reterr)
{
	struct err err;
	int r = predict(&cost->with, cost->run, laws, &cost->wish, &err);

	if (r == -EINVAL) {
		cost->beyond = strdup(err.text);
		if (!cost->beyond)
			return err_set(reterr, ENOMEM, "out of memory");
		cost->wish.extrapolates = true;
		r = predict(&cost->with, cost->run, laws, &cost->wish, &err);
	}
	/* It is the file's doing, and not that of who asks. */
	if (r == -EINVAL)
		r = -ERANGE;
	if (r < 0)
		return err_set(reterr, -r, "%s: what it takes by %s: %s", contents->path,
			       cost->run->dir, err.text);
	cost->is_predicted = true;
	return predict_nothing(cost, laws, reterr);
}

static void find_slots(struct inspect_cost *cost, const struct laws *laws)
{
	const struct code_request *code = &cost->run->requests->code;
	const struct fitted_law *slots =
		laws_find(laws, code->slot_benchmark, code->slot_component);

	if (slots && slots->is_measured && slots->law.holds)
		cost->slots = &slots->law.slots;
}

int inspect_cost_make(struct inspect_cost *cost, const struct contents *contents,
		      const struct run *run, const struct laws *laws, struct err *reterr)
{
	int r;

	*cost = (struct inspect_cost){
		.run = run, .is_picked = calloc(contents->count + 1, sizeof *cost->is_picked)
	};
	if (!cost->is_picked)
		return err_set(reterr, ENOMEM, "out of memory");
	find_slots(cost, laws);
	r = read_architecture(cost, reterr);
	if (!r) {
		pick_images(cost, contents);
		r = make_wish(cost, contents, reterr);
	}
	if (!r && cost->picked_count)
		r = predict_all(cost, contents, laws, reterr);
	if (r < 0)
		inspect_cost_free(cost);
	return r;
}

void inspect_cost_free(struct inspect_cost *cost)
{
	if (cost->is_predicted)
		prediction_free(&cost->with);
	wish_free(&cost->wish);
	free(cost->is_picked);
	free(cost->beyond);
	*cost = (struct inspect_cost){ 0 };
}

bool inspect_cost_piece(const struct inspect_cost *cost, size_t image_number,
			const struct cubin_kernel *kernel, int64_t *ret_bytes)
{
	if (!cost || !cost->slots || !cost->is_picked[image_number - 1])
		return false;
	*ret_bytes = slots_piece(cost->slots, (int64_t)kernel->text_bytes);
	return true;
}
