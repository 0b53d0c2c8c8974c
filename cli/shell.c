/* SPDX-License-Identifier: MIT */
#include "cli/shell.h"

#include <string.h>

void cli_put_argument(struct text *text, const char *argument)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "-_./=:,+@%";

	text_add(text, " ");
	if (*argument && !argument[strspn(argument, plain)]) {
		text_add(text, argument);
		return;
	}
	text_add(text, "'");
	for (; *argument; argument++)
		text_add_bytes(text, *argument == '\'' ? "'\\''" : argument,
			       *argument == '\'' ? sizeof "'\\''" - 1 : 1);
	text_add(text, "'");
}
