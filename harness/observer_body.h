/* SPDX-License-Identifier: MIT */
/* The observer's side of the socket: one hello, then one reading per request until the parent is
 * gone. */
#ifndef HARNESS_OBSERVER_BODY_H
#define HARNESS_OBSERVER_BODY_H

#include "harness/observer.h"

struct observer_hello {
	int error; /* errno: 0, or why there will be no readings */
	struct err why;
	struct observer_facts facts;
};

/* `data`: a struct observer_task. */
void observer_body(int socket, void *data);

#endif
