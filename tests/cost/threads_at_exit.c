/* SPDX-License-Identifier: MIT */
/*
 * Many threads call CUDA while the process ends: main() returns in the midst of their calls.
 *
 *   threads_at_exit CUBIN [THREADS] [MILLISECONDS]
 *
 * What matters is that it ends. What the driver answers while it is taken down is its own matter,
 * and a thread leaves its loop then.
 */
#include <cuda.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define THREADS_DEFAULT 16
#define THREADS_MAX     256
#define MS_DEFAULT      50
#define MS_MAX          60000

static struct {
	const char *path;
	CUcontext context;
	_Atomic long rounds;
} shared;

static bool fine(CUresult result)
{
	return result == CUDA_SUCCESS;
}

/* All kinds of calls: those that are looked at, the first launch of a new kernel, and others. */
static bool work_once(void)
{
	CUdeviceptr buffer, nothing = 0;
	void *parameters[] = { &nothing };
	CUfunction function;
	CUmodule module;

	return fine(cuModuleLoad(&module, shared.path)) &&
	       fine(cuModuleGetFunction(&function, module, "kernel")) &&
	       fine(cuMemAlloc(&buffer, 4096)) &&
	       fine(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL)) &&
	       fine(cuCtxSynchronize()) && fine(cuMemFree(buffer)) && fine(cuModuleUnload(module));
}

static void *work(void *unused)
{
	if (!fine(cuCtxSetCurrent(shared.context)))
		return unused;
	while (work_once())
		atomic_fetch_add(&shared.rounds, 1);
	return unused;
}

static bool begin(const char *path)
{
	CUdevice device;

	shared.path = path;
	return fine(cuInit(0)) && fine(cuDeviceGet(&device, 0)) &&
	       fine(cuDevicePrimaryCtxRetain(&shared.context, device)) &&
	       fine(cuCtxSetCurrent(shared.context)) && work_once();
}

static long count(const char *text, long max)
{
	char *end;
	long number = strtol(text, &end, 10);

	return *end || number < 1 || number > max ? 0 : number;
}

static void wait_ms(long ms)
{
	struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

int main(int argc, char **argv)
{
	long threads = argc > 2 ? count(argv[2], THREADS_MAX) : THREADS_DEFAULT;
	long ms = argc > 3 ? count(argv[3], MS_MAX) : MS_DEFAULT;
	pthread_t thread;

	if (argc < 2 || argc > 4 || !threads || !ms) {
		fputs("usage: threads_at_exit CUBIN [THREADS] [MILLISECONDS]\n", stderr);
		return 2;
	}
	if (!begin(argv[1])) {
		fputs("threads_at_exit: CUDA does not work here\n", stderr);
		return EXIT_FAILURE;
	}
	for (long i = 0; i < threads; i++)
		if (pthread_create(&thread, NULL, work, NULL))
			return EXIT_FAILURE;
	wait_ms(ms);
	printf("%ld\n", atomic_load(&shared.rounds));
	return EXIT_SUCCESS;
}
