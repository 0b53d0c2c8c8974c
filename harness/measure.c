/* SPDX-License-Identifier: MIT */
#include "harness/measure.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "harness/clock.h"
#include "harness/run.h"
#include "harness/sample.h"
#include "harness/times.h"
#include "harness/writer.h"

/* What attempt() says, among errors below zero, when only the observer is to be replaced. */
#define OBSERVER_LOST 1

/* Bytes that a sample may take; UINT64_MAX: any. */
static uint64_t allowed_bytes(const struct run *run)
{
	const struct observer_facts *facts = &run->sampler.observer.facts;
	const struct memory_cap *cap = &run->options.memory_cap;

	switch (cap->kind) {
	case MEMORY_CAP_BYTES:
		return cap->amount;
	case MEMORY_CAP_PERCENT:
		/* All of it is all, and no product is too large. */
		return facts->free_bytes / 100 * cap->amount +
		       facts->free_bytes % 100 * cap->amount / 100;
	case MEMORY_CAP_POLITE:
		break;
	}
	/* Who cannot be seen may be there. */
	return facts->foreign_count || !facts->knows_neighbours ? facts->free_bytes / 4
								: UINT64_MAX;
}

/* A size as text; what is beyond all sizes is the largest of them. */
static const char *bytes_text(uint64_t bytes, char text[SIZE_TEXT_MAX])
{
	return size_format(bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes, text, SIZE_TEXT_MAX);
}

/* Why this sample is not taken, into `note`. STATUS_OK: it is. */
static enum status find_obstacle(const struct run *run, const struct plan_sample *sample,
				 char note[STEP_NOTE_MAX])
{
	const struct observer_facts *facts = &run->sampler.observer.facts;
	const struct bench *bench = sample->bench;
	unsigned int libraries = point_libraries(bench, &sample->point);
	struct device_info device = facts->device;
	const char *obstacle = NULL;
	char need[SIZE_TEXT_MAX], allowed[SIZE_TEXT_MAX];
	uint64_t need_bytes = 0;

	device.modules = &run->modules;
	if (bench->obstacle)
		obstacle = bench->obstacle(bench, &sample->point, &device);
	if (!obstacle && (libraries & BENCH_RUNTIME) && !facts->runtime_api_version)
		obstacle = facts->runtime_problem.text;
	if (!obstacle && (libraries & BENCH_NVML) && facts->nvml_problem.text[0])
		obstacle = facts->nvml_problem.text;
	if (obstacle) {
		snprintf(note, STEP_NOTE_MAX, "%.*s", STEP_NOTE_MAX - 1, obstacle);
		return STATUS_UNSUPPORTED;
	}
	if (bench->need_bytes)
		need_bytes = bench->need_bytes(bench, &sample->point, &device);
	if (need_bytes <= allowed_bytes(run))
		return STATUS_OK;
	snprintf(note, STEP_NOTE_MAX,
		 "it may take %s, and %s are allowed here (--max-memory decides otherwise)",
		 bytes_text(need_bytes, need), bytes_text(allowed_bytes(run), allowed));
	return STATUS_SKIPPED;
}

/* The single row of a sample that is not taken. */
static int put_untaken(struct result *result, enum status status, const char *note)
{
	struct result_row *row = result_add(result, MEASURE_NO_STEP);

	if (!row)
		return -ENOMEM;
	row->status = status;
	result_row_note(row, note);
	result_judge(result);
	return 0;
}

static struct bench_time *time_of(struct run *run, const struct bench *bench)
{
	struct run_summary *summary = &run->summary;
	struct bench_time *times;

	for (size_t i = 0; i < summary->time_count; i++)
		if (summary->times[i].bench == bench)
			return &summary->times[i];
	times = realloc(summary->times, (summary->time_count + 1) * sizeof *times);
	if (!times)
		return NULL;
	summary->times = times;
	times[summary->time_count] = (struct bench_time){ .bench = bench };
	return &times[summary->time_count++];
}

static void add_time(struct run *run, const struct bench *bench, const struct result *result,
		     uint64_t elapsed_ns)
{
	struct bench_time *time = time_of(run, bench);

	run->summary.cuda_ns += result->cuda_ns;
	run->summary.exit_ns += result->exit_ns;
	if (!time)
		return;
	time->sample_count++;
	time->elapsed_ns += elapsed_ns;
	time->cuda_ns += result->cuda_ns;
	time->exit_ns += result->exit_ns;
}

/* Why the verdict is what it is, where a row says so: the last one that has it. */
static const char *verdict_note(const struct result *result)
{
	for (size_t i = result->row_count; i-- > 0;)
		if (result->rows[i].status == result->verdict && result->rows[i].note[0])
			return result->rows[i].note;
	return "";
}

static void tell(const struct run *run, size_t index, const struct result *result)
{
	const struct run_options *options = &run->options;
	struct run_progress progress = {
		.index = index + 1,
		.count = run->plan.count,
		.sample = &run->plan.samples[index],
		.verdict = result->verdict,
		.note = verdict_note(result),
		.attempt = result->attempt,
		.elapsed_ns = clock_ns() - run->start_ns,
		.taken_count = run->summary.taken_count,
	};

	if (options->progress)
		options->progress(options->progress_data, &progress);
}

/* One attempt, written down. 0, OBSERVER_LOST, or -errno that ends the run. */
static int attempt(struct run *run, struct writer *writer, size_t index, struct result *result,
		   struct err *reterr)
{
	const struct plan_sample *sample = &run->plan.samples[index];
	char note[STEP_NOTE_MAX];
	enum status obstacle = find_obstacle(run, sample, note);
	uint64_t start_ns = clock_ns();
	int r, w;

	r = obstacle == STATUS_OK
		    ? sampler_take(&run->sampler, sample, (unsigned long)index + 1, result)
		    : put_untaken(result, obstacle, note);
	if (r == -EINTR)
		return r;
	if (r == -ENOMEM)
		return err_set(reterr, ENOMEM, "out of memory");
	w = writer_append(writer, sample, result, reterr);
	add_time(run, sample->bench, result, clock_ns() - start_ns);
	return w < 0 ? w : r == -EIO ? OBSERVER_LOST : 0;
}

static void count(struct run_summary *summary, enum status verdict)
{
	summary->verdicts[verdict]++;
	summary->taken_count++;
}

/* A sample with its retries. */
static int take(struct run *run, struct writer *writer, size_t index, struct err *reterr)
{
	struct result result = { 0 };
	bool again = true;
	int r = 0;

	for (unsigned int number = run->attempts[index] + 1; again; number++) {
		result_free(&result);
		result.attempt = number;
		r = attempt(run, writer, index, &result, reterr);
		if (r < 0)
			break;
		again = (r == OBSERVER_LOST || result.verdict == STATUS_DISTURBED) &&
			number < MEASURE_ATTEMPTS_MAX;
		if (again)
			run->summary.retried_count++;
		else
			count(&run->summary, result.verdict);
		tell(run, index, &result);
		if (r == OBSERVER_LOST)
			r = sampler_recover(&run->sampler, reterr);
		if (r < 0)
			break;
	}
	result_free(&result);
	return r;
}

int run_measure(struct run *run, struct err *reterr)
{
	struct writer writer;
	int r = 0;

	writer_init(&writer, run->rundir.path, run->rundir.name, run->options.device);
	for (size_t i = 0; i < run->plan.count && !r; i++)
		if (!run->done[i])
			r = take(run, &writer, i, reterr);
	writer_release(&writer);
	run->summary.was_interrupted = r == -EINTR;
	sampler_stop(&run->sampler);
	run->summary.cuda_ns += run->sampler.observer_cuda_ns;
	run->summary.elapsed_ns = clock_ns() - run->start_ns;
	if (r < 0 && r != -EINTR)
		return r;
	return times_write(run, reterr);
}
