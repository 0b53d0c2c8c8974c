/* SPDX-License-Identifier: MIT */
/*
 * The first use of a module while hardly anything is free.
 *
 * search=below: the device is filled until `left_bytes` are left, then the module is used.
 * "load-full", "get-full" and "launch-full" each go as far as the call that they name, from where
 * the one before was refused: the first of them that is refused tells which call failed. After
 * that, a call may go on to be refused and the later ones are never reached: `done_calls` is how
 * many of the three have succeeded when a step ends, so that the next one is the refused one. Then
 * the filling is given back piece by piece until the use succeeds. Another kernel, launched before
 * the filling, is launched again beside all this, to see whether the context still serves it.
 *
 * search=fresh: what a failed try leaves behind counts for the next one in the same context. So
 * here every try has a context of its own, and one of its kind holds the filling; the least room
 * with which the use succeeds is found by halving.
 *
 * `left_bytes` is the reserve: so much the device's other users always have. There is no law over
 * it, as it only says where the search begins.
 */
#include <string.h>

#include "base/array.h"
#include "bench/filling.h"
#include "bench/first_use.h"

static const struct {
	const char *word;
	const char *module;
} uses[] = {
	{ "code", "fma-524255" },
	{ "frame", "frame-2048" },
	{ "printf", "printf-called" },
	{ "malloc", "malloc-called" },
};

static const void *chosen_image(struct sample *s)
{
	const char *module = "";

	for (size_t i = 0; i < ARRAY_COUNT(uses); i++)
		if (sample_word_is(s, "first_use", uses[i].word))
			module = uses[i].module;
	return sample_module(s, module);
}

/* The rest in large blocks, so that giving back all pieces leaves so much more. */
static CUresult take_rest(struct sample *s, struct filling *filling)
{
	return filling_take(filling, sample_driver(s),
			    sample_number(s, "left_bytes") + FILLING_PIECES_MAX * FILLING_SMALLEST);
}

static CUresult take_pieces(struct sample *s, struct filling *filling, size_t piece_count)
{
	return filling_take_pieces(filling, sample_driver(s), piece_count,
				   sample_number(s, "left_bytes"));
}

/* ---- search=below ---- */

static int noted(struct sample *s, const struct first_use *use, int error)
{
	sample_read(s, "done_calls", use->stage);
	return error;
}

static int reach(struct sample *s, struct first_use *use, enum first_use_stage stage)
{
	return noted(s, use, first_use_reach(s, use, stage));
}

static int launch_again(struct sample *s, struct first_use *use)
{
	return noted(s, use, first_use_again(s, use));
}

static CUresult fill(struct sample *s, struct filling *filling, uint64_t *ret_full_bytes)
{
	CUresult error = take_rest(s, filling);

	if (!error)
		error = take_pieces(s, filling, FILLING_PIECES_MAX);
	return error ? error : filling_free_now(sample_driver(s), ret_full_bytes);
}

/* `room_bytes` grows by what the free count does. */
static CUresult give_back_piece(const struct driver *cu, struct filling *filling,
				uint64_t *room_bytes)
{
	uint64_t before_bytes = 0, after_bytes = 0;
	CUresult error = filling_free_now(cu, &before_bytes);

	if (!error)
		error = filling_free_piece(filling, cu);
	if (!error)
		error = filling_free_now(cu, &after_bytes);
	*room_bytes += after_bytes - before_bytes;
	return error;
}

/*
 * Gives back a piece and tries again until it works, or fails for another reason. What is noted is
 * what was free at first and the pieces: what the tries themselves took or gave back meanwhile is
 * part of the use.
 */
static int climb(struct sample *s, struct filling *filling, struct first_use *use,
		 uint64_t full_bytes)
{
	const struct driver *cu = sample_driver(s);
	uint64_t room_bytes = full_bytes;
	CUresult error = CUDA_SUCCESS;

	while (use->error == CUDA_ERROR_OUT_OF_MEMORY && filling->piece_count && !error) {
		error = give_back_piece(cu, filling, &room_bytes);
		if (!error && !first_use_reach(s, use, FIRST_USE_RUN))
			sample_read(s, "least_free_bytes", room_bytes);
	}
	return error ? (int)error : use->error;
}

static void search_below(struct sample *s, struct filling *filling, struct first_use *use,
			 CUcontext context)
{
	struct first_use other = { .image = sample_module(s, "empty") };
	uint64_t full_bytes = 0;

	CU_TRY(s, "load-other", first_use_reach(s, &other, FIRST_USE_LOADED));
	CU_TRY(s, "get-other", first_use_reach(s, &other, FIRST_USE_FOUND));
	CU_TRY(s, "launch-other", first_use_reach(s, &other, FIRST_USE_RUN));
	CU_TRY(s, "fill", fill(s, filling, &full_bytes));
	CU_FAULT(s, "load-full", reach(s, use, FIRST_USE_LOADED));
	CU_FAULT(s, "get-full", reach(s, use, FIRST_USE_FOUND));
	CU_FAULT(s, "launch-full", reach(s, use, FIRST_USE_RUN));
	CU_FAULT(s, "other-full", first_use_again(s, &other));
	CU_FAULT(s, "climb", noted(s, use, climb(s, filling, use, full_bytes)));
	CU_FAULT(s, "launch-again", launch_again(s, use));
	CU_TRY(s, "free-filling", filling_free(filling, sample_driver(s)));
	CU_FAULT(s, "launch-freed", launch_again(s, use));
	CU_FAULT(s, "other-freed", first_use_again(s, &other));
	CU_FAULT(s, "unload", first_use_unload(s, use));
	CU_FAULT(s, "use-anew", reach(s, use, FIRST_USE_RUN));
	CU_TRY(s, "unload-anew", first_use_unload(s, use));
	CU_FAULT(s, "destroy", sample_driver(s)->ctx_destroy(context));
}

/* ---- search=fresh ---- */

/* What all tries have in common. */
struct search {
	struct filling *filling;
	CUcontext keeper; /* of the filling */
	const void *image;
	int error; /* of the last use that was refused */
};

static CUresult current(struct sample *s, CUcontext context)
{
	return sample_driver(s)->ctx_set_current(context);
}

/* How much is taken apart from contexts and pieces; a try's context must be there for that. */
static CUresult fill_beside_context(struct sample *s, struct search *search)
{
	const struct driver *cu = sample_driver(s);
	CUcontext beside;
	CUresult error = cu->ctx_create(&beside, 0, sample_device(s));

	if (!error)
		error = current(s, search->keeper);
	if (!error)
		error = take_rest(s, search->filling);
	if (!error)
		error = cu->ctx_destroy(beside);
	return error ? error : current(s, search->keeper);
}

/* The use in the current context, in which nothing has been done. */
static CUresult use_first(struct sample *s, struct search *search, uint64_t *ret_free_bytes,
			  bool *ret_works)
{
	struct first_use use = { .image = search->image };
	CUresult error = filling_free_now(sample_driver(s), ret_free_bytes);

	if (error)
		return error;
	*ret_works = !first_use_reach(s, &use, FIRST_USE_RUN);
	if (!*ret_works)
		search->error = use.error;
	return CUDA_SUCCESS;
}

/* One try, with so many pieces less than what fills the device. */
static CUresult try_room(struct sample *s, struct search *search, size_t room_pieces,
			 uint64_t *ret_free_bytes, bool *ret_works)
{
	const struct driver *cu = sample_driver(s);
	CUcontext fresh;
	CUresult error = cu->ctx_create(&fresh, 0, sample_device(s));

	if (!error)
		error = current(s, search->keeper);
	if (!error)
		error = take_pieces(s, search->filling, FILLING_PIECES_MAX - room_pieces);
	if (!error)
		error = current(s, fresh);
	if (!error)
		error = use_first(s, search, ret_free_bytes, ret_works);
	if (!error)
		error = cu->ctx_destroy(fresh);
	if (!error)
		error = current(s, search->keeper);
	return error ? error : filling_free_pieces(search->filling, cu);
}

/* By halving: with fewer than `works` pieces of room it does not work, as far as tried. */
static int search_least(struct sample *s, struct search *search)
{
	size_t least = 0, works = FILLING_PIECES_MAX + 1, room = FILLING_PIECES_MAX;
	CUresult error = CUDA_SUCCESS;

	while (!error && least < works) {
		uint64_t free_bytes = 0;
		bool it_works = false;

		error = try_room(s, search, room, &free_bytes, &it_works);
		if (error)
			return (int)error;
		sample_read(s, it_works ? "least_free_bytes" : "refused_free_bytes", free_bytes);
		if (!it_works && room == FILLING_PIECES_MAX)
			return search->error;
		*(it_works ? &works : &least) = it_works ? room : room + 1;
		room = least + (works - least) / 2;
	}
	return 0;
}

static void search_fresh(struct sample *s, struct search *search)
{
	CU_TRY(s, "fill", fill_beside_context(s, search));
	CU_FAULT(s, "search", search_least(s, search));
	CU_TRY(s, "free-filling", filling_free(search->filling, sample_driver(s)));
	CU_FAULT(s, "destroy", sample_driver(s)->ctx_destroy(search->keeper));
}

static void first_launch_oom_run(struct sample *s)
{
	static struct filling filling;
	const struct driver *cu = sample_driver(s);
	const void *image = chosen_image(s);
	CUcontext context;

	CU_TRY(s, "create", cu->ctx_create(&context, 0, sample_device(s)));
	if (sample_word_is(s, "search", "below"))
		search_below(s, &filling, &(struct first_use){ .image = image }, context);
	else
		search_fresh(s, &(struct search){
					.filling = &filling, .keeper = context, .image = image });
}

static const char *first_launch_oom_obstacle(const struct bench *bench,
					     const struct bench_point *point,
					     const struct device_info *device)
{
	return bench_number(bench, point, "left_bytes") > device->total_bytes
		       ? "the device has less than shall be left of it"
		       : NULL;
}

static uint64_t first_launch_oom_need_bytes(const struct bench *bench,
					    const struct bench_point *point,
					    const struct device_info *device)
{
	(void)bench;
	(void)point;
	return device->free_bytes;
}

const struct bench first_launch_oom = {
	.name = "first-launch-oom",
	.question = "How much memory must be free for the first use of a kernel, which call fails "
		    "when it is not, and what heals that?",
	.axes = { { .name = "first_use", .kind = AXIS_WORD, .values = "code,frame,printf,malloc" },
		  { .name = "search", .kind = AXIS_WORD, .values = "below,fresh" },
		  { .name = "left_bytes", .values = "4M" } },
	.readings = { { "least_free_bytes" }, { "refused_free_bytes" }, { "done_calls" } },
	.no_law = "it looks for a threshold, which depends on what is used first and not on a "
		  "quantity",
	.room_steps = "fill,climb,search,free-filling",
	.headline_step = "search",
	.need_bytes = first_launch_oom_need_bytes,
	.obstacle = first_launch_oom_obstacle,
	.run = first_launch_oom_run,
};
