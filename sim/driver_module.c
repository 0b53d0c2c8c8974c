/* SPDX-License-Identifier: MIT */
/* Modules and when their code is loaded. */
#include "sim/driver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/file.h"

void module_free(struct CUmod_st *module)
{
	if (!module->library)
		cubin_free(&module->cubin);
	free(module->functions);
	free(module);
}

void modules_free(struct CUctx_st *context)
{
	while (context->modules) {
		struct CUmod_st *next = context->modules->next;

		module_free(context->modules);
		context->modules = next;
	}
}

CUresult module_make(struct cubin *cubin, const struct CUlib_st *library,
		     struct CUmod_st **ret_module)
{
	struct CUmod_st *module = calloc(1, sizeof *module);

	/* One more than there are: a module without kernels is no failure. */
	if (module)
		module->functions = calloc(cubin->kernel_count + 1, sizeof *module->functions);
	if (!module || !module->functions) {
		if (!library)
			cubin_free(cubin);
		free(module);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	module->cubin = *cubin;
	module->library = library;
	for (size_t i = 0; i < cubin->kernel_count; i++)
		module->functions[i].kernel = &module->cubin.kernels[i];
	*ret_module = module;
	return CUDA_SUCCESS;
}

static void place_kernel(struct model_context *model, struct CUfunc_st *function)
{
	function->spot =
		model_place_kernel(model, &driver.simulation.profile, function->kernel->text_bytes);
	function->is_loaded = true;
}

/* What goes to the device with the module itself: its data, and all code unless that waits. */
static void place_module(struct model_context *model, struct CUmod_st *module)
{
	const struct profile *profile = &driver.simulation.profile;

	module->data = model_place_data(model, profile,
					module->cubin.static_bytes - module->cubin.managed_bytes);
	model_take_managed(model, profile, module->cubin.managed_bytes);
	if (module->kernel_moment != MODEL_AT_LOAD)
		return;
	for (size_t i = 0; i < module->cubin.kernel_count; i++)
		place_kernel(model, &module->functions[i]);
}

CUresult module_load(struct CUctx_st *context, struct CUmod_st *module, struct CUfunc_st *got)
{
	const struct profile *profile = &driver.simulation.profile;
	struct model_context model = context->model;
	CUresult r;

	module->traits = (struct model_traits){ .prints = module->cubin.uses_printf,
						.allocates = module->cubin.uses_malloc,
						.launches = module->cubin.uses_device_runtime };
	module->kernel_moment = model_kernel_moment(profile, driver.is_eager, module->traits);
	model_load_module(&model, profile, module->traits);
	place_module(&model, module);
	if (got && module->kernel_moment == MODEL_AT_GET)
		place_kernel(&model, got);
	r = context_become(context, &model);
	if (r == CUDA_ERROR_OUT_OF_MEMORY && model_is_linked(module->traits))
		context_strip(context);
	if (r)
		return r;
	module->next = context->modules;
	context->modules = module;
	return CUDA_SUCCESS;
}

static CUresult load_data(CUmodule *module, const void *image)
{
	struct CUmod_st *made;
	struct cubin cubin;
	CUresult r;

	if (!module || !image)
		return CUDA_ERROR_INVALID_VALUE;
	r = image_read(&cubin, image);
	if (!r)
		r = module_make(&cubin, NULL, &made);
	if (r)
		return r;
	r = module_load(context_current(), made, NULL);
	if (r)
		module_free(made);
	else
		*module = made;
	return r;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);

	return r ? r : call_end(load_data(module, image));
}

/* With a zero byte behind it, where PTX ends. */
static CUresult load_file(CUmodule *module, const char *path)
{
	struct file_map map;
	CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
	char *image;
	int r;

	if (!module || !path)
		return CUDA_ERROR_INVALID_VALUE;
	r = file_map(&map, path, NULL);
	if (r < 0)
		return r == -EBADMSG ? CUDA_ERROR_INVALID_IMAGE : CUDA_ERROR_FILE_NOT_FOUND;
	image = malloc(map.bytes + 1);
	if (image) {
		memcpy(image, map.image, map.bytes);
		image[map.bytes] = '\0';
		result = load_data(module, image);
	}
	free(image);
	file_unmap(&map);
	return result;
}

CUresult cuModuleLoad(CUmodule *module, const char *path)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);

	return r ? r : call_end(load_file(module, path));
}

/* Options say how well to compile, which changes nothing here, or ask for texts: they stay empty.
 */
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int option_count,
			    /* NOLINTNEXTLINE(readability-non-const-parameter): so in <cuda.h> */
			    CUjit_option *options, void **values)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);

	if (r)
		return r;
	if (option_count && (!options || !values))
		return call_end(CUDA_ERROR_INVALID_VALUE);
	return call_end(load_data(module, image));
}

bool module_find(CUmodule module, struct CUctx_st **ret_context)
{
	for (struct CUctx_st *context = driver.contexts; context; context = context->next) {
		for (struct CUmod_st *known = context->modules; known; known = known->next) {
			if (known != module)
				continue;
			*ret_context = context;
			return true;
		}
	}
	return false;
}

static bool has_function(const struct CUmod_st *module, CUfunction function)
{
	for (size_t i = 0; i < module->cubin.kernel_count; i++)
		if (&module->functions[i] == function)
			return true;
	return false;
}

bool function_find(CUfunction function, struct CUctx_st **ret_context, struct CUmod_st **ret_module)
{
	for (struct CUctx_st *context = driver.contexts; context; context = context->next) {
		for (struct CUmod_st *module = context->modules; module; module = module->next) {
			if (!has_function(module, function))
				continue;
			*ret_context = context;
			*ret_module = module;
			return true;
		}
	}
	return false;
}

struct CUfunc_st *module_kernel(const struct CUmod_st *module, const char *name)
{
	for (size_t i = 0; i < module->cubin.kernel_count; i++)
		if (!strcmp(module->functions[i].kernel->name, name))
			return &module->functions[i];
	return NULL;
}

CUresult function_use(struct CUmod_st *module, struct CUfunc_st *function, enum model_moment moment,
		      struct CUctx_st *context, struct model_context *model)
{
	bool is_due = !function->is_loaded && module->kernel_moment == moment;
	struct CUfunc_st was = *function;
	CUresult r;

	if (function->is_lost)
		return CUDA_SUCCESS;
	if (is_due)
		place_kernel(model, function);
	r = context_become(context, model);
	if (r)
		*function = was;
	if (r == CUDA_ERROR_OUT_OF_MEMORY && is_due && moment == MODEL_AT_GET)
		function->is_lost = !driver.simulation.profile.code_retries;
	return r;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);
	struct CUctx_st *context;
	struct CUfunc_st *found;
	struct model_context model;

	if (r)
		return r;
	if (!function || !name)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	if (!module_find(module, &context))
		return call_end(CUDA_ERROR_INVALID_HANDLE);
	found = module_kernel(module, name);
	if (!found)
		return call_end(CUDA_ERROR_NOT_FOUND);
	model = context->model;
	r = function_use(module, found, MODEL_AT_GET, context, &model);
	if (!r)
		*function = found;
	return call_end(r);
}

static bool has_piece_in(const struct CUmod_st *module, uint64_t chunk, size_t first_function)
{
	for (size_t i = first_function; i < module->cubin.kernel_count; i++)
		if (module->functions[i].spot.chunk == chunk)
			return true;
	return false;
}

/* Whether nothing lies in its chunk but what goes with it: what is before it in its own module. */
static bool is_last(const struct CUctx_st *context, const struct CUmod_st *module,
		    const struct model_spot *spot, size_t next_function)
{
	if (!spot->chunk || has_piece_in(module, spot->chunk, next_function))
		return false;
	for (const struct CUmod_st *other = context->modules; other; other = other->next)
		if (other != module &&
		    (other->data.chunk == spot->chunk || has_piece_in(other, spot->chunk, 0)))
			return false;
	return true;
}

static void remove_module(struct model_context *model, const struct CUctx_st *context,
			  const struct CUmod_st *module)
{
	const struct profile *profile = &driver.simulation.profile;

	model_give_managed(model, profile, module->cubin.managed_bytes);
	model_remove(model, profile, &module->data, is_last(context, module, &module->data, 0));
	for (size_t i = 0; i < module->cubin.kernel_count; i++) {
		const struct model_spot *spot = &module->functions[i].spot;

		model_remove(model, profile, spot, is_last(context, module, spot, i + 1));
	}
}

CUresult module_unload(struct CUctx_st *context, struct CUmod_st *module)
{
	struct model_context model = context->model;
	struct CUmod_st **link;
	CUresult r;

	model_unload_module(&model, module->traits);
	remove_module(&model, context, module);
	r = context_become(context, &model);
	if (r)
		return r;
	for (link = &context->modules; *link != module; link = &(*link)->next)
		;
	*link = module->next;
	module_free(module);
	return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);
	struct CUctx_st *context;

	if (r)
		return r;
	if (!module_find(module, &context))
		return call_end(CUDA_ERROR_INVALID_HANDLE);
	return call_end(module_unload(context, module));
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);

	if (r)
		return r;
	if (!mode)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	*mode = driver.is_eager ? CU_MODULE_EAGER_LOADING : CU_MODULE_LAZY_LOADING;
	return call_end(CUDA_SUCCESS);
}
