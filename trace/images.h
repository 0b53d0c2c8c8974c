/* SPDX-License-Identifier: MIT */
/*
 * The images that the driver loads inside the call that a thread is making: how large they are, and
 * whether they use what takes memory of its own. trace_images_forget() at a call's begin,
 * trace_images_add() by CUPTI's callback, trace_images_of() at its end, all by the same thread.
 */
#ifndef TRACE_IMAGES_H
#define TRACE_IMAGES_H

#include <stddef.h>
#include <stdint.h>

void trace_images_forget(void);
void trace_images_add(const void *cubin, size_t size);

/* Bytes of them all, and what they use: "", "printf", "printf malloc" and so on. */
#define TRACE_USES_MAX 64
uint64_t trace_images_of(char *buffer, size_t size);

#endif
