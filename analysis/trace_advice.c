/* SPDX-License-Identifier: MIT */
#include "analysis/trace_advice.h"

#include <string.h>

#include "base/array.h"
#include "base/size.h"

struct view {
	const struct trace_rows *rows;
	const struct trace_device *device;
	const struct trace_parts *peak;
	const struct trace_parts *end;
	const struct trace_part *part; /* of the peak, for advice about one of them */
};

static const char *size(int64_t bytes, char buffer[SIZE_TEXT_MAX])
{
	return size_format(bytes, buffer, SIZE_TEXT_MAX);
}

/* The frame of the kernel whose launch made the stack grow. */
static int64_t frame_of(const struct view *view)
{
	int64_t bytes;

	for (size_t row = 0; row < view->rows->table.row_count; row++)
		if (trace_delta_of(view->rows, row, view->device, &bytes) && bytes > 0 &&
		    trace_is(view->rows, row, TRACE_COLUMN_event, "launch") &&
		    trace_is(view->rows, row, TRACE_COLUMN_kernel, view->part->name))
			return trace_number_or_0(view->rows, row, TRACE_COLUMN_local_bytes);
	return 0;
}

/* Unless a limit that was set has given it back. */
static bool tell_frame(const struct view *view, struct text *text)
{
	char bytes[SIZE_TEXT_MAX];
	int64_t held = trace_parts_bytes(view->end, TRACE_PART_LOCAL, view->part->name, NULL);

	text_format(text, "%s has a frame of %lld bytes per thread, and ", view->part->name,
		    (long long)frame_of(view));
	if (view->part->count > 1)
		text_format(text, "%lld launches of it", (long long)view->part->count);
	else
		text_add(text, "its first launch");
	text_format(
		text,
		" made the stack of all threads grow by %s, for good: only setting the limit sets "
		"it back (cudaDeviceSetLimit with cudaLimitStackSize, behind the last launch of "
		"such kernels).",
		size(view->part->bytes, bytes));
	return view->part->bytes > 0 && held > 0;
}

static bool tell_uses(const struct view *view, struct text *text)
{
	char bytes[SIZE_TEXT_MAX];

	text_format(
		text,
		"Code that uses %s took %s when it was loaded, for what that needs on the device. "
		"A program whose kernels do without takes none of it; what remains until the "
		"context ends is the same for any number of such kernels.",
		view->part->name, size(view->part->bytes, bytes));
	return view->part->bytes > 0;
}

static bool tell_contexts(const struct view *view, struct text *text)
{
	char bytes[SIZE_TEXT_MAX];

	text_format(text,
		    "Process %lld had %lld contexts on the device at its peak, %s without their "
		    "stacks. "
		    "Threads and libraries of a process can share one (cudaSetDevice, or "
		    "cuDevicePrimaryCtxRetain).",
		    (long long)view->part->process, (long long)view->part->count,
		    size(view->part->bytes, bytes));
	return view->part->count > 1 && view->part->bytes > 0;
}

static bool tell_held(const struct view *view, struct text *text)
{
	char asked[SIZE_TEXT_MAX];
	int64_t count;
	int64_t bytes = trace_parts_bytes(view->end, TRACE_PART_ASKED, NULL, &count);

	text_format(text, "Held to the end and never freed: %lld allocation%s, of %s together.",
		    (long long)count, count == 1 ? "" : "s", size(bytes, asked));
	return count > 0;
}

static bool tell_rounding(const struct view *view, struct text *text)
{
	char asked[SIZE_TEXT_MAX], rounding[SIZE_TEXT_MAX];
	int64_t count;
	int64_t asked_bytes = trace_parts_bytes(view->peak, TRACE_PART_ASKED, NULL, &count);
	int64_t rounding_bytes = trace_parts_bytes(view->peak, TRACE_PART_ROUNDING, NULL, NULL);

	text_format(text,
		    "Rounding took %s on top of the %s that %lld allocations asked for: each of 1 "
		    "MiB or "
		    "more takes whole granules of 2 MiB. One that is shared out takes less.",
		    size(rounding_bytes, rounding), size(asked_bytes, asked), (long long)count);
	return count > 1 && rounding_bytes > asked_bytes / 2 && rounding_bytes > INT64_C(64) << 20;
}

/* What is certain of the whole, and of each part of a kind. */
static const struct {
	bool is_of_part;
	enum trace_part_kind kind;
	bool (*tell)(const struct view *view, struct text *text); /* false: it is not so */
} advice[] = {
	{ true, TRACE_PART_LOCAL, tell_frame },      { true, TRACE_PART_USES, tell_uses },
	{ true, TRACE_PART_CONTEXT, tell_contexts }, { false, TRACE_PART_ASKED, tell_rounding },
	{ false, TRACE_PART_ASKED, tell_held },
};

static void advise(struct document *document, const struct view *view, size_t number, bool *has_any)
{
	struct text text = { 0 };

	if (!advice[number].tell(view, &text)) {
		text_free(&text);
		return;
	}
	if (!*has_any)
		document_add(document, BLOCK_SUBSECTION, "What can be said for certain");
	*has_any = true;
	document_add_text(document, BLOCK_ITEM, &text);
}

void trace_advise(struct document *document, const struct trace_rows *rows,
		  const struct trace_device *device, const struct trace_parts *peak,
		  const struct trace_parts *end)
{
	struct view view = { rows, device, peak, end, NULL };
	bool has_any = false;

	for (size_t i = 0; i < ARRAY_COUNT(advice); i++) {
		if (!advice[i].is_of_part)
			advise(document, &view, i, &has_any);
		for (size_t k = 0; advice[i].is_of_part && k < peak->count; k++) {
			view.part = &peak->parts[k];
			if (view.part->kind == advice[i].kind)
				advise(document, &view, i, &has_any);
		}
	}
}
