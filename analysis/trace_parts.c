/* SPDX-License-Identifier: MIT */
#include "analysis/trace_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/trace_live.h"
#include "analysis/trace_part_index.h"
#include "base/array.h"
#include "base/trace_limits.h"

/* Of cuMemGetInfo on all devices that were measured (docs/METHOD.md, granule). */
#define GRANULE_BYTES INT64_C(2097152)

/* A process's contexts on the device. The primary one can be retained many times. */
struct contexts {
	int64_t process;
	int64_t count;
	bool has_primary;
	int64_t frame_bytes; /* the largest that was launched and has not been given back */
};

struct adder {
	const struct trace_rows *rows;
	const struct trace_device *device;
	struct trace_parts *parts;
	struct trace_part_index index;
	struct trace_live live;
	struct contexts *contexts; /* owned */
	size_t contexts_count;
	bool failed;
};

/* ---- parts ---- */

static void add_named(struct adder *adder, const struct trace_part *more)
{
	struct trace_part *part = trace_part_of(&adder->index, adder->parts, more);

	if (!part) {
		adder->failed = true;
		return;
	}
	part->bytes += more->bytes;
	part->count += more->count;
}

static void add(struct adder *adder, enum trace_part_kind kind, int64_t process, int64_t bytes,
		int64_t count)
{
	add_named(adder, &(struct trace_part){ kind, process, "", bytes, count });
}

/* ---- allocations ---- */

static void begin_allocation(struct adder *adder, size_t row, int64_t process, int64_t bytes)
{
	int64_t asked_bytes;
	int r;

	/* Address space that is promised can be larger than any memory. */
	if (!trace_number(adder->rows, row, TRACE_COLUMN_requested_bytes, &asked_bytes) ||
	    asked_bytes > trace_summed_max(adder->rows))
		asked_bytes = bytes;
	/* Managed memory is only promised until somebody touches it. */
	if (bytes <= 0 && trace_is(adder->rows, row, TRACE_COLUMN_call, "cuMemAllocManaged"))
		asked_bytes = 0;
	r = trace_live_add(&adder->live, process, trace_text(adder->rows, row, TRACE_COLUMN_object),
			   asked_bytes);
	adder->failed = adder->failed || r < 0;
	if (r <= 0)
		asked_bytes = 0;
	add(adder, TRACE_PART_ASKED, process, asked_bytes, r > 0);
	add(adder, TRACE_PART_ROUNDING, process, bytes - asked_bytes, 0);
}

static void end_allocation(struct adder *adder, size_t row, int64_t process, int64_t bytes)
{
	int64_t asked_bytes = 0;
	bool was_there =
		trace_live_take(&adder->live, process,
				trace_text(adder->rows, row, TRACE_COLUMN_object), &asked_bytes);

	add(adder, TRACE_PART_ASKED, process, -asked_bytes, was_there ? -1 : 0);
	add(adder, TRACE_PART_ROUNDING, process, bytes + asked_bytes, 0);
}

static bool is_free(const char *call)
{
	static const char *const calls[] = { "cuMemFree_v2",  "cuArrayDestroy",
					     "cuMemRelease",  "cuMipmappedArrayDestroy",
					     "cuMemUnmap",    "cuMemMap",
					     "cuMemSetAccess" };

	for (size_t i = 0; i < ARRAY_COUNT(calls); i++)
		if (!strcmp(call, calls[i]))
			return true;
	return false;
}

static void see_allocation(struct adder *adder, size_t row, int64_t process, int64_t bytes)
{
	if (*trace_text(adder->rows, row, TRACE_COLUMN_error))
		add(adder, TRACE_PART_ROUNDING, process, bytes, 0);
	else if (is_free(trace_text(adder->rows, row, TRACE_COLUMN_call)))
		end_allocation(adder, row, process, bytes);
	else
		begin_allocation(adder, row, process, bytes);
}

/* ---- contexts and processes ---- */

/* The stack limit that a process's contexts begin with: the first one that it tells. */
static int64_t first_limit(const struct trace_rows *rows, int64_t process)
{
	int64_t limit_bytes;

	for (size_t row = 0; row < rows->table.row_count; row++)
		if (trace_number_or_0(rows, row, TRACE_COLUMN_process) == process &&
		    !trace_is(rows, row, TRACE_COLUMN_kind, "limit") &&
		    trace_number(rows, row, TRACE_COLUMN_stack_limit_bytes, &limit_bytes))
			return limit_bytes;
	return TRACE_UNKNOWN;
}

static struct contexts *contexts_of(struct adder *adder, int64_t process)
{
	static struct contexts nobody;
	struct contexts *more;

	for (size_t i = 0; i < adder->contexts_count; i++)
		if (adder->contexts[i].process == process)
			return &adder->contexts[i];
	more = realloc(adder->contexts, (adder->contexts_count + 1) * sizeof *more);
	if (!more) {
		adder->failed = true;
		return &nobody;
	}
	adder->contexts = more;
	more[adder->contexts_count] = (struct contexts){ .process = process };
	return &more[adder->contexts_count++];
}

/* A call that makes a context, and is not the primary one's second time. */
static void count_context(struct adder *adder, size_t row, int64_t process)
{
	const char *call = trace_text(adder->rows, row, TRACE_COLUMN_call);
	bool is_primary = !strcmp(call, "cuDevicePrimaryCtxRetain");
	struct contexts *contexts = contexts_of(adder, process);

	if (*trace_text(adder->rows, row, TRACE_COLUMN_error) ||
	    (!is_primary && strncmp(call, "cuCtxCreate", strlen("cuCtxCreate")) != 0) ||
	    (is_primary && contexts->has_primary))
		return;
	contexts->has_primary = contexts->has_primary || is_primary;
	contexts->count++;
}

static int64_t held_bytes(const struct adder *adder, int64_t process)
{
	int64_t bytes = 0;

	for (size_t i = 0; i < adder->parts->count; i++)
		if (adder->parts->parts[i].process == process)
			bytes += adder->parts->parts[i].bytes;
	return bytes;
}

/* All parts of a process are nothing. Returns what they were. */
static int64_t let_go(struct adder *adder, int64_t process)
{
	int64_t held = held_bytes(adder, process);

	for (size_t i = 0; i < adder->parts->count; i++) {
		struct trace_part *part = &adder->parts->parts[i];

		if (part->process == process)
			part->bytes = part->count = 0;
	}
	trace_live_forget(&adder->live, process);
	*contexts_of(adder, process) = (struct contexts){ .process = process };
	return held;
}

/*
 * Of what has been given up and has not come back, then of parts that nobody has alone, first
 * contexts: that is what processes make at the same time.
 */
static int64_t give_back_joint(struct adder *adder, int64_t bytes)
{
	for (int pass = 0; pass < 3; pass++) {
		for (size_t i = 0; i < adder->parts->count && bytes < 0; i++) {
			struct trace_part *part = &adder->parts->parts[i];
			int64_t given = -bytes < part->bytes ? -bytes : part->bytes;

			if (part->process || part->bytes <= 0 ||
			    (!pass && part->kind != TRACE_PART_RETURNED) ||
			    (pass == 1 && part->kind != TRACE_PART_CONTEXT))
				continue;
			part->bytes -= given;
			bytes += given;
		}
	}
	return bytes;
}

static void give_back_rest(struct adder *adder, int64_t bytes)
{
	bytes = give_back_joint(adder, bytes);
	if (bytes)
		add(adder, TRACE_PART_RETURNED, 0, bytes, 1);
}

static void give_back(struct adder *adder, int64_t process, int64_t bytes)
{
	if (process && -bytes >= held_bytes(adder, process))
		give_back_rest(adder, bytes + let_go(adder, process));
	else
		add(adder, TRACE_PART_RETURNED, process, bytes, 1);
}

/* Whether a process writes rows behind this one. */
static bool goes_on(const struct trace_rows *rows, size_t row, int64_t process)
{
	while (++row < rows->table.row_count)
		if (trace_number_or_0(rows, row, TRACE_COLUMN_process) == process &&
		    !trace_is(rows, row, TRACE_COLUMN_event, "between"))
			return true;
	return false;
}

/* Of one process that has ended, or of all that have since the last time. */
static void see_exit(struct adder *adder, size_t row, int64_t process, int64_t bytes)
{
	if (process) {
		give_back(adder, process, bytes);
		return;
	}
	for (size_t i = 0; i < adder->contexts_count; i++)
		if (!goes_on(adder->rows, row, adder->contexts[i].process))
			bytes += let_go(adder, adder->contexts[i].process);
	give_back_rest(adder, bytes);
}

/* ---- code and launches ---- */

static void see_code(struct adder *adder, size_t row, int64_t process, int64_t bytes)
{
	const char *module = trace_text(adder->rows, row, TRACE_COLUMN_module);
	const char *uses = trace_text(adder->rows, row, TRACE_COLUMN_uses);
	int64_t cubin_bytes = trace_number_or_0(adder->rows, row, TRACE_COLUMN_cubin_bytes);
	int64_t code_bytes = bytes;

	/* At most so much is code; what is more went to what the code uses. */
	if (*uses && bytes > 0) {
		code_bytes = (cubin_bytes + GRANULE_BYTES - 1) / GRANULE_BYTES * GRANULE_BYTES;
		code_bytes = code_bytes < bytes ? code_bytes : bytes;
	}
	if (code_bytes)
		add_named(adder, &(struct trace_part){ TRACE_PART_CODE, process,
						       *module ? module : "unknown images",
						       code_bytes, 1 });
	if (bytes != code_bytes)
		add_named(adder, &(struct trace_part){ TRACE_PART_USES, process, uses,
						       bytes - code_bytes, 1 });
}

/*
 * Per thread, what has a stack already. A frame raises the limit of its context where the driver is
 * like the one of docs/FINDINGS.md, and what the limit is says it all. In case it is not, frames of
 * before count, too, where there is one context whose they can be.
 */
static int64_t stack_before(const struct contexts *contexts, int64_t limit_bytes)
{
	bool is_sure = contexts->count > 1 && limit_bytes > 0;

	return is_sure || limit_bytes > contexts->frame_bytes ? limit_bytes : contexts->frame_bytes;
}

static void see_launch(struct adder *adder, size_t row, int64_t process, int64_t bytes)
{
	int64_t local_bytes = trace_number_or_0(adder->rows, row, TRACE_COLUMN_local_bytes);
	int64_t limit_bytes = trace_number_or_0(adder->rows, row, TRACE_COLUMN_stack_limit_bytes);
	struct contexts *contexts = contexts_of(adder, process);
	bool is_larger = local_bytes > stack_before(contexts, limit_bytes);

	/* A frame that was refused has no stack. */
	if (local_bytes > contexts->frame_bytes &&
	    !*trace_text(adder->rows, row, TRACE_COLUMN_error))
		contexts->frame_bytes = local_bytes;
	if (bytes > 0 && is_larger)
		add_named(adder,
			  &(struct trace_part){ TRACE_PART_LOCAL, process,
						trace_text(adder->rows, row, TRACE_COLUMN_kernel),
						bytes, 1 });
	else if (bytes)
		add(adder, TRACE_PART_LAUNCH, process, bytes, 1);
}

/* ---- rows ---- */

static void see_context(struct adder *adder, size_t row, int64_t process, int64_t bytes)
{
	bool is_reset = !strncmp(trace_text(adder->rows, row, TRACE_COLUMN_call),
				 "cuDevicePrimaryCtxReset", strlen("cuDevicePrimaryCtxReset")) &&
			!*trace_text(adder->rows, row, TRACE_COLUMN_error);

	count_context(adder, row, process);
	if (bytes > 0)
		add(adder, TRACE_PART_CONTEXT, process, bytes, 0);
	else if (is_reset && contexts_of(adder, process)->count == 1)
		/* What comes back may be in a row of several, if processes end meanwhile. */
		give_back_rest(adder, bytes + let_go(adder, process));
	else if (bytes < 0)
		give_back(adder, process, bytes);
}

/* A stack limit that is set gives back what frames had made of the stack. */
static int64_t give_back_frames(struct adder *adder, int64_t process, int64_t bytes)
{
	for (size_t i = 0; i < adder->parts->count && bytes < 0; i++) {
		struct trace_part *part = &adder->parts->parts[i];
		int64_t given = -bytes < part->bytes ? -bytes : part->bytes;

		if (part->kind != TRACE_PART_LOCAL || part->process != process)
			continue;
		part->bytes -= given;
		bytes += given;
	}
	return bytes;
}

static void see_limit(struct adder *adder, size_t row, int64_t process, int64_t bytes)
{
	const char *limit = trace_text(adder->rows, row, TRACE_COLUMN_object);

	if (!strcmp(limit, "stack") && bytes < 0) {
		bytes = give_back_frames(adder, process, bytes);
		contexts_of(adder, process)->frame_bytes = 0;
	}
	if (bytes)
		add_named(adder,
			  &(struct trace_part){ TRACE_PART_LIMIT, process, limit, bytes, 1 });
}

/* Kinds that are parts of their own, and those that are looked into. */
static const struct {
	const char *kind;
	enum trace_part_kind part;
	void (*see)(struct adder *adder, size_t row, int64_t process, int64_t bytes);
} kinds[] = {
	{ "context", TRACE_PART_CONTEXT, see_context },
	{ "limit", TRACE_PART_LIMIT, see_limit },
	{ "code", TRACE_PART_CODE, see_code },
	{ "launch", TRACE_PART_LAUNCH, see_launch },
	{ "allocation", TRACE_PART_ROUNDING, see_allocation },
	{ "exit", TRACE_PART_RETURNED, see_exit },
	{ "pool", TRACE_PART_POOL, NULL },
	{ "stream", TRACE_PART_STREAM, NULL },
	{ "event", TRACE_PART_EVENT, NULL },
	{ "graph", TRACE_PART_GRAPH, NULL },
	{ "texture", TRACE_PART_TEXTURE, NULL },
	{ "host", TRACE_PART_HOST, NULL },
	{ "peer", TRACE_PART_PEER, NULL },
	{ "other", TRACE_PART_OTHER, NULL },
};

static void see_row(struct adder *adder, size_t row, int64_t bytes)
{
	const char *kind = trace_text(adder->rows, row, TRACE_COLUMN_kind);
	int64_t process = trace_number_or_0(adder->rows, row, TRACE_COLUMN_process);
	bool is_joint = trace_number_or_0(adder->rows, row, TRACE_COLUMN_at_once) > 1;

	for (size_t i = 0; i < ARRAY_COUNT(kinds); i++) {
		if (strcmp(kinds[i].kind, kind) != 0)
			continue;
		/* Of several calls of a kind, nobody knows which module or allocation it is. */
		if (kinds[i].see && (!is_joint || kinds[i].see == see_exit))
			kinds[i].see(adder, row, process, bytes);
		else
			add(adder, kinds[i].part, process, bytes, bytes && !is_joint);
		return;
	}
	add(adder, is_joint ? TRACE_PART_SEVERAL : TRACE_PART_UNEXPLAINED, process, bytes,
	    bytes != 0);
}

/* A product of what a trace says, which may be anything. False if it is less than 0 or too much. */
static bool multiply(int64_t *product, int64_t factor)
{
	return *product >= 0 && factor >= 0 && !__builtin_mul_overflow(*product, factor, product) &&
	       *product <= TRACE_NUMBER_MAX;
}

/*
 * Stack and the tracer's cost out of what contexts take: SMs x threads of each x limit (the law of
 * docs/FINDINGS.md, limit-stack), and what was measured before the program ran.
 */
static void set_apart(struct adder *adder, const struct contexts *contexts)
{
	const struct trace_device *device = adder->device;
	int64_t limit_bytes = first_limit(adder->rows, contexts->process);
	int64_t stack_bytes = 0, own_bytes = 0;
	bool is_small = true;

	if (limit_bytes > 0 && device->sm_count > 0 && device->max_threads_per_sm > 0) {
		stack_bytes = contexts->count;
		is_small = multiply(&stack_bytes, limit_bytes) &&
			   multiply(&stack_bytes, device->sm_count) &&
			   multiply(&stack_bytes, device->max_threads_per_sm);
	}
	if (device->own_context_bytes > 0) {
		own_bytes = contexts->count;
		is_small = multiply(&own_bytes, device->own_context_bytes) && is_small;
	}
	if (!contexts->count || !is_small ||
	    stack_bytes + own_bytes >
		    trace_parts_bytes(adder->parts, TRACE_PART_CONTEXT, NULL, NULL))
		return;
	add(adder, TRACE_PART_STACK, contexts->process, stack_bytes, contexts->count);
	add(adder, TRACE_PART_TRACER, contexts->process, own_bytes, contexts->count);
	add(adder, TRACE_PART_CONTEXT, contexts->process, -stack_bytes - own_bytes,
	    contexts->count);
}

/*
 * Allocations hold at least what was asked for. Where their rows have less, the rest was taken
 * while other calls were in flight, too.
 */
static void settle_allocations(struct adder *adder)
{
	int64_t rounding = trace_parts_bytes(adder->parts, TRACE_PART_ROUNDING, NULL, NULL);
	int64_t several = trace_parts_bytes(adder->parts, TRACE_PART_SEVERAL, NULL, NULL);
	int64_t moved = -rounding < several ? -rounding : several;

	if (moved <= 0)
		return;
	add(adder, TRACE_PART_ROUNDING, 0, moved, 0);
	add(adder, TRACE_PART_SEVERAL, 0, -moved, 0);
}

int trace_parts_sum(struct trace_parts *parts, const struct trace_rows *rows,
		    const struct trace_device *device, size_t last_row)
{
	struct adder adder = { .rows = rows, .device = device, .parts = parts };
	int64_t bytes;

	*parts = (struct trace_parts){ 0 };
	for (size_t row = 0; row <= last_row && row < rows->table.row_count; row++) {
		if (!trace_delta_of(rows, row, device, &bytes))
			continue;
		parts->lost_bytes += bytes;
		see_row(&adder, row, bytes);
	}
	for (size_t i = 0; i < adder.contexts_count; i++)
		set_apart(&adder, &adder.contexts[i]);
	settle_allocations(&adder);
	trace_live_free(&adder.live);
	trace_part_index_free(&adder.index);
	free(adder.contexts);
	return adder.failed ? -ENOMEM : 0;
}

void trace_parts_free(struct trace_parts *parts)
{
	free(parts->parts);
}

int64_t trace_parts_bytes(const struct trace_parts *parts, enum trace_part_kind kind,
			  const char *name, int64_t *ret_count)
{
	int64_t bytes = 0, count = 0;

	for (size_t i = 0; i < parts->count; i++) {
		const struct trace_part *part = &parts->parts[i];

		if (part->kind != kind || (name && strcmp(part->name, name) != 0))
			continue;
		bytes += part->bytes;
		count += part->count;
	}
	if (ret_count)
		*ret_count = count;
	return bytes;
}
