/* SPDX-License-Identifier: MIT */
/*
 * Inside libcuda.so.1. One file per group of calls; each exported call has the same frame:
 *
 *	CUresult r = call_begin(__func__, CALL_NEEDS_…);   counts it, lets faults strike, locks
 *	if (r)
 *		return r;
 *	return call_end(…);                                unlocks
 *
 * Everything below but the frame itself wants the lock that call_begin() takes.
 */
#ifndef SIM_DRIVER_H
#define SIM_DRIVER_H

#include <cuda.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "kernels/cubin.h"
#include "sim/driver_exports.h"
#include "sim/fault.h"
#include "sim/model.h"
#include "sim/model_line.h"
#include "sim/simulation.h"

/* Handles are pointers to these; they are looked up, never trusted. */
struct CUfunc_st {
	const struct cubin_kernel *kernel;
	bool is_loaded;
	struct model_spot spot; /* while it is */
	bool is_lost;           /* its code found no room, and will not be looked for again */
};

struct CUmod_st {
	struct CUmod_st *next;
	const struct CUlib_st *library; /* whose module it is in its context, and whose cubin;
					 * NULL: it is of none */
	struct cubin cubin;
	struct model_traits traits;
	enum model_moment kernel_moment;
	struct CUfunc_st *functions; /* one for each kernel of the cubin */
	struct model_spot data;
};

enum allocation_kind {
	ALLOCATION_OWN,     /* memory of the device, all to itself */
	ALLOCATION_POOLED,  /* stream-ordered */
	ALLOCATION_MANAGED, /* on the device once that has written to it */
};

struct allocation {
	struct allocation *next;
	CUdeviceptr address;
	uint64_t bytes;
	enum allocation_kind kind;
	bool is_resident;
};

struct host_block;

/* An instantiated graph of CUDA, or the graph that it comes from. */
struct graph;

struct CUctx_st {
	struct CUctx_st *next;
	bool is_alive; /* dead ones stay listed: they may still be somebody's current context */
	bool is_primary;
	struct CUctx_st *owner; /* of a green context, the primary one; NULL of others */
	struct model_context model;
	struct CUmod_st *modules;
	struct allocation *allocations;
	struct model_line line; /* where they lie, if that matters */
	void *fifo;             /* on the host */
	struct host_block *host_blocks;
	CUresult fault; /* of a kernel: what every call answers from then on */
};

#define DRIVER_BLINKS_MAX 8

struct driver_blink {
	bool is_on;
	state_slot slot;
	uint64_t until_call;
};

struct driver {
	bool is_configured;
	bool is_counting; /* its calls, since cuInit */
	bool is_initialised;
	bool is_injected; /* the library has had its turn */
	pid_t pid;        /* a forked child has no driver */
	struct simulation simulation;
	state_slot slot; /* this process in the state */
	struct fault_list faults;
	struct fault_identity identity;
	uint64_t call_count;
	struct driver_blink blinks[DRIVER_BLINKS_MAX];
	bool is_eager;
	struct model_settings settings;
	struct CUctx_st *contexts;
	struct CUlib_st *libraries; /* which belong to no context */
	struct CUctx_st *primary;
	unsigned int primary_holds;
	CUdeviceptr next_address;
};

extern struct driver driver;

/* ---- driver_call.c ---- */

enum call_needs {
	CALL_NEEDS_NOTHING,
	CALL_NEEDS_INIT,
	CALL_NEEDS_CONTEXT, /* a current one */
};

/*
 * Reads the environment unless that is done: cuInit, with which the count of calls starts, and what
 * may come before it do so first.
 */
CUresult call_prepare(bool starts_count);

/*
 * `function` is the caller's __func__. Anything but CUDA_SUCCESS: the call ends with that, and the
 * lock is not held.
 */
CUresult call_begin(const char *function, enum call_needs needs);
CUresult call_end(CUresult result);

/* ---- driver_probe.c ---- */

/* Loads the library that CUDA_INJECTION64_PATH names and starts it; without the lock. */
void driver_inject(void);

/* Who has subscribed is told of it when the call in flight has succeeded and the lock is free. */
void driver_keep_image(const void *bytes, size_t size);

/* The current context of this thread, and the name of a function, NULL where it is none; both
 * without the lock. */
CUcontext driver_current_context(void);
const char *driver_kernel_name(CUfunction function);

/* ---- driver_init.c ---- */

/* Reads the environment. After a failure it can be called again. */
CUresult driver_configure(void);

/* ---- driver_setting.c ---- */

/* With the profile in place. */
void driver_read_settings(void);

/* ---- driver_context.c ---- */

/*
 * The calling thread's context, NULL where there is none: the primary one where a green context is
 * current. It may be dead.
 */
struct CUctx_st *context_current(void);

/*
 * Makes `model` what the context holds, if the device has room: CUDA_SUCCESS, or an error and no
 * effect.
 */
CUresult context_become(struct CUctx_st *context, const struct model_context *model);

/* Gives back what it can do without until the next launch, after a call that found no room. */
void context_strip(struct CUctx_st *context);

/* As the settings ask; the context is not made current. */
CUresult context_create(struct CUctx_st **ret_context);
void context_destroy(struct CUctx_st *context);

/* Another face of the device's primary context, which it holds. NULL where memory is short. */
struct CUctx_st *context_add_green(struct CUctx_st *primary);

/* The device's primary context, made by the first to hold it and destroyed with the last. */
CUresult primary_retain(struct CUctx_st **ret_context);
CUresult primary_release(void);

/* ---- driver_image.c ---- */

/* What the device would run of an image: its own, or what it would make of PTX. */
CUresult image_read(struct cubin *ret_cubin, const void *image);

/* ---- driver_module.c ---- */

/*
 * Nothing of it is on the device yet. With a library, the cubin is that one's and stays so; without
 * one it is the module's, also after a failure.
 */
CUresult module_make(struct cubin *cubin, const struct CUlib_st *library,
		     struct CUmod_st **ret_module);
struct CUfunc_st *module_kernel(const struct CUmod_st *module, const char *name);

/*
 * Brings it to the device, and with it one of its kernels that is got by the same call; NULL: none.
 * After a failure the module is no longer of use.
 */
CUresult module_load(struct CUctx_st *context, struct CUmod_st *module, struct CUfunc_st *got);
CUresult module_unload(struct CUctx_st *context, struct CUmod_st *module);
void module_free(struct CUmod_st *module);

/* The context and module of a handle; false when it is not one of a living context. */
bool module_find(CUmodule module, struct CUctx_st **ret_context);
bool function_find(CUfunction function, struct CUctx_st **ret_context,
		   struct CUmod_st **ret_module);

/*
 * How a call that concerns a kernel ends: its code is added to `model`, a changed copy of the
 * context's, when this is its moment, and that becomes what the context holds, if the device has
 * room.
 */
CUresult function_use(struct CUmod_st *module, struct CUfunc_st *function, enum model_moment moment,
		      struct CUctx_st *context, struct model_context *model);

void modules_free(struct CUctx_st *context);

/* ---- driver_launch.c ---- */

/* What a launch takes is taken. */
CUresult function_launch(CUfunction function);

/* ---- driver_memory.c ---- */

void allocations_free(struct CUctx_st *context);

/* Whether it is the address of memory that cuMemAlloc or cuMemAllocAsync gave. */
bool allocation_exists(CUdeviceptr address);

/* ---- driver_host.c ---- */

void host_blocks_free(struct CUctx_st *context);

/* ---- driver_object.c ---- */

struct array;

void array_free(struct array *array);

/* ---- driver_pool.c ---- */

/* Gives back what the context's pool neither needs nor is to keep. */
CUresult pool_trim(struct CUctx_st *context, uint64_t keep_bytes);

/* ---- driver_stream.c ---- */

bool stream_is_good(CUstream stream);
CUresult stream_create(struct CUctx_st *context, CUstream *stream);

/* ---- driver_graph.c ---- */

void graph_free(struct graph *graph);

/* ---- driver_handle.c ---- */

enum handle_kind {
	HANDLE_NONE,
	HANDLE_STREAM,
	HANDLE_EVENT,
	HANDLE_POOL,
	HANDLE_GRAPH,
	HANDLE_NODE, /* its object is its graph */
	HANDLE_EXECUTABLE,
	HANDLE_ARRAY,
	HANDLE_TEXTURE,
	HANDLE_SURFACE,
	HANDLE_GREEN, /* its object is a context */
	HANDLE_DESCRIPTION,
};

/* NULL where memory is short. Context and object may be NULL. */
void *handle_add(enum handle_kind kind, struct CUctx_st *context, void *object);
/* False when it is no handle of that kind. `ret_object` is the address of a pointer, or NULL. */
bool handle_find(enum handle_kind kind, const void *handle, struct CUctx_st **ret_context,
		 void *ret_object);
void handle_remove(enum handle_kind kind, const void *handle);
void handles_remove_nodes(const void *graph);
/* All that a context had. */
void handles_end(const struct CUctx_st *context);

#endif
