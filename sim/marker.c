/* SPDX-License-Identifier: MIT */
/*
 * Every library of the simulated device exports this symbol, so that whoever loads one knows that
 * no number from it was measured (harness/library.h asks for it by name).
 */
extern const char cuctx_simulated_device[];

__attribute__((visibility("default"))) const char cuctx_simulated_device[] = "simulated";
