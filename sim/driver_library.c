/* SPDX-License-Identifier: MIT */
/*
 * Libraries: modules that are no context's until a kernel of theirs is wanted in one. With eager
 * loading the context that is current takes them at once.
 */
#include "sim/driver.h"

#include <stdlib.h>
#include <string.h>

/* A kernel of a library is one of its handles; what it becomes in a context is a function. */
struct CUkern_st {
	struct CUlib_st *library;
	const char *name; /* owned by the cubin */
};

struct CUlib_st {
	struct CUlib_st *next;
	struct cubin cubin; /* which its modules borrow */
	struct CUkern_st *kernels;
};

static void library_free(struct CUlib_st *library)
{
	cubin_free(&library->cubin);
	free(library->kernels);
	free(library);
}

static CUresult library_read(const void *image, struct CUlib_st **ret_library)
{
	struct CUlib_st *library = calloc(1, sizeof *library);
	CUresult r;

	if (!library)
		return CUDA_ERROR_OUT_OF_MEMORY;
	r = image_read(&library->cubin, image);
	if (r) {
		free(library);
		return r;
	}
	/* One more than there are, as in modules. */
	library->kernels = calloc(library->cubin.kernel_count + 1, sizeof *library->kernels);
	if (!library->kernels) {
		library_free(library);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	for (size_t i = 0; i < library->cubin.kernel_count; i++)
		library->kernels[i] = (struct CUkern_st){ .library = library,
							  .name = library->cubin.kernels[i].name };
	*ret_library = library;
	return CUDA_SUCCESS;
}

static struct CUmod_st *module_in(const struct CUctx_st *context, const struct CUlib_st *library)
{
	struct CUmod_st *module = context->modules;

	while (module && module->library != library)
		module = module->next;
	return module;
}

/* Makes the library a module of the context, with one of its kernels where that is wanted. */
static CUresult enter(struct CUctx_st *context, struct CUlib_st *library, const char *kernel_name,
		      struct CUfunc_st **ret_function)
{
	struct CUmod_st *module;
	struct CUfunc_st *function = NULL;
	CUresult r = module_make(&library->cubin, library, &module);

	if (r)
		return r;
	if (kernel_name)
		function = module_kernel(module, kernel_name);
	r = module_load(context, module, function);
	if (r)
		module_free(module);
	else if (ret_function)
		*ret_function = function;
	return r;
}

static bool has_context(void)
{
	struct CUctx_st *context = context_current();

	return context && context->is_alive;
}

/* NOLINTBEGIN(readability-non-const-parameter): that is how <cuda.h> declares it */
CUresult cuLibraryLoadData(struct CUlib_st **library, const void *image, CUjit_option *jit_options,
			   void **jit_values, unsigned int jit_option_count,
			   enum CUlibraryOption_enum *library_options, void **library_values,
			   unsigned int library_option_count)
/* NOLINTEND(readability-non-const-parameter) */
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);
	struct CUlib_st *read;

	if (r)
		return r;
	(void)jit_options;
	(void)jit_values;
	(void)library_options;
	(void)library_values;
	if (!library || !image || jit_option_count || library_option_count)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	r = library_read(image, &read);
	if (r)
		return call_end(r);
	if (driver.is_eager && has_context())
		r = enter(context_current(), read, NULL, NULL);
	if (r) {
		library_free(read);
		return call_end(r);
	}
	read->next = driver.libraries;
	driver.libraries = read;
	*library = read;
	return call_end(CUDA_SUCCESS);
}

static struct CUlib_st **library_link(const struct CUlib_st *library)
{
	struct CUlib_st **link = &driver.libraries;

	while (*link && *link != library)
		link = &(*link)->next;
	return link;
}

CUresult cuLibraryGetKernel(struct CUkern_st **kernel, struct CUlib_st *library, const char *name)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);

	if (r)
		return r;
	if (!kernel || !name)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	if (!*library_link(library))
		return call_end(CUDA_ERROR_INVALID_HANDLE);
	for (size_t i = 0; i < library->cubin.kernel_count; i++) {
		if (strcmp(library->kernels[i].name, name) != 0)
			continue;
		*kernel = &library->kernels[i];
		return call_end(CUDA_SUCCESS);
	}
	return call_end(CUDA_ERROR_NOT_FOUND);
}

static bool kernel_is_good(struct CUkern_st *kernel)
{
	for (struct CUlib_st *library = driver.libraries; library; library = library->next)
		for (size_t i = 0; i < library->cubin.kernel_count; i++)
			if (&library->kernels[i] == kernel)
				return true;
	return false;
}

static CUresult get_function(struct CUctx_st *context, const struct CUkern_st *kernel,
			     struct CUfunc_st **ret_function)
{
	struct CUmod_st *module = module_in(context, kernel->library);
	struct model_context model = context->model;
	struct CUfunc_st *found;
	CUresult r;

	if (!module)
		return enter(context, kernel->library, kernel->name, ret_function);
	found = module_kernel(module, kernel->name);
	r = function_use(module, found, MODEL_AT_GET, context, &model);
	if (!r)
		*ret_function = found;
	return r;
}

CUresult cuKernelGetFunction(CUfunction *function, struct CUkern_st *kernel)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);

	if (r)
		return r;
	if (!function)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	if (!kernel_is_good(kernel))
		return call_end(CUDA_ERROR_INVALID_HANDLE);
	return call_end(get_function(context_current(), kernel, function));
}

/* Out of all contexts that it is in. */
CUresult cuLibraryUnload(struct CUlib_st *library)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);
	struct CUlib_st **link;
	struct CUmod_st *module;

	if (r)
		return r;
	link = library_link(library);
	if (!*link)
		return call_end(CUDA_ERROR_INVALID_HANDLE);
	for (struct CUctx_st *context = driver.contexts; context && !r; context = context->next)
		while (!r && (module = module_in(context, library)))
			r = module_unload(context, module);
	if (r)
		return call_end(r);
	*link = library->next;
	library_free(library);
	return call_end(CUDA_SUCCESS);
}
