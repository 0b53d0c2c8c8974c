/* SPDX-License-Identifier: MIT */
/* What base/csv.h does when the system says no: full disks, limits, odd files, no memory. */
#include "tests/unit/check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>

#include "base/csv.h"
#include "tests/unit/fail_memory.h"
#include "tests/unit/scratch.h"

static void one_row(struct csv_row *row, const char *text)
{
	csv_row_init(row);
	csv_row_text(row, text);
	csv_row_int(row, 4711);
	csv_row_end(row);
}

static void a_full_disk_is_reported(void **state)
{
	int fd = open("/dev/full", O_WRONLY | O_APPEND | O_CLOEXEC);
	struct csv_row row;
	struct err err;

	(void)state;
	assert_true(fd >= 0);
	one_row(&row, "x");
	assert_int_equal(csv_row_write(&row, fd, "full.csv", &err), -ENOSPC);
	assert_string_equal(err.text, "full.csv: No space left on device");
	csv_row_free(&row);
	close(fd);
}

static void limit_file_size(rlim_t bytes)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes == RLIM_INFINITY ? limit.rlim_max : bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* However few bytes of a row still fit, the file keeps its old rows and not a byte more. */
static void a_row_that_does_not_fit_leaves_no_trace(void **state)
{
	struct scratch scratch = scratch_open();
	struct csv_row row;
	struct csv_table table;
	struct err err;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	one_row(&row, "a text, to be \"quoted\"\n");
	assert_int_equal(csv_row_write(&row, scratch.fd, scratch.path, &err), 0);
	for (size_t room = 0; room < row.used; room++) {
		int r;

		limit_file_size(row.used + room);
		r = csv_row_write(&row, scratch.fd, scratch.path, &err);
		limit_file_size(RLIM_INFINITY);
		assert_int_equal(r, -EFBIG);
		assert_non_null(strstr(err.text, scratch.path));
		assert_null(strstr(err.text, "cut short"));
		assert_int_equal(scratch_size(&scratch), row.used);
	}
	assert_int_equal(csv_row_write(&row, scratch.fd, scratch.path, &err), 0);
	assert_int_equal(csv_table_read(&table, scratch.path, &err), 0);
	assert_int_equal(table.row_count, 1);
	assert_false(table.torn);
	csv_table_free(&table);
	csv_row_free(&row);
	scratch_close(&scratch);
}

/* An empty file has no header line, so readers would refuse it. */
static void a_new_file_appears_whole_or_not_at_all(void **state)
{
	static const int ways[] = { 0, O_EXCL };
	char directory[] = "/tmp/cuctx-csv-XXXXXX", path[64];
	struct csv_row row;
	struct err err;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	one_row(&row, "x");
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof path, "%s/rows.csv", directory);
	for (size_t i = 0; i < 2; i++) {
		int r;

		limit_file_size(row.used - 1);
		r = csv_row_save(&row, path, ways[i], &err);
		limit_file_size(RLIM_INFINITY);
		assert_int_equal(r, -EFBIG);
		assert_null(strstr(err.text, ".new"));
		assert_int_not_equal(access(path, F_OK), 0);
		assert_int_equal(csv_row_save(&row, path, ways[i], &err), 0);
		assert_int_equal(csv_row_save(&row, path, ways[i], &err), ways[i] ? -EEXIST : 0);
		unlink(path);
	}
	/* Nothing else is left. */
	assert_int_equal(rmdir(directory), 0);
	csv_row_free(&row);
}

/* A pipe takes no bytes back: that has to be said. */
static void what_cannot_be_undone_is_said(void **state)
{
	struct csv_row row;
	struct err err;
	int ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
	csv_row_init(&row);
	for (int i = 0; i < 100000; i++)
		csv_row_int(&row, 123456789);
	csv_row_end(&row);
	assert_int_equal(csv_row_write(&row, ends[1], "pipe", &err), -EAGAIN);
	assert_non_null(strstr(err.text, "pipe: its last row is cut short"));
	csv_row_free(&row);
	close(ends[0]);
	close(ends[1]);
}

static void a_file_that_cannot_be_read_is_named(void **state)
{
	char directory[] = "/tmp/cuctx-test-XXXXXX", fifo[64];
	struct csv_table table;
	struct err err;

	(void)state;
	assert_int_equal(csv_table_read(&table, "/nonexistent/a.csv", &err), -ENOENT);
	assert_string_equal(err.text, "/nonexistent/a.csv: No such file or directory");
	assert_non_null(mkdtemp(directory));
	assert_int_equal(csv_table_read(&table, directory, &err), -EBADMSG);
	assert_non_null(strstr(err.text, directory));
	snprintf(fifo, sizeof fifo, "%s/fifo", directory);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(csv_table_read(&table, fifo, &err), -EBADMSG);
	unlink(fifo);
	rmdir(directory);
}

static void fill_cells(struct csv_row *row)
{
	csv_row_init(row);
	for (int i = 0; i < 40; i++) {
		for (int column = 0; column < 8; column++)
			csv_row_text(row, "a \"quoted\" text, in all some twelve thousand bytes");
		csv_row_end(row);
	}
}

static void writing_survives_each_lack_of_memory(void **state)
{
	struct scratch scratch = scratch_open();
	unsigned int call = 0;
	bool failed;

	(void)state;
	do {
		struct csv_row row;
		struct err err;
		int r;

		fail_memory_at(++call);
		fill_cells(&row);
		failed = fail_memory_end();
		r = csv_row_write(&row, scratch.fd, scratch.path, &err);
		assert_int_equal(r, failed ? -ENOMEM : 0);
		assert_int_equal(scratch_size(&scratch), failed ? 0 : row.used);
		if (failed) {
			csv_row_clear(&row);
			csv_row_text(&row, "x");
			assert_false(row.failed);
		}
		csv_row_free(&row);
	} while (failed);
	assert_true(call > 2);
	scratch_close(&scratch);
}

static void reading_survives_each_lack_of_memory(void **state)
{
	static const char text[] = "a,b\n1,\"2\n3\"\n4,5\n6,7";
	struct scratch scratch = scratch_open();
	unsigned int call = 0;
	bool failed;

	(void)state;
	scratch_fill(&scratch, text, sizeof text - 1);
	do {
		struct csv_table table;
		struct err err;
		int r;

		fail_memory_at(++call);
		r = csv_table_read(&table, scratch.path, &err);
		failed = fail_memory_end();
		assert_int_equal(r, failed ? -ENOMEM : 0);
		if (failed)
			assert_non_null(strstr(err.text, "Cannot allocate memory"));
		else
			csv_table_free(&table);
	} while (failed);
	assert_true(call > 7);
	scratch_close(&scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_full_disk_is_reported),
		cmocka_unit_test(a_row_that_does_not_fit_leaves_no_trace),
		cmocka_unit_test(a_new_file_appears_whole_or_not_at_all),
		cmocka_unit_test(what_cannot_be_undone_is_said),
		cmocka_unit_test(a_file_that_cannot_be_read_is_named),
		cmocka_unit_test(writing_survives_each_lack_of_memory),
		cmocka_unit_test(reading_survives_each_lack_of_memory),
	};

	return cmocka_run_group_tests_name("base/csv in trouble", tests, NULL, NULL);
}
