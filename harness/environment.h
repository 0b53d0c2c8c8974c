/* SPDX-License-Identifier: MIT */
/*
 * environment.csv: under which circumstances a run was taken (harness/environment.def).
 *
 * run_environment_init() -> run_environment_set() per key -> run_environment_write() ->
 * run_environment_free().
 */
#ifndef HARNESS_ENVIRONMENT_H
#define HARNESS_ENVIRONMENT_H

#include <stdint.h>

#include "base/err.h"
#include "harness/observer.h"

enum environment_key {
#define ENVIRONMENT_KEY(name, what) ENVIRONMENT_##name,
#include "harness/environment.def"
#undef ENVIRONMENT_KEY
	ENVIRONMENT_KEY_COUNT,
};

struct run_environment {
	char *values[ENVIRONMENT_KEY_COUNT]; /* owned; NULL is empty */
};

void run_environment_init(struct run_environment *environment);
void run_environment_free(struct run_environment *environment);
void run_environment_set(struct run_environment *environment, enum environment_key key,
			 const char *text);
void run_environment_set_number(struct run_environment *environment, enum environment_key key,
				uint64_t number);

/* Everything that can be asked of this machine and of the observer. */
void run_environment_describe_host(struct run_environment *environment);
void run_environment_describe_device(struct run_environment *environment, int device,
				     const struct observer_facts *facts);

/* The profile that the simulated device is named by in the environment of this process. */
void run_environment_describe_profile(struct run_environment *environment);

/* Writes a new file, the variables after the keys. 0 or -errno. */
int run_environment_write(const struct run_environment *environment, const char *path,
			  struct err *reterr);

/* The value of a key in a file that was written before, to be freed; NULL when there is none. */
char *run_environment_read(const char *path, const char *key, struct err *reterr);

#endif
