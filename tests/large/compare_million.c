/* SPDX-License-Identifier: MIT */
/*
 * compare_million FOLDER: a million rows are compared in bounded memory and in no time to speak of.
 *
 * Built without sanitizers, as these take several times the memory. Three pairs of files: equal,
 * one row in a thousand differs, and each point differs; and one of a quarter of the size, as time
 * has to grow with it and no faster. Time is told, and only checked loosely: other work may be done
 * on this machine.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analysis/compare.h"
#include "base/array.h"

#define ROWS            1000000
#define ROWS_PER_SAMPLE 10
#define MEMORY_MAX_KIB  65536L
#define SECONDS_MAX     60

#define HEADER                                                                                  \
	"run,benchmark,device,size_bytes,mode,repeat,attempt,step_index,step,status,error,"     \
	"granted_bytes,delta_bytes,total_bytes,self_free_bytes,observer_free_bytes,elapsed_ns," \
	"note\n"

/* How many points apart those are that differ; 0: none does. */
struct variant {
	const char *name;
	int row_count;
	int every;
};

static int write_sample(FILE *file, int sample, int every)
{
	/* Two repeats of each point, the second behind all first ones. */
	int points = ROWS / ROWS_PER_SAMPLE / 2, point = sample % points;
	long more = every && point % every == 0 ? 2097152 : 0, total = 0;
	int r = 0;

	for (int step = 0; step < ROWS_PER_SAMPLE; step++) {
		long delta = step == 2 ? 548995072 + more : step == 9 ? -total : 0;

		total += delta;
		r = fprintf(file,
			    "a-run-of-the-large-test,toy,0,%d,%s,%d,1,%d,step-%d,ok,,%s,%ld,%ld,"
			    "149008482304,149008482304,%d,\n",
			    point, point & 1 ? "on" : "off", 1 + sample / points, step, step,
			    step == 4 ? "1024" : "", delta, total, sample * 7 + step);
	}
	return r < 0 ? -EIO : 0;
}

static int write_file(const char *path, const struct variant *variant)
{
	FILE *file = fopen(path, "w");
	int r = file && fputs(HEADER, file) != EOF ? 0 : -EIO;

	for (int i = 0; i < variant->row_count / ROWS_PER_SAMPLE && !r; i++)
		r = write_sample(file, i, variant->every);
	if (file && fclose(file) == EOF)
		r = -EIO;
	return r;
}

/* ---- comparing ---- */

static int on_begin(void *context, const char *benchmark, struct err *reterr)
{
	(void)context;
	(void)benchmark;
	(void)reterr;
	return 0;
}

static int on_line(void *context, const struct compare_line *line, struct err *reterr)
{
	uint64_t *line_count = context;

	(void)line;
	(void)reterr;
	++*line_count;
	return 0;
}

static int on_end(void *context, const struct compare_census *census, struct err *reterr)
{
	(void)context;
	(void)census;
	(void)reterr;
	return 0;
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static long peak_kib(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[256];
	long kib = -1;

	while (file && fgets(line, sizeof line, file))
		if (!strncmp(line, "VmHWM:", 6))
			kib = strtol(line + 6, NULL, 10);
	if (file)
		fclose(file);
	return kib;
}

static int compare(const char *const paths[2], const struct compare_sink *sink, struct err *reterr)
{
	static const struct requests requests;
	struct compare_options options = { .requests = &requests };
	struct compare_sources sources;
	struct compare_result result;
	int r = compare_sources_open(&sources, paths, 2, reterr);

	if (r < 0)
		return r;
	r = compare_run(&sources, &options, sink, &result, reterr);
	if (!r)
		text_free(&result.notes);
	compare_sources_free(&sources);
	return r;
}

static int check(const struct variant *variant, const char *const paths[2])
{
	int points = variant->row_count / ROWS_PER_SAMPLE / (variant->row_count == ROWS ? 2 : 1);
	uint64_t wanted =
		variant->every ? (uint64_t)(points + variant->every - 1) / (uint64_t)variant->every
			       : 0;
	uint64_t line_count = 0;
	struct compare_sink sink = { &line_count, on_begin, on_line, on_end };
	double begin_s = now_s();
	struct err err;
	int r = compare(paths, &sink, &err);
	double took_s = now_s() - begin_s;

	if (r < 0) {
		fprintf(stderr, "%s: %s\n", variant->name, err.text);
		return EXIT_FAILURE;
	}
	printf("%s: %d rows each, %" PRIu64 " lines, %.2f s, at most %ld KiB so far\n",
	       variant->name, variant->row_count, line_count, took_s, peak_kib());
	if (line_count != wanted)
		fprintf(stderr, "%s: there should be %" PRIu64 " lines\n", variant->name, wanted);
	if (peak_kib() < 0 || peak_kib() > MEMORY_MAX_KIB || took_s > SECONDS_MAX)
		fprintf(stderr, "%s: too much\n", variant->name);
	return line_count == wanted && peak_kib() >= 0 && peak_kib() <= MEMORY_MAX_KIB &&
			       took_s <= SECONDS_MAX
		       ? EXIT_SUCCESS
		       : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	static const struct variant variants[] = { { "a quarter", ROWS / 4, 1 },
						   { "equal", ROWS, 0 },
						   { "few differ", ROWS, 1000 },
						   { "all differ", ROWS, 1 } };
	static const char *const paths[] = { "base.csv", "new.csv" };
	int code = EXIT_SUCCESS;

	if (argc != 2 || chdir(argv[1]) < 0) {
		perror(argc == 2 ? argv[1] : "compare_million FOLDER");
		return EXIT_FAILURE;
	}
	for (size_t i = 0; i < ARRAY_COUNT(variants) && code == EXIT_SUCCESS; i++) {
		struct variant equal = { variants[i].name, variants[i].row_count, 0 };

		if (write_file(paths[0], &equal) < 0 || write_file(paths[1], &variants[i]) < 0) {
			perror(argv[1]);
			code = EXIT_FAILURE;
		} else {
			code = check(&variants[i], paths);
		}
	}
	unlink(paths[0]);
	unlink(paths[1]);
	return code;
}
