/* SPDX-License-Identifier: MIT */
/*
 * Allocations that are held: what each of them asked for, by process and address. A zeroed struct
 * is none; trace_live_free() at the end.
 */
#ifndef ANALYSIS_TRACE_LIVE_H
#define ANALYSIS_TRACE_LIVE_H

#include <stdbool.h>
#include <stdint.h>

struct trace_live {
	void *tree;               /* of the items, as tsearch() has it */
	struct trace_item *first; /* all of them, in a chain */
};

/*
 * 1, 0 where one is there already (its end was not seen), or -ENOMEM. `object` stays the caller's.
 */
int trace_live_add(struct trace_live *live, int64_t process, const char *object,
		   int64_t asked_bytes);

/* Takes it out. False where it is not there. */
bool trace_live_take(struct trace_live *live, int64_t process, const char *object,
		     int64_t *ret_asked_bytes);

/* All of a process. */
void trace_live_forget(struct trace_live *live, int64_t process);
void trace_live_free(struct trace_live *live);

#endif
