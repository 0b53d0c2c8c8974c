/* SPDX-License-Identifier: MIT */
#include "analysis/compare_unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/compare_judge.h"
#include "analysis/compare_laws.h"
#include "analysis/compare_points.h"
#include "analysis/compare_reader.h"
#include "analysis/compare_sketch.h"
#include "analysis/unit.h"

#define DELTA_COLUMN "delta_bytes"
/* What the points of one round may take, about. */
#define ROUND_BYTES ((uint64_t)40 << 20)
/* Rows of a recorded run are longer. */
#define ROW_BYTES 128

/* A benchmark while it is compared. */
struct unit {
	struct comparing *comparing;
	const struct compare_unit *files;
	size_t source_count;
	char *columns[COMPARE_VALUES_MAX]; /* owned */
	size_t column_count;
	bool is_delta; /* the first one is */
	struct compare_sketch sketch;
	struct compare_census census;
	uint64_t sample_counts[COMPARE_SOURCES_MAX];
	struct compare_round round;
	bool is_told; /* the sink knows of it */
};

static int open_reader(const struct unit *unit, size_t source, struct compare_reader *reader,
		       struct err *reterr)
{
	int r = compare_reader_open(reader, unit->files->paths[source], unit->comparing->filter,
				    reterr);

	for (size_t i = 0; i < unit->column_count && !r; i++)
		compare_reader_choose(reader, unit->columns[i]);
	return r;
}

/* ---- the columns that all have ---- */

static int add_column(struct unit *unit, const char *name)
{
	if (unit->column_count == COMPARE_VALUES_MAX)
		return 0;
	unit->columns[unit->column_count] = strdup(name);
	return unit->columns[unit->column_count] && ++unit->column_count ? 0 : -ENOMEM;
}

static int list_columns(struct unit *unit, const struct compare_reader *reader)
{
	const char *column = unit->comparing->options->column, *name;
	int r = add_column(unit, column ? column : DELTA_COLUMN);

	for (size_t i = 0; !column && !r && (name = compare_reader_reading(reader, i)); i++)
		r = add_column(unit, name);
	return r;
}

static void drop_columns(struct unit *unit, const struct compare_reader *reader)
{
	size_t kept = 0;

	for (size_t i = 0; i < unit->column_count; i++) {
		if (csv_stream_column(reader->stream, unit->columns[i]) == CSV_NO_COLUMN)
			free(unit->columns[i]);
		else
			unit->columns[kept++] = unit->columns[i];
	}
	unit->column_count = kept;
}

static int choose_columns(struct unit *unit, struct err *reterr)
{
	bool is_listed = false;
	int r = 0;

	for (size_t i = 0; i < unit->source_count && !r; i++) {
		const char *path = unit->files->paths[i];
		struct compare_reader reader;

		if (!path)
			continue;
		r = compare_reader_open(&reader, path, NULL, reterr);
		if (r < 0)
			return r;
		if (!is_listed && list_columns(unit, &reader) < 0)
			r = err_errno(reterr, ENOMEM, "%s", path);
		is_listed = true;
		drop_columns(unit, &reader);
		compare_reader_close(&reader);
	}
	if (!unit->column_count)
		return r;
	unit->comparing->has_column = true;
	unit->is_delta = !strcmp(unit->columns[0], DELTA_COLUMN);
	return r;
}

/* ---- the first look ---- */

static size_t rows_expected(const struct unit *unit)
{
	uint64_t bytes = 0;
	struct stat status;

	for (size_t i = 0; i < unit->source_count; i++)
		if (unit->files->paths[i] && !stat(unit->files->paths[i], &status))
			bytes += (uint64_t)status.st_size;
	return (size_t)(bytes / ROW_BYTES);
}

/* All that a row says and that is compared. */
static struct hash digest_row(const struct unit *unit, const struct compare_reader *reader,
			      const struct compare_row *row)
{
	const char *error = row->cells[reader->places.error];
	struct hash digest = hash_join(hash_text(row->cells[reader->places.step]),
				       hash_text(row->cells[reader->places.status]));

	if (*error)
		digest = hash_join(digest, hash_text(error));
	for (size_t i = 0; i < unit->column_count; i++)
		digest = hash_join(digest, (struct hash){ (uint64_t)row->values[i], i });
	if (unit->is_delta)
		digest = hash_join(digest, (struct hash){ (uint64_t)row->total_bytes, 0 });
	return digest;
}

/* A sample in the making. */
struct digest {
	struct hash point;
	struct hash rows;
	size_t byte_count;
};

static void add_sample(struct unit *unit, size_t source, struct digest *digest)
{
	if (digest->byte_count)
		compare_sketch_add(&unit->sketch, source, digest->point, digest->rows,
				   digest->byte_count);
	*digest = (struct digest){ 0 };
}

static int scan_rows(struct unit *unit, size_t source, struct compare_reader *reader,
		     struct err *reterr)
{
	struct digest digest = { 0 };
	struct compare_row row;
	int r;

	while ((r = compare_reader_next(reader, &row, reterr)) > 0) {
		if (row.begins) {
			add_sample(unit, source, &digest);
			digest.point = row.point;
			digest.byte_count = compare_points_sample_size(unit->source_count);
			unit->sample_counts[source]++;
		}
		digest.rows = hash_join(digest.rows, digest_row(unit, reader, &row));
		digest.byte_count += compare_points_row_size(&row, unit->column_count);
		unit->comparing->result->row_counts[source]++;
		if (compare_census_add(&unit->census, reader, &row) < 0)
			return err_errno(reterr, ENOMEM, "%s", reader->path);
	}
	add_sample(unit, source, &digest);
	return r;
}

static void note_torn(const struct unit *unit, const struct compare_reader *reader)
{
	if (csv_stream_is_torn(reader->stream))
		text_format(&unit->comparing->result->notes,
			    "%s: line %zu: the last line is cut off and was left out\n",
			    reader->path, csv_stream_line(reader->stream));
}

static int scan(struct unit *unit, struct err *reterr)
{
	int r = compare_sketch_init(&unit->sketch, unit->source_count, rows_expected(unit));

	if (r < 0)
		return err_errno(reterr, -r, "%s", unit->files->benchmark);
	for (size_t i = 0; i < unit->source_count && !r; i++) {
		struct compare_reader reader;

		if (!unit->files->paths[i])
			continue;
		r = open_reader(unit, i, &reader, reterr);
		if (r < 0)
			return r;
		r = scan_rows(unit, i, &reader, reterr);
		note_torn(unit, &reader);
		compare_reader_close(&reader);
	}
	return r;
}

/* ---- the second look ---- */

static int out_of_memory(const struct unit *unit, struct err *reterr)
{
	return err_errno(reterr, ENOMEM, "%s", unit->files->benchmark);
}

static int collect_rows(struct unit *unit, size_t source, struct compare_points *points,
			struct compare_reader *reader, struct err *reterr)
{
	struct compare_row row;
	bool is_wanted = false;
	int r;

	while ((r = compare_reader_next(reader, &row, reterr)) > 0) {
		if (row.begins) {
			r = compare_points_end(points);
			is_wanted = compare_sketch_differs(&unit->sketch, row.point, unit->round);
			if (!r && is_wanted)
				r = compare_points_begin(points, source, reader, &row);
		} else {
			r = 0;
		}
		if (!r && is_wanted)
			r = compare_points_row(points, reader, &row);
		if (r < 0)
			return out_of_memory(unit, reterr);
	}
	if (!r && compare_points_end(points) < 0)
		r = out_of_memory(unit, reterr);
	return r;
}

static int collect(struct unit *unit, struct compare_points *points, struct err *reterr)
{
	int r = 0;

	for (size_t i = 0; i < unit->source_count && !r; i++) {
		struct compare_reader reader;

		if (!unit->files->paths[i])
			continue;
		r = open_reader(unit, i, &reader, reterr);
		if (r < 0)
			return r;
		r = collect_rows(unit, i, points, &reader, reterr);
		compare_reader_close(&reader);
	}
	return r;
}

/* ---- telling ---- */

static int tell(struct unit *unit, const struct compare_line *line, struct err *reterr)
{
	const struct compare_sink *sink = unit->comparing->sink;
	struct compare_counts *counts = &unit->comparing->result->counts;
	int r = 0;

	/* Its rows have been counted. */
	for (size_t i = 1; i < line->source_count && line->kind != COMPARE_LAW; i++)
		if (!line->sides[i].follows)
			counts->verdicts[i][line->sides[i].judgement.verdict]++;
	if (!compare_line_is_told(line))
		return 0;
	if (!unit->is_told)
		r = sink->begin(sink->context, unit->files->benchmark, reterr);
	unit->is_told = true;
	return r ? r : sink->line(sink->context, line, reterr);
}

/* Lines that a law may explain. */
struct unit_lines {
	struct unit *unit;
	struct compare_laws *laws;
};

static int on_line(void *context, struct compare_line *line, const struct compare_origin *origin,
		   struct err *reterr)
{
	struct unit_lines *lines = context;

	if (line->kind != COMPARE_LAW)
		compare_laws_explain(lines->laws, line, origin);
	return tell(lines->unit, line, reterr);
}

static int on_learning(void *context, struct compare_line *line,
		       const struct compare_origin *origin, struct err *reterr)
{
	struct unit_lines *lines = context;

	return compare_laws_learn(lines->laws, line, origin) < 0
		       ? out_of_memory(lines->unit, reterr)
		       : 0;
}

static int on_counting(void *context, struct compare_line *line,
		       const struct compare_origin *origin, struct err *reterr)
{
	struct unit_lines *lines = context;

	(void)reterr;
	compare_laws_count(lines->laws, line, origin);
	return 0;
}

/* A benchmark that not all have; the filter may have left nothing of it. */
static int tell_presence(struct unit *unit, struct err *reterr)
{
	struct compare_line line = { .kind = COMPARE_BENCHMARK,
				     .benchmark = unit->files->benchmark,
				     .axes = "",
				     .step = "",
				     .column = "",
				     .source_count = unit->source_count };
	bool in_base = unit->sample_counts[0] > 0, differs = false;

	for (size_t i = 0; i < unit->source_count; i++) {
		struct compare_line_side *side = &line.sides[i];

		*side = (struct compare_line_side){ .word = "", .error = "" };
		side->is_there = unit->sample_counts[i] > 0;
		line.sample_count += unit->sample_counts[i];
		if (side->is_there != in_base)
			side->judgement.verdict =
				in_base ? VERDICT_ONLY_IN_BASE : VERDICT_ONLY_IN_NEW;
		differs = differs || side->is_there != in_base;
	}
	return differs ? tell(unit, &line, reterr) : 0;
}

static const char *room_steps_of(const struct unit *unit)
{
	const struct requests *requests = unit->comparing->options->requests;

	for (size_t i = 0; i < requests->benchmark_count; i++)
		if (!strcmp(requests->benchmarks[i].name, unit->files->benchmark))
			return requests->benchmarks[i].room_steps;
	return NULL;
}

static void ask(const struct unit *unit, const struct compare_points *points,
		struct compare_question *question)
{
	const struct compare_sources *sources = unit->comparing->sources;
	const char *unit_of_first = unit_of_column(unit->columns[0]);

	*question = (struct compare_question){
		.points = points,
		.columns = (const char *const *)unit->columns,
		.first_is_delta = unit->is_delta,
	};
	question->room_steps = room_steps_of(unit);
	for (size_t i = 0; i < unit->column_count; i++)
		question->rules[i].threshold = unit->comparing->options->threshold;
	for (size_t i = 0; i < unit->source_count; i++) {
		int64_t granule = sources->items[i].granule_bytes;

		question->is_absent[i] = !unit->sample_counts[i];
		if (unit_of_first && !strcmp(unit_of_first, UNIT_BYTES) &&
		    granule > question->rules[0].granule)
			question->rules[0].granule = granule;
	}
}

/* Laws first, then what they do not explain. */
static int judge_points(struct unit *unit, const struct compare_question *question,
			struct compare_laws *laws, struct err *reterr)
{
	struct unit_lines lines = { unit, laws };
	struct compare_visitor learning = { &lines, on_learning };
	struct compare_visitor counting = { &lines, on_counting };
	struct compare_visitor telling = { &lines, on_line };
	int r = 0;

	laws->points = question->points;
	if (laws->count)
		r = compare_judge(question, &learning, reterr);
	if (laws->count && !r)
		r = compare_judge(question, &counting, reterr);
	if (!r)
		r = compare_laws_tell(laws, unit->source_count, &telling, reterr);
	return r ? r : compare_judge(question, &telling, reterr);
}

/* Laws are of files that fit into one round. */
static int judge_by_laws(struct unit *unit, const struct compare_question *question,
			 struct err *reterr)
{
	struct compare_laws laws = { 0 };
	int r = 0;

	if (unit->is_delta && unit->round.count == 1)
		r = compare_laws_fit(&laws, unit->files, unit->comparing->sources,
				     unit->comparing->options->requests, reterr);
	if (laws.is_too_large)
		text_format(&unit->comparing->result->notes,
			    "%s: its laws were not compared, as a file is larger than %zu MiB\n",
			    unit->files->benchmark, COMPARE_LAWS_FILE_MAX >> 20);
	if (!r)
		r = judge_points(unit, question, &laws, reterr);
	compare_laws_free(&laws);
	return r;
}

static int judge_round(struct unit *unit, struct err *reterr)
{
	struct compare_load load = compare_sketch_load(&unit->sketch, unit->round);
	struct compare_question question;
	struct compare_points points;
	int r;

	if (!load.sample_count)
		return 0;
	if (compare_points_init(&points, unit->source_count, unit->column_count,
				load.sample_count) < 0)
		return out_of_memory(unit, reterr);
	r = collect(unit, &points, reterr);
	if (!r) {
		ask(unit, &points, &question);
		r = judge_by_laws(unit, &question, reterr);
	}
	compare_points_free(&points);
	return r;
}

/* So many rounds that none of them holds too much at once. */
static size_t rounds_needed(const struct unit *unit)
{
	struct compare_load load =
		compare_sketch_load(&unit->sketch, (struct compare_round){ 0, 1 });
	uint64_t count = load.byte_count / ROUND_BYTES + 1;

	return (size_t)(count < unit->sketch.bucket_count ? count : unit->sketch.bucket_count);
}

static int judge(struct unit *unit, struct err *reterr)
{
	int r = tell_presence(unit, reterr);
	size_t with_samples = 0;

	for (size_t i = 1; i < unit->source_count; i++)
		with_samples += unit->sample_counts[i] > 0;
	if (r < 0 || !unit->sample_counts[0] || !with_samples || !unit->column_count)
		return r;
	unit->comparing->result->benchmark_count++;
	unit->round.count = rounds_needed(unit);
	for (; unit->round.number < unit->round.count && !r; unit->round.number++)
		r = judge_round(unit, reterr);
	return r;
}

int compare_unit(struct comparing *comparing, const struct compare_unit *files, struct err *reterr)
{
	struct unit unit = { .comparing = comparing,
			     .files = files,
			     .source_count = comparing->sources->count };
	int r = choose_columns(&unit, reterr);

	if (!r)
		r = scan(&unit, reterr);
	if (!r)
		r = judge(&unit, reterr);
	if (!r && unit.is_told)
		r = comparing->sink->end(comparing->sink->context, &unit.census, reterr);
	compare_sketch_free(&unit.sketch);
	compare_census_free(&unit.census);
	for (size_t i = 0; i < unit.column_count; i++)
		free(unit.columns[i]);
	return r;
}
