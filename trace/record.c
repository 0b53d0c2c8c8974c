/* SPDX-License-Identifier: MIT */
#include "trace/record.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/csv.h"
#include "trace/meter.h"

/* Programs use small numbers, and some close what they did not open. */
#define DESCRIPTOR_MIN 200

static struct {
	char *path;
	int fd;
	dev_t device;
	ino_t inode;
} file = { .fd = -1 };

static int open_file(struct err *reterr)
{
	int fd = open(file.path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
	struct stat status;
	int high;

	if (fd < 0 || fstat(fd, &status) < 0) {
		int error = errno;

		if (fd >= 0)
			close(fd);
		return err_errno(reterr, error, "%s", file.path);
	}
	high = fcntl(fd, F_DUPFD_CLOEXEC, DESCRIPTOR_MIN);
	if (high >= 0) {
		close(fd);
		fd = high;
	}
	file.device = status.st_dev;
	file.inode = status.st_ino;
	file.fd = fd;
	return 0;
}

int trace_record_open(const char *path, struct err *reterr)
{
	file.path = strdup(path);
	if (!file.path)
		return err_errno(reterr, ENOMEM, "%s", path);
	return open_file(reterr);
}

/* The program may have closed our descriptor, and may have one of its own files there since. */
static bool is_still_ours(void)
{
	struct stat status;

	return file.fd >= 0 && !fstat(file.fd, &status) && status.st_dev == file.device &&
	       status.st_ino == file.inode;
}

static void put_text(struct csv_row *csv, const char *text)
{
	if (text && *text)
		csv_row_text(csv, text);
	else
		csv_row_empty(csv);
}

static void put_number(struct csv_row *csv, bool is_taken, uint64_t number)
{
	if (is_taken)
		csv_row_uint(csv, number);
	else
		csv_row_empty(csv);
}

static void put_object(struct csv_row *csv, const struct trace_row *row)
{
	char text[24];

	snprintf(text, sizeof text, "0x%" PRIx64, row->object);
	put_text(csv, row->object ? text : row->object_name);
}

static void put_row(struct csv_row *csv, const struct trace_row *row)
{
	csv_row_uint(csv, row->time_ns);
	csv_row_int(csv, getpid());
	csv_row_int(csv, getppid());
	csv_row_int(csv, syscall(SYS_gettid));
	put_number(csv, row->device != TRACE_NO_DEVICE, (uint64_t)row->device);
	put_text(csv, row->event);
	put_text(csv, row->call);
	put_text(csv, row->kind);
	put_text(csv, row->module);
	put_text(csv, row->kernel);
	put_object(csv, row);
	put_number(csv, row->has_requested, row->requested_bytes);
	csv_row_empty(csv); /* delta_bytes */
	put_number(csv, row->has_used, row->used_before_bytes);
	put_number(csv, row->has_used, row->used_bytes);
	put_number(csv, row->host_before_bytes != 0, row->host_before_bytes);
	put_number(csv, row->host_rss_bytes != 0, row->host_rss_bytes);
	put_number(csv, row->has_elapsed, row->elapsed_ns);
	put_text(csv, row->error);
	put_number(csv, row->has_local, row->local_bytes);
	put_number(csv, row->stack_limit_bytes != 0, row->stack_limit_bytes);
	put_number(csv, row->cubin_bytes != 0, row->cubin_bytes);
	put_text(csv, row->uses);
	csv_row_empty(csv); /* at_once */
	put_text(csv, row->note);
	csv_row_end(csv);
}

void trace_record_write(const struct trace_row *row)
{
	struct csv_row csv;
	struct err ignored;
	ssize_t written;

	if (!file.path || (!is_still_ours() && open_file(&ignored) < 0))
		return;
	csv_row_init(&csv);
	put_row(&csv, row);
	/* At once or not at all: what is left of a row would spoil the next one. */
	do
		written = csv.failed ? 0 : write(file.fd, csv.bytes, csv.used);
	while (written < 0 && errno == EINTR);
	csv_row_free(&csv);
}
