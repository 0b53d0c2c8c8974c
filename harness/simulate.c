/* SPDX-License-Identifier: MIT */
#include "harness/simulate.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"

#define LOG_VARIABLE "CUCTX_SIM_LOG"

static const struct {
	const char *variable;
	const char *file;
} libraries[] = { { "CUCTX_LIBCUDA", "libcuda.so.1" },
		  { "CUCTX_LIBNVML", "libnvidia-ml.so.1" },
		  { "CUCTX_LIBCUDART", "libcudart.so" } };

static int set_library(const char *variable, const char *folder, const char *file,
		       struct err *reterr)
{
	char *path;
	int r = 0;

	if (asprintf(&path, "%s/%s", folder, file) < 0)
		return err_set(reterr, ENOMEM, "out of memory");
	if (access(path, R_OK) < 0)
		r = err_errno(reterr, ENOENT, "%s (a library of the simulated device)", path);
	else if (setenv(variable, path, 1) < 0)
		r = err_errno(reterr, errno, "%s", variable);
	free(path);
	return r;
}

/* Names of the profiles in the folder, for the message. */
static void list_profiles(const char *folder, char *names, size_t size)
{
	DIR *directory = opendir(folder);
	struct dirent *entry;

	names[0] = '\0';
	while (directory && (entry = readdir(directory))) {
		size_t used = strlen(names);
		char *dot = strstr(entry->d_name, ".csv");

		if (dot && !dot[4])
			snprintf(names + used, size - used, "%s%.*s", used ? ", " : "",
				 (int)(dot - entry->d_name), entry->d_name);
	}
	if (directory)
		closedir(directory);
}

static bool is_path(const char *profile)
{
	size_t length = strlen(profile);

	return strchr(profile, '/') || (length > 4 && !strcmp(profile + length - 4, ".csv"));
}

static int set_profile(const char *profile, const char *folder, struct err *reterr)
{
	char names[256];
	char *path = NULL;
	int r = 0;

	if ((is_path(profile) ? asprintf(&path, "%s", profile)
			      : asprintf(&path, "%s/%s.csv", folder, profile)) < 0)
		return err_set(reterr, ENOMEM, "out of memory");
	if (access(path, R_OK) < 0) {
		list_profiles(folder, names, sizeof names);
		r = err_set(reterr, EINVAL, "profile '%s': %s; there are: %s", profile,
			    strerror(errno),
			    names[0] ? names : "none, as this build has no simulated device");
	} else {
		setenv("CUCTX_SIM_PROFILE", path, 1);
	}
	free(path);
	return r;
}

/* A file in memory, inherited by children and named by the variable. */
static int set_memory(const char *variable, struct err *reterr)
{
	char path[64];
	int fd = memfd_create(variable, 0);

	if (fd < 0)
		return err_errno(reterr, errno, "memfd_create");
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	setenv(variable, path, 1);
	return 0;
}

int simulate_device(const char *profile, const char *profile_folder, const char *library_folder,
		    struct err *reterr)
{
	int r = set_profile(profile, profile_folder, reterr);

	for (size_t i = 0; !r && i < ARRAY_COUNT(libraries); i++)
		r = set_library(libraries[i].variable, library_folder, libraries[i].file, reterr);
	if (!r)
		r = set_memory("CUCTX_SIM_STATE", reterr);
	return r < 0 ? r : set_memory(LOG_VARIABLE, reterr);
}

bool simulate_complaint(char *buffer, size_t buffer_size)
{
	const char *path = getenv(LOG_VARIABLE);
	FILE *log = path ? fopen(path, "re") : NULL;
	bool is_there = false;

	while (log && fgets(buffer, (int)buffer_size, log))
		is_there = true;
	if (log)
		fclose(log);
	buffer[is_there ? strcspn(buffer, "\n") : 0] = '\0';
	return is_there;
}
