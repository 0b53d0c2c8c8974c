/* SPDX-License-Identifier: MIT */
#include "cli/trace_session.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analysis/trace_finish.h"
#include "analysis/trace_rows.h"
#include "analysis/trace_write.h"
#include "base/csv.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cuctx_config.h"
#include "harness/clock.h"
#include "harness/demangle.h"

/* Memory of a process that has ended comes back within some milliseconds. */
#define SETTLE_NS UINT64_C(50000000)

#define DEFAULT_OUT "results"

/* ---- files ---- */

/* Of a program's path, what goes into the name of a folder. */
static void put_program_name(char *buffer, size_t size, const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t used = 0;

	for (const char *c = slash ? slash + 1 : path; *c && used + 1 < size; c++) {
		bool is_plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
				(*c >= '0' && *c <= '9') || *c == '.' || *c == '_' || *c == '-';

		buffer[used++] = '-';
		if (is_plain)
			buffer[used - 1] = *c;
	}
	buffer[used] = '\0';
}

static int make_folder(const struct trace_session *session, const struct trace_options *options,
		       char **ret_folder, struct err *reterr)
{
	char program[64], started[32], *folder;
	time_t now = time(NULL);
	struct tm utc;
	int r = 0;

	put_program_name(program, sizeof program, options->argv[0]);
	gmtime_r(&now, &utc);
	strftime(started, sizeof started, "%Y%m%dT%H%M%SZ", &utc);
	if (asprintf(&folder, DEFAULT_OUT "/%strace-%s_%s_%d",
		     session->is_simulated ? "simulated-" : "", program, started, getpid()) < 0)
		return err_set(reterr, ENOMEM, "out of memory");
	if ((mkdir(DEFAULT_OUT, 0777) < 0 && errno != EEXIST) || mkdir(folder, 0777) < 0)
		r = err_errno(reterr, errno, "%s", folder);
	if (r < 0)
		free(folder);
	else
		*ret_folder = folder;
	return r;
}

static int choose_path(struct trace_session *session, const struct trace_options *options,
		       struct err *reterr)
{
	char *folder = NULL;
	int r;

	if (options->out) {
		session->path = strdup(options->out);
		return session->path ? 0 : err_set(reterr, ENOMEM, "out of memory");
	}
	r = make_folder(session, options, &folder, reterr);
	if (r)
		return r;
	session->made_folder = true;
	if (asprintf(&session->path, "%s/trace.csv", folder) < 0)
		session->path = NULL;
	free(folder);
	return session->path ? 0 : err_set(reterr, ENOMEM, "out of memory");
}

/* The traced processes may have other working directories, so theirs is a whole path. */
static int make_files(struct trace_session *session, const struct trace_options *options,
		      struct err *reterr)
{
	struct csv_row header;
	char *raw;
	int r = choose_path(session, options, reterr);

	if (r || !session->path)
		return r;
	if (!access(session->path, F_OK))
		return err_errno(reterr, EEXIST, "%s", session->path);
	if (asprintf(&raw, "%s" TRACE_RAW_ENDING, session->path) < 0)
		return err_set(reterr, ENOMEM, "out of memory");
	csv_row_init(&header);
	trace_write_header(&header);
	r = csv_row_save(&header, raw, O_EXCL, reterr);
	csv_row_free(&header);
	if (!r) {
		session->raw = realpath(raw, NULL);
		r = session->raw ? 0 : err_errno(reterr, errno, "%s", raw);
	}
	free(raw);
	return r;
}

/* ---- rows of ours ---- */

static void put_facts(struct csv_row *rows, const struct outside_reading *reading)
{
	int64_t now_ns = (int64_t)clock_ns();

	trace_write_fact(rows, now_ns, TRACE_NO_NUMBER, "simulated",
			 reading->is_simulated ? "yes" : "no");
	trace_write_fact(rows, now_ns, TRACE_NO_NUMBER, "cuctx_version", CUCTX_VERSION);
	trace_write_fact(rows, now_ns, TRACE_NO_NUMBER, "git_commit", CUCTX_GIT_COMMIT);
	trace_write_fact(rows, now_ns, TRACE_NO_NUMBER, "driver_release", reading->driver_release);
	for (unsigned int i = 0; i < reading->count; i++) {
		trace_write_fact(rows, now_ns, reading->devices[i].index, "gpu_name",
				 reading->devices[i].name);
		trace_write_fact(rows, now_ns, reading->devices[i].index, "gpu_uuid",
				 reading->devices[i].uuid);
	}
}

static void put_readings(struct csv_row *rows, const char *event,
			 const struct outside_reading *reading)
{
	for (unsigned int i = 0; i < reading->count; i++)
		trace_write_reading(rows, (int64_t)reading->devices[i].time_ns,
				    reading->devices[i].index, event,
				    (int64_t)reading->devices[i].used_bytes);
}

static void put_command(struct csv_row *rows, char *const *argv)
{
	struct text command = { 0 };
	char *line;

	for (size_t i = 0; argv[i]; i++)
		text_format(&command, "%s%s", i ? " " : "", argv[i]);
	if (text_take(&command, &line, NULL) < 0)
		return;
	trace_write_fact(rows, (int64_t)clock_ns(), TRACE_NO_NUMBER, "command", line);
	free(line);
}

/* What CUPTI takes in each context: one is made with it and one without. */
static void put_own_cost(struct csv_row *rows, const char *library)
{
	int64_t plain_bytes = 0, traced_bytes = 0;
	char number[24];
	struct err err;
	int r = outside_context_bytes(NULL, &plain_bytes, &err);

	if (!r)
		r = outside_context_bytes(library, &traced_bytes, &err);
	if (r < 0) {
		trace_write_fact(rows, (int64_t)clock_ns(), TRACE_NO_NUMBER, "tracer_problem",
				 err.text);
		return;
	}
	snprintf(number, sizeof number, "%" PRId64, traced_bytes - plain_bytes);
	trace_write_fact(rows, (int64_t)clock_ns(), TRACE_NO_NUMBER, "tracer_context_bytes",
			 number);
}

/* ---- begin ---- */

static int set_variable(struct trace_session *session, const char *name, const char *value)
{
	size_t count = 0;

	while (session->variables[count])
		count++;
	if (count + 1 == TRACE_VARIABLES_MAX ||
	    asprintf(&session->variables[count], "%s=%s", name, value) < 0) {
		session->variables[count] = NULL;
		return -ENOMEM;
	}
	return 0;
}

/* The program finds the driver by itself, so the loader has to be led to the one that is simulated.
 */
static int set_simulated(struct trace_session *session)
{
	char *folder = cli_library_path("sim"), *cupti = cli_library_path("sim/libcupti.so.13");
	const char *before = getenv("LD_LIBRARY_PATH");
	char *folders = NULL;
	int r = folder && cupti &&
				asprintf(&folders, "%s%s%s", folder, before ? ":" : "",
					 before ? before : "") >= 0
			? 0
			: -ENOMEM;

	if (!r)
		r = set_variable(session, "LD_LIBRARY_PATH", folders);
	if (!r && !getenv("CUCTX_LIBCUPTI"))
		r = set_variable(session, "CUCTX_LIBCUPTI", cupti);
	free(folder);
	free(cupti);
	free(folders);
	return r;
}

static int find_library(struct trace_session *session, struct err *reterr)
{
	const char *other = getenv("CUDA_INJECTION64_PATH");

	if (other && *other)
		return err_set(reterr, EBUSY,
			       "CUDA_INJECTION64_PATH is set to %s, and the driver loads one such "
			       "library",
			       other);
	session->library = cli_library_path("libcuctx_trace.so");
	if (!session->library)
		return err_set(reterr, ENOMEM, "out of memory");
	if (access(session->library, R_OK) < 0)
		return err_errno(reterr, errno,
				 "%s (it is built where the toolkit has CUPTI's headers)",
				 session->library);
	return 0;
}

static int write_begin(struct trace_session *session, const struct trace_options *options,
		       const struct outside_reading *reading, struct err *reterr)
{
	struct csv_row rows;
	int r;

	csv_row_init(&rows);
	put_facts(&rows, reading);
	put_command(&rows, options->argv);
	if (options->calibrates)
		put_own_cost(&rows, session->library);
	r = csv_row_save(&rows, session->raw, 0, reterr);
	csv_row_free(&rows);
	return r;
}

/* The last thing before the program is run: what devices have in use then. */
static int write_readings(struct trace_session *session, const char *event, struct err *reterr)
{
	struct outside_reading reading;
	struct csv_row rows;
	int r = outside_read(&session->outside, SETTLE_NS, &reading, reterr);

	if (r < 0)
		return r;
	csv_row_init(&rows);
	put_readings(&rows, event, &reading);
	r = csv_row_save(&rows, session->raw, 0, reterr);
	csv_row_free(&rows);
	return r;
}

static int look_outside(struct trace_session *session, struct outside_reading *ret_reading,
			struct err *reterr)
{
	int r = outside_open(&session->outside, reterr);

	if (r < 0)
		return r;
	session->is_open = true;
	r = outside_read(&session->outside, SETTLE_NS, ret_reading, reterr);
	session->is_simulated = !r && ret_reading->is_simulated;
	return r;
}

int trace_session_begin(struct trace_session *session, const struct trace_options *options,
			struct err *reterr)
{
	struct outside_reading reading;
	int r;

	*session = (struct trace_session){ 0 };
	r = find_library(session, reterr);
	if (!r)
		r = look_outside(session, &reading, reterr);
	if (!r)
		r = make_files(session, options, reterr);
	if (!r)
		r = write_begin(session, options, &reading, reterr);
	if (!r)
		r = write_readings(session, "start", reterr);
	if (r < 0)
		return r;
	r = set_variable(session, "CUDA_INJECTION64_PATH", session->library);
	if (!r)
		r = set_variable(session, "CUCTX_TRACE_FILE", session->raw);
	if (!r && options->simulates)
		r = set_simulated(session);
	return r < 0 ? err_set(reterr, ENOMEM, "out of memory") : 0;
}

const char *const *trace_session_variables(const struct trace_session *session)
{
	return (const char *const *)session->variables;
}

/* ---- end ---- */

static char *demangle(void *data, const char *name)
{
	return demangler_name(data, name);
}

/* From `raw` to `path`. */
static int finish(const char *raw, const char *path, struct err *reterr)
{
	struct demangler demangler;
	struct trace_names names = { demangle, &demangler };
	struct trace_rows rows;
	struct csv_row out;
	int r = trace_rows_read(&rows, raw, reterr);

	if (r < 0)
		return r;
	csv_row_init(&out);
	demangler_init(&demangler);
	r = trace_finish(&rows, &names, &out, reterr);
	demangler_free(&demangler);
	if (!r)
		r = csv_row_replace(&out, path, reterr);
	csv_row_free(&out);
	trace_rows_free(&rows);
	return r;
}

int trace_session_end(struct trace_session *session, struct err *reterr)
{
	struct err why;
	int r = write_readings(session, "end", &why);

	if (!r)
		r = finish(session->raw, session->path, &why);
	if (r < 0)
		return err_set(reterr, -r, "%s; what was traced is in %s (cuctx trace --from it)",
			       why.text, session->raw);
	unlink(session->raw);
	return 0;
}

int trace_session_recover(const char *raw, char **ret_path, struct err *reterr)
{
	char *path = strndup(raw, strlen(raw) - strlen(TRACE_RAW_ENDING));
	int r;

	if (!path)
		return err_set(reterr, ENOMEM, "out of memory");
	r = access(path, F_OK) ? finish(raw, path, reterr) : err_errno(reterr, EEXIST, "%s", path);
	if (r < 0)
		free(path);
	else
		*ret_path = path;
	return r;
}

void trace_session_discard(struct trace_session *session)
{
	char *slash = strrchr(session->path, '/');

	unlink(session->raw);
	if (session->made_folder && slash) {
		*slash = '\0';
		rmdir(session->path);
	}
}

void trace_session_free(struct trace_session *session)
{
	if (session->is_open)
		outside_close(&session->outside);
	for (size_t i = 0; session->variables[i]; i++)
		free(session->variables[i]);
	free(session->library);
	free(session->path);
	free(session->raw);
}
