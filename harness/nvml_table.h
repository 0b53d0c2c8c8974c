/* SPDX-License-Identifier: MIT */
/*
 * NVML as a table of pointers, filled from harness/nvml.def, and the three things we ask it. It
 * needs no CUDA context and makes none. CUCTX_LIBNVML names another library than libnvidia-ml.so.1.
 *
 * nvml_load() -> nvml_select() or nvml_select_index() -> nvml_read() any number of times.
 * Everything here answers for lack of NVML with "not taken", never with a zero that could be
 * believed. Who looks at several devices keeps a copy of the table for each.
 */
#ifndef HARNESS_NVML_TABLE_H
#define HARNESS_NVML_TABLE_H

#include <nvml.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

struct nvml {
#define NVML_CALL(field, symbol, need) __typeof__(symbol) *field;
#include "harness/nvml.def"
#undef NVML_CALL
	nvmlDevice_t device;
};

struct nvml_reading {
	bool has_used;
	bool has_reserved; /* the v2 call: used and reserved apart */
	bool has_processes;
	bool has_process; /* the pid asked for is in the list, with a byte count */
	bool is_listed;   /* it is in the list, perhaps without one */
	uint64_t used_bytes;
	uint64_t reserved_bytes;
	uint64_t process_bytes;
	uint64_t other_bytes; /* of all processes but the pid asked for and ourselves */
	uint64_t other_count;
};

/* Loads and initialises. -ENODEV when there is none or it does not work. */
int nvml_load(struct nvml *nvml, struct err *reterr);

/* "" or the text of NVML's driver release, such as 580.159.04. */
void nvml_driver_release(const struct nvml *nvml, char *buffer, unsigned int buffer_size);

/* Finds the device by the PCI bus id that the driver gave, since ordinals can differ. */
int nvml_select(struct nvml *nvml, const char *pci_bus_id, struct err *reterr);

/* All devices of the machine, numbered as nvidia-smi does; 0 where NVML cannot tell. */
unsigned int nvml_device_count(const struct nvml *nvml);
int nvml_select_index(struct nvml *nvml, unsigned int index, struct err *reterr);
bool nvml_index(const struct nvml *nvml, unsigned int *ret_index);

/* Of the memory alone, which is what a call costs least: used_bytes of nvml_read(). */
bool nvml_read_used(const struct nvml *nvml, uint64_t *ret_used_bytes);

struct nvml_reading nvml_read(const struct nvml *nvml, pid_t process);

#endif
