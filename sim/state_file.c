/* SPDX-License-Identifier: MIT */
#include "sim/state.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/state_layout.h"

static int make(struct state *state, const struct profile *profile)
{
	pthread_mutexattr_t attributes;
	int r = pthread_mutexattr_init(&attributes);

	if (r)
		return -r;
	pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	/* Whoever dies with the lock must not take the run with it. */
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	r = pthread_mutex_init(&state->lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
	if (r)
		return -r;
	memcpy(&state->profile, profile, sizeof *profile);
	state->magic = STATE_MAGIC;
	return 0;
}

static int check(const struct state *state, const char *path, const struct profile *profile,
		 struct err *reterr)
{
	/* As bytes, since profile_read() leaves no padding undefined. */
	const void *kept = &state->profile, *given = profile;

	if (state->magic != STATE_MAGIC)
		return err_set(reterr, EBADMSG, "%s: not the state of a simulated device", path);
	if (memcmp(kept, given, sizeof *profile) != 0)
		return err_set(
			reterr, EBADMSG,
			"%s: the state of a device with another profile: give every run its own",
			path);
	return 0;
}

/* With the file locked, so that only one process makes it. */
static int map(int fd, const char *path, const struct profile *profile, struct state **ret_state,
	       struct err *reterr)
{
	struct stat status;
	struct state *state;
	bool is_new;
	int r;

	if (fstat(fd, &status) < 0)
		return err_errno(reterr, errno, "%s", path);
	is_new = status.st_size == 0;
	if (!is_new && (size_t)status.st_size != sizeof *state)
		return err_set(reterr, EBADMSG, "%s: not the state of a simulated device", path);
	/* posix_fallocate(), not ftruncate(): a full disk must not become a SIGBUS later. */
	r = is_new ? posix_fallocate(fd, 0, sizeof *state) : 0;
	if (r)
		return err_errno(reterr, r, "%s", path);
	state = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (state == MAP_FAILED)
		return err_errno(reterr, errno, "%s", path);
	/* A file whose maker died before the magic is as good as new. */
	if (is_new || !state->magic)
		r = make(state, profile);
	r = r < 0 ? err_errno(reterr, -r, "%s", path) : check(state, path, profile, reterr);
	if (r < 0) {
		munmap(state, sizeof *state);
		return r;
	}
	*ret_state = state;
	return 0;
}

int state_open(struct state **ret_state, const char *path, const struct profile *profile,
	       struct err *reterr)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	int r;

	if (fd < 0)
		return err_errno(reterr, errno, "%s", path);
	if (flock(fd, LOCK_EX) < 0)
		r = err_errno(reterr, errno, "%s", path);
	else
		r = map(fd, path, profile, ret_state, reterr);
	/* The mapping keeps the open file alive, and with it a lock that is not taken off. */
	flock(fd, LOCK_UN);
	close(fd);
	return r;
}

void state_close(struct state *state)
{
	munmap(state, sizeof *state);
}
