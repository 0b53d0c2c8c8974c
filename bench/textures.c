/* SPDX-License-Identifier: MIT */
#include "bench/need.h"
#include "harness/bench.h"

#include "base/array.h"

#define OBJECTS_MAX 131072
#define SIDE        32 /* of each array, in elements of four bytes */
#define BASE_BYTES  ((size_t)4 * SIDE * SIDE)

union object {
	CUarray array;
	CUtexObject texture;
	CUsurfObject surface;
};

/* What textures and surfaces look at. */
union base {
	CUarray array;
	CUdeviceptr buffer;
};

static union object objects_made[OBJECTS_MAX];

/* How one object of a kind is made of the base, and how it ends. Arrays have no base. */
struct object_kind {
	const char *word;
	uint64_t need_bytes; /* more than one of them has been seen to take */
	CUresult (*make_base)(const struct driver *cu, union base *base);
	CUresult (*create)(const struct driver *cu, const union base *base, union object *object);
	CUresult (*destroy)(const struct driver *cu, const union object *object);
	CUresult (*destroy_base)(const struct driver *cu, const union base *base);
};

static CUresult create_array(const struct driver *cu, size_t side, CUarray *ret_array)
{
	const CUDA_ARRAY_DESCRIPTOR_v2 wanted = {
		.Width = side, .Height = side, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1
	};

	return cu->array_create(ret_array, &wanted);
}

static CUresult create_texture(const struct driver *cu, const CUDA_RESOURCE_DESC_v1 *resource,
			       CUtexObject *ret_texture)
{
	static const CUDA_TEXTURE_DESC_v1 reading = { .filterMode = CU_TR_FILTER_MODE_POINT };

	return cu->tex_object_create(ret_texture, resource, &reading, NULL);
}

static CUDA_RESOURCE_DESC_v1 describe_array(CUarray array)
{
	return (CUDA_RESOURCE_DESC_v1){ .resType = CU_RESOURCE_TYPE_ARRAY,
					.res.array.hArray = array };
}

/* ---- arrays, each with memory of its own ---- */

static CUresult array_create(const struct driver *cu, const union base *base, union object *object)
{
	(void)base;
	return create_array(cu, SIDE, &object->array);
}

static CUresult tiny_create(const struct driver *cu, const union base *base, union object *object)
{
	(void)base;
	return create_array(cu, 1, &object->array);
}

static CUresult array_destroy(const struct driver *cu, const union object *object)
{
	return cu->array_destroy(object->array);
}

/* ---- textures of one array ---- */

static CUresult texture_make_base(const struct driver *cu, union base *base)
{
	return create_array(cu, SIDE, &base->array);
}

static CUresult texture_create(const struct driver *cu, const union base *base,
			       union object *object)
{
	const CUDA_RESOURCE_DESC_v1 resource = describe_array(base->array);

	return create_texture(cu, &resource, &object->texture);
}

static CUresult texture_destroy(const struct driver *cu, const union object *object)
{
	return cu->tex_object_destroy(object->texture);
}

static CUresult array_base_destroy(const struct driver *cu, const union base *base)
{
	return cu->array_destroy(base->array);
}

/* ---- textures of one buffer ---- */

static CUresult linear_make_base(const struct driver *cu, union base *base)
{
	return cu->mem_alloc(&base->buffer, BASE_BYTES);
}

static CUresult linear_create(const struct driver *cu, const union base *base, union object *object)
{
	const CUDA_RESOURCE_DESC_v1 resource = {
		.resType = CU_RESOURCE_TYPE_LINEAR,
		.res.linear = { .devPtr = base->buffer,
				.format = CU_AD_FORMAT_FLOAT,
				.numChannels = 1,
				.sizeInBytes = BASE_BYTES },
	};

	return create_texture(cu, &resource, &object->texture);
}

static CUresult buffer_destroy(const struct driver *cu, const union base *base)
{
	return cu->mem_free(base->buffer);
}

/* ---- surfaces of one array ---- */

static CUresult surface_make_base(const struct driver *cu, union base *base)
{
	const CUDA_ARRAY3D_DESCRIPTOR_v2 wanted = { .Width = SIDE,
						    .Height = SIDE,
						    .Format = CU_AD_FORMAT_FLOAT,
						    .NumChannels = 1,
						    .Flags = CUDA_ARRAY3D_SURFACE_LDST };

	return cu->array_3d_create(&base->array, &wanted);
}

static CUresult surface_create(const struct driver *cu, const union base *base,
			       union object *object)
{
	const CUDA_RESOURCE_DESC_v1 resource = describe_array(base->array);

	return cu->surf_object_create(&object->surface, &resource);
}

static CUresult surface_destroy(const struct driver *cu, const union object *object)
{
	return cu->surf_object_destroy(object->surface);
}

static const struct object_kind object_kinds[] = {
	{ "array", 2 * BASE_BYTES, NULL, array_create, array_destroy, NULL },
	{ "array-tiny", BASE_BYTES, NULL, tiny_create, array_destroy, NULL },
	{ "texture", 1024, texture_make_base, texture_create, texture_destroy, array_base_destroy },
	{ "texture-linear", 1024, linear_make_base, linear_create, texture_destroy,
	  buffer_destroy },
	{ "surface", 1024, surface_make_base, surface_create, surface_destroy, array_base_destroy },
};

static const struct object_kind *find_kind(const struct sample *s)
{
	for (size_t i = 0; i < ARRAY_COUNT(object_kinds); i++)
		if (sample_word_is(s, "kind", object_kinds[i].word))
			return &object_kinds[i];
	return NULL;
}

/* Notes how many there are: a driver may refuse beyond what it has room for. */
static CUresult create_all(struct sample *s, const struct object_kind *kind, const union base *base,
			   uint64_t *ret_count)
{
	uint64_t wanted_count = sample_number(s, "objects"), count = 0;
	CUresult error = CUDA_SUCCESS;

	while (count < wanted_count && !error) {
		error = kind->create(sample_driver(s), base, &objects_made[count]);
		count += !error;
	}
	sample_read(s, "created_count", count);
	*ret_count = count;
	return error;
}

static CUresult destroy_all(struct sample *s, const struct object_kind *kind, uint64_t count)
{
	CUresult error = CUDA_SUCCESS;

	for (uint64_t i = 0; i < count && !error; i++)
		error = kind->destroy(sample_driver(s), &objects_made[i]);
	return error;
}

static void textures_run(struct sample *s)
{
	const struct context_api *api = sample_api(s);
	const struct driver *cu = sample_driver(s);
	const struct object_kind *kind = find_kind(s);
	union base base;
	uint64_t count;

	if (!kind)
		return;
	CU_TRY(s, "create", api->create(s));
	if (kind->make_base)
		CU_TRY(s, "make-base", kind->make_base(cu, &base));
	CU_STEP(s, "create-objects", create_all(s, kind, &base, &count));
	CU_TRY(s, "destroy-objects", destroy_all(s, kind, count));
	CU_STEP(s, "create-again", create_all(s, kind, &base, &count));
	CU_TRY(s, "destroy-again", destroy_all(s, kind, count));
	if (kind->destroy_base)
		CU_TRY(s, "destroy-base", kind->destroy_base(cu, &base));
	CU_TRY(s, "destroy", api->destroy(s));
}

static const char *textures_obstacle(const struct bench *bench, const struct bench_point *point,
				     const struct device_info *device)
{
	(void)device;
	return bench_number(bench, point, "objects") > OBJECTS_MAX
		       ? "this benchmark makes up to 131,072 objects"
		       : NULL;
}

static uint64_t textures_need_bytes(const struct bench *bench, const struct bench_point *point,
				    const struct device_info *device)
{
	uint64_t each_bytes = 0;

	(void)device;
	for (size_t i = 0; i < ARRAY_COUNT(object_kinds); i++)
		if (bench_word_is(bench, point, "kind", object_kinds[i].word))
			each_bytes = object_kinds[i].need_bytes;
	/* Twice, as what is created again may be given no memory that was there before. */
	return need_sum(
		NEED_LITTLE_BYTES,
		need_times(2, need_times(bench_number(bench, point, "objects"), each_bytes)));
}

const struct bench textures = {
	.name = "textures",
	.question = "What does an array, a texture object or a surface object cost, and does "
		    "destroying it give that back?",
	.axes = { { .name = "objects", .values = "1,1000,60000,130000", .quick_values = "60000" },
		  { .name = "kind",
		    .kind = AXIS_WORD,
		    .values = "array,array-tiny,texture,texture-linear,surface" } },
	.readings = { { "created_count" } },
	.laws = { { .component = "arrays",
		    .axis = "objects",
		    .step = "create-objects",
		    .where = "kind=array" },
		  { .component = "arrays-tiny",
		    .axis = "objects",
		    .step = "create-objects",
		    .where = "kind=array-tiny" },
		  { .component = "textures",
		    .axis = "objects",
		    .step = "create-objects",
		    .where = "kind=texture" },
		  { .component = "surfaces",
		    .axis = "objects",
		    .step = "create-objects",
		    .where = "kind=surface" } },
	.headline_step = "create-objects",
	.obstacle = textures_obstacle,
	.need_bytes = textures_need_bytes,
	.run = textures_run,
};
