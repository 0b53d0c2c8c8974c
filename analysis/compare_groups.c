/* SPDX-License-Identifier: MIT */
#include "analysis/compare_groups.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"

#define SLOT_COUNT 8192 /* more than COMPARE_GROUPS_MAX, a power of two */

/* ---- what a line says ---- */

static void add_difference(const struct compare_line *line, size_t source, struct text *text)
{
	int128 low, high;

	if (!compare_line_difference(line, source, &low, &high))
		return;
	compare_number_text(low < high ? low : high, true, text);
	if (low == high)
		return;
	text_add(text, " to ");
	compare_number_text(low < high ? high : low, true, text);
}

static void add_verdict(const struct compare_line_side *side, struct text *text)
{
	text_add(text, verdict_text(side->judgement.verdict));
	if (side->judgement.verdict != VERDICT_AMBIGUOUS)
		return;
	if (side->judgement.settle_count)
		text_format(text, "; --repeat %" PRIu64 " would settle it",
			    side->judgement.settle_count);
	else
		text_add(text, "; more repeats would not settle it");
}

/* Step and column; of a law, its component and parameter. */
static void add_step(const struct compare_line *line, struct text *text)
{
	compare_line_step(line, text);
	if (*line->column && strcmp(line->column, "delta_bytes"))
		text_format(text, ": %s", line->column);
}

static bool take(struct text *text, char **ret_text)
{
	return text_take(text, ret_text, NULL) >= 0;
}

static bool say(struct compare_group *group, const struct compare_line *line)
{
	struct text text = { 0 };
	bool is_fine;

	add_step(line, &text);
	is_fine = take(&text, &group->step);
	for (size_t i = 0; i < line->source_count && is_fine; i++) {
		struct group_side *side = &group->sides[i];

		side->range = compare_range_none();
		if (line->kind != COMPARE_NUMBER)
			compare_line_value(line, i, &text);
		is_fine = take(&text, &side->word);
		if (is_fine)
			add_difference(line, i, &text);
		is_fine = is_fine && take(&text, &side->difference);
		if (is_fine)
			add_verdict(&line->sides[i], &text);
		is_fine = is_fine && take(&text, &side->verdict);
	}
	return is_fine;
}

static struct hash saying_of(const struct compare_group *group, size_t source_count)
{
	struct hash hash = hash_text(group->step);

	hash = hash_join(hash, (struct hash){ group->kind, group->follow_count });
	for (size_t i = 0; i < source_count; i++) {
		hash = hash_join(hash, hash_text(group->sides[i].word));
		hash = hash_join(hash, hash_text(group->sides[i].difference));
		hash = hash_join(hash, hash_text(group->sides[i].verdict));
	}
	return hash;
}

static void group_free(struct compare_group *group)
{
	for (size_t i = 0; i < COMPARE_SOURCES_MAX; i++) {
		free(group->sides[i].word);
		free(group->sides[i].difference);
		free(group->sides[i].verdict);
	}
	for (size_t i = 0; i < group->axis_count; i++) {
		free(group->axes[i].values.name);
		free(group->axes[i].values.values);
		for (size_t k = 0; k < GROUP_WORDS_MAX; k++)
			free(group->axes[i].words[k]);
	}
	free(group->points);
	free(group->step);
}

/* ---- what it takes ---- */

static void widen_percent(struct group_side *side, double percent)
{
	if (!side->has_percent || percent < side->percent_low)
		side->percent_low = percent;
	if (!side->has_percent || percent > side->percent_high)
		side->percent_high = percent;
	side->has_percent = true;
}

static void widen(struct compare_group *group, const struct compare_line *line)
{
	double percent;

	for (size_t i = 0; i < line->source_count; i++) {
		const struct compare_range *range = &line->sides[i].range;

		if (line->kind == COMPARE_NUMBER && line->sides[i].is_there &&
		    compare_range_is_taken(*range)) {
			compare_range_add(&group->sides[i].range, range->low);
			compare_range_add(&group->sides[i].range, range->high);
		}
		if (compare_line_percent(line, i, &percent))
			widen_percent(&group->sides[i], percent);
	}
}

void compare_group_join(struct compare_group *group, const struct compare_group *other)
{
	for (size_t i = 0; i < COMPARE_SOURCES_MAX; i++) {
		const struct group_side *side = &other->sides[i];

		if (side->range.count) {
			compare_range_add(&group->sides[i].range, side->range.low);
			compare_range_add(&group->sides[i].range, side->range.high);
		}
		if (side->has_percent) {
			widen_percent(&group->sides[i], side->percent_low);
			widen_percent(&group->sides[i], side->percent_high);
		}
	}
}

void compare_group_value(const struct compare_group *group, size_t source, struct text *ret_text)
{
	const struct group_side *side = &group->sides[source];

	text_add(ret_text, side->word);
	if (!compare_range_is_taken(side->range))
		return;
	text_format(ret_text, "%" PRId64, side->range.low);
	if (side->range.high != side->range.low)
		text_format(ret_text, " ... %" PRId64, side->range.high);
}

void compare_group_percent(const struct compare_group *group, size_t source, struct text *ret_text)
{
	const struct group_side *side = &group->sides[source];
	struct text low = { 0 }, high = { 0 };

	if (!side->has_percent)
		return;
	compare_percent_text(side->percent_low, &low);
	compare_percent_text(side->percent_high, &high);
	text_add(ret_text, text_peek(&low));
	if (strcmp(text_peek(&low), text_peek(&high)))
		text_format(ret_text, " ... %s", text_peek(&high));
	text_add(ret_text, " %");
	ret_text->failed = ret_text->failed || low.failed || high.failed;
	text_free(&low);
	text_free(&high);
}

/* ---- its points ---- */

static struct group_axis *find_axis(struct compare_group *group, const char *name, size_t length)
{
	struct group_axis *axis;

	for (size_t i = 0; i < group->axis_count; i++)
		if (!strncmp(group->axes[i].values.name, name, length) &&
		    !group->axes[i].values.name[length])
			return &group->axes[i];
	if (group->axis_count == COMPARE_AXES_MAX)
		return &group->axes[COMPARE_AXES_MAX - 1];
	axis = &group->axes[group->axis_count];
	*axis = (struct group_axis){ .is_number = true, .low = INT64_MAX, .high = INT64_MIN };
	axis->values.name = strndup(name, length);
	if (!axis->values.name)
		return NULL;
	group->axis_count++;
	return axis;
}

static int add_value(struct group_axis *axis, const char *value)
{
	size_t before = axis->values.count;
	int64_t number;
	int r = census_axis_add(&axis->values, value);

	if (r < 0)
		return r;
	if (!csv_int(value, &number)) {
		axis->is_number = false;
	} else {
		axis->low = number < axis->low ? number : axis->low;
		axis->high = number > axis->high ? number : axis->high;
	}
	if (axis->values.count == before || before >= GROUP_WORDS_MAX)
		return 0;
	axis->words[before] = strdup(value);
	return axis->words[before] ? 0 : -ENOMEM;
}

static int add_point(struct compare_group *group, const struct compare_line *line)
{
	widen(group, line);
	group->line_count++;
	group->sample_count += line->sample_count;
	for (const char *pair = line->axes; *pair; pair += strlen(pair) + 1) {
		size_t length = strcspn(pair, "=");
		struct group_axis *axis = find_axis(group, pair, length);
		int r = axis ? add_value(axis, pair + length + (pair[length] == '=')) : -ENOMEM;

		if (r < 0)
			return r;
	}
	return 0;
}

static int compare_words(const void *a, const void *b)
{
	const char *const *word_a = a, *const *word_b = b;
	int64_t number_a, number_b;

	if (csv_int(*word_a, &number_a) && csv_int(*word_b, &number_b))
		return (number_a > number_b) - (number_a < number_b);
	return strcmp(*word_a, *word_b);
}

static void add_values(struct group_axis *axis, struct text *text)
{
	size_t count = axis->values.count;
	size_t shown = count < GROUP_WORDS_MAX ? count : GROUP_WORDS_MAX;

	text_format(text, "%s ", axis->values.name);
	if (count > shown && axis->is_number) {
		text_format(text, "%" PRId64 " ... %" PRId64 " (%zu values)", axis->low, axis->high,
			    count);
		return;
	}
	qsort(axis->words, shown, sizeof axis->words[0], compare_words);
	for (size_t i = 0; i < shown; i++)
		text_format(text, "%s%s", i ? ", " : "", axis->words[i]);
	if (count > shown)
		text_format(text, " ... (%zu values)", count);
}

/* An axis on which nothing depends is left out. */
static void describe(struct compare_group *group, const struct compare_census *census,
		     struct text *text)
{
	bool any = false;

	/* That of a benchmark or a law has no points. */
	group->is_all = !group->axis_count || group->sample_count == census->sample_count;
	if (group->is_all) {
		text_add(text, "all");
		return;
	}
	for (size_t i = 0; i < group->axis_count; i++) {
		struct group_axis *axis = &group->axes[i];
		size_t all =
			compare_census_values(census, axis->values.name, strlen(axis->values.name));

		if (axis->values.count == all)
			continue;
		text_add(text, any ? "; " : "");
		add_values(axis, text);
		any = true;
	}
	if (!any || group->line_count > 1)
		text_format(text, "%s%" PRIu64 " point%s%s", any ? " (" : "", group->line_count,
			    group->line_count == 1 ? "" : "s", any ? ")" : "");
}

/* ---- all of them ---- */

int compare_groups_init(struct compare_groups *groups, size_t source_count)
{
	*groups = (struct compare_groups){
		.items = calloc(COMPARE_GROUPS_MAX, sizeof *groups->items),
		.slots = calloc(SLOT_COUNT, sizeof *groups->slots),
		.source_count = source_count,
	};
	if (groups->items && groups->slots)
		return 0;
	compare_groups_free(groups);
	return -ENOMEM;
}

void compare_groups_free(struct compare_groups *groups)
{
	for (size_t i = 0; i < groups->count; i++)
		group_free(&groups->items[i]);
	for (size_t i = 0; i < groups->benchmark_count; i++)
		free(groups->benchmarks[i].name);
	free(groups->items);
	free(groups->slots);
	free(groups->benchmarks);
	*groups = (struct compare_groups){ 0 };
}

static int begin(struct compare_groups *groups, const char *benchmark)
{
	size_t count = groups->benchmark_count;
	struct group_benchmark *benchmarks =
		realloc(groups->benchmarks, (count + 1) * sizeof *benchmarks);

	if (!benchmarks)
		return -ENOMEM;
	groups->benchmarks = benchmarks;
	benchmarks[count] = (struct group_benchmark){ .name = strdup(benchmark) };
	if (!benchmarks[count].name)
		return -ENOMEM;
	groups->benchmark_count++;
	return 0;
}

static size_t find_slot(const struct compare_groups *groups, struct hash key)
{
	size_t slot = (size_t)key.low % SLOT_COUNT;

	while (groups->slots[slot] && !hash_equal(groups->items[groups->slots[slot] - 1].key, key))
		slot = (slot + 1) % SLOT_COUNT;
	return slot;
}

static int add(struct compare_groups *groups, const struct compare_line *line)
{
	struct compare_group group = { .kind = line->kind, .follow_count = line->follow_count };
	size_t slot;

	if (!say(&group, line)) {
		group_free(&group);
		return -ENOMEM;
	}
	group.benchmark = groups->benchmark_count - 1;
	group.saying = saying_of(&group, groups->source_count);
	group.key = hash_join(group.saying, hash_text(line->benchmark));
	slot = find_slot(groups, group.key);
	if (!groups->slots[slot] && groups->count == COMPARE_GROUPS_MAX) {
		groups->benchmarks[group.benchmark].unlisted_count++;
		group_free(&group);
		return 0;
	}
	if (groups->slots[slot]) {
		group_free(&group);
	} else {
		groups->items[groups->count++] = group;
		groups->slots[slot] = (uint32_t)groups->count;
	}
	return add_point(&groups->items[groups->slots[slot] - 1], line);
}

static int end(struct compare_groups *groups, const struct compare_census *census)
{
	for (size_t i = groups->count; i-- > 0 && !groups->items[i].points;) {
		struct text text = { 0 };

		describe(&groups->items[i], census, &text);
		if (!take(&text, &groups->items[i].points))
			return -ENOMEM;
	}
	return 0;
}

size_t compare_groups_alike(const struct compare_groups *groups, size_t group)
{
	size_t count = 0;

	for (size_t i = 0; i < groups->count; i++)
		count += hash_equal(groups->items[i].saying, groups->items[group].saying);
	return count;
}

/* ---- as where a comparison's lines go ---- */

static int sink_begin(void *context, const char *benchmark, struct err *reterr)
{
	int r = begin(context, benchmark);

	return r < 0 ? err_errno(reterr, -r, "%s", benchmark) : 0;
}

static int sink_line(void *context, const struct compare_line *line, struct err *reterr)
{
	int r = add(context, line);

	return r < 0 ? err_errno(reterr, -r, "%s", line->benchmark) : 0;
}

static int sink_end(void *context, const struct compare_census *census, struct err *reterr)
{
	int r = end(context, census);

	return r < 0 ? err_errno(reterr, -r, "comparison") : 0;
}

struct compare_sink compare_groups_sink(struct compare_groups *groups)
{
	return (struct compare_sink){ groups, sink_begin, sink_line, sink_end };
}
