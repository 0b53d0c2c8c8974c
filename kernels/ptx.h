/* SPDX-License-Identifier: MIT */
/*
 * The kernels in a PTX text, as far as a simulated compiler must know them: their names and how
 * many instructions are written there. ptx_read() -> look at the fields -> cubin_free().
 */
#ifndef KERNELS_PTX_H
#define KERNELS_PTX_H

#include "kernels/cubin.h"

/* By its first word. */
bool ptx_is_one(const char *text);

/*
 * Of `cubin`, the architecture is that of `.target`, and each kernel has its name and instructions
 * alone; what a compiler makes of them is not known. -EBADMSG when this is no PTX, -ENOTSUP for
 * what would want a real compiler (variables, stack frames, functions), -ENOMEM.
 */
int ptx_read(struct cubin *cubin, const char *text, struct err *reterr);

#endif
