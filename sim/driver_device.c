/* SPDX-License-Identifier: MIT */
/* The one device, and what it says of itself. */
#include "sim/driver.h"

#include <stdio.h>

#include "base/array.h"

static bool is_device(CUdevice device)
{
	return device == 0;
}

static CUresult copy_text(char *ret_text, int size, const char *text)
{
	if (!ret_text || size < 1)
		return CUDA_ERROR_INVALID_VALUE;
	snprintf(ret_text, (size_t)size, "%s", text);
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);

	if (r)
		return r;
	if (!count)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	*count = 1;
	return call_end(CUDA_SUCCESS);
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);

	if (r)
		return r;
	if (!device)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	if (!is_device(ordinal))
		return call_end(CUDA_ERROR_INVALID_DEVICE);
	*device = ordinal;
	return call_end(CUDA_SUCCESS);
}

CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);

	if (r)
		return r;
	if (!is_device(device))
		return call_end(CUDA_ERROR_INVALID_DEVICE);
	return call_end(copy_text(name, size, driver.simulation.profile.gpu_name));
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);

	if (r)
		return r;
	if (!uuid)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	if (!is_device(device))
		return call_end(CUDA_ERROR_INVALID_DEVICE);
	profile_uuid(&driver.simulation.profile, (unsigned char *)uuid->bytes);
	return call_end(CUDA_SUCCESS);
}

CUresult cuDeviceGetPCIBusId(char *id, int size, CUdevice device)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);

	if (r)
		return r;
	if (!is_device(device))
		return call_end(CUDA_ERROR_INVALID_DEVICE);
	return call_end(copy_text(id, size, driver.simulation.profile.pci_bus_id));
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);

	if (r)
		return r;
	if (!bytes)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	if (!is_device(device))
		return call_end(CUDA_ERROR_INVALID_DEVICE);
	*bytes = driver.simulation.profile.total_bytes;
	return call_end(CUDA_SUCCESS);
}

static CUresult attribute_value(const struct profile *p, CUdevice_attribute attribute,
				uint64_t *ret_value)
{
	struct profile_pci pci = { 0 };
	unsigned int architecture = profile_architecture(p);

	profile_parse_pci(p->pci_bus_id, &pci);
	const struct {
		CUdevice_attribute attribute;
		uint64_t value;
	} values[] = {
		{ CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, p->sm_count },
		{ CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, p->max_threads_per_sm },
		{ CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, architecture / 10 },
		{ CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, architecture % 10 },
		{ CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, pci.domain },
		{ CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, pci.bus },
		{ CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, pci.device },
		{ CU_DEVICE_ATTRIBUTE_ECC_ENABLED, p->ecc },
		{ CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, p->compute_mode },
		{ CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, p->l2_cache_bytes },
		{ CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32 },
		{ CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024 },
		{ CU_DEVICE_ATTRIBUTE_INTEGRATED, 0 },
		{ CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 1 },
		{ CU_DEVICE_ATTRIBUTE_TCC_DRIVER, 0 },
	};

	for (size_t i = 0; i < ARRAY_COUNT(values); i++) {
		if (values[i].attribute != attribute)
			continue;
		*ret_value = values[i].value;
		return CUDA_SUCCESS;
	}
	/* Better no answer than one that no profile gives. */
	return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);
	uint64_t found;

	if (r)
		return r;
	if (!value)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	if (!is_device(device))
		return call_end(CUDA_ERROR_INVALID_DEVICE);
	r = attribute_value(&driver.simulation.profile, attribute, &found);
	if (!r)
		*value = (int)found;
	return call_end(r);
}
