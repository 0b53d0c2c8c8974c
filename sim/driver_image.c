/* SPDX-License-Identifier: MIT */
/* What cuModuleLoadData() is given: a cubin, a fat binary with one in it, or PTX. */
#include "sim/driver.h"

#include <errno.h>

#include "kernels/fatbin.h"
#include "kernels/ptx.h"

static CUresult answer(int r, CUresult damaged)
{
	if (!r)
		return CUDA_SUCCESS;
	return r == -ENOMEM ? CUDA_ERROR_OUT_OF_MEMORY : damaged;
}

static bool runs_here(unsigned int architecture)
{
	unsigned int device = profile_architecture(&driver.simulation.profile);

	return architecture / 10 == device / 10 && architecture % 10 <= device % 10;
}

static CUresult read_cubin(struct cubin *ret_cubin, const void *image)
{
	size_t image_bytes = cubin_image_bytes(image);
	struct cubin cubin;
	CUresult r;

	if (!image_bytes)
		return CUDA_ERROR_INVALID_IMAGE;
	r = answer(cubin_read(&cubin, image, image_bytes, "module", NULL),
		   CUDA_ERROR_INVALID_IMAGE);
	if (r)
		return r;
	if (!runs_here(cubin.architecture)) {
		cubin_free(&cubin);
		return CUDA_ERROR_NO_BINARY_FOR_GPU;
	}
	driver_keep_image(image, image_bytes);
	*ret_cubin = cubin;
	return CUDA_SUCCESS;
}

/* A cubin of a fat binary has an end of its own, behind which it must not reach. */
static CUresult read_fatbin(struct cubin *ret_cubin, const void *image)
{
	struct fatbin_image found;
	int r = fatbin_find(&found, image, profile_architecture(&driver.simulation.profile), NULL);
	CUresult result;

	if (r == -ENOENT)
		return CUDA_ERROR_NO_BINARY_FOR_GPU;
	if (r < 0)
		return answer(r, CUDA_ERROR_INVALID_IMAGE);
	result = answer(cubin_read(ret_cubin, found.image, found.bytes, "module", NULL),
			CUDA_ERROR_INVALID_IMAGE);
	if (!result)
		driver_keep_image(found.image, found.bytes);
	fatbin_release(&found);
	return result;
}

static CUresult compile(struct cubin *ret_cubin, const char *text)
{
	const struct profile *profile = &driver.simulation.profile;
	struct cubin cubin;
	CUresult r = answer(ptx_read(&cubin, text, NULL), CUDA_ERROR_INVALID_PTX);

	if (r)
		return r;
	/* PTX runs on what it was written for and all that came later. */
	if (cubin.architecture > profile_architecture(profile)) {
		cubin_free(&cubin);
		return CUDA_ERROR_NO_BINARY_FOR_GPU;
	}
	cubin.architecture = profile_architecture(profile);
	for (size_t i = 0; i < cubin.kernel_count; i++)
		cubin.kernels[i].text_bytes =
			model_compiled_bytes(profile, cubin.kernels[i].instructions);
	*ret_cubin = cubin;
	return CUDA_SUCCESS;
}

CUresult image_read(struct cubin *ret_cubin, const void *image)
{
	if (fatbin_is_one(image))
		return read_fatbin(ret_cubin, image);
	if (ptx_is_one(image))
		return compile(ret_cubin, image);
	return read_cubin(ret_cubin, image);
}
