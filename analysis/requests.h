/* SPDX-License-Identifier: MIT */
/*
 * What analysis is asked to explain. The benchmarks' descriptors say it; whoever calls converts
 * them, so that nothing here knows how a benchmark runs. All strings belong to the caller.
 *
 * Conditions ("with", "minus", "where") are those of samples_matches(): "axis=value,axis=@reading".
 */
#ifndef ANALYSIS_REQUESTS_H
#define ANALYSIS_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes as a function of one axis. */
struct law_request {
	const char *benchmark;
	const char *component; /* key in laws.csv */
	const char *axis;      /* x: an axis or a reading */
	const char *step;  /* y: delta_bytes of this step; "create-{contexts}" puts the axis in */
	bool is_total;     /* y is total_bytes instead */
	const char *where; /* NULL: all samples */
	bool is_edge;      /* the step may come several times, and the last of x moved the meter */
	/* Not NULL: the step loads copies with x bytes of code each, this reading is their number,
	 * and what is asked for are the slots that code is rounded up to. y is total_bytes then,
	 * and the last copy of each step moved the meter. */
	const char *copies;
	const char *reading; /* y instead: this, at that step; NULL: bytes of the device */
	/* "CUDA_ERROR_A,CUDA_ERROR_B": only where the step was refused with one of these. NULL:
	 * where it succeeded. */
	const char *refused_with;
};

/*
 * One line of what a context is made of: total_bytes at `step` in the samples `with`, less that in
 * the samples `minus`, or less that at the step `since` of the same sample. The first one with
 * neither is the whole; those with a `minus` that are paid at the same call (`when`) are its parts.
 */
struct component_request {
	const char *benchmark;
	const char *name;
	const char *step;
	const char *with;
	const char *minus; /* NULL: less nothing */
	const char *since; /* NULL: see `minus` */
	const char *when;  /* the call that takes it, in words */
};

/*
 * What a program can do about it: `bytes` that `step` gave back in the samples `with` (its
 * delta_bytes, negated), or, with `minus`, total_bytes at `step` in the samples `minus` less that
 * in those `with`.
 */
struct saving_request {
	const char *benchmark;
	const char *advice; /* "set the stack limit to 0 before the first launch" */
	const char *step;
	const char *with;
	const char *minus;  /* NULL: what the step gave back */
	const char *caveat; /* who must not do it; NULL: nobody */
};

struct benchmark_request {
	const char *name;
	const char *question;
	const char *headline_step;
	const char *no_law;     /* why there are no laws for it; NULL: there are */
	const char *room_steps; /* "fill,free-filling": they take what others leave; NULL: none */
};

/*
 * ---- claims: sentences, and how the rows decide them ----
 *
 * A figure is a number out of a benchmark's rows: `column` at `step` in the samples `where`, all
 * points reduced to one. Any column goes: bytes, an axis, a reading; "refused" is 1 where the step
 * was refused and 0 where it succeeded, and a refusal with another error than those named is no
 * answer. Otherwise only rows that are ok count or, where it says so, only those that were refused.
 *
 * Of the points of a benchmark, only those count that have all of the claim's figures (see
 * analysis/pairs.h). Where a sample failed or is missing that may meet `where`, there is no figure.
 *
 * Of the benchmark "environment", the figure is the number that environment.csv has for the key
 * `column`.
 */
#define FIGURE_ENVIRONMENT "environment"

enum figure_reduction {
	FIGURE_VALUE, /* it is to be the same in all of them; where it is not, it depends */
	FIGURE_MIN,
	FIGURE_MAX,
	FIGURE_SUM,
};

struct figure_request {
	const char *name; /* in words; checks refer to it */
	enum figure_reduction reduction;
	const char *benchmark;
	const char *step;
	const char *column;
	const char *where; /* NULL: all samples */
	bool of_refused;
	const char *errors; /* "CUDA_ERROR_A,CUDA_ERROR_B"; NULL: any */
};

enum check_relation {
	CHECK_EQUAL,
	CHECK_LESS,
	CHECK_AT_MOST,
	CHECK_MORE,
	CHECK_AT_LEAST,
};

/*
 * The figure `left`, so many times, against `constant` and, where `right` names one, `percent` of
 * that figure. That nothing was seen is "false here" only if it could have been seen: a check that
 * `is_evidence` has to be so for that, and decides nothing else.
 */
struct check_request {
	const char *left;
	enum check_relation relation;
	const char *right;
	int percent; /* 0: all of it */
	int64_t constant;
	bool is_condition; /* where it is not so, nothing can be told */
	bool is_evidence;  /* where it is not so, "false here" cannot be told */
	int64_t times;     /* 0: once */
};

#define CLAIM_FIGURES_MAX 6
#define CLAIM_CHECKS_MAX  5

struct claim_request {
	const char *name;     /* key in claims.csv */
	const char *sentence; /* what is said */
	struct figure_request figures[CLAIM_FIGURES_MAX];
	struct check_request checks[CLAIM_CHECKS_MAX]; /* true when all are so */
};

/*
 * ---- terms: what a program can have, and which law or rows say what that takes ----
 *
 * A term is an option with an amount, or a switch. Its law is one of the requests above, at the
 * amount. Where the law is of total_bytes, the context is part of what it says.
 */
enum term_join {
	TERM_BASE, /* the law is of a whole context, and that at 0 is one without this */
	TERM_ADDS, /* what the law says is added, less the context where that is part of it */
	/* All of these come out of one pool: amounts times bytes per unit are added up before they
	 * are rounded down to granules. */
	TERM_POOLED,
	TERM_CODE, /* amounts are kernels: see `code` of struct requests */
	/* Has no law: the amount is that of the term `of`, which is chosen by it. */
	TERM_SETS,
	TERM_RAISES, /* likewise, where that would be less */
};

struct term_request {
	const char *option;   /* "streams" */
	const char *argument; /* how the help calls the amount; NULL: a switch */
	const char *help;
	const char *name; /* of what takes the bytes; NULL where there is no law */
	enum term_join join;
	const char *without; /* of TERM_BASE: what there is with an amount of 0 */
	const char *of;
	const char *benchmark; /* of the law */
	const char *component;
	/* Where no amount is given: that reading in the samples `where` (NULL: in any). */
	const char *usual_reading;
	const char *usual_where;
	/* Of a pooled term: so much of `times` has it each, of which `free_count` cost nothing, and
	 * the law is of `law_count` of them at a time. */
	const char *times;
	int64_t free_count;
	int64_t law_count;
	/* Its word in the axis of struct shared_request; NULL: it shares nothing. */
	const char *part;
	/* The word there for it as the second, where the base of the context is 0: what it takes
	 * more then than alone is a base that it has by itself. NULL: it has none. */
	const char *bare_part;
};

/*
 * What terms share, from samples that had several at a time: the axis has their parts with '+'
 * between them, step number k takes the k-th, and `before` is the step before the first.
 */
struct shared_request {
	const char *benchmark;
	const char *axis;
	const char *step; /* its number is behind it: "part-" */
	const char *before;
};

/* What the code of a kernel takes. */
struct code_request {
	const char
		*benchmark; /* bytes of one kernel over instructions: says how far was measured */
	const char *component;
	const char *slot_benchmark; /* of shape LAW_SLOTS */
	const char *slot_component;
	const char *name;           /* "kernel code, for 100,000 instructions" … */
	int64_t unit_count;         /* … which are so many of the law's axis */
	const char *text_benchmark; /* bytes of code over instructions */
	const char *text_component;
};

struct requests {
	const struct benchmark_request *benchmarks;
	size_t benchmark_count;
	const struct law_request *laws;
	size_t law_count;
	const struct component_request *components;
	size_t component_count;
	const struct saving_request *savings;
	size_t saving_count;
	const struct claim_request *claims;
	size_t claim_count;
	const struct term_request *terms;
	size_t term_count;
	struct shared_request shared; /* no benchmark: nothing is said of what is shared */
	struct code_request code;
};

#endif
