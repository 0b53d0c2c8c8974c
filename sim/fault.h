/* SPDX-License-Identifier: MIT */
/*
 * The list of things that shall go wrong, as text:
 *
 *   faults  := fault { ";" fault }
 *   fault   := kind [ "=" value ] "@" process [ "." attempt ] ":" call
 *   process := "observer" | number of the sample | "*"
 *   attempt := number | "*"                              (1 where it is left out)
 *   call    := number | symbol | symbol "#" number       (from and with cuInit on, counted from 1)
 *
 * docs/SIMULATOR.md says what each kind does. fault_list_parse() -> fault_meets() at each call ->
 * fault_list_free().
 */
#ifndef SIM_FAULT_H
#define SIM_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum fault_kind {
	FAULT_REFUSE,
	FAULT_OOM,
	FAULT_HANG,
	FAULT_ABORT,
	FAULT_STRANGER,
	FAULT_STRANGER_FREE,
	FAULT_STRANGER_BLINK,
	FAULT_SLOW_RELEASE,
	FAULT_QUIET_NVML,
	FAULT_FOREIGN_PIDS,
};

#define FAULT_SYMBOL_MAX 64
#define FAULT_ANY        0 /* a process, an attempt or a call; real ones count from 1 */
#define FAULT_OBSERVER   UINT64_MAX
#define FAULT_NOBODY     (UINT64_MAX - 1) /* a process that was not told who it is */

struct fault {
	enum fault_kind kind;
	uint64_t value; /* bytes, milliseconds, or the answer of a refusal */
	uint64_t process;
	uint64_t attempt;
	char symbol[FAULT_SYMBOL_MAX]; /* "": any */
	uint64_t call;                 /* the how manieth: of the symbol, or of all */
	uint64_t symbol_calls;         /* of the symbol, so far */
};

struct fault_list {
	struct fault *faults; /* owned */
	size_t count;
};

/* Who this process is to the list. */
struct fault_identity {
	uint64_t process;
	uint64_t attempt;
};

/* `is_symbol` says whether there is such a call. Returns 0, -ENOMEM, or -EINVAL with the fault
 * named. */
int fault_list_parse(struct fault_list *list, const char *text,
		     bool (*is_symbol)(const char *symbol), struct err *reterr);
void fault_list_free(struct fault_list *list);

/* From two environment variables' values; NULL: not set. Returns 0 or -EINVAL. */
int fault_identity_parse(struct fault_identity *identity, const char *process, const char *attempt,
			 struct err *reterr);

/* Whether the fault strikes at this call, the how manieth of this process; counts the symbol's. */
bool fault_meets(struct fault *fault, const struct fault_identity *identity, const char *symbol,
		 uint64_t call);

#endif
