/* SPDX-License-Identifier: MIT */
/*
 * The model: what a context takes of the device, as formulas over a profile. Nothing here has
 * state, makes calls or knows other contexts; docs/SIMULATOR.md states the same formulas in words.
 *
 * A caller copies its struct model_context, applies one event to the copy, and compares
 * model_context_bytes() before and after. When the device has no room for the difference it drops
 * the copy, so that a refused call has no effect.
 */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/profile.h"

enum model_limit {
	MODEL_STACK,
	MODEL_FIFO,
	MODEL_HEAP,
	MODEL_SYNC_DEPTH,
	MODEL_PENDING_LAUNCH,
	MODEL_L2_FETCH,
	MODEL_L2_PERSISTING,
	MODEL_LIMIT_COUNT,
};

/* What a module or a kernel of it brings along, besides its code. */
struct model_traits {
	bool prints;    /* calls printf on the device */
	bool allocates; /* calls malloc or free on the device */
	bool launches;  /* kernels from kernels */
};

enum model_object {
	MODEL_ARRAY,
	MODEL_TEXTURE, /* or surface */
	MODEL_GREEN,   /* contexts */
	MODEL_OBJECT_COUNT,
};

/* Where a kernel or the data of a module lies, and what it has there. */
struct model_spot {
	uint64_t slack_bytes;
	uint64_t chunk;       /* its number; 0: in none */
	uint64_t chunk_bytes; /* of that chunk as a whole */
	uint64_t packed_bytes;
	uint64_t data_bytes;
};

struct model_held {
	uint64_t bytes;
	uint64_t peak_bytes;
};

struct model_context {
	uint64_t limit_bytes[MODEL_LIMIT_COUNT]; /* as granted; counts for two of them */
	bool locked[MODEL_LIMIT_COUNT];

	/* Largest stack frame of a launched kernel, rounded to the step, unless it raised the
	 * limit. */
	uint64_t frame_bytes;
	uint64_t stack_pool_bytes;
	bool is_stripped; /* what a call that found no room gave back has not been needed again */

	uint64_t slack_left_bytes; /* for code, in what the context takes anyway */
	uint64_t chunk_count;      /* made so far */
	uint64_t chunk_bytes;      /* of all that are held */
	struct model_spot newest;  /* the chunk that pieces go into */
	uint64_t chunk_left_bytes; /* in it */
	uint64_t packed_bytes;     /* of all pieces, where they lie one behind the other */
	uint64_t data_bytes;       /* of modules whose data lies apart from code; not rounded */

	uint64_t printing_modules; /* loaded now */
	bool has_printed;          /* one has been loaded, ever */
	bool has_fifo;
	uint64_t fifo_device_bytes;
	uint64_t fifo_host_bytes;
	uint64_t page_table_bytes; /* of the device, for a FIFO on the host */

	uint64_t allocating_modules;
	bool has_allocated;
	bool has_heap;
	uint64_t heap_pool_bytes;

	bool has_device_runtime; /* a module that launches kernels has been loaded, ever */
	uint64_t device_runtime_bytes;

	uint64_t allocated_bytes; /* cuMemAlloc, rounded */
	uint64_t managed_bytes; /* resident on the device, rounded; NVML counts them as nobody's */

	uint64_t connection_count;
	uint64_t copy_connection_count;

	uint64_t stream_count; /* alive */
	uint64_t stream_peak;  /* most that were alive at a time */

	uint64_t executable_count;
	uint64_t executable_peak;
	uint64_t graph_slack_left_bytes; /* for their pieces, in what the context takes anyway */
	uint64_t graph_piece_bytes;      /* of pieces that did not fit there */
	uint64_t graph_piece_peak_bytes;

	uint64_t pool_used_bytes;
	uint64_t pool_reserved_bytes;
	uint64_t pool_threshold_bytes; /* more than that is not kept beyond a synchronisation */

	struct model_held objects[MODEL_OBJECT_COUNT];
};

/* `bytes` up to a multiple of `unit`; UINT64_MAX where that does not fit. */
uint64_t model_round_up(uint64_t bytes, uint64_t unit);
uint64_t model_round_down(uint64_t bytes, uint64_t unit);

/* All device memory of one context. */
uint64_t model_context_bytes(const struct model_context *context, const struct profile *profile);

/* All of it but what programs ask for by size. */
uint64_t model_other_bytes(const struct model_context *context, const struct profile *profile);

/* The part of them that NVML does not count as the process's. */
uint64_t model_hidden_bytes(const struct model_context *context, const struct profile *profile);

/* Events. Those that return false are refused and leave the context alone. A new context has the
 * usual settings. */
void model_create(struct model_context *context, const struct profile *profile);
bool model_set_limit(struct model_context *context, const struct profile *profile,
		     enum model_limit limit, uint64_t request);
void model_load_module(struct model_context *context, const struct profile *profile,
		       struct model_traits traits);
void model_unload_module(struct model_context *context, struct model_traits traits);
bool model_launch(struct model_context *context, const struct profile *profile,
		  struct model_traits traits, uint64_t local_bytes);
/* What a launch, or the load of a module that is linked, leaves behind when it finds no room. */
void model_strip(struct model_context *context, const struct profile *profile);
/* Whether a thread's stack holds so many nested calls with frames of this size. */
bool model_holds_calls(const struct model_context *context, const struct profile *profile,
		       uint64_t call_count, uint64_t call_bytes);
void model_allocate(struct model_context *context, const struct profile *profile,
		    uint64_t request_bytes);
void model_release(struct model_context *context, const struct profile *profile,
		   uint64_t request_bytes);

/* Managed memory becomes resident, and is freed. */
void model_take_managed(struct model_context *context, const struct profile *profile,
			uint64_t bytes);
void model_give_managed(struct model_context *context, const struct profile *profile,
			uint64_t bytes);
/* What the device's pool of managed memory must take to hand out so much; it has `pool_bytes`. */
uint64_t model_managed_batches(const struct profile *profile, uint64_t pool_bytes,
			       uint64_t needed_bytes);

/* ---- sim/model_limit.c: what becomes of requests, and limits that are no more than that ---- */

/* Whether the device has such a limit at all. */
bool model_knows_limit(const struct profile *profile, enum model_limit limit);
uint64_t model_default_limit(const struct profile *profile, enum model_limit limit);
/* False: refused. */
bool model_grant(const struct profile *profile, enum model_limit limit, uint64_t request,
		 uint64_t *ret_granted);
/* What the limits take of the device that have no pool of their own. */
uint64_t model_limit_bytes(const struct model_context *context, const struct profile *profile);

/* ---- sim/model_setting.c: what variables of the environment ask of new contexts ---- */

struct model_settings {
	uint64_t connection_count;
	uint64_t copy_connection_count;
	bool has_l2_percent;
	uint64_t l2_percent;
};

/* Where no variable is set. */
struct model_settings model_usual_settings(const struct profile *profile);
/* Of a new context. False: it is refused. */
bool model_apply_settings(struct model_context *context, const struct profile *profile,
			  const struct model_settings *settings);
/* What a context's connections take beyond what context_fixed_bytes have for the usual ones. */
int64_t model_more_connection_bytes(const struct model_context *context,
				    const struct profile *profile);

/* ---- sim/model_code.c: code and module data, which are placed piece by piece ---- */

enum model_moment {
	MODEL_AT_LOAD,
	MODEL_AT_GET,
	MODEL_AT_LAUNCH,
};

/* The code of a kernel that PTX has in so many instructions. */
uint64_t model_compiled_bytes(const struct profile *profile, uint64_t instructions);

/* Whether the driver links it with code of its own. */
bool model_is_linked(struct model_traits traits);

/* When the kernels of a module are loaded. */
enum model_moment model_kernel_moment(const struct profile *profile, bool is_eager,
				      struct model_traits traits);

/* Places a kernel, or the data of a module, which may have none. */
struct model_spot model_place_kernel(struct model_context *context, const struct profile *profile,
				     uint64_t text_bytes);
struct model_spot model_place_data(struct model_context *context, const struct profile *profile,
				   uint64_t static_bytes);
/* Places one piece, as both do. */
struct model_spot model_place(struct model_context *context, const struct profile *profile,
			      uint64_t piece_bytes);
/* Takes it away; `is_last` says that nothing else lies in its chunk. */
void model_remove(struct model_context *context, const struct profile *profile,
		  const struct model_spot *spot, bool is_last);

/* ---- sim/model_stream.c ---- */

uint64_t model_stream_bytes(const struct model_context *context, const struct profile *profile);
void model_create_stream(struct model_context *context);
void model_destroy_stream(struct model_context *context);

/* ---- sim/model_object.c ---- */

/* What an array with so many bytes of elements takes of its pool. */
uint64_t model_array_bytes(const struct profile *profile, uint64_t element_bytes);
uint64_t model_objects_bytes(const struct model_context *context, const struct profile *profile);
void model_object_add(struct model_context *context, enum model_object kind, uint64_t bytes);
void model_object_remove(struct model_context *context, enum model_object kind, uint64_t bytes);
/* Of a primary context. */
void model_create_green(struct model_context *context, const struct profile *profile);
void model_destroy_green(struct model_context *context, const struct profile *profile);
/* How many multiprocessors a green context has that is to have at least so many. */
uint64_t model_green_sms(const struct profile *profile, uint64_t sm_count_min);

/* ---- sim/model_graph.c ---- */

/* What an executable graph has for its nodes. */
struct model_piece {
	uint64_t bytes;
	bool is_in_slack;
};

uint64_t model_graph_piece_bytes(const struct profile *profile, uint64_t node_count);
uint64_t model_graph_bytes(const struct model_context *context, const struct profile *profile);
/* Notes in the piece where it lies. */
void model_instantiate(struct model_context *context, struct model_piece *piece);
void model_destroy_executable(struct model_context *context, const struct profile *profile,
			      const struct model_piece *piece);

/* ---- sim/model_pool.c ---- */

void model_pool_allocate(struct model_context *context, const struct profile *profile,
			 uint64_t request_bytes);
void model_pool_release(struct model_context *context, uint64_t request_bytes);
/* Gives back what is neither used nor to be kept. */
void model_pool_trim(struct model_context *context, const struct profile *profile,
		     uint64_t keep_bytes);
/* Of a context that is destroyed, what stays with its process. */
uint64_t model_outliving_bytes(const struct model_context *context, const struct profile *profile);

#endif
