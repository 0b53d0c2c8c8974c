/* SPDX-License-Identifier: MIT */
/*
 * Library handles, by the runtime API: five of cuBLAS, of which three are destroyed, a product of
 * two matrices, and an allocation that is never freed. Where did the memory go?
 */
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

#define HANDLES   5
#define DESTROYED 3
#define SIDE      1024

static void must(int status, const char *call)
{
	if (!status)
		return;
	fprintf(stderr, "handles: %s answers %d\n", call, status);
	exit(EXIT_FAILURE);
}

int main(void)
{
	cublasHandle_t handles[HANDLES];
	const float one = 1;
	float *matrix;
	void *small;

	must(cudaMalloc(&small, 100), "cudaMalloc");
	must(cudaMalloc((void **)&matrix, SIDE * SIDE * sizeof *matrix), "cudaMalloc");
	must(cudaMemset(matrix, 0, SIDE * SIDE * sizeof *matrix), "cudaMemset");
	for (int i = 0; i < HANDLES; i++)
		must(cublasCreate(&handles[i]), "cublasCreate");
	must(cublasSgemm(handles[0], CUBLAS_OP_N, CUBLAS_OP_N, SIDE, SIDE, SIDE, &one, matrix, SIDE,
			 matrix, SIDE, &one, matrix, SIDE),
	     "cublasSgemm");
	must(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
	for (int i = 0; i < DESTROYED; i++)
		must(cublasDestroy(handles[i]), "cublasDestroy");
	must(cudaFree(matrix), "cudaFree");
	return EXIT_SUCCESS;
}
