/* SPDX-License-Identifier: MIT */
#include "cli/recall.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "harness/environment.h"

int recall_from(const char *directory, struct err *reterr)
{
	struct stat status;

	if (!*directory)
		return err_set(reterr, ENOENT, "'': No such file or directory");
	if (stat(directory, &status) < 0)
		return err_errno(reterr, errno, "%s", directory);
	return S_ISDIR(status.st_mode) ? 0 : err_errno(reterr, ENOTDIR, "%s", directory);
}

/* To be freed; so is what comes with a failure. */
static int read_key(const char *directory, const char *key, char **ret_path, char **ret_text,
		    struct err *reterr)
{
	*ret_text = NULL;
	if (asprintf(ret_path, "%s/environment.csv", directory) < 0) {
		*ret_path = NULL;
		return err_set(reterr, ENOMEM, "out of memory");
	}
	*ret_text = run_environment_read(*ret_path, key, reterr);
	return *ret_text ? 0 : -EBADMSG;
}

int recall_profile(const char *directory, char **ret_profile, struct err *reterr)
{
	char *path, *simulated, *profile = NULL;
	int r = read_key(directory, "simulated", &path, &simulated, reterr);

	if (!r && simulated && !strcmp(simulated, "yes")) {
		profile = run_environment_read(path, "simulated_profile", reterr);
		r = profile ? 0 : -EBADMSG;
	}
	if (!r && profile && access(profile, R_OK) < 0)
		r = err_set(reterr, EINVAL,
			    "%s: the run was of simulated_profile '%s': %s; --simulate=PROFILE "
			    "says where it is now",
			    path, profile, strerror(errno));
	if (!r)
		*ret_profile = profile;
	else
		free(profile);
	free(simulated);
	free(path);
	return r;
}

int recall_cap(const char *directory, struct memory_cap *ret_cap, struct err *reterr)
{
	char *path, *text;
	struct err why;
	int r = read_key(directory, "max_memory", &path, &text, reterr);

	if (!r && memory_cap_parse(text, ret_cap, &why) < 0)
		r = err_set(reterr, EBADMSG, "%s: max_memory: %s", path, why.text);
	free(text);
	free(path);
	return r;
}

int recall_timeout(const char *directory, uint64_t *ret_timeout_ns, struct err *reterr)
{
	char *path, *text;
	long seconds = 0;
	int r = read_key(directory, "timeout_s", &path, &text, reterr);

	if (!r && !cli_whole(text, 1, RECALL_TIMEOUT_MAX_S, &seconds))
		r = err_set(reterr, EBADMSG,
			    "%s: timeout_s: '%s' is not a whole number from 1 to %d", path, text,
			    RECALL_TIMEOUT_MAX_S);
	if (!r)
		*ret_timeout_ns = (uint64_t)seconds * 1000000000u;
	free(text);
	free(path);
	return r;
}
