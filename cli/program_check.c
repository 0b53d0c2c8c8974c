/* SPDX-License-Identifier: MIT */
#include "cli/program_check.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Opens what a shell would run: along PATH, where the name has no slash. -1 where there is none. */
static int open_program(const char *name)
{
	const char *folders = getenv("PATH");
	char path[4096];
	int fd = -1;

	if (strchr(name, '/'))
		return open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	while (folders && *folders && fd < 0) {
		size_t length = strcspn(folders, ":");

		snprintf(path, sizeof path, "%.*s/%s", (int)length, folders, name);
		if (!access(path, X_OK))
			fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		folders += length + (folders[length] == ':');
	}
	return fd;
}

static bool is_32_bit(int fd)
{
	unsigned char start[EI_CLASS + 1];

	return read(fd, start, sizeof start) == (ssize_t)sizeof start &&
	       !memcmp(start, ELFMAG, SELFMAG) && start[EI_CLASS] == ELFCLASS32;
}

static bool has_other_rights(int fd)
{
	struct stat status;

	return (!fstat(fd, &status) && (status.st_mode & (S_ISUID | S_ISGID))) ||
	       fgetxattr(fd, "security.capability", NULL, 0) > 0;
}

bool program_can_be_traced(const char *name, struct err *ret_why)
{
	int fd = open_program(name);
	bool can = true;

	if (fd < 0)
		return true;
	if (is_32_bit(fd)) {
		err_set(ret_why, ENODEV,
			"%s is a 32-bit program, for which the driver of a 64-bit system loads no "
			"library",
			name);
		can = false;
	} else if (has_other_rights(fd)) {
		err_set(ret_why, ENODEV,
			"%s runs with other rights than yours (setuid, setgid or capabilities), "
			"and "
			"loads no library that a variable names",
			name);
		can = false;
	}
	close(fd);
	return can;
}
