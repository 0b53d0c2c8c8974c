/* SPDX-License-Identifier: MIT */
#ifndef INSPECT_NAMES_H
#define INSPECT_NAMES_H

#include "base/err.h"
#include "inspect/contents.h"

/*
 * Gives all kernels the names that are shown. Equal ones are asked for once: most libraries have
 * each kernel for several architectures. -ENOMEM.
 */
int contents_name(struct contents *contents, const struct contents_namer *namer,
		  struct err *reterr);

#endif
