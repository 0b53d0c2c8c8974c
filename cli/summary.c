/* SPDX-License-Identifier: MIT */
#include "cli/summary.h"

#include "base/text.h"
#include "cli/cli.h"

static void print_times(const struct run_summary *summary)
{
	char duration[32];

	for (size_t i = 0; i < summary->time_count; i++)
		cli_note("  %-20s %4zu samples  %s", summary->times[i].bench->name,
			 summary->times[i].sample_count,
			 cli_duration(summary->times[i].elapsed_ns, duration, sizeof duration));
}

static double share(uint64_t part_ns, uint64_t whole_ns)
{
	return whole_ns ? 100.0 * (double)part_ns / (double)whole_ns : 0;
}

void summary_show(const struct run_summary *summary)
{
	uint64_t known_ns = summary->cuda_ns + summary->exit_ns;
	uint64_t rest_ns = summary->elapsed_ns > known_ns ? summary->elapsed_ns - known_ns : 0;
	char durations[4][32];
	struct text verdicts = { 0 };

	for (int i = 0; i < STATUS_COUNT; i++)
		if (summary->verdicts[i])
			text_format(&verdicts, "%s%zu %s", verdicts.used ? ", " : "",
				    summary->verdicts[i], status_text((enum status)i));
	print_times(summary);
	if (summary->retried_count)
		text_format(&verdicts, "; taken again: %zu (see attempt in the rows)",
			    summary->retried_count);
	cli_note("%s", text_peek(&verdicts));
	cli_note(
		"took %s: %s inside CUDA calls (%.1f %%), %s while the system took processes apart "
		"(%.1f %%), the rest %s (%.1f %%)",
		cli_duration(summary->elapsed_ns, durations[0], sizeof durations[0]),
		cli_duration(summary->cuda_ns, durations[1], sizeof durations[1]),
		share(summary->cuda_ns, summary->elapsed_ns),
		cli_duration(summary->exit_ns, durations[2], sizeof durations[2]),
		share(summary->exit_ns, summary->elapsed_ns),
		cli_duration(rest_ns, durations[3], sizeof durations[3]),
		share(rest_ns, summary->elapsed_ns));
	text_free(&verdicts);
}
