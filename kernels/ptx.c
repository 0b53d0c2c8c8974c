/* SPDX-License-Identifier: MIT */
#include "kernels/ptx.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* A word is a run of anything but space and the marks { } ( ) ; each of which is a word, too. */
struct word {
	const char *text;
	size_t length;
};

struct reader {
	const char *next;
	struct cubin *cubin;
	int depth; /* of braces */
	struct err *reterr;
};

static bool word_is(struct word word, const char *text)
{
	return word.length == strlen(text) && !strncmp(word.text, text, word.length);
}

static void skip_comment(struct reader *reader)
{
	const char *end = reader->next[1] == '/' ? strchr(reader->next, '\n')
						 : strstr(reader->next + 2, "*/");

	if (!end)
		reader->next += strlen(reader->next);
	else
		reader->next = end + (*end == '*' ? 2 : 1);
}

/* Of length 0 at the end. */
static struct word next_word(struct reader *reader)
{
	struct word word;

	for (;;) {
		reader->next += strspn(reader->next, " \t\r\n");
		if (reader->next[0] != '/' || (reader->next[1] != '/' && reader->next[1] != '*'))
			break;
		skip_comment(reader);
	}
	word.text = reader->next;
	word.length = strcspn(reader->next, " \t\r\n{}();");
	if (!word.length && *reader->next)
		word.length = 1;
	reader->next += word.length;
	return word;
}

static int not_supported(const struct reader *reader, struct word word)
{
	return err_set(reader->reterr, ENOTSUP, "PTX with %.*s is not understood", (int)word.length,
		       word.text);
}

static int add_kernel(struct reader *reader, struct word name)
{
	struct cubin *cubin = reader->cubin;
	struct cubin_kernel *kernels =
		realloc(cubin->kernels, (cubin->kernel_count + 1) * sizeof *kernels);

	if (!kernels)
		return err_set(reader->reterr, ENOMEM, "out of memory");
	cubin->kernels = kernels;
	kernels[cubin->kernel_count] =
		(struct cubin_kernel){ .name = strndup(name.text, name.length) };
	if (!kernels[cubin->kernel_count].name)
		return err_set(reader->reterr, ENOMEM, "out of memory");
	cubin->kernel_count++;
	return 0;
}

/* "sm_75" */
static int read_target(struct reader *reader)
{
	struct word target = next_word(reader);

	if (target.length < 5 || strncmp(target.text, "sm_", 3) != 0)
		return err_set(reader->reterr, EBADMSG, "PTX without a target");
	reader->cubin->architecture = (unsigned int)strtoul(target.text + 3, NULL, 10);
	return 0;
}

static int read_directive(struct reader *reader, struct word word)
{
	static const char *const beyond[] = { ".global", ".const", ".local", ".shared",
					      ".func",   ".tex",   ".alias" };

	for (size_t i = 0; i < ARRAY_COUNT(beyond); i++)
		if (word_is(word, beyond[i]))
			return not_supported(reader, word);
	if (word_is(word, ".target"))
		return read_target(reader);
	return word_is(word, ".entry") ? add_kernel(reader, next_word(reader)) : 0;
}

/* A label or a guard may come before what a statement is. */
static bool goes_before(struct word word)
{
	return word.text[0] == '@' || word.text[word.length - 1] == ':';
}

/* The rest of a statement in a kernel's body, whose first words these are. */
static int read_statement(struct reader *reader, struct word word)
{
	struct cubin *cubin = reader->cubin;
	bool is_instruction;

	if (!cubin->kernel_count)
		return err_set(reader->reterr, EBADMSG, "PTX with instructions in no kernel");
	while (word.length && goes_before(word))
		word = next_word(reader);
	is_instruction = word.length && isalpha((unsigned char)word.text[0]);
	for (; word.length && !word_is(word, ";"); word = next_word(reader)) {
		int r = word.text[0] == '.' ? read_directive(reader, word) : 0;

		if (r < 0)
			return r;
	}
	if (!word.length)
		return err_set(reader->reterr, EBADMSG, "PTX that ends in a statement");
	cubin->kernels[cubin->kernel_count - 1].instructions += is_instruction;
	return 0;
}

static int read_word(struct reader *reader, struct word word)
{
	if (word_is(word, "{")) {
		reader->depth++;
		return 0;
	}
	if (word_is(word, "}")) {
		reader->depth--;
		return reader->depth < 0
			       ? err_set(reader->reterr, EBADMSG, "PTX with one brace too many")
			       : 0;
	}
	if (reader->depth)
		return read_statement(reader, word);
	return word.text[0] == '.' ? read_directive(reader, word) : 0;
}

bool ptx_is_one(const char *text)
{
	struct reader reader = { .next = text };

	return word_is(next_word(&reader), ".version");
}

int ptx_read(struct cubin *cubin, const char *text, struct err *reterr)
{
	struct cubin read = { .cubin_bytes = strlen(text) };
	struct reader reader = { .next = text, .cubin = &read, .reterr = reterr };
	struct word word;
	int r = 0;

	if (!ptx_is_one(text))
		return err_set(reterr, EBADMSG, "PTX starts with .version");
	while (!r && (word = next_word(&reader)).length)
		r = read_word(&reader, word);
	if (!r && reader.depth)
		r = err_set(reterr, EBADMSG, "PTX that ends in a kernel");
	if (!r && !read.architecture)
		r = err_set(reterr, EBADMSG, "PTX without a target");
	if (r < 0)
		cubin_free(&read);
	else
		*cubin = read;
	return r;
}
