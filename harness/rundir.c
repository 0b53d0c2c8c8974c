/* SPDX-License-Identifier: MIT */
#include "harness/rundir.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/clock.h"

#define SAME_SECOND_TRIES 5

/*
 * Children hold their parent's locks, too. Of a run that was killed, they may still be on their
 * way out, and their memory with them.
 */
#define LOCK_PATIENCE_NS 500000000u
#define LOCK_POLL_NS     20000000u

static int make_parents(const char *path, struct err *reterr)
{
	char *copy = strdup(path);
	int r = 0;

	if (!copy)
		return err_set(reterr, ENOMEM, "%s: out of memory", path);
	for (char *c = copy + 1; !r; c++) {
		char kept = *c;

		if (kept && kept != '/')
			continue;
		*c = '\0';
		if (mkdir(copy, 0777) < 0 && errno != EEXIST)
			r = err_errno(reterr, errno, "%s: cannot be made", copy);
		else if (access(copy, F_OK) < 0 && errno == ENOENT)
			r = err_set(reterr, ENOENT, "%s: it is a link to what is not there", copy);
		*c = kept;
		if (!kept)
			break;
	}
	free(copy);
	return r;
}

/* 0 or an errno. */
static int lock_patiently(int fd)
{
	uint64_t deadline_ns = clock_ns() + LOCK_PATIENCE_NS;
	int error;

	while ((error = flock(fd, LOCK_EX | LOCK_NB) < 0 ? errno : 0) == EWOULDBLOCK &&
	       clock_ns() < deadline_ns)
		clock_sleep_ns(LOCK_POLL_NS);
	return error;
}

static int lock_directory(const char *path, int *ret_lock, struct err *reterr)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int error;

	if (fd < 0)
		return err_errno(reterr, errno, "%s", path);
	error = lock_patiently(fd);
	if (error) {
		close(fd);
		if (error == EWOULDBLOCK)
			return err_set(reterr, EBUSY,
				       "%s: another run is measuring into it; wait for it or "
				       "choose another --out",
				       path);
		return err_errno(reterr, error, "%s: cannot be locked", path);
	}
	*ret_lock = fd;
	return 0;
}

int rundir_lock_out(struct rundir *rundir, const char *out, struct err *reterr)
{
	int r;

	*rundir = (struct rundir){ .out_lock = -1, .lock = -1 };
	if (!*out)
		return err_set(reterr, EINVAL, "--out: it names no directory");
	r = make_parents(out, reterr);
	if (r < 0)
		return r;
	r = lock_directory(out, &rundir->out_lock, reterr);
	if (!r && access(out, W_OK) < 0)
		r = err_errno(reterr, errno, "%s: cannot be written", out);
	return r;
}

static char kebab_char(char c)
{
	if (isalnum((unsigned char)c) || c == '.')
		return (char)tolower((unsigned char)c);
	return '-';
}

/* "NVIDIA H200" becomes "nvidia-h200". */
static void put_kebab(char *target, size_t size, const char *text)
{
	size_t used = 0;

	for (; *text && used + 1 < size; text++) {
		char c = kebab_char(*text);

		if (c != '-' || (used && target[used - 1] != '-'))
			target[used++] = c;
	}
	while (used && target[used - 1] == '-')
		used--;
	target[used] = '\0';
}

static void put_utc(char started[RUNDIR_TIME_MAX])
{
	time_t now = time(NULL);
	struct tm utc;

	gmtime_r(&now, &utc);
	strftime(started, RUNDIR_TIME_MAX, "%Y%m%dT%H%M%SZ", &utc);
}

static int make_once(struct rundir *rundir, const char *out, const struct observer_facts *facts,
		     const char *started)
{
	char gpu[96], driver[OBSERVER_TEXT_MAX];

	put_kebab(gpu, sizeof gpu, facts->device.name);
	put_kebab(driver, sizeof driver, facts->driver_release);
	if (asprintf(&rundir->name, "%s%s_%s_%s", facts->is_simulated ? "simulated-" : "", gpu,
		     driver[0] ? driver : "unknown-driver", started) < 0) {
		rundir->name = NULL;
		return -ENOMEM;
	}
	if (asprintf(&rundir->path, "%s/%s", out, rundir->name) < 0) {
		rundir->path = NULL;
		return -ENOMEM;
	}
	return mkdir(rundir->path, 0777) < 0 ? -errno : 0;
}

static void forget_name(struct rundir *rundir)
{
	free(rundir->path);
	free(rundir->name);
	rundir->path = rundir->name = NULL;
}

int rundir_make(struct rundir *rundir, const char *out, const struct observer_facts *facts,
		char ret_started[RUNDIR_TIME_MAX], struct err *reterr)
{
	int r = -EEXIST;

	for (int i = 0; i < SAME_SECOND_TRIES && r == -EEXIST; i++) {
		if (i)
			sleep(1);
		forget_name(rundir);
		put_utc(ret_started);
		r = make_once(rundir, out, facts, ret_started);
	}
	if (r < 0)
		return err_errno(reterr, -r, "%s: no run directory can be made", out);
	return lock_directory(rundir->path, &rundir->lock, reterr);
}

int rundir_open(struct rundir *rundir, const char *path, struct err *reterr)
{
	const char *slash;
	int r;

	*rundir = (struct rundir){ .out_lock = -1, .lock = -1 };
	r = lock_directory(path, &rundir->lock, reterr);
	if (r < 0)
		return r;
	rundir->path = realpath(path, NULL);
	slash = rundir->path ? strrchr(rundir->path, '/') : NULL;
	rundir->name = slash ? strdup(slash + 1) : NULL;
	if (!rundir->name)
		return err_set(reterr, ENOMEM, "%s: out of memory", path);
	return 0;
}

void rundir_close(struct rundir *rundir)
{
	forget_name(rundir);
	if (rundir->lock >= 0)
		close(rundir->lock);
	if (rundir->out_lock >= 0)
		close(rundir->out_lock);
	rundir->lock = rundir->out_lock = -1;
}

char *rundir_file(const struct rundir *rundir, const char *file, struct err *reterr)
{
	char *path;

	if (asprintf(&path, "%s/%s", rundir->path, file) >= 0)
		return path;
	err_set(reterr, ENOMEM, "%s: out of memory", rundir->path);
	return NULL;
}

static int copy_bytes(int in, int out)
{
	char buffer[65536];
	ssize_t got, written;

	while ((got = read(in, buffer, sizeof buffer)) > 0) {
		for (char *rest = buffer; got; rest += written, got -= written) {
			written = write(out, rest, (size_t)got);
			if (written < 0)
				return -errno;
		}
	}
	return got < 0 ? -errno : 0;
}

static int copy_into(int in, const char *to, struct err *reterr)
{
	int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	int r;

	if (out < 0)
		return err_errno(reterr, errno, "%s", to);
	r = copy_bytes(in, out);
	if (close(out) < 0 && !r)
		r = -errno;
	if (r < 0) {
		unlink(to); /* half a copy would look like a whole one */
		return err_errno(reterr, -r, "%s", to);
	}
	return 0;
}

int rundir_copy(const struct rundir *rundir, const char *from, const char *file, struct err *reterr)
{
	char *to = rundir_file(rundir, file, reterr);
	int in, r;

	if (!to)
		return -ENOMEM;
	in = open(from, O_RDONLY | O_CLOEXEC);
	r = in < 0 ? err_errno(reterr, errno, "%s", from) : copy_into(in, to, reterr);
	if (in >= 0)
		close(in);
	free(to);
	return r;
}
