/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "analysis/predict.h"
#include "analysis/report_parts.h"
#include "base/array.h"
#include "base/size.h"

/* "34 MiB", "34 MiB (32 MiB to 36 MiB)" */
static void add_size(struct document *document, struct estimate bytes)
{
	char size[SIZE_TEXT_MAX], low[SIZE_TEXT_MAX], high[SIZE_TEXT_MAX];
	struct text text = { 0 };

	text_add(&text, size_format(bytes.bytes, size, sizeof size));
	size_format(bytes.low_bytes, low, sizeof low);
	size_format(bytes.high_bytes, high, sizeof high);
	if (strcmp(low, high) != 0)
		text_format(&text, " (%s to %s)", low, high);
	document_cell_text(document, &text);
}

static void add_row(struct document *document, const char *name, struct estimate bytes,
		    const char *from)
{
	document_cell(document, name);
	document_cell_format(document, "%lld", (long long)bytes.bytes);
	add_size(document, bytes);
	document_cell(document, from);
}

static void add_table(struct document *document, const struct prediction *prediction)
{
	document_table(document, 4, "lrll");
	document_cell(document, "Component");
	document_cell(document, "Predicted bytes");
	document_cell(document, "That is");
	document_cell(document, "From");
	for (size_t i = 0; i < prediction->count; i++)
		add_row(document, prediction->lines[i].name, prediction->lines[i].bytes,
			prediction->lines[i].from);
	add_row(document, "Each process", prediction->process, "the sum");
}

static void tell_processes(struct document *document, const struct prediction *prediction)
{
	const struct wish *wish = prediction->wish;
	int64_t bytes = prediction->process.bytes * wish->process_count;
	char all[SIZE_TEXT_MAX];

	if (wish->process_count < 2)
		return;
	document_format(document, BLOCK_PARAGRAPH, "%lld such processes: predicted %lld bytes, %s.",
			(long long)wish->process_count, (long long)bytes,
			size_format(bytes, all, sizeof all));
}

static void tell_fit(struct document *document, const struct prediction *prediction)
{
	char room[SIZE_TEXT_MAX], beside[SIZE_TEXT_MAX];

	if (prediction->device_bytes <= 0)
		return;
	document_format(document, BLOCK_PARAGRAPH,
			"%lld such processes fit on this device beside %s: processes had %lld "
			"bytes, %s, to share when it was measured.",
			(long long)prediction->fit_count,
			size_format(prediction->wish->beside_bytes, beside, sizeof beside),
			(long long)prediction->device_bytes,
			size_format(prediction->device_bytes, room, sizeof room));
}

static void build(struct document *document, const struct prediction *prediction)
{
	const struct run *run = prediction->run;

	report_banner(document, run);
	document_format(document, BLOCK_SECTION,
			"Predicted, not measured: device memory on %s with driver %s",
			environment_get(&run->environment, "gpu_name"),
			environment_get(&run->environment, "driver_release"));
	add_table(document, prediction);
	if (prediction->is_upper_bound)
		document_add(document, BLOCK_PARAGRAPH,
			     "This is an upper bound: some of these share memory, and the run has "
			     "no rows that say how much.");
	if (prediction->wish->extrapolates)
		document_add(document, BLOCK_PARAGRAPH,
			     "Amounts beyond those that were measured were allowed, where nothing "
			     "says that the laws still hold.");
	tell_processes(document, prediction);
	tell_fit(document, prediction);
}

int predict_render(const struct prediction *prediction, enum document_format format,
		   char **ret_text, struct err *reterr)
{
	struct document document = { 0 };
	int r;

	build(&document, prediction);
	r = document_render(&document, format, ret_text, reterr);
	document_free(&document);
	return r;
}

struct csv_columns {
	const char *name;
	int64_t count;
	const char *from;
	const char *simulated;
};

static struct estimate estimate_times(struct estimate estimate, int64_t count)
{
	return (struct estimate){ estimate.low_bytes * count, estimate.bytes * count,
				  estimate.high_bytes * count };
}

static void csv_line(struct csv_row *rows, const struct csv_columns *columns, struct estimate bytes)
{
	csv_row_text(rows, columns->name);
	csv_row_int(rows, columns->count);
	csv_row_int(rows, bytes.bytes);
	csv_row_int(rows, bytes.low_bytes);
	csv_row_int(rows, bytes.high_bytes);
	csv_row_text(rows, columns->from);
	csv_row_text(rows, columns->simulated);
	csv_row_end(rows);
}

void predict_csv(const struct prediction *prediction, struct csv_row *rows)
{
	static const char *const header[] = { "component",
					      "count",
					      "predicted_bytes",
					      "predicted_low_bytes",
					      "predicted_high_bytes",
					      "from",
					      "simulated" };
	const char *simulated = environment_get(&prediction->run->environment, "simulated");
	struct estimate process = prediction->process;

	for (size_t i = 0; i < ARRAY_COUNT(header); i++)
		csv_row_text(rows, header[i]);
	csv_row_end(rows);
	for (size_t i = 0; i < prediction->count; i++) {
		const struct predicted_line *line = &prediction->lines[i];

		csv_line(rows, &(struct csv_columns){ line->name, 1, line->from, simulated },
			 line->bytes);
	}
	csv_line(rows, &(struct csv_columns){ "process", 1, "", simulated }, process);
	csv_line(rows,
		 &(struct csv_columns){ "processes", prediction->wish->process_count, "",
					simulated },
		 estimate_times(process, prediction->wish->process_count));
	csv_line(
		rows,
		&(struct csv_columns){ "processes that fit", prediction->fit_count, "", simulated },
		estimate_times(process, prediction->fit_count));
}
