/* SPDX-License-Identifier: MIT */
/*
 * What every library of the simulation starts from: the profile and the state that the environment
 * names. It is read when a library is initialised, never when it is loaded.
 */
#ifndef SIM_SIMULATION_H
#define SIM_SIMULATION_H

#include "base/err.h"
#include "sim/profile.h"
#include "sim/state.h"

#define SIMULATION_PROFILE "CUCTX_SIM_PROFILE"
#define SIMULATION_STATE   "CUCTX_SIM_STATE"
#define SIMULATION_PROCESS "CUCTX_SIM_PROCESS"
#define SIMULATION_ATTEMPT "CUCTX_SIM_ATTEMPT"
#define SIMULATION_FAULTS  "CUCTX_SIM_FAULTS"
#define SIMULATION_LOG     "CUCTX_SIM_LOG"

struct simulation {
	struct profile profile;
	struct state *state;
};

/* Only the profile. Returns 0, -EINVAL where the variable is not set, or as profile_read(). */
int simulation_profile(struct profile *profile, struct err *reterr);

/* Returns 0, or what simulation_profile() or state_open() return. */
int simulation_open(struct simulation *simulation, struct err *reterr);
void simulation_close(struct simulation *simulation);

/*
 * An answer of the driver is a number. The words that belong to a refusal to start are appended, as
 * one line, to the file that SIMULATION_LOG names, if any.
 */
void simulation_complain(const struct err *err);

#endif
