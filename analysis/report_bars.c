/* SPDX-License-Identifier: MIT */
/* What a context is made of, as bars: of its parts, of what comes on top, and of all of it at once.
 */
#include <stdio.h>

#include "analysis/report_parts.h"
#include "base/size.h"

#define NAME_MAX_BYTES 256

/* What the lines of an anatomy have added so far. */
struct stack {
	struct document *document;
	const char *label; /* of the run; NULL: there is one */
	int64_t whole_bytes;
	int64_t parts_bytes;
	int64_t more_bytes;
	int64_t shared_bytes;
	bool has_more;
	bool has_shared;
	bool lacks_line; /* then nothing is said of what is shared */
};

static void begin_bar(const struct stack *stack, const char *name, int64_t bytes)
{
	char words[NAME_MAX_BYTES], size[SIZE_TEXT_MAX];

	snprintf(words, sizeof words, "%s%s%s", stack->label ? stack->label : "",
		 stack->label ? ", " : "", name);
	document_bar(stack->document, words, size_format(bytes, size, sizeof size));
}

static void add_part(const struct stack *stack, const char *name, int64_t bytes)
{
	char size[SIZE_TEXT_MAX];

	document_bar_part(stack->document, name, bytes, size_format(bytes, size, sizeof size));
}

static void sum_line(void *data, const struct anatomy_line *line)
{
	struct stack *stack = data;
	int64_t bytes = line->bytes.max_bytes;

	if (!line->bytes.is_measured) {
		stack->lacks_line = stack->lacks_line || line->kind != ANATOMY_SHARED;
		return;
	}
	if (line->kind == ANATOMY_WHOLE)
		stack->whole_bytes = bytes;
	else if (line->kind == ANATOMY_PART)
		stack->parts_bytes += bytes;
	else if (line->kind == ANATOMY_MORE)
		stack->more_bytes += bytes;
	else
		stack->shared_bytes += bytes;
	stack->has_more = stack->has_more || line->kind == ANATOMY_MORE;
	stack->has_shared = stack->has_shared || line->kind == ANATOMY_SHARED;
}

static void add_context_part(void *data, const struct anatomy_line *line)
{
	if (line->kind == ANATOMY_PART && line->bytes.is_measured)
		add_part(data, line->name, line->bytes.max_bytes);
}

static void add_more(void *data, const struct anatomy_line *line)
{
	if (line->kind == ANATOMY_MORE && line->bytes.is_measured)
		add_part(data, line->name, line->bytes.max_bytes);
}

void report_bars(struct document *document, const struct run *run, const struct anatomy *anatomy,
		 const char *label)
{
	struct stack stack = { .document = document, .label = label };

	anatomy_each_line(anatomy, run, sum_line, &stack);
	if (!stack.whole_bytes)
		return;
	begin_bar(&stack, "a context", stack.whole_bytes);
	if (stack.parts_bytes == stack.whole_bytes)
		anatomy_each_line(anatomy, run, add_context_part, &stack);
	else
		add_part(&stack, "its parts were not all measured", stack.whole_bytes);
	if (!stack.has_more)
		return;
	begin_bar(&stack, "with first uses, each by itself", stack.whole_bytes + stack.more_bytes);
	add_part(&stack, "the context", stack.whole_bytes);
	anatomy_each_line(anatomy, run, add_more, &stack);
	if (!stack.has_shared || stack.lacks_line)
		return;
	begin_bar(&stack, "all of these, less what is shared",
		  stack.whole_bytes + stack.more_bytes + stack.shared_bytes);
	add_part(&stack, "together", stack.whole_bytes + stack.more_bytes + stack.shared_bytes);
}
