/* SPDX-License-Identifier: MIT */
/*
 * "31 MB are gone after my kernel ran. Is that code? Can I unload it?"
 *
 * A program as people write it: it allocates, launches a kernel, allocates again, and looks at
 * cuMemGetInfo() in between to find out where the memory goes. That shows how much is gone and not
 * what for; `cuctx trace` does. docs/TRACE-EXAMPLE.md reads the trace of this program.
 *
 * It frees and unloads what it can, to see what comes back. What it prints is what it has measured.
 */
#include <cuda.h>

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MIB          (UINT64_C(1) << 20)
#define VARIANTS_MAX 15

/* Exits, as an example may, where a call fails. */
static void must(CUresult result, const char *call, const char *what)
{
	const char *name = NULL;

	if (result == CUDA_SUCCESS)
		return;
	if (cuGetErrorName(result, &name) != CUDA_SUCCESS)
		name = "an error without a name";
	fprintf(stderr, "surprise: %s(%s): %s\n", call, what, name);
	exit(EXIT_FAILURE);
}

/*
 * A kernel and the file of its module. Of heavy() there is a module for each variant, as of a
 * template that has been compiled for fifteen sizes; all of them are the same file here.
 */
struct kernel {
	const char *name;
	const char *symbol;
	const char *file;
	const char *remark;
	unsigned int variants;
	CUmodule modules[VARIANTS_MAX];
	CUfunction functions[VARIANTS_MAX];
};

static struct kernel scale = {
	.name = "scale()", .symbol = "_Z5scalePf", .file = "scale.cubin", .variants = 1
};
static struct kernel check = { .name = "check()",
			       .symbol = "_Z5checkPf",
			       .file = "check.cubin",
			       .remark = ", which may print",
			       .variants = 1 };
static struct kernel sort = { .name = "sort()",
			      .symbol = "_Z4sortPf",
			      .file = "sort.cubin",
			      .remark = ", with an array of 4 KiB",
			      .variants = 1 };
static struct kernel heavy = { .name = "heavy()",
			       .symbol = "_Z5heavyPf",
			       .file = "heavy.cubin",
			       .remark = ", in 15 variants",
			       .variants = VARIANTS_MAX };

/* ---- what a person sees who looks at cuMemGetInfo() -------------------------------------------
 */

static uint64_t free_bytes(void)
{
	size_t bytes, total;

	must(cuMemGetInfo(&bytes, &total), "cuMemGetInfo", "");
	return bytes;
}

/* 31457280 -> 31,457,280 */
static void print_bytes(int64_t bytes)
{
	char digits[32], text[48] = "";
	int length = snprintf(digits, sizeof digits, "%" PRId64, bytes), at = 0;

	for (int i = 0; i < length; i++) {
		text[at++] = digits[i];
		if (i < length - 1 && (length - 1 - i) % 3 == 0 && digits[i] != '-')
			text[at++] = ',';
	}
	text[at] = '\0';
	printf("%18s bytes", text);
}

static void print_change(int64_t bytes)
{
	int64_t tenths = ((bytes < 0 ? -bytes : bytes) + 50000) / 100000;
	char text[32];

	snprintf(text, sizeof text, "%s%" PRId64 ".%" PRId64, bytes < 0 ? "-" : "", tenths / 10,
		 tenths % 10);
	print_bytes(bytes);
	printf(" %9s MB\n", text);
}

/* How much less is free than when this was asked last; negative: more. */
static int64_t gone(void)
{
	static uint64_t before;
	uint64_t now = free_bytes();
	int64_t bytes = (int64_t)before - (int64_t)now;

	before = now;
	return bytes;
}

static void tell(const char *what, const char *name, const char *remark)
{
	char text[80];

	snprintf(text, sizeof text, "%s%s%s", what, name, remark ? remark : "");
	printf("%-48s", text);
	print_change(gone());
}

/* ---- what the program does ------------------------------------------------------------------ */

static void begin(CUdevice *ret_device)
{
	CUcontext context;

	must(cuInit(0), "cuInit", "0");
	must(cuDeviceGet(ret_device, 0), "cuDeviceGet", "0");
	must(cuDevicePrimaryCtxRetain(&context, *ret_device), "cuDevicePrimaryCtxRetain", "0");
	must(cuCtxSetCurrent(context), "cuCtxSetCurrent", "the primary context");
}

static CUdeviceptr allocate(uint64_t bytes, const char *name)
{
	CUdeviceptr buffer;

	must(cuMemAlloc(&buffer, bytes), "cuMemAlloc", name);
	must(cuMemsetD8(buffer, 0, bytes), "cuMemsetD8", name);
	tell("allocate buffer ", name, NULL);
	return buffer;
}

/* The folder beside this program with modules for the device: code for 9.0 also runs on 9.1. */
static void find_modules(CUdevice device, char *folder, size_t size)
{
	int major, minor;
	ssize_t length = readlink("/proc/self/exe", folder, size - 1);
	char *end;

	must(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device),
	     "cuDeviceGetAttribute", "major");
	must(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device),
	     "cuDeviceGetAttribute", "minor");
	folder[length > 0 ? length : 0] = '\0';
	end = strrchr(folder, '/');
	for (int older = minor; end && older >= 0; older--) {
		snprintf(end, size - (size_t)(end - folder), "/sm_%d%d", major, older);
		if (!access(folder, X_OK))
			return;
	}
	fprintf(stderr, "surprise: no modules for compute capability %d.%d beside this program\n",
		major, minor);
	exit(EXIT_FAILURE);
}

static void launch(struct kernel *kernel, CUdeviceptr buffer)
{
	void *parameters[] = { &buffer };

	for (unsigned int i = 0; i < kernel->variants; i++)
		must(cuLaunchKernel(kernel->functions[i], 1, 1, 1, 1, 1, 1, 0, NULL, parameters,
				    NULL),
		     "cuLaunchKernel", kernel->name);
	must(cuCtxSynchronize(), "cuCtxSynchronize", kernel->name);
}

static void first_launch(struct kernel *kernel, const char *folder, CUdeviceptr buffer)
{
	char path[PATH_MAX + 32];

	snprintf(path, sizeof path, "%s/%s", folder, kernel->file);
	for (unsigned int i = 0; i < kernel->variants; i++) {
		must(cuModuleLoad(&kernel->modules[i], path), "cuModuleLoad", path);
		must(cuModuleGetFunction(&kernel->functions[i], kernel->modules[i], kernel->symbol),
		     "cuModuleGetFunction", kernel->symbol);
	}
	launch(kernel, buffer);
	tell("first launch of ", kernel->name, kernel->remark);
}

static void unload(struct kernel *kernel)
{
	for (unsigned int i = 0; i < kernel->variants; i++)
		must(cuModuleUnload(kernel->modules[i]), "cuModuleUnload", kernel->file);
	tell("unload ", kernel->name, NULL);
}

static void release(CUdeviceptr buffer, const char *name)
{
	must(cuMemFree(buffer), "cuMemFree", name);
	tell("free buffer ", name, NULL);
}

int main(void)
{
	char folder[PATH_MAX];
	uint64_t free_at_first;
	size_t stack_limit;
	CUdeviceptr a, b, c;
	CUdevice device;

	begin(&device);
	find_modules(device, folder, sizeof folder);
	must(cuCtxGetLimit(&stack_limit, CU_LIMIT_STACK_SIZE), "cuCtxGetLimit", "stack size");
	free_at_first = free_bytes();
	gone();

	a = allocate(16 * MIB, "a, 16 MiB");
	first_launch(&scale, folder, a);
	b = allocate(16 * MIB, "b, 16 MiB");
	first_launch(&check, folder, b);
	first_launch(&sort, folder, b);
	c = allocate(100, "c, 100 bytes");
	first_launch(&heavy, folder, c);
	launch(&heavy, c);
	tell("second launch of ", heavy.name, NULL);

	unload(&heavy);
	unload(&sort);
	must(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, stack_limit), "cuCtxSetLimit", "stack size");
	tell("set the stack limit to what it was", "", NULL);
	unload(&check);
	unload(&scale);
	release(a, "a");
	release(b, "b");
	release(c, "c");
	printf("%-48s", "less free than at first, after all this");
	print_change((int64_t)free_at_first - (int64_t)free_bytes());
	return EXIT_SUCCESS;
}
