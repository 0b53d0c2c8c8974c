/* SPDX-License-Identifier: MIT */
#include "analysis/slot_law.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Of a row that has all of it; the last copy of a step is the one that moved the meter. */
static bool edge_of_row(const struct samples *samples, size_t row,
			const struct law_request *request, struct slot_edge *edge)
{
	const struct samples_columns *columns = &samples->columns;
	const struct csv_table *table = &samples->table;
	size_t copies = csv_table_column(table, request->copies);
	int64_t delta_bytes;

	if (copies == CSV_NO_COLUMN ||
	    strcmp(csv_table_cell(table, row, columns->step), request->step) ||
	    strcmp(csv_table_cell(table, row, columns->status), "ok") ||
	    !csv_table_int(table, row, copies, &edge->copies) ||
	    !csv_table_int(table, row, columns->delta_bytes, &delta_bytes) ||
	    !csv_table_int(table, row, columns->total_bytes, &edge->after_bytes))
		return false;
	if (__builtin_sub_overflow(edge->after_bytes, delta_bytes, &edge->before_bytes))
		edge->before_bytes = INT64_MAX; /* beyond all slots as well */
	return true;
}

/* Returns their number. */
static size_t edges_of(const struct samples *samples, size_t sample,
		       const struct law_request *request, struct slot_edge *edges)
{
	const struct sample_rows *item = &samples->items[sample];
	struct slot_edge edge;
	size_t count = 0;

	if (!samples_matches(samples, sample, request->where) ||
	    !samples_value(samples, sample, request->axis, &edge.text_bytes))
		return 0;
	for (size_t row = item->first_row; row < item->first_row + item->row_count; row++)
		if (edge_of_row(samples, row, request, &edge))
			edges[count++] = edge;
	return count;
}

int slot_law_fit(const struct samples *samples, const struct law_request *request,
		 struct law *ret_law)
{
	struct slot_edge *edges = malloc((samples->table.row_count + 1) * sizeof *edges);
	struct law law = { .shape = LAW_SLOTS };
	size_t count = 0;
	int r;

	if (!edges)
		return -ENOMEM;
	for (size_t i = 0; i < samples->count; i++)
		count += edges_of(samples, i, request, &edges[count]);
	r = slots_fit(edges, count, &law.slots);
	free(edges);
	if (r < 0)
		return r;
	law.point_count = law.slots.edge_count;
	law.residual_max_bytes = law.slots.residual_max_bytes;
	law.holds = law.slots.holds;
	*ret_law = law;
	return 0;
}

size_t slot_law_find_beyond(const struct samples *samples, const struct law_request *request)
{
	for (size_t i = 0; i < samples->count; i++) {
		const struct sample_rows *item = &samples->items[i];
		struct slot_edge edge;

		if (!samples_matches(samples, i, request->where) ||
		    !samples_value(samples, i, request->axis, &edge.text_bytes))
			continue;
		for (size_t row = item->first_row; row < item->first_row + item->row_count; row++)
			if (edge_of_row(samples, row, request, &edge) && !slots_take(&edge))
				return row;
	}
	return SAMPLES_NO_ROW;
}
