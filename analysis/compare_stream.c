/* SPDX-License-Identifier: MIT */
#include "analysis/compare_stream.h"

#include <errno.h>

const char *compare_kind_text(enum compare_line_kind kind)
{
	static const char *const texts[] = {
		[COMPARE_BENCHMARK] = "benchmark",
		[COMPARE_POINT] = "point",
		[COMPARE_LAW] = "law",
		[COMPARE_STATUS] = "status",
		[COMPARE_NUMBER] = "number",
	};

	return texts[kind];
}

static const struct compare_writer *writer_of(const struct compare_stream *stream)
{
	return stream->is_json ? &compare_json : &compare_csv;
}

/* What has been put together so far goes out. */
static int flush(struct compare_stream *stream, struct err *reterr)
{
	const char *bytes = stream->is_json ? text_peek(&stream->text) : stream->row.bytes;
	size_t count = stream->is_json ? stream->text.used : stream->row.used;
	int r = 0;

	if (stream->text.failed || stream->row.failed)
		return err_errno(reterr, ENOMEM, "comparison");
	if (count)
		r = stream->write(stream->context, bytes, count);
	stream->text.used = 0;
	csv_row_clear(&stream->row);
	return r < 0 ? err_errno(reterr, -r, "comparison") : 0;
}

int compare_stream_begin(struct compare_stream *stream, struct err *reterr)
{
	struct compare_facts facts;
	int r = compare_environment_find(&facts, stream->sources, reterr);

	if (r < 0)
		return r;
	writer_of(stream)->begin(stream, &facts);
	compare_environment_free(&facts);
	return flush(stream, reterr);
}

static int on_begin(void *context, const char *benchmark, struct err *reterr)
{
	(void)context;
	(void)benchmark;
	(void)reterr;
	return 0;
}

static int on_line(void *context, const struct compare_line *line, struct err *reterr)
{
	struct compare_stream *stream = context;

	writer_of(stream)->line(stream, line);
	stream->has_lines = true;
	return flush(stream, reterr);
}

static int on_end(void *context, const struct compare_census *census, struct err *reterr)
{
	(void)context;
	(void)census;
	(void)reterr;
	return 0;
}

struct compare_sink compare_stream_sink(struct compare_stream *stream)
{
	return (struct compare_sink){ stream, on_begin, on_line, on_end };
}

int compare_stream_end(struct compare_stream *stream, const struct compare_result *result,
		       struct err *reterr)
{
	writer_of(stream)->end(stream, result);
	return flush(stream, reterr);
}

void compare_stream_free(struct compare_stream *stream)
{
	csv_row_free(&stream->row);
	text_free(&stream->text);
}
