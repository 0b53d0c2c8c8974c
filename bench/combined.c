/* SPDX-License-Identifier: MIT */
/*
 * Several things in one context, one after the other. What each of them takes alone is another
 * benchmark's question; here it is what they share, and whether it matters who comes first.
 *
 * A combination is a word of the axis: up to eight parts with '+' between them, in order. A part is
 * the name of a row of `kinds`, and '-' and an amount where that row has one: "stack-16K+printf".
 * Each part is one step, "part-1", "part-2" ..., and goes as far as the first use of it.
 */
#include <string.h>

#include "base/array.h"
#include "base/size.h"
#include "bench/launch_chain.h"
#include "bench/need.h"
#include "harness/bench.h"

#define PARTS_MAX  8
#define COUNT_MAX  65536
#define AMOUNT_MAX 24

#define MIB ((uint64_t)1 << 20)

enum amount_kind {
	NO_AMOUNT,
	LIMIT,  /* of a context */
	MODULE, /* the one of the family with this number */
	BYTES,  /* of an allocation */
	COUNT,  /* of things of a kind */
};

enum driver_need {
	NEEDS_NOTHING,
	NEEDS_POOLS,
	NEEDS_GRAPHS,
};

struct part_kind {
	const char *name;
	int (*use)(struct sample *s, const struct part_kind *kind, uint64_t amount);
	enum amount_kind amount;
	const char *module; /* or its family */
	CUlimit limit;
	enum driver_need driver;
	/* More than has been seen to be taken, for --max-memory (bench/need.h): once, and for each
	 * of the amount. */
	uint64_t fixed_bytes;
	uint64_t each_bytes;
	bool is_per_thread; /* the amount counts for each thread that the device can hold */
};

struct part {
	const struct part_kind *kind;
	uint64_t amount;
};

static int set_limit(struct sample *s, const struct part_kind *kind, uint64_t amount)
{
	return (int)sample_driver(s)->ctx_set_limit(kind->limit, amount);
}

static int load(struct sample *s, const void *image, CUfunction *ret_function)
{
	const struct driver *cu = sample_driver(s);
	CUmodule module;
	CUresult error = cu->module_load_data(&module, image);

	return (int)(error ? error : cu->module_get_function(ret_function, module, "kernel"));
}

static int launch(struct sample *s, const struct part_kind *kind, uint64_t amount)
{
	const void *image = kind->amount == MODULE ? sample_module_numbered(s, kind->module, amount)
						   : sample_module(s, kind->module);
	CUfunction function;
	int error = load(s, image, &function);

	return error ? error : sample_launch(s, function);
}

static int load_copies(struct sample *s, const struct part_kind *kind, uint64_t amount)
{
	const void *image = sample_module(s, kind->module);
	CUfunction function;
	int error = 0;

	for (uint64_t i = 0; i < amount && !error; i++)
		error = load(s, image, &function);
	return error;
}

static int create_streams(struct sample *s, const struct part_kind *kind, uint64_t amount)
{
	CUstream stream;
	CUresult error = CUDA_SUCCESS;

	(void)kind;
	for (uint64_t i = 0; i < amount && !error; i++)
		error = sample_driver(s)->stream_create(&stream, CU_STREAM_NON_BLOCKING);
	return (int)error;
}

static int launch_graphs(struct sample *s, const struct part_kind *kind, uint64_t amount)
{
	const struct driver *cu = sample_driver(s);
	CUfunction function;
	CUgraph graph;
	CUgraphExec executable;
	int error = load(s, sample_module(s, kind->module), &function);

	if (!error)
		error = (int)cu->graph_create(&graph, 0);
	if (!error)
		error = (int)launch_chain_add(cu, graph, function, 1);
	for (uint64_t i = 0; i < amount && !error; i++) {
		error = (int)cu->graph_instantiate(&executable, graph, 0);
		if (!error)
			error = (int)cu->graph_launch(executable, NULL);
	}
	return error ? error : (int)cu->ctx_synchronize();
}

static int allocate_async(struct sample *s, const struct part_kind *kind, uint64_t amount)
{
	const struct driver *cu = sample_driver(s);
	CUdeviceptr address;
	CUresult error = cu->mem_alloc_async(&address, amount, NULL);

	(void)kind;
	return (int)(error ? error : cu->ctx_synchronize());
}

static const struct part_kind kinds[] = {
	{ .name = "stack",
	  .use = set_limit,
	  .amount = LIMIT,
	  .limit = CU_LIMIT_STACK_SIZE,
	  .is_per_thread = true },
	{ .name = "fifo",
	  .use = set_limit,
	  .amount = LIMIT,
	  .limit = CU_LIMIT_PRINTF_FIFO_SIZE,
	  .each_bytes = 1 },
	{ .name = "heap",
	  .use = set_limit,
	  .amount = LIMIT,
	  .limit = CU_LIMIT_MALLOC_HEAP_SIZE,
	  .each_bytes = 1 },
	{ .name = "pending",
	  .use = set_limit,
	  .amount = LIMIT,
	  .limit = CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT,
	  .each_bytes = 16384 },
	{ .name = "printf", .use = launch, .module = "printf-called", .fixed_bytes = 256 * MIB },
	{ .name = "malloc", .use = launch, .module = "malloc-called", .fixed_bytes = 256 * MIB },
	{ .name = "launch", .use = launch, .module = "launch-called", .fixed_bytes = 256 * MIB },
	{ .name = "frame",
	  .use = launch,
	  .amount = MODULE,
	  .module = "frame",
	  .is_per_thread = true },
	/* By the number of its multiply-adds: those of an instruction differ by architecture. */
	{ .name = "code", .use = launch, .amount = MODULE, .module = "fma", .each_bytes = 32 },
	{ .name = "data", .use = launch, .amount = MODULE, .module = "static", .each_bytes = 1 },
	{ .name = "copies",
	  .use = load_copies,
	  .amount = COUNT,
	  .module = "copy-1",
	  .each_bytes = 65536 },
	{ .name = "streams", .use = create_streams, .amount = COUNT, .each_bytes = MIB },
	{ .name = "graphs",
	  .use = launch_graphs,
	  .amount = COUNT,
	  .module = "empty",
	  .driver = NEEDS_GRAPHS,
	  .each_bytes = MIB },
	{ .name = "pool",
	  .use = allocate_async,
	  .amount = BYTES,
	  .driver = NEEDS_POOLS,
	  .fixed_bytes = 64 * MIB,
	  .each_bytes = 1 },
};

static const struct part_kind *find_kind(const char *name, size_t length)
{
	for (size_t i = 0; i < ARRAY_COUNT(kinds); i++)
		if (strlen(kinds[i].name) == length && !strncmp(kinds[i].name, name, length))
			return &kinds[i];
	return NULL;
}

/* "-16K": all of it, or false. */
static bool read_amount(const char *text, size_t length, uint64_t *ret_amount)
{
	char amount[AMOUNT_MAX];
	struct err why;

	if (length < 2 || length > sizeof amount || text[0] != '-')
		return false;
	memcpy(amount, text + 1, length - 1);
	amount[length - 1] = '\0';
	return !size_parse(amount, ret_amount, &why);
}

static bool read_part(const char *text, size_t length, struct part *ret_part)
{
	size_t name_length = strcspn(text, "-+");
	struct part part = { .kind = find_kind(text, name_length) };

	if (!part.kind)
		return false;
	if (part.kind->amount == NO_AMOUNT
		    ? length != name_length
		    : !read_amount(text + name_length, length - name_length, &part.amount))
		return false;
	*ret_part = part;
	return part.kind->amount != COUNT || part.amount <= COUNT_MAX;
}

/* How many parts the word has; 0 when it is no combination. */
static size_t read_parts(const char *word, struct part parts[PARTS_MAX])
{
	for (size_t count = 0; count < PARTS_MAX; count++) {
		size_t length = strcspn(word, "+");

		if (!read_part(word, length, &parts[count]))
			return 0;
		if (!word[length])
			return count + 1;
		word += length + 1;
	}
	return 0;
}

static void combined_run(struct sample *s)
{
	static const char *const steps[PARTS_MAX] = { "part-1", "part-2", "part-3", "part-4",
						      "part-5", "part-6", "part-7", "part-8" };
	struct part parts[PARTS_MAX];
	size_t count = read_parts(sample_word(s, "parts"), parts);

	CU_TRY(s, "create", sample_api(s)->create(s));
	for (size_t i = 0; i < count; i++)
		CU_TRY(s, steps[i], parts[i].kind->use(s, parts[i].kind, parts[i].amount));
	CU_TRY(s, "destroy", sample_api(s)->destroy(s));
}

static bool has_module(const struct part *part, const struct device_info *device)
{
	if (part->kind->amount == MODULE)
		return device_has_module_numbered(device, part->kind->module, part->amount);
	return !part->kind->module || device_has_module(device, part->kind->module);
}

static const char *part_obstacle(const struct part *part, const struct device_info *device)
{
	if (!has_module(part, device))
		return "a module that it needs is none of those that were built: kernels.csv lists "
		       "them, and not every toolkit can build all";
	if (part->kind->driver == NEEDS_POOLS && !device->has_memory_pools)
		return "this driver has no stream-ordered allocation";
	if (part->kind->driver == NEEDS_GRAPHS && !device->has_graphs)
		return "this driver has no graphs whose memory can be trimmed";
	return NULL;
}

static const char *combined_obstacle(const struct bench *bench, const struct bench_point *point,
				     const struct device_info *device)
{
	struct part parts[PARTS_MAX];
	size_t count = read_parts(bench_word(bench, point, "parts"), parts);
	const char *obstacle = NULL;

	if (!count)
		return "this is no combination of one to eight parts that the benchmark knows, of "
		       "each at most 65,536";
	for (size_t i = 0; i < count && !obstacle; i++)
		obstacle = part_obstacle(&parts[i], device);
	return obstacle;
}

static uint64_t part_need_bytes(const struct part *part, const struct device_info *device)
{
	const struct part_kind *kind = part->kind;
	uint64_t fixed_bytes = need_sum(kind->fixed_bytes, NEED_LITTLE_BYTES);

	return need_sum(fixed_bytes, kind->is_per_thread
					     ? need_stack(device, part->amount)
					     : need_times(part->amount, kind->each_bytes));
}

static uint64_t combined_need_bytes(const struct bench *bench, const struct bench_point *point,
				    const struct device_info *device)
{
	struct part parts[PARTS_MAX];
	size_t count = read_parts(bench_word(bench, point, "parts"), parts);
	uint64_t bytes = 0;

	for (size_t i = 0; i < count; i++)
		bytes = need_sum(bytes, part_need_bytes(&parts[i], device));
	return bytes;
}

/* What there is to know of parts: alone, in pairs and in every order. */
#define TO_LEARN                                                                       \
	"printf,malloc,launch,printf+malloc,malloc+printf,printf+launch,launch+printf" \
	",malloc+launch,launch+malloc,printf+malloc+launch,printf+launch+malloc"       \
	",malloc+printf+launch,malloc+launch+printf,launch+printf+malloc"              \
	",launch+malloc+printf,streams-64,graphs-64,streams-64+graphs-64"              \
	",graphs-64+streams-64,copies-1000+code-524255,code-524255+copies-1000"        \
	",frame-4K,stack-2K+frame-4K,frame-4K+stack-2K,stack-0+launch"                 \
	",launch+pending-32K,pending-32K+launch,malloc+heap-64M"                       \
	",printf+malloc+launch+printf+malloc+launch"

/* From these nothing is learnt: they are there to see whether it is right. */
#define TO_CHECK                                                                        \
	"heap-64M+printf+malloc,pending-8K+malloc+launch+printf,fifo-64M+launch+printf" \
	",stack-0+malloc+launch,streams-7+graphs-37,graphs-129+streams-33+printf"       \
	",streams-5+copies-333,launch+copies-100,pool-64M+streams-64+malloc"            \
	",data-64M+code-524255+launch,stack-4K+frame-2K+code-131039+copies-100"         \
	",malloc+code-4063+copies-77+graphs-21,streams-1+graphs-1+pool-1M+data-1M"      \
	",frame-2K+printf+heap-32M+malloc+streams-3+graphs-11+data-4M+copies-250"       \
	",stack-4K+heap-64M+printf+malloc+launch+streams-64+graphs-64+pool-64M"

const struct bench combined = {
	.name = "combined",
	.question = "What do several things take in one context: what do they share, and does it "
		    "matter which comes first?",
	.axes = { { .name = "parts",
		    .kind = AXIS_WORD,
		    .is_open = true,
		    .values = TO_LEARN "," TO_CHECK,
		    .quick_values = "printf,malloc,launch,printf+malloc+launch,"
				    "pool-64M+streams-64+malloc" } },
	.no_law = "a combination is a choice, not a quantity that bytes could follow",
	.headline_step = "part-2",
	.obstacle = combined_obstacle,
	.need_bytes = combined_need_bytes,
	.run = combined_run,
};
