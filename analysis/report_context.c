/* SPDX-License-Identifier: MIT */
/* The page that is about a context alone. */
#include <stdio.h>

#include "analysis/report.h"
#include "analysis/report_parts.h"
#include "base/array.h"

/* What there is to have more of: so many units of a law's axis, of which it has several at a time.
 */
struct more {
	const char *name;
	const char *benchmark;
	const char *component;
	int64_t count;
	int64_t divisor;
};

static double in_decimals(struct fraction value, const struct more *more)
{
	return (double)value.numerator / (double)value.denominator * (double)more->count /
	       (double)more->divisor;
}

static void add_each_more(struct document *document, const struct more *more, const struct law *law)
{
	char value[FRACTION_TEXT_MAX];

	document_cell(document, more->name);
	document_cell(document,
		      fraction_text(fraction_make(law->per_unit.numerator * more->count,
						  law->per_unit.denominator * more->divisor),
				    value, sizeof value));
	if (fraction_compare(law->per_unit_low, law->per_unit_high) != 0)
		document_cell_format(document, "%.7g to %.7g", in_decimals(law->per_unit_low, more),
				     in_decimals(law->per_unit_high, more));
	else
		document_cell(document, "");
	if (law->is_staircase)
		document_cell_format(document, "%lld", (long long)law->granule_bytes);
	else
		document_cell(document, "");
	document_cell_format(document, "%s, %s", more->benchmark, more->component);
}

static void begin_each_more(struct document *document)
{
	document_add(document, BLOCK_SECTION, "What one more costs");
	document_table(document, 5, "lrrrl");
	document_cell(document, "More of");
	document_cell(document, "Bytes for one");
	document_cell(document, "May be");
	document_cell(document, "In steps of");
	document_cell(document, "By the law");
}

/* By a law that holds and has a slope. */
static void add_more(struct document *document, const struct laws *laws, const struct more *more,
		     bool *has_table)
{
	const struct fitted_law *fitted =
		more->benchmark ? laws_find(laws, more->benchmark, more->component) : NULL;

	if (!fitted || !fitted->is_measured || !fitted->law.holds ||
	    fitted->law.shape == LAW_CONSTANT)
		return;
	if (!*has_table)
		begin_each_more(document);
	*has_table = true;
	add_each_more(document, more, &fitted->law);
}

static void add_all_each_more(struct document *document, const struct run *run,
			      const struct laws *laws)
{
	const struct requests *requests = run->requests;
	const struct code_request *code = &requests->code;
	bool has_table = false;

	for (size_t i = 0; i < requests->term_count; i++) {
		const struct term_request *term = &requests->terms[i];

		add_more(document, laws,
			 &(struct more){ term->name, term->benchmark, term->component, 1,
					 term->law_count ? term->law_count : 1 },
			 &has_table);
	}
	add_more(
		document, laws,
		&(struct more){ code->name, code->benchmark, code->component, code->unit_count, 1 },
		&has_table);
}

static void add_returns(struct document *document, const struct run *run,
			const struct anatomy *anatomy)
{
	const struct requests *requests = run->requests;

	document_add(document, BLOCK_SECTION, "What gives it back");
	document_table(document, 2, "ll");
	document_cell(document, "Component");
	document_cell(document, "By which step, and how much");
	for (size_t i = 0; i < requests->component_count; i++) {
		struct text returns = { 0 };

		if (!anatomy->components[i].is_measured)
			continue;
		anatomy_returns(run, i, &returns);
		document_cell(document, requests->components[i].name);
		document_cell_text(document, &returns);
	}
}

static void build(struct document *document, const struct run *run, const struct anatomy *anatomy,
		  const struct laws *laws)
{
	report_banner(document, run);
	report_anatomy(document, run, anatomy);
	add_returns(document, run, anatomy);
	add_all_each_more(document, run, laws);
	report_savings(document, run, anatomy);
}

int report_render_anatomy(const struct run *run, enum document_format format, char **ret_text,
			  struct err *reterr)
{
	struct document document = { 0 };
	struct anatomy anatomy;
	struct laws laws;
	int r = laws_fit(&laws, run, reterr);

	if (r < 0)
		return r;
	r = anatomy_measure(&anatomy, run, reterr);
	if (r < 0) {
		laws_free(&laws);
		return r;
	}
	build(&document, run, &anatomy, &laws);
	r = document_render(&document, format, ret_text, reterr);
	document_free(&document);
	anatomy_free(&anatomy);
	laws_free(&laws);
	return r;
}

struct csv_table_of {
	struct csv_row *rows;
	const char *simulated;
};

static void put_bytes(struct csv_row *rows, const struct byte_range *bytes, int64_t value)
{
	if (bytes->is_measured)
		csv_row_int(rows, value);
	else
		csv_row_empty(rows);
}

static void put_line(void *data, const struct anatomy_line *line)
{
	const struct csv_table_of *table = data;
	char name[ANATOMY_NAME_MAX];

	snprintf(name, sizeof name, "%s%s", anatomy_prefix(line), line->name);
	csv_row_text(table->rows, name);
	put_bytes(table->rows, &line->bytes, line->bytes.min_bytes);
	put_bytes(table->rows, &line->bytes, line->bytes.max_bytes);
	csv_row_text(table->rows, line->when);
	csv_row_text(table->rows, line->from);
	csv_row_text(table->rows, table->simulated);
	csv_row_end(table->rows);
}

int report_anatomy_csv(const struct run *run, struct csv_row *rows, struct err *reterr)
{
	static const char *const header[] = { "component", "bytes_min", "bytes_max",
					      "paid_at",   "from",      "simulated" };
	struct csv_table_of table = { rows, environment_get(&run->environment, "simulated") };
	struct anatomy anatomy;
	int r = anatomy_measure(&anatomy, run, reterr);

	if (r < 0)
		return r;
	for (size_t i = 0; i < ARRAY_COUNT(header); i++)
		csv_row_text(rows, header[i]);
	csv_row_end(rows);
	anatomy_each_line(&anatomy, run, put_line, &table);
	anatomy_free(&anatomy);
	return 0;
}
