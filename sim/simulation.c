/* SPDX-License-Identifier: MIT */
#include "sim/simulation.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int simulation_profile(struct profile *profile, struct err *reterr)
{
	const char *path = getenv(SIMULATION_PROFILE);

	if (!path)
		return err_set(reterr, EINVAL, "%s is not set", SIMULATION_PROFILE);
	return profile_read(profile, path, reterr);
}

int simulation_open(struct simulation *simulation, struct err *reterr)
{
	const char *path = getenv(SIMULATION_STATE);
	struct simulation opened;
	int r = simulation_profile(&opened.profile, reterr);

	if (r < 0)
		return r;
	if (!path)
		return err_set(reterr, EINVAL, "%s is not set", SIMULATION_STATE);
	r = state_open(&opened.state, path, &opened.profile, reterr);
	if (r < 0)
		return r;
	memcpy(simulation, &opened, sizeof opened);
	return 0;
}

void simulation_close(struct simulation *simulation)
{
	state_close(simulation->state);
	simulation->state = NULL;
}

void simulation_complain(const struct err *err)
{
	const char *path = getenv(SIMULATION_LOG);
	char line[sizeof err->text + 1];
	int length, fd;

	if (!path)
		return;
	fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	length = snprintf(line, sizeof line, "%s\n", err->text);
	/* The answer says that something is wrong; without room on the disk, not what. */
	if (write(fd, line, (size_t)length) < 0)
		errno = 0;
	close(fd);
}
