/* SPDX-License-Identifier: MIT */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#define ARRAY_COUNT(a) (sizeof(a) / sizeof((a)[0]))

#endif
