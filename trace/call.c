/* SPDX-License-Identifier: MIT */
#include "trace/call.h"

#include <stddef.h>

#include "base/array.h"

/* More than any driver has: CUDA 13.0's has 783. */
#define NUMBERS_MAX 4096

/* How many numbers in a row without a name tell that there are no more. */
#define NAMELESS_MAX 256

#define P(call, parameter) (offsetof(call##_params, parameter) + 1)
#define TOLD               true
#define QUIET              false

static const struct trace_call calls[] = {
#define TRACE_CALL(name_, kind_, when_, effect_, is_told_, ...) \
	{ .symbol = #name_,                                     \
	  .kind = TRACE_##kind_,                                \
	  .when = TRACE_##when_,                                \
	  .effect = TRACE_##effect_,                            \
	  .is_told = (is_told_),                                \
	  __VA_ARGS__ },
#include "trace/calls.def"
#undef TRACE_CALL
};

static const char *const kind_names[] = {
#define TRACE_KIND(symbol, name) name,
	TRACE_KINDS
#undef TRACE_KIND
};

/* By CUPTI's number. */
static const struct trace_call *by_number[NUMBERS_MAX];

const char *trace_kind_name(enum trace_kind kind)
{
	return kind_names[kind];
}

static const struct trace_call *named(const char *name)
{
	for (size_t i = 0; i < ARRAY_COUNT(calls); i++)
		if (!strcmp(calls[i].symbol, name))
			return &calls[i];
	return NULL;
}

unsigned int trace_calls_find(const struct cupti *cupti)
{
	unsigned int found = 0, nameless = 0;

	for (uint32_t number = 1; number < NUMBERS_MAX && nameless < NAMELESS_MAX; number++) {
		const char *name = NULL;

		if (cupti->get_callback_name(CUPTI_CB_DOMAIN_DRIVER_API, number, &name) || !name) {
			nameless++;
			continue;
		}
		nameless = 0;
		by_number[number] = named(name);
		found += by_number[number] != NULL;
	}
	return found;
}

void trace_calls_each(void (*enable)(void *data, CUpti_CallbackId number), void *data)
{
	for (CUpti_CallbackId number = 0; number < NUMBERS_MAX; number++)
		if (by_number[number])
			enable(data, number);
}

const struct trace_call *trace_call_of(CUpti_CallbackId number)
{
	return number < NUMBERS_MAX ? by_number[number] : NULL;
}
