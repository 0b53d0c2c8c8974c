/* SPDX-License-Identifier: MIT */
#include "analysis/compare_laws.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/compare_law_lines.h"
#include "analysis/compare_reader.h"
#include "analysis/samples.h"

/* A point that a law speaks of. */
struct law_place {
	struct hash point;
	uint32_t seen;    /* a bit per source: it has the point */
	uint32_t misfits; /* and a sample there is not as the law says */
	size_t last_step; /* of BASE that the law is about */
};

/* A step, and how many bytes more it takes on a NEW. */
struct law_shift {
	const char *name; /* the points' */
	uint32_t number;
	size_t source;
	size_t column;
	int128 difference;
	bool varies;
};

/* ---- where things are as a law says ---- */

/* A source's samples; the reader is open for what it knows of the columns. */
struct law_rows {
	struct samples samples;
	struct compare_reader reader;
	size_t source;
};

static const char *const *cells_of(const struct law_rows *rows, size_t sample)
{
	const struct csv_table *table = &rows->samples.table;
	size_t row = rows->samples.items[sample].first_row + 1;

	return (const char *const *)&table->cells[row * table->column_count];
}

static bool is_as_said(const struct law *law, const struct law_point *point)
{
	struct fraction value = law_value(law, point->x);

	value.numerator -= (int128)point->y * value.denominator;
	return fraction_compare(fraction_magnitude(value),
				fraction_whole(law->residual_max_bytes)) <= 0;
}

/*
 * Whether a sample is as the law says, be it one of those that made it or not. Slots and edges are
 * seen in many samples together; there, those that made the law are what it says.
 */
static bool fits(const struct law_rows *rows, size_t sample, const struct fitted_law *fitted,
		 struct law_point *points)
{
	const struct samples *samples = &rows->samples;
	struct law_request request = *fitted->request;
	size_t count;

	if (request.copies || request.is_edge)
		return samples_matches(samples, sample, request.where);
	request.where = NULL;
	count = law_points(samples, sample, &request, points);
	for (size_t i = 0; i < count; i++)
		if (!is_as_said(&fitted->law, &points[i]))
			return false;
	return count > 0;
}

/* Where the law's step is in the sample; the last, where there are several. */
static size_t last_step(const struct law_rows *rows, size_t sample,
			const struct law_request *request)
{
	const struct samples *samples = &rows->samples;
	const struct sample_rows *item = &samples->items[sample];
	char name[LAW_STEP_MAX];
	size_t last = 0;

	if (!law_step(samples, sample, request, name))
		return 0;
	for (size_t i = 0; i < item->row_count; i++)
		if (!strcmp(csv_table_cell(&samples->table, item->first_row + i,
					   samples->columns.step),
			    name))
			last = i;
	return last;
}

static int add_places(struct compare_law *law, const struct law_rows *rows)
{
	const struct samples *samples = &rows->samples;
	const struct fitted_law *fitted = &law->fitted[rows->source];
	size_t row_count = samples->table.row_count;
	struct law_point *points = malloc((2 * row_count + 1) * sizeof *points);
	struct law_place *places =
		realloc(law->places, (law->place_count + samples->count + 1) * sizeof *places);
	uint32_t bit = UINT32_C(1) << rows->source;

	if (places)
		law->places = places;
	for (size_t i = 0; places && points && i < samples->count; i++) {
		struct law_place *place = &places[law->place_count++];

		*place = (struct law_place){
			.point = compare_point_hash(&rows->reader, cells_of(rows, i)),
			.seen = bit,
			.misfits = fits(rows, i, fitted, points) ? 0 : bit,
			.last_step = rows->source ? 0 : last_step(rows, i, fitted->request),
		};
	}
	free(points);
	return places && points ? 0 : -ENOMEM;
}

static int compare_places(const void *a, const void *b)
{
	const struct law_place *place_a = a, *place_b = b;

	if (place_a->point.high != place_b->point.high)
		return place_a->point.high < place_b->point.high ? -1 : 1;
	return (place_a->point.low > place_b->point.low) -
	       (place_a->point.low < place_b->point.low);
}

/* One place per point. */
static void merge_places(struct compare_law *law)
{
	size_t kept = 0;

	if (law->place_count)
		qsort(law->places, law->place_count, sizeof *law->places, compare_places);
	for (size_t i = 0; i < law->place_count; i++) {
		struct law_place *place = &law->places[i], *last = &law->places[kept - !!kept];

		if (!kept || !hash_equal(last->point, place->point)) {
			law->places[kept++] = *place;
			continue;
		}
		last->seen |= place->seen;
		last->misfits |= place->misfits;
		if (place->last_step > last->last_step)
			last->last_step = place->last_step;
	}
	law->place_count = kept;
}

/* ---- fitting ---- */

static size_t requests_of(const struct requests *requests, const char *benchmark)
{
	size_t count = 0;

	for (size_t i = 0; i < requests->law_count; i++)
		count += !strcmp(requests->laws[i].benchmark, benchmark);
	return count;
}

static bool is_large(const struct compare_unit *unit)
{
	struct stat status;

	for (size_t i = 0; i < COMPARE_SOURCES_MAX; i++)
		if (unit->paths[i] && !stat(unit->paths[i], &status) &&
		    (uint64_t)status.st_size > COMPARE_LAWS_FILE_MAX)
			return true;
	return false;
}

/* A file with rows of other benchmarks has no laws. */
static bool is_of_one_benchmark(const struct law_rows *rows, const char *benchmark)
{
	for (size_t i = 0; i < rows->samples.count; i++)
		if (strcmp(cells_of(rows, i)[rows->reader.places.benchmark], benchmark))
			return false;
	return true;
}

static int fit_source(struct compare_laws *laws, const struct law_rows *rows,
		      const struct requests *requests, int64_t granule_bytes, struct err *reterr)
{
	const char *benchmark = laws->benchmark;
	struct compare_law *law = laws->items;
	int r = 0;

	if (!is_of_one_benchmark(rows, benchmark))
		return 0;
	for (size_t i = 0; i < requests->law_count && !r; i++) {
		struct fitted_law *fitted = &law->fitted[rows->source];

		if (strcmp(requests->laws[i].benchmark, benchmark))
			continue;
		r = laws_fit_one(&rows->samples, &requests->laws[i], granule_bytes, fitted, reterr);
		if (!r && fitted->is_measured && add_places(law, rows) < 0)
			r = err_errno(reterr, ENOMEM, "%s", benchmark);
		law++;
	}
	return r;
}

static int read_source(struct compare_laws *laws, const struct compare_unit *unit,
		       const struct compare_source *source, size_t number, struct err *reterr)
{
	struct law_rows rows = { .source = number };
	const char *path = unit->paths[number];
	int r = compare_reader_open(&rows.reader, path, NULL, reterr);

	if (r < 0)
		return r;
	r = samples_read(&rows.samples, path, reterr);
	if (!r) {
		r = fit_source(laws, &rows, laws->requests, source->granule_bytes, reterr);
		samples_free(&rows.samples);
	}
	compare_reader_close(&rows.reader);
	return r;
}

static void find_changes(struct compare_laws *laws, size_t source_count)
{
	for (size_t i = 0; i < laws->count; i++) {
		struct compare_law *law = &laws->items[i];

		merge_places(law);
		for (size_t k = 1; k < source_count; k++)
			law->has_changed[k] = compare_law_changed(&law->fitted[0], &law->fitted[k]);
	}
}

int compare_laws_fit(struct compare_laws *laws, const struct compare_unit *unit,
		     const struct compare_sources *sources, const struct requests *requests,
		     struct err *reterr)
{
	struct compare_laws fitted = { .benchmark = unit->benchmark, .requests = requests };
	size_t count = requests_of(requests, unit->benchmark);
	int r = 0;

	*laws = fitted;
	if (!count)
		return 0;
	laws->is_too_large = is_large(unit);
	if (laws->is_too_large)
		return 0;
	fitted.items = calloc(count, sizeof *fitted.items);
	if (!fitted.items)
		return err_errno(reterr, ENOMEM, "%s", unit->benchmark);
	fitted.count = count;
	for (size_t i = 0; i < sources->count && !r; i++)
		if (unit->paths[i])
			r = read_source(&fitted, unit, &sources->items[i], i, reterr);
	find_changes(&fitted, sources->count);
	if (r < 0)
		compare_laws_free(&fitted);
	else
		*laws = fitted;
	return r;
}

void compare_laws_free(struct compare_laws *laws)
{
	for (size_t i = 0; i < laws->count; i++) {
		free(laws->items[i].places);
		free(laws->items[i].shifts);
	}
	free(laws->items);
	*laws = (struct compare_laws){ 0 };
}

/* ---- which rows follow ---- */

/* "create-8" is a step of "create-{contexts}". */
static bool is_of_pattern(const char *step, const char *pattern)
{
	const char *open = strchr(pattern, '{'), *close = open ? strchr(open, '}') : NULL;
	size_t before = close ? (size_t)(open - pattern) : 0, digits;

	if (!close || strncmp(step, pattern, before) != 0)
		return false;
	digits = strspn(step + before, "0123456789");
	return digits && !strcmp(step + before + digits, close + 1);
}

static const struct law_place *find_place(const struct compare_law *law, struct hash point)
{
	struct law_place wanted = { .point = point };

	return law->place_count ? bsearch(&wanted, law->places, law->place_count,
					  sizeof *law->places, compare_places)
				: NULL;
}

/* A number that the law speaks of: bytes, or the reading that it is about. */
static bool is_its_number(const struct law_request *request, const struct compare_line *line,
			  size_t column)
{
	const char *reading = request->copies ? request->copies : request->reading;

	return line->kind == COMPARE_NUMBER &&
	       (!column || (reading && !strcmp(reading, line->column)));
}

static bool may_follow(const struct compare_laws *laws, const struct compare_law *law,
		       const struct compare_line *line, const struct compare_origin *origin,
		       size_t source)
{
	const struct law_request *request = law->fitted[source].request;
	uint32_t both = UINT32_C(1) | UINT32_C(1) << source;
	const struct compare_line_side *side = &line->sides[source];
	const struct law_place *place;

	if (!law->has_changed[source] || side->follows || side->judgement.verdict == VERDICT_SAME ||
	    !is_its_number(request, line, origin->column))
		return false;
	place = find_place(law, laws->points->items[origin->point].hash);
	if (!place || (place->seen & both) != both || place->misfits & both)
		return false;
	if (request->copies || request->is_edge)
		return !strcmp(line->step, request->step);
	return origin->step <= place->last_step;
}

static struct law_shift *find_shift(const struct compare_law *law, const struct compare_line *line,
				    size_t column, size_t source)
{
	for (size_t i = 0; i < law->shift_count; i++) {
		struct law_shift *shift = &law->shifts[i];

		if (shift->number == line->step_number && shift->source == source &&
		    shift->column == column && !strcmp(shift->name, line->step))
			return shift;
	}
	return NULL;
}

/* A difference that is none number varies. */
static int learn_shift(struct compare_law *law, const struct compare_line *line, size_t column,
		       size_t source)
{
	struct law_shift *shift = find_shift(law, line, column, source);
	int128 low = 0, high = 0;
	bool is_exact = compare_line_difference(line, source, &low, &high) && low == high;

	if (!shift) {
		shift = realloc(law->shifts, (law->shift_count + 1) * sizeof *shift);
		if (!shift)
			return -ENOMEM;
		law->shifts = shift;
		shift = &law->shifts[law->shift_count++];
		*shift = (struct law_shift){ .name = line->step,
					     .number = line->step_number,
					     .source = source,
					     .column = column,
					     .difference = low };
	}
	shift->varies = shift->varies || !is_exact || shift->difference != low;
	return 0;
}

int compare_laws_learn(struct compare_laws *laws, const struct compare_line *line,
		       const struct compare_origin *origin)
{
	for (size_t i = 0; i < laws->count; i++)
		for (size_t k = 1; k < line->source_count; k++)
			if (may_follow(laws, &laws->items[i], line, origin, k) &&
			    learn_shift(&laws->items[i], line, origin->column, k) < 0)
				return -ENOMEM;
	return 0;
}

static bool follows(const struct compare_laws *laws, const struct compare_law *law,
		    const struct compare_line *line, const struct compare_origin *origin,
		    size_t source)
{
	const struct law_shift *shift;

	if (!may_follow(laws, law, line, origin, source))
		return false;
	shift = find_shift(law, line, origin->column, source);
	return (shift && shift->varies) ||
	       is_of_pattern(line->step, law->fitted[source].request->step);
}

void compare_laws_count(struct compare_laws *laws, const struct compare_line *line,
			const struct compare_origin *origin)
{
	for (size_t k = 1; k < line->source_count; k++) {
		size_t i = 0;

		while (i < laws->count && !follows(laws, &laws->items[i], line, origin, k))
			i++;
		if (i < laws->count)
			laws->items[i].follow_counts[k]++;
	}
}

void compare_laws_explain(const struct compare_laws *laws, struct compare_line *line,
			  const struct compare_origin *origin)
{
	for (size_t i = 0; i < laws->count; i++)
		for (size_t k = 1; k < line->source_count; k++)
			if (follows(laws, &laws->items[i], line, origin, k))
				line->sides[k].is_explained = true;
}

int compare_laws_tell(const struct compare_laws *laws, size_t source_count,
		      const struct compare_visitor *visitor, struct err *reterr)
{
	int r = 0;

	for (size_t i = 0; i < laws->count && !r; i++) {
		const struct compare_law *law = &laws->items[i];
		bool has_changed[COMPARE_SOURCES_MAX] = { false };
		struct law_telling telling = { law->fitted, has_changed, source_count,
					       laws->benchmark, 0 };

		for (size_t k = 1; k < source_count; k++) {
			has_changed[k] = law->follow_counts[k] > 0;
			telling.follow_count += law->follow_counts[k];
		}
		if (telling.follow_count)
			r = compare_law_tell(&telling, visitor, reterr);
	}
	return r;
}
