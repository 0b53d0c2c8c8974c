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
/* More different ones are told as a number. */
#define CODES_NAMED_MAX 64

/* One way of it that the edges of the law of slots allow. */
struct placing {
	int64_t slot_bytes;
	int64_t overhead_bytes;
	int64_t slack_left_bytes;
	int64_t chunk_bytes;
	int64_t granule_bytes;
	int64_t chunk_left_bytes;
	int64_t taken_bytes;
	bool is_without_gaps; /* at the ends of chunks: smaller pieces lie in them */
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

	if (!placing->chunk_bytes || placing->is_without_gaps) {
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

static int64_t text_bytes_of(const struct code_wish *code, const struct law *text)
{
	struct fraction bytes = law_value(text, code->instructions);

	return code->text_bytes ? code->text_bytes
				: (int64_t)floor_divide(bytes.numerator, bytes.denominator);
}

/* Bytes of all kernels; they lie one behind the other where there are no chunks. */
static int64_t place_all(struct placing placing, const struct wish *wish, const struct law *text)
{
	int64_t beyond;

	for (size_t i = 0; i < wish->code_count; i++)
		place(&placing, text_bytes_of(&wish->codes[i], text), wish->codes[i].copies);
	if (placing.chunk_bytes && !placing.is_without_gaps)
		return placing.taken_bytes;
	beyond = placing.taken_bytes - placing.slack_left_bytes;
	return beyond > 0 ? up(beyond, placing.granule_bytes) : 0;
}

/* Such kernels have many sizes, and nothing was measured that says how these lie together. */
static bool has_known_code(const struct wish *wish)
{
	return wish->code_count > 1 && wish->codes[0].text_bytes;
}

static struct estimate place_by(const struct slots *slots, const struct forecast *forecast,
				const struct law *text)
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
	tight.is_without_gaps = has_known_code(forecast->wish);
	wide.overhead_bytes = slots->overhead.high;
	wide.slack_left_bytes = slots->slack.low;
	return estimate_clamped((struct estimate){ place_all(tight, forecast->wish, text),
						   place_all(placing, forecast->wish, text),
						   place_all(wide, forecast->wish, text) });
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
		int64_t instructions = wish->codes[i].instructions;

		/* The law is not asked how large the code is where that is known. */
		if (wish->codes[i].text_bytes && instructions < estimator_lowest(code))
			instructions = estimator_lowest(code);
		copies += at_most(wish->codes[i].copies, COPIES_MAX + 1);
		r = estimator_at(code, instructions, &unused, reterr);
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
	int64_t count = 0;

	if (wish->code_count > CODES_NAMED_MAX) {
		for (size_t i = 0; i < wish->code_count; i++)
			count += wish->codes[i].copies;
		text_format(name, "code of %lld kernels", (long long)count);
		return;
	}
	text_add(name, "code of");
	for (size_t i = 0; i < wish->code_count; i++)
		text_format(name, "%s %lld kernel%s of %lld instructions", i ? "," : "",
			    (long long)wish->codes[i].copies, wish->codes[i].copies == 1 ? "" : "s",
			    (long long)wish->codes[i].instructions);
}

/* How far was measured, how pieces lie, and how large they are. */
struct code_laws {
	struct estimator reach;
	struct estimator slots;
	struct estimator text;
};

static int add_line(struct forecast *forecast, const struct code_laws *laws, struct err *reterr)
{
	const struct law_request *slots = laws->slots.fitted->request;
	struct text name = { 0 }, from = { 0 };
	int r = check_reach(forecast, &laws->reach, slots, reterr);

	if (r < 0)
		return r;
	name_code(forecast->wish, &name);
	estimator_text(&laws->reach, &from);
	text_format(&from, "; %s, %s: up to %lld %s", slots->benchmark, slots->component,
		    (long long)copies_max(forecast, slots), slots->copies);
	return forecast_add(
		forecast, &name, &from,
		place_by(&laws->slots.fitted->law.slots, forecast, &laws->text.fitted->law),
		reterr);
}

static int open_law(const struct forecast *forecast, const char *benchmark, const char *component,
		    struct estimator *estimator, struct err *reterr)
{
	const struct fitted_law *fitted = laws_find(forecast->laws, benchmark, component);

	if (!fitted) {
		err_set(reterr, ENODATA, "--instructions: there is no law %s, %s", benchmark,
			component);
		return -ENODATA;
	}
	return estimator_open(estimator, forecast->run, fitted, "instructions", reterr);
}

static int open_laws(const struct forecast *forecast, struct code_laws *laws, struct err *reterr)
{
	const struct code_request *request = &forecast->run->requests->code;
	int r = open_law(forecast, request->slot_benchmark, request->slot_component, &laws->slots,
			 reterr);

	if (!r)
		r = open_law(forecast, request->text_benchmark, request->text_component,
			     &laws->text, reterr);
	if (!r)
		r = open_law(forecast, request->benchmark, request->component, &laws->reach,
			     reterr);
	laws->reach.extrapolates = forecast->wish->extrapolates;
	return r;
}

int forecast_code(struct forecast *forecast, struct err *reterr)
{
	struct code_laws laws = { 0 };
	int r;

	if (!forecast->wish->code_count)
		return 0;
	r = open_laws(forecast, &laws, reterr);
	if (!r)
		r = add_line(forecast, &laws, reterr);
	estimator_close(&laws.text);
	estimator_close(&laws.slots);
	estimator_close(&laws.reach);
	return r;
}
