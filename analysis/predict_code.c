/* SPDX-License-Identifier: MIT */
/*
 * Kernels: each is a piece of so many slots. The first pieces lie in room that every context has.
 * The others lie in chunks, which a piece that is larger than one has to itself; or one behind the
 * other.
 */
#include "analysis/forecast.h"

#include <errno.h>

/* Beyond it, products would no longer fit. */
#define COPIES_MAX 65536

/* One way of it that the edges of the law of slots allow. */
struct placing {
	int64_t slot_bytes;
	int64_t overhead_bytes;
	int64_t slack_left_bytes;
	int64_t chunk_bytes;
	int64_t granule_bytes;
	int64_t chunk_left_bytes;
	int64_t taken_bytes;
};

static int64_t up(int64_t bytes, int64_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

static int64_t at_most(int64_t count, int64_t most)
{
	return count < most ? count : most;
}

/* So many pieces that are no larger than a chunk. */
static void place_in_chunks(struct placing *placing, int64_t piece_bytes, int64_t count)
{
	int64_t per_chunk = placing->chunk_bytes / piece_bytes, chunks;
	int64_t fitting = at_most(count, placing->chunk_left_bytes / piece_bytes);

	placing->chunk_left_bytes -= fitting * piece_bytes;
	count -= fitting;
	if (!count)
		return;
	chunks = (count + per_chunk - 1) / per_chunk;
	placing->taken_bytes += chunks * placing->chunk_bytes;
	placing->chunk_left_bytes =
		placing->chunk_bytes - (count - (chunks - 1) * per_chunk) * piece_bytes;
}

static void place(struct placing *placing, int64_t text_bytes, int64_t count)
{
	int64_t piece_bytes = up(text_bytes + placing->overhead_bytes, placing->slot_bytes);
	int64_t fitting;

	if (!placing->chunk_bytes) {
		placing->taken_bytes += count * piece_bytes;
		return;
	}
	fitting = at_most(count, placing->slack_left_bytes / piece_bytes);
	placing->slack_left_bytes -= fitting * piece_bytes;
	count -= fitting;
	if (piece_bytes > placing->chunk_bytes)
		placing->taken_bytes += count * up(piece_bytes, placing->granule_bytes);
	else
		place_in_chunks(placing, piece_bytes, count);
}

/* Bytes of all kernels; they lie one behind the other where there are no chunks. */
static int64_t place_all(struct placing placing, const struct wish *wish,
			 struct fraction instruction_bytes)
{
	int64_t beyond;

	for (size_t i = 0; i < wish->code_count; i++) {
		int128 text_bytes =
			floor_divide(instruction_bytes.numerator * wish->codes[i].instructions,
				     instruction_bytes.denominator);

		place(&placing, (int64_t)text_bytes, wish->codes[i].copies);
	}
	if (placing.chunk_bytes)
		return placing.taken_bytes;
	beyond = placing.taken_bytes - placing.slack_left_bytes;
	return beyond > 0 ? up(beyond, placing.granule_bytes) : 0;
}

static struct estimate place_by(const struct slots *slots, const struct forecast *forecast,
				struct fraction instruction_bytes)
{
	struct placing placing = { .slot_bytes = slots->slot.value,
				   .overhead_bytes = slots->overhead.value,
				   .slack_left_bytes = slots->slack.value,
				   .chunk_bytes = slots->chunk_bytes,
				   .granule_bytes =
					   forecast->granule_bytes ? forecast->granule_bytes : 1 };
	struct placing tight = placing, wide = placing;

	tight.overhead_bytes = slots->overhead.low;
	tight.slack_left_bytes = slots->slack.high;
	wide.overhead_bytes = slots->overhead.high;
	wide.slack_left_bytes = slots->slack.low;
	return estimate_clamped(
		(struct estimate){ place_all(tight, forecast->wish, instruction_bytes),
				   place_all(placing, forecast->wish, instruction_bytes),
				   place_all(wide, forecast->wish, instruction_bytes) });
}

/* The largest number of copies that were loaded. */
static int64_t copies_max(const struct forecast *forecast, const struct law_request *request)
{
	const struct samples *samples = run_samples(forecast->run, request->benchmark);
	int64_t most = 0, copies;

	for (size_t i = 0; samples && i < samples->count; i++)
		if (samples_value(samples, i, request->copies, &copies) && copies > most)
			most = copies;
	return most;
}

static int check_reach(const struct forecast *forecast, const struct estimator *code,
		       const struct law_request *slots, struct err *reterr)
{
	const struct wish *wish = forecast->wish;
	int64_t most = copies_max(forecast, slots), copies = 0;
	struct estimate unused;
	int r = 0;

	for (size_t i = 0; i < wish->code_count && !r; i++) {
		copies += at_most(wish->codes[i].copies, COPIES_MAX + 1);
		r = estimator_at(code, wish->codes[i].instructions, &unused, reterr);
	}
	if (!r && copies > COPIES_MAX)
		return err_set(reterr, EINVAL, "--instructions: %lld kernels are too many",
			       (long long)copies);
	if (!r && copies > most && !wish->extrapolates)
		return err_set(reterr, EINVAL,
			       "--instructions: %lld kernels are more than were loaded, %lld (%s); "
			       "with --extrapolate the law goes beyond",
			       (long long)copies, (long long)most, slots->benchmark);
	return r;
}

static void name_code(const struct wish *wish, struct text *name)
{
	text_add(name, "code of");
	for (size_t i = 0; i < wish->code_count; i++)
		text_format(name, "%s %lld kernel%s of %lld instructions", i ? "," : "",
			    (long long)wish->codes[i].copies, wish->codes[i].copies == 1 ? "" : "s",
			    (long long)wish->codes[i].instructions);
}

static int add_line(struct forecast *forecast, const struct estimator *code,
		    const struct fitted_law *slots, struct err *reterr)
{
	struct text name = { 0 }, from = { 0 };
	int r = check_reach(forecast, code, slots->request, reterr);

	if (r < 0)
		return r;
	name_code(forecast->wish, &name);
	estimator_text(code, &from);
	text_format(&from, "; %s, %s: up to %lld %s", slots->request->benchmark,
		    slots->request->component, (long long)copies_max(forecast, slots->request),
		    slots->request->copies);
	return forecast_add(forecast, &name, &from,
			    place_by(&slots->law.slots, forecast, code->fitted->law.per_unit),
			    reterr);
}

/* Both laws, of which the second is told by no points. */
static int open_laws(const struct forecast *forecast, struct estimator *code,
		     struct estimator *slots, struct err *reterr)
{
	const struct code_request *request = &forecast->run->requests->code;
	const struct fitted_law *fitted =
		laws_find(forecast->laws, request->benchmark, request->component);
	const struct fitted_law *slot_fitted =
		laws_find(forecast->laws, request->slot_benchmark, request->slot_component);
	int r = fitted && slot_fitted
			? estimator_open(slots, forecast->run, slot_fitted, "instructions", reterr)
			: err_set(reterr, ENODATA, "--instructions: there is no law of code");

	if (r < 0)
		return r;
	r = estimator_open(code, forecast->run, fitted, "instructions", reterr);
	if (r < 0)
		estimator_close(slots);
	else
		code->extrapolates = forecast->wish->extrapolates;
	return r;
}

int forecast_code(struct forecast *forecast, struct err *reterr)
{
	struct estimator code, slots;
	int r;

	if (!forecast->wish->code_count)
		return 0;
	r = open_laws(forecast, &code, &slots, reterr);
	if (r < 0)
		return r;
	r = add_line(forecast, &code, slots.fitted, reterr);
	estimator_close(&slots);
	estimator_close(&code);
	return r;
}
