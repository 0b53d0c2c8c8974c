/* SPDX-License-Identifier: MIT */
#include "sim/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct process_stat {
	char state;
	uint64_t start_ticks;
};

/* Fields of proc(5): the state is the third, the start time the 22nd. */
#define FIELDS_FROM_STATE_TO_START 19

static int parse_stat(const char *text, struct process_stat *ret_stat)
{
	/* The name in parentheses may contain anything, a parenthesis as well. */
	const char *field = strrchr(text, ')');
	struct process_stat stat;

	if (!field || field[1] != ' ')
		return -EIO;
	field += 2;
	stat.state = *field;
	for (int i = 0; i < FIELDS_FROM_STATE_TO_START; i++) {
		field = strchr(field, ' ');
		if (!field)
			return -EIO;
		field++;
	}
	stat.start_ticks = strtoull(field, NULL, 10);
	*ret_stat = stat;
	return 0;
}

static int read_stat(pid_t pid, struct process_stat *ret_stat)
{
	char path[32], text[1024];
	ssize_t got;
	int fd;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	got = read(fd, text, sizeof text - 1);
	close(fd);
	if (got <= 0)
		return -ESRCH;
	text[got] = '\0';
	return parse_stat(text, ret_stat);
}

int process_self(struct process_id *ret_id)
{
	struct process_stat stat;
	pid_t pid = getpid();
	int r = read_stat(pid, &stat);

	if (r < 0)
		return r;
	*ret_id = (struct process_id){ .pid = pid, .start_ticks = stat.start_ticks };
	return 0;
}

bool process_is_alive(const struct process_id *id)
{
	struct process_stat stat = { 0 };
	int r = read_stat(id->pid, &stat);

	/* Whoever cannot be looked at (out of file descriptors, say) is left alone. */
	if (r < 0)
		return r != -ENOENT && r != -ESRCH;
	return stat.state != 'Z' && stat.state != 'X' && stat.start_ticks == id->start_ticks;
}
