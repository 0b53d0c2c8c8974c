/* SPDX-License-Identifier: MIT */
#include "inspect/contents.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/names.h"
#include "kernels/device_parts.h"
#include "kernels/file.h"

/* Fat binaries in one section begin at multiples of it. */
#define FATBIN_ALIGNMENT ((uint64_t)8)

static const char *const kind_texts[] = {
	[IMAGE_CUBIN] = "cubin", [IMAGE_PTX] = "ptx", [IMAGE_OTHER] = "other"
};
static const char *const packing_texts[] = { [FATBIN_PLAIN] = "none",
					     [FATBIN_LZ4] = "lz4",
					     [FATBIN_ZSTD] = "zstd",
					     [FATBIN_PACKED] = "unknown" };

const char *device_image_kind_text(enum device_image_kind kind)
{
	return kind_texts[kind];
}

const char *fatbin_packing_text(enum fatbin_packing packing)
{
	return packing_texts[packing];
}

struct reading {
	struct contents contents;
	const struct device_part *part;
	struct err *reterr;
};

static int no_memory(const struct reading *reading)
{
	return err_set(reading->reterr, ENOMEM, "%s: out of memory", reading->contents.path);
}

/* ---- images ---- */

/* NULL: no memory. */
static struct device_image *new_image(struct reading *reading)
{
	struct contents *contents = &reading->contents;
	size_t size = contents->size ? contents->size * 2 : 4;
	struct device_image *image;

	if (contents->count == contents->size) {
		struct device_image *images = realloc(contents->images, size * sizeof *images);

		if (!images)
			return NULL;
		contents->images = images;
		contents->size = size;
	}
	image = &contents->images[contents->count];
	*image = (struct device_image){ .kind = IMAGE_OTHER,
					.is_unlinked = reading->part->is_unlinked };
	if (reading->part->member) {
		image->member = strdup(reading->part->member);
		if (!image->member)
			return NULL;
	}
	contents->count++;
	return image;
}

static int note_trouble(struct reading *reading, struct device_image *image, const struct err *err)
{
	image->trouble = strdup(err->text);
	reading->contents.trouble_count++;
	return image->trouble ? 0 : no_memory(reading);
}

/* `what` is for the message. */
static int read_cubin(struct reading *reading, struct device_image *image, const void *bytes,
		      size_t size, const char *what)
{
	struct err err;
	int r = cubin_read(&image->cubin, bytes, size, what, &err);

	if (r == -ENOMEM)
		return no_memory(reading);
	if (r < 0)
		return note_trouble(reading, image, &err);
	image->architecture = image->cubin.architecture;
	reading->contents.kernel_count += image->cubin.kernel_count;
	return 0;
}

static int add_cubin(struct reading *reading)
{
	struct device_image *image = new_image(reading);

	if (!image)
		return no_memory(reading);
	image->kind = IMAGE_CUBIN;
	image->file_bytes = image->image_bytes = reading->part->size;
	return read_cubin(reading, image, reading->part->bytes, reading->part->size, "it");
}

/* ---- fat binaries ---- */

static int unpack_cubin(struct reading *reading, struct device_image *image,
			const struct fatbin_entry *entry)
{
	struct fatbin_image plain;
	struct err err;
	int r = fatbin_unpack(&plain, entry, &err);

	if (r == -ENOMEM)
		return no_memory(reading);
	if (r < 0)
		return note_trouble(reading, image, &err);
	r = read_cubin(reading, image, plain.image, plain.bytes, "its ELF file");
	fatbin_release(&plain);
	return r;
}

static int add_entry(struct reading *reading, const struct fatbin_entry *entry)
{
	struct device_image *image = new_image(reading);

	if (!image)
		return no_memory(reading);
	image->packing = entry->packing;
	image->architecture = entry->architecture;
	image->fatbin = reading->contents.fatbin_count;
	image->file_bytes = entry->payload_bytes;
	image->image_bytes = entry->plain_bytes;
	if (entry->is_ptx)
		image->kind = IMAGE_PTX;
	if (!entry->is_cubin)
		return 0;
	image->kind = IMAGE_CUBIN;
	return unpack_cubin(reading, image, entry);
}

/* What is no fat binary, or one that is damaged: an image that could not be read. */
static int add_damage(struct reading *reading, const struct err *err)
{
	struct device_image *image = new_image(reading);

	return image ? note_trouble(reading, image, err) : no_memory(reading);
}

/* Moves `walk` behind it. */
static int add_fatbin(struct reading *reading, struct fatbin_walk *walk)
{
	struct fatbin_entry entry;
	struct err err;
	int r;

	reading->contents.fatbin_count++;
	while ((r = fatbin_next(walk, &entry, &err)) > 0) {
		r = add_entry(reading, &entry);
		if (r < 0)
			return r;
	}
	return r < 0 ? add_damage(reading, &err) : 0;
}

static bool is_padding(const unsigned char *bytes, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		if (bytes[i])
			return false;
	return true;
}

static int add_fatbins(struct reading *reading)
{
	const unsigned char *bytes = reading->part->bytes;
	uint64_t size = reading->part->size, at = 0;
	struct fatbin_walk walk;
	struct err err;
	int r = 0;

	while (!r && at < size) {
		uint64_t left = size - at;
		uint64_t step = left < FATBIN_ALIGNMENT ? left : FATBIN_ALIGNMENT;

		if (is_padding(bytes + at, step)) {
			at += step;
			continue;
		}
		if (fatbin_open(&walk, bytes + at, left, &err) < 0)
			return add_damage(reading, &err);
		at = (uint64_t)(walk.at - bytes) + walk.left_bytes;
		r = add_fatbin(reading, &walk);
	}
	return r;
}

/* ---- the file ---- */

static int read_parts(struct reading *reading, const struct file_map *map)
{
	struct device_parts parts;
	int r = device_parts_find(&parts, map->image, map->bytes, reading->contents.path,
				  reading->reterr);

	if (r < 0)
		return r;
	for (size_t i = 0; i < parts.count && !r; i++) {
		reading->part = &parts.items[i];
		r = reading->part->is_cubin ? add_cubin(reading) : add_fatbins(reading);
	}
	device_parts_free(&parts);
	return r;
}

int contents_read(struct contents *contents, const char *path, const struct contents_namer *namer,
		  struct err *reterr)
{
	struct reading reading = { .contents.path = path, .reterr = reterr };
	struct file_map map;
	int r = file_map(&map, path, reterr);

	if (r < 0)
		return r;
	reading.contents.file_bytes = map.bytes;
	r = read_parts(&reading, &map);
	file_unmap(&map);
	if (!r)
		r = contents_name(&reading.contents, namer, reterr);
	if (r < 0)
		contents_free(&reading.contents);
	else
		*contents = reading.contents;
	return r;
}

static void image_free(struct device_image *image)
{
	for (size_t i = 0; image->names && i < image->cubin.kernel_count; i++)
		free(image->names[i]);
	free(image->names);
	free(image->member);
	free(image->trouble);
	cubin_free(&image->cubin);
}

void contents_free(struct contents *contents)
{
	for (size_t i = 0; i < contents->count; i++)
		image_free(&contents->images[i]);
	free(contents->images);
	*contents = (struct contents){ 0 };
}
