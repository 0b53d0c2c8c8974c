/* SPDX-License-Identifier: MIT */
/* What the library that tests have injected has seen. */
#ifndef TESTS_SIM_INJECTED_H
#define TESTS_SIM_INJECTED_H

struct injected {
	int count;        /* of its starts */
	int device_count; /* as the driver told it at the last one */
};

#define INJECTED_SYMBOL "injected"

#endif
