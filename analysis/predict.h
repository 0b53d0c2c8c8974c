/* SPDX-License-Identifier: MIT */
/*
 * What a process will take of the device that has or does certain things, from the laws of a run.
 *
 *   wish_init() -> choices are filled in -> predict() -> predict_render() -> prediction_free()
 *                                                                            wish_free()
 *
 * Nothing in it was measured as such; tests hold it against what several things took together.
 */
#ifndef ANALYSIS_PREDICT_H
#define ANALYSIS_PREDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/document.h"
#include "analysis/estimate.h"
#include "analysis/laws.h"
#include "analysis/run.h"
#include "base/err.h"

struct term_wish {
	bool is_chosen;
	bool has_amount;
	int64_t amount;
};

/* So many kernels of so many instructions each. */
struct code_wish {
	int64_t instructions;
	int64_t copies;
	int64_t text_bytes; /* of each, where that is known; 0: as instructions take */
};

#define PROCESSES_MAX 4096

struct wish {
	struct term_wish *terms; /* one per requests->terms; owned */
	struct code_wish *codes; /* in the order in which they are loaded; owned */
	size_t code_count;
	size_t code_size;
	int64_t process_count; /* up to PROCESSES_MAX */
	int64_t beside_bytes;  /* of the device, that something else has */
	bool extrapolates;
};

int wish_init(struct wish *wish, const struct requests *requests, struct err *reterr);
int wish_add_code(struct wish *wish, struct code_wish code, struct err *reterr);
void wish_free(struct wish *wish);

struct predicted_line {
	char *name; /* owned */
	struct estimate bytes;
	char *from; /* the law or rows, and between which amounts; owned */
};

#define PREDICTED_LINES_MAX 64

struct prediction {
	const struct run *run;   /* the caller's */
	const struct wish *wish; /* likewise */
	struct predicted_line lines[PREDICTED_LINES_MAX];
	size_t count;
	struct estimate process; /* the sum of the lines */
	bool is_upper_bound;     /* some lines may share memory, and the run has no rows on that */
	int64_t device_bytes;    /* what processes can share; 0: the run does not say */
	int64_t fit_count;       /* so many processes beside wish->beside_bytes, at least */
};

/*
 * -EINVAL for a wish that has no answer (an amount beyond what was measured, ...), -ENODATA where
 * the run has no rows on it, -EDOM where a law does not hold; each naming the option. -ENOMEM.
 */
int predict(struct prediction *prediction, const struct run *run, const struct laws *laws,
	    const struct wish *wish, struct err *reterr);
void prediction_free(struct prediction *prediction);

/* ---- analysis/report_predict.c ---- */

/* `ret_text` is to be freed. */
int predict_render(const struct prediction *prediction, enum document_format format,
		   char **ret_text, struct err *reterr);

/*
 * component,count,predicted_bytes,predicted_low_bytes,predicted_high_bytes,from,simulated
 *
 * The last rows are "process", "processes" with as many as are wished for, and "processes that
 * fit".
 */
void predict_csv(const struct prediction *prediction, struct csv_row *rows);

#endif
