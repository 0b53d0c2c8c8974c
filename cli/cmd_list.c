/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "bench/benches.h"
#include "cli/cli.h"
#include "harness/plan.h"

static const struct cli_option options[] = {
	{ "format", "table|csv", "default: table" },
	{ 0 },
};

static const char *values_text(const struct bench_axis *axis, char *buffer, size_t size)
{
	if (axis->values)
		return axis->values;
	snprintf(buffer, size, "every size of the modules %s-*", axis->module_family);
	return buffer;
}

static void print_table(const struct bench *bench)
{
	char values[96];

	printf("%s\n  %s\n", bench->name, bench->question);
	for (size_t i = 0; i < bench_axis_count(bench); i++)
		printf("  --axis %s=%s\n", bench->axes[i].name,
		       values_text(&bench->axes[i], values, sizeof values));
	putchar('\n');
}

static enum exit_code print_csv(void)
{
	static const char *const columns[] = { "benchmark", "question", "axis", "values",
					       "quick_values" };
	struct csv_row row;
	struct err err;
	char values[96];
	int r;

	csv_row_init(&row);
	for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
		csv_row_text(&row, columns[i]);
	csv_row_end(&row);
	for (size_t i = 0; i < benches_count; i++) {
		for (size_t j = 0; j < bench_axis_count(benches[i]); j++) {
			const struct bench_axis *axis = &benches[i]->axes[j];

			csv_row_text(&row, benches[i]->name);
			csv_row_text(&row, benches[i]->question);
			csv_row_text(&row, axis->name);
			csv_row_text(&row, values_text(axis, values, sizeof values));
			csv_row_text(&row, axis->quick_values ? axis->quick_values : "");
			csv_row_end(&row);
		}
	}
	r = csv_row_write(&row, STDOUT_FILENO, "standard output", &err);
	csv_row_free(&row);
	return r < 0 ? cli_fail(r, &err) : EXIT_FINE;
}

static enum exit_code list_run(int argc, char **argv)
{
	struct cli_walk walk = {
		.command = "list", .options = options, .argc = argc, .argv = argv
	};
	struct cli_match match;
	const char *format = "table";
	int r;

	while ((r = cli_walk_next(&walk, &match)) > 0) {
		if (!match.option)
			return cli_usage("list", "'%s' is not expected", match.value);
		format = match.value;
	}
	if (r < 0)
		return EXIT_USAGE;
	if (!strcmp(format, "csv"))
		return print_csv();
	if (strcmp(format, "table"))
		return cli_usage("list", "--format: '%s' is neither table nor csv", format);
	for (size_t i = 0; i < benches_count; i++)
		print_table(benches[i]);
	return EXIT_FINE;
}

const struct cli_command cmd_list = {
	.name = "list",
	.summary = "benchmarks, the questions they answer, their axes and default values",
	.usage = "[--format table|csv]",
	.options = options,
	.run = list_run,
};
