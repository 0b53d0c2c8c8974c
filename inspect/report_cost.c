/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/size.h"
#include "inspect/cost.h"
#include "inspect/report.h"

static void add_range(struct document *document, struct estimate bytes)
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
	add_range(document, bytes);
	document_cell(document, from);
}

static void add_lines(struct document *document, const struct inspect_cost *cost)
{
	document_table(document, 4, "lrll");
	document_cell(document, "Component");
	document_cell(document, "Predicted bytes");
	document_cell(document, "That is");
	document_cell(document, "From");
	for (size_t i = 0; i < cost->with.count; i++)
		add_row(document, cost->with.lines[i].name, cost->with.lines[i].bytes,
			cost->with.lines[i].from);
	add_row(document, "A process with all of it", cost->with.process, "the sum");
	add_row(document, "More than a process without",
		estimate_difference(cost->with.process, cost->without), "");
}

/* Sentences on what is in the sum and what it leaves out. */
static void add_remarks(struct document *document, const struct inspect_cost *cost)
{
	struct text stack = { 0 };

	if (cost->stack_kernel) {
		text_format(&stack, "The largest stack, %llu bytes for each thread, is that of ",
			    (unsigned long long)cost->stack_bytes);
		kernel_short_name(cost->stack_kernel, &stack);
		document_add_text(document, BLOCK_ITEM, &stack);
	}
	if (cost->compiled_count)
		document_format(
			document, BLOCK_ITEM,
			"For %zu of the fat binaries the driver compiles PTX for sm_%u. What "
			"that takes is not in the sum.",
			cost->compiled_count, cost->architecture);
	if (cost->useless_count)
		document_format(
			document, BLOCK_ITEM,
			"%zu of the fat binaries or cubins have nothing that runs on sm_%u.",
			cost->useless_count, cost->architecture);
	if (cost->unlinked_count)
		document_format(
			document, BLOCK_ITEM,
			"%zu of the fat binaries are for the linker: as they are, no driver "
			"loads them.",
			cost->unlinked_count);
	if (cost->function_bytes)
		document_format(document, BLOCK_ITEM,
				"%llu bytes of functions that kernels call are not in the sum: no "
				"law says how they lie.",
				(unsigned long long)cost->function_bytes);
	if (cost->beyond)
		document_format(document, BLOCK_ITEM,
				"A law had to go beyond what was measured, where nothing says that "
				"it still holds: %s",
				cost->beyond);
	if (cost->is_predicted && cost->with.is_upper_bound)
		document_add(document, BLOCK_ITEM,
			     "It is an upper bound: some of these share memory, and the run has no "
			     "rows that say how much.");
}

void inspect_cost_add(const struct inspect_cost *cost, struct document *document)
{
	const struct environment *environment = &cost->run->environment;

	document_format(document, BLOCK_SECTION,
			"Predicted, not measured: all kernels loaded on %s with driver %s",
			environment_get(environment, "gpu_name"),
			environment_get(environment, "driver_release"));
	if (environment_is_simulated(environment))
		document_add(document, BLOCK_BANNER,
			     "SIMULATED: the laws are those of a simulated device. They show what "
			     "cuctx does, not what a GPU costs.");
	if (cost->is_predicted)
		add_lines(document, cost);
	else
		document_format(document, BLOCK_PARAGRAPH, "No machine code in it runs on sm_%u.",
				cost->architecture);
	add_remarks(document, cost);
}
