/* SPDX-License-Identifier: MIT */
#include "sim/fault.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"
#include "sim/result.h"

enum value_kind {
	VALUE_NONE,
	VALUE_RESULT, /* may be left out: CUDA_ERROR_INVALID_VALUE */
	VALUE_BYTES,
	VALUE_NUMBER,
};

static const struct {
	const char *word;
	enum fault_kind kind;
	enum value_kind value;
} kinds[] = {
	{ "refuse", FAULT_REFUSE, VALUE_RESULT },
	{ "oom", FAULT_OOM, VALUE_NONE },
	{ "hang", FAULT_HANG, VALUE_NONE },
	{ "abort", FAULT_ABORT, VALUE_NONE },
	{ "stranger", FAULT_STRANGER, VALUE_BYTES },
	{ "stranger-free", FAULT_STRANGER_FREE, VALUE_BYTES },
	{ "stranger-blink", FAULT_STRANGER_BLINK, VALUE_BYTES },
	{ "slow-release", FAULT_SLOW_RELEASE, VALUE_NUMBER },
	{ "quiet-nvml", FAULT_QUIET_NVML, VALUE_NONE },
	{ "foreign-pids", FAULT_FOREIGN_PIDS, VALUE_NONE },
};

#define DEFAULT_REFUSAL "CUDA_ERROR_INVALID_VALUE"

/* Milliseconds, calls and samples: more than a billion of them is a slip of the pen. */
#define NUMBER_MAX 1000000000

static int parse_number(const char *text, uint64_t *ret_number)
{
	char *end;
	unsigned long number;

	if (text[0] < '0' || text[0] > '9')
		return -EINVAL;
	number = strtoul(text, &end, 10);
	if (*end || number > NUMBER_MAX)
		return -EINVAL;
	*ret_number = number;
	return 0;
}

/* A number from 1 on, or "*". */
static int parse_ordinal(const char *text, uint64_t *ret_number)
{
	if (!strcmp(text, "*")) {
		*ret_number = FAULT_ANY;
		return 0;
	}
	return parse_number(text, ret_number) < 0 || !*ret_number ? -EINVAL : 0;
}

static int parse_result(const char *text, uint64_t *ret_value)
{
	int result;

	/* A refusal that succeeds is none. */
	if (result_parse(text ? text : DEFAULT_REFUSAL, &result) < 0 || !result)
		return -EINVAL;
	*ret_value = (uint64_t)result;
	return 0;
}

static int parse_value(enum value_kind kind, const char *text, uint64_t *ret_value)
{
	if (kind == VALUE_RESULT)
		return parse_result(text, ret_value);
	if ((kind == VALUE_NONE) != !text)
		return -EINVAL;
	switch (kind) {
	case VALUE_BYTES:
		return size_parse(text, ret_value, NULL);
	case VALUE_NUMBER:
		return parse_number(text, ret_value);
	case VALUE_NONE:
	case VALUE_RESULT:
		break;
	}
	return 0;
}

/* Cuts `text` at the separator and returns what is behind it, NULL when there is none. */
static char *cut(char *text, char separator)
{
	char *at = text ? strchr(text, separator) : NULL;

	if (!at)
		return NULL;
	*at = '\0';
	return at + 1;
}

static const char *parse_kind(struct fault *fault, char *text)
{
	const char *value = cut(text, '=');

	for (size_t i = 0; i < ARRAY_COUNT(kinds); i++) {
		if (strcmp(kinds[i].word, text) != 0)
			continue;
		fault->kind = kinds[i].kind;
		return parse_value(kinds[i].value, value, &fault->value) < 0
			       ? "the value does not fit the kind"
			       : NULL;
	}
	return "there is no such kind";
}

static const char *parse_process(struct fault *fault, char *text)
{
	const char *attempt = cut(text, '.');

	if (!strcmp(text, "observer"))
		fault->process = FAULT_OBSERVER;
	else if (parse_ordinal(text, &fault->process) < 0)
		return "the process is not \"observer\", a number from 1 on, or \"*\"";
	if (parse_ordinal(attempt ? attempt : "1", &fault->attempt) < 0)
		return "the attempt is not a number from 1 on, or \"*\"";
	return NULL;
}

static const char *parse_call(struct fault *fault, char *text, bool (*is_symbol)(const char *))
{
	const char *which;

	if (!parse_number(text, &fault->call))
		return fault->call ? NULL : "calls are counted from 1";
	which = cut(text, '#');
	if (!is_symbol(text) || strlen(text) >= sizeof fault->symbol)
		return "the call is neither a number nor a symbol of the driver";
	snprintf(fault->symbol, sizeof fault->symbol, "%s", text);
	fault->call = FAULT_ANY;
	if (which && (parse_number(which, &fault->call) < 0 || !fault->call))
		return "what follows the \"#\" is not a number from 1 on";
	return NULL;
}

/* Returns what is wrong, NULL when nothing is. Cuts the text up. */
static const char *parse_fault(struct fault *fault, char *text, bool (*is_symbol)(const char *))
{
	char *process = cut(text, '@');
	char *call = cut(process, ':');
	const char *wrong;

	if (!call)
		return "it is not of the form kind[=value]@process[.attempt]:call";
	wrong = parse_kind(fault, text);
	if (!wrong)
		wrong = parse_process(fault, process);
	return wrong ? wrong : parse_call(fault, call, is_symbol);
}

static int append(struct fault_list *list, const struct fault *fault)
{
	struct fault *faults = realloc(list->faults, (list->count + 1) * sizeof *faults);

	if (!faults)
		return -ENOMEM;
	list->faults = faults;
	faults[list->count++] = *fault;
	return 0;
}

static int parse_list(struct fault_list *list, char *text, bool (*is_symbol)(const char *),
		      struct err *reterr)
{
	char *next;

	for (; text; text = next) {
		struct fault fault = { 0 };
		char *shown;
		const char *wrong;

		next = cut(text, ';');
		if (!*text)
			continue;
		shown = strdup(text);
		wrong = shown ? parse_fault(&fault, text, is_symbol) : "out of memory";
		if (wrong)
			err_set(reterr, EINVAL, "fault \"%s\": %s", shown ? shown : text, wrong);
		free(shown);
		if (wrong)
			return -EINVAL;
		if (append(list, &fault) < 0)
			return err_set(reterr, ENOMEM, "out of memory");
	}
	return 0;
}

int fault_list_parse(struct fault_list *list, const char *text,
		     bool (*is_symbol)(const char *symbol), struct err *reterr)
{
	struct fault_list parsed = { 0 };
	char *copy = strdup(text);
	int r;

	if (!copy)
		return err_set(reterr, ENOMEM, "out of memory");
	r = parse_list(&parsed, copy, is_symbol, reterr);
	free(copy);
	if (r < 0)
		fault_list_free(&parsed);
	else
		*list = parsed;
	return r;
}

void fault_list_free(struct fault_list *list)
{
	free(list->faults);
	*list = (struct fault_list){ 0 };
}

int fault_identity_parse(struct fault_identity *identity, const char *process, const char *attempt,
			 struct err *reterr)
{
	struct fault_identity parsed = { .process = FAULT_NOBODY, .attempt = 1 };

	if (process && !strcmp(process, "observer"))
		parsed.process = FAULT_OBSERVER;
	else if (process && (parse_number(process, &parsed.process) < 0 || !parsed.process))
		return err_set(reterr, EINVAL, "process \"%s\": neither \"observer\" nor a number",
			       process);
	if (attempt && (parse_number(attempt, &parsed.attempt) < 0 || !parsed.attempt))
		return err_set(reterr, EINVAL, "attempt \"%s\": not a number from 1 on", attempt);
	*identity = parsed;
	return 0;
}

static bool is_for(const struct fault *fault, const struct fault_identity *identity)
{
	return (fault->process == FAULT_ANY || fault->process == identity->process) &&
	       (fault->attempt == FAULT_ANY || fault->attempt == identity->attempt);
}

bool fault_meets(struct fault *fault, const struct fault_identity *identity, const char *symbol,
		 uint64_t call)
{
	if (!is_for(fault, identity))
		return false;
	if (!fault->symbol[0])
		return fault->call == call;
	if (strcmp(fault->symbol, symbol) != 0)
		return false;
	fault->symbol_calls++;
	return fault->call == FAULT_ANY || fault->call == fault->symbol_calls;
}
