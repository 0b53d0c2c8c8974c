/* SPDX-License-Identifier: MIT */
#include "harness/mps.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The control daemon's socket lies in its pipe directory. */
bool mps_is_on(void)
{
	const char *directory = getenv("CUDA_MPS_PIPE_DIRECTORY");
	char path[4096];

	snprintf(path, sizeof path, "%s/control",
		 directory && *directory ? directory : "/tmp/nvidia-mps");
	return !access(path, F_OK);
}
