/* SPDX-License-Identifier: MIT */
/*
 * The driver's calls that can move memory, out of trace/calls.def, and how their parameters are
 * read. CUPTI numbers the driver's calls; as a newer driver has more of them than any header, the
 * numbers are looked up by name when the library is loaded: trace_calls_find() once, then
 * trace_call_of().
 */
#ifndef TRACE_CALL_H
#define TRACE_CALL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "trace/cupti_table.h"

/* What calls take memory for: TRACE_KIND(symbol, name in the column `kind`). */
#define TRACE_KINDS                          \
	TRACE_KIND(CONTEXT, "context")       \
	TRACE_KIND(LIMIT, "limit")           \
	TRACE_KIND(CODE, "code")             \
	TRACE_KIND(LAUNCH, "launch")         \
	TRACE_KIND(ALLOCATION, "allocation") \
	TRACE_KIND(POOL, "pool")             \
	TRACE_KIND(STREAM, "stream")         \
	TRACE_KIND(EVENT, "event")           \
	TRACE_KIND(GRAPH, "graph")           \
	TRACE_KIND(TEXTURE, "texture")       \
	TRACE_KIND(HOST, "host")             \
	TRACE_KIND(PEER, "peer")             \
	TRACE_KIND(OTHER, "other")

enum trace_kind {
#define TRACE_KIND(symbol, name) TRACE_##symbol,
	TRACE_KINDS
#undef TRACE_KIND
};

const char *trace_kind_name(enum trace_kind kind);

enum trace_when {
	TRACE_ALWAYS, /* the meters are read around each */
	TRACE_FIRST,  /* around the first with this function in this context */
	TRACE_POOLED, /* once a call has used a memory pool: these give pools' memory back */
	TRACE_NEVER,  /* it only changes what is done with others */
};

/* What else follows from a call that succeeds. */
enum trace_effect {
	TRACE_NOTHING,
	TRACE_MAKES_CONTEXT,
	TRACE_MAKES_IMAGE,    /* `result` is a module or library */
	TRACE_MAKES_FUNCTION, /* `result` is a function, `object` the module, library or kernel */
	TRACE_MAKES_KERNEL,   /* the same, and what can be launched is no function yet */
	TRACE_FORGETS,        /* functions seen may be gone, or cost anew when launched again */
	TRACE_USES_POOL,
	TRACE_BEGINS_CAPTURE,
	TRACE_ENDS_CAPTURE,
};

/*
 * Where its parameters are: the offset in CUPTI's struct of them and one more, so that 0 is a
 * parameter that it does not have.
 */
struct trace_call {
	const char *symbol;
	enum trace_kind kind;
	enum trace_when when;
	enum trace_effect effect;
	bool is_told;            /* a row, though nothing moved */
	unsigned short size;     /* size_t: bytes asked for … */
	unsigned short times;    /* … and size_t: so many times */
	unsigned short result;   /* pointer to where the handle or address goes */
	unsigned short object;   /* handle or address */
	unsigned short function; /* what is seen a first time: function, kernel, executable graph */
	unsigned short device;   /* CUdevice */
	unsigned short limit;    /* CUlimit */
	unsigned short name;     /* const char * of a function */
	unsigned short image;    /* const void * in memory */
	unsigned short file;     /* const char *, a path */
};

/* Numbers them as this CUPTI does. Returns how many of them it knows. */
unsigned int trace_calls_find(const struct cupti *cupti);

/* Those that were found: enable(data, number) for each. */
void trace_calls_each(void (*enable)(void *data, CUpti_CallbackId number), void *data);

/* NULL for a call that is none of ours. */
const struct trace_call *trace_call_of(CUpti_CallbackId number);

static inline uint64_t trace_word(const void *parameters, unsigned short at)
{
	uint64_t word = 0;

	if (at)
		memcpy(&word, (const char *)parameters + at - 1, sizeof word);
	return word;
}

static inline int trace_int(const void *parameters, unsigned short at)
{
	int number = 0;

	if (at)
		memcpy(&number, (const char *)parameters + at - 1, sizeof number);
	return number;
}

/* Handles are numbers to those who only remember them. */
static inline void *trace_handle(uint64_t handle)
{
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): it was one */
	return (void *)(uintptr_t)handle;
}

static inline const void *trace_pointer(const void *parameters, unsigned short at)
{
	return trace_handle(trace_word(parameters, at));
}

/* What was put where the parameter points to; 0 where it is NULL. */
static inline uint64_t trace_result(const void *parameters, unsigned short at)
{
	const void *result = trace_pointer(parameters, at);
	uint64_t word = 0;

	if (result)
		memcpy(&word, result, sizeof word);
	return word;
}

#endif
