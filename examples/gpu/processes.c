/* SPDX-License-Identifier: MIT */
/*
 * Four processes at once, by the runtime API: each makes a context and allocates; one resets its
 * device and begins anew, one ends by abort().
 */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROCESSES 4

static void must(cudaError_t status, const char *call)
{
	if (!status)
		return;
	fprintf(stderr, "processes: %s: %s\n", call, cudaGetErrorString(status));
	exit(EXIT_FAILURE);
}

static void work(int number)
{
	void *memory;

	must(cudaMalloc(&memory, ((size_t)number + 1) << 24), "cudaMalloc");
	must(cudaMemset(memory, 0, 1 << 24), "cudaMemset");
	must(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
	usleep(300000);
	if (number == 1) {
		must(cudaDeviceReset(), "cudaDeviceReset");
		must(cudaMalloc(&memory, 1 << 24), "cudaMalloc");
	}
	if (number == 2)
		abort();
}

int main(void)
{
	int status, failures = 0;

	for (int i = 0; i < PROCESSES; i++) {
		pid_t child = fork();

		if (!child) {
			work(i);
			return EXIT_SUCCESS;
		}
	}
	while (wait(&status) > 0)
		failures += !WIFEXITED(status) || WEXITSTATUS(status);
	return failures == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
