/* SPDX-License-Identifier: MIT */
/*
 * Every library of the simulated device exports this symbol, so that whoever loads one knows that
 * no number from it was measured (harness/library.h asks for it by name). It is a function, since
 * several libraries in one process may not have the same variable without a sanitizer's complaint.
 */
__attribute__((visibility("default"))) void cuctx_simulated_device(void);

void cuctx_simulated_device(void)
{
}
