/* SPDX-License-Identifier: MIT */
/*
 * A program to be traced: it does what its arguments say, one after the other, by the driver's own
 * names, and ends with 0 or with the number of the step that failed.
 *
 *	init context=N alloc=BYTES free module=PATH unload kernel=NAME launch=NUMBER stream=NUMBER
 *	pool=BYTES sync host=BYTES limit=STACK_BYTES reset
 *	print=TEXT error=TEXT threads=NUMBER fork sleep=MS exit=CODE _exit=CODE abort close
 *
 * `fork` goes on in a child and in the parent, which then waits for it. `close` closes every file
 * descriptor above 2, as some programs do.
 */
#include <cuda.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEPT_MAX 256

static CUcontext context;
static CUmodule module;
static CUfunction function;
static CUdeviceptr kept[KEPT_MAX];
static size_t kept_count;

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	char *bytes = NULL;
	long size;

	if (!file)
		return NULL;
	if (!fseek(file, 0, SEEK_END) && (size = ftell(file)) > 0) {
		rewind(file);
		bytes = calloc(1, (size_t)size + 1);
		if (bytes && fread(bytes, 1, (size_t)size, file) != (size_t)size) {
			free(bytes);
			bytes = NULL;
		}
	}
	fclose(file);
	return bytes;
}

static bool do_context(const char *value)
{
	(void)value;
	return !cuInit(0) && !cuDevicePrimaryCtxRetain(&context, 0) && !cuCtxSetCurrent(context);
}

static bool do_init(const char *value)
{
	(void)value;
	return !cuInit(0);
}

static bool do_alloc(const char *value)
{
	if (kept_count == KEPT_MAX || cuMemAlloc(&kept[kept_count], strtoull(value, NULL, 10)))
		return false;
	kept_count++;
	return true;
}

static bool do_free(const char *value)
{
	(void)value;
	return kept_count && !cuMemFree(kept[--kept_count]);
}

static bool do_module(const char *value)
{
	char *image = read_file(value);
	bool is_loaded = image && !cuModuleLoadData(&module, image);

	free(image);
	return is_loaded;
}

static bool do_unload(const char *value)
{
	(void)value;
	return !cuModuleUnload(module);
}

static bool do_kernel(const char *value)
{
	return !cuModuleGetFunction(&function, module, value);
}

static bool do_launch(const char *value)
{
	uint64_t calls = 0;
	void *parameters[] = { &calls, &calls, &calls, &calls };

	for (long i = strtol(value, NULL, 10); i; i--)
		if (cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL))
			return false;
	return true;
}

static bool do_stream(const char *value)
{
	for (long i = strtol(value, NULL, 10); i; i--) {
		CUstream stream;

		if (cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING))
			return false;
	}
	return true;
}

static bool do_pool(const char *value)
{
	CUdeviceptr pointer;

	return !cuMemAllocAsync(&pointer, strtoull(value, NULL, 10), NULL) &&
	       !cuMemFreeAsync(pointer, NULL);
}

static bool do_sync(const char *value)
{
	(void)value;
	return !cuCtxSynchronize();
}

static bool do_host(const char *value)
{
	void *memory;

	return !cuMemHostAlloc(&memory, strtoull(value, NULL, 10), 0);
}

static bool do_limit(const char *value)
{
	return !cuCtxSetLimit(CU_LIMIT_STACK_SIZE, strtoull(value, NULL, 10));
}

#undef cuDevicePrimaryCtxReset
extern CUresult cuDevicePrimaryCtxReset(CUdevice device);

static bool do_reset(const char *value)
{
	(void)value;
	return !cuDevicePrimaryCtxReset(0);
}

static bool do_print(const char *value)
{
	return puts(value) >= 0 && !fflush(stdout);
}

static bool do_error(const char *value)
{
	return fprintf(stderr, "%s\n", value) >= 0;
}

static void *allocate(void *unused)
{
	CUdeviceptr pointer;

	(void)unused;
	cuCtxSetCurrent(context);
	for (int i = 0; i < 20; i++)
		if (!cuMemAlloc(&pointer, 3 << 20) && i % 2)
			cuMemFree(pointer);
	return NULL;
}

static bool do_threads(const char *value)
{
	pthread_t threads[64];
	long count = strtol(value, NULL, 10);

	for (long i = 0; i < count && i < 64; i++)
		if (pthread_create(&threads[i], NULL, allocate, NULL))
			return false;
	for (long i = 0; i < count && i < 64; i++)
		pthread_join(threads[i], NULL);
	return true;
}

static bool do_fork(const char *value)
{
	pid_t child = fork();
	int status;

	(void)value;
	if (child <= 0)
		return !child;
	return waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status);
}

static bool do_sleep(const char *value)
{
	usleep((useconds_t)(1000 * strtoul(value, NULL, 10)));
	return true;
}

static bool do_exit(const char *value)
{
	exit((int)strtol(value, NULL, 10));
}

static bool do_exit_now(const char *value)
{
	_exit((int)strtol(value, NULL, 10));
}

static bool do_abort(const char *value)
{
	(void)value;
	abort();
}

static bool do_close(const char *value)
{
	(void)value;
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	return true;
}

static const struct {
	const char *name;
	bool (*act)(const char *value);
} steps[] = {
	{ "init", do_init },     { "context", do_context }, { "alloc", do_alloc },
	{ "free", do_free },     { "module", do_module },   { "unload", do_unload },
	{ "kernel", do_kernel }, { "launch", do_launch },   { "stream", do_stream },
	{ "pool", do_pool },     { "sync", do_sync },       { "host", do_host },
	{ "limit", do_limit },   { "reset", do_reset },     { "print", do_print },
	{ "error", do_error },   { "threads", do_threads }, { "fork", do_fork },
	{ "sleep", do_sleep },   { "exit", do_exit },       { "_exit", do_exit_now },
	{ "abort", do_abort },   { "close", do_close },
};

static bool act(const char *argument)
{
	const char *value = strchr(argument, '=');
	size_t length = value ? (size_t)(value - argument) : strlen(argument);

	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		if (strlen(steps[i].name) == length && !strncmp(steps[i].name, argument, length))
			return steps[i].act(value ? value + 1 : "");
	return false;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!act(argv[i]))
			return i;
	return 0;
}
