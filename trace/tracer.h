/* SPDX-License-Identifier: MIT */
/*
 * What happens in a traced process: CUPTI calls trace_callback() before and after each of the calls
 * in trace/calls.def, and when an image is loaded; it reads the meters and writes rows.
 *
 * trace_begin() once, before CUPTI is asked for callbacks; trace_end() when the process ends.
 */
#ifndef TRACE_TRACER_H
#define TRACE_TRACER_H

#include "harness/driver.h"
#include "trace/cupti_table.h"

/* `driver` stays. */
void trace_begin(const struct driver *driver);

void CUPTIAPI trace_callback(void *unused, CUpti_CallbackDomain domain, CUpti_CallbackId number,
			     const void *data);

/* Writes what the process says last; nothing is measured from here on. */
void trace_end(void);

#endif
