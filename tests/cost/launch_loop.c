/* SPDX-License-Identifier: MIT */
/*
 * What a launch costs of an empty kernel that the process knows, in nanoseconds: the median of so
 * many rounds.
 *
 *   launch_loop CUBIN [LAUNCHES] [ROUNDS]
 *
 * The queue is emptied before it can be full, since a launch that waits for the device costs as
 * much as the device takes, whoever looks on.
 */
#include <cuda.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LAUNCHES_DEFAULT       1000000
#define ROUNDS_DEFAULT         5
#define ROUNDS_MAX             99
#define LAUNCHES_BETWEEN_WAITS 512

static void must(CUresult result, const char *call)
{
	if (result == CUDA_SUCCESS)
		return;
	fprintf(stderr, "launch_loop: %s answers %d\n", call, (int)result);
	exit(EXIT_FAILURE);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static CUfunction load(const char *path)
{
	CUcontext context;
	CUdevice device;
	CUfunction function;
	CUmodule module;

	must(cuInit(0), "cuInit");
	must(cuDeviceGet(&device, 0), "cuDeviceGet");
	must(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
	must(cuCtxSetCurrent(context), "cuCtxSetCurrent");
	must(cuModuleLoad(&module, path), "cuModuleLoad");
	must(cuModuleGetFunction(&function, module, "kernel"), "cuModuleGetFunction");
	return function;
}

static void launch(CUfunction function)
{
	CUdeviceptr nothing = 0;
	void *parameters[] = { &nothing };

	must(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL),
	     "cuLaunchKernel");
}

static double ns_per_launch(CUfunction function, long launches)
{
	uint64_t begin_ns = now_ns();

	for (long i = 1; i <= launches; i++) {
		launch(function);
		if (i % LAUNCHES_BETWEEN_WAITS == 0 || i == launches)
			must(cuCtxSynchronize(), "cuCtxSynchronize");
	}
	return (double)(now_ns() - begin_ns) / (double)launches;
}

static int by_size(const void *a, const void *b)
{
	double first = *(const double *)a, second = *(const double *)b;

	return (first > second) - (first < second);
}

/* 0 where it is no number from 1 to max. */
static long count(const char *text, long max)
{
	char *end;
	long number = strtol(text, &end, 10);

	return *end || number < 1 || number > max ? 0 : number;
}

int main(int argc, char **argv)
{
	long launches = argc > 2 ? count(argv[2], 1000000000) : LAUNCHES_DEFAULT;
	long rounds = argc > 3 ? count(argv[3], ROUNDS_MAX) : ROUNDS_DEFAULT;
	double taken_ns[ROUNDS_MAX];
	CUfunction function;

	if (argc < 2 || argc > 4 || !launches || !rounds) {
		fputs("usage: launch_loop CUBIN [LAUNCHES] [ROUNDS]\n", stderr);
		return 2;
	}
	function = load(argv[1]);
	launch(function);
	must(cuCtxSynchronize(), "cuCtxSynchronize");
	for (long i = 0; i < rounds; i++)
		taken_ns[i] = ns_per_launch(function, launches);
	qsort(taken_ns, (size_t)rounds, sizeof *taken_ns, by_size);
	printf("%.1f\n", taken_ns[rounds / 2]);
	return EXIT_SUCCESS;
}
