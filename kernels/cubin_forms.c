/* SPDX-License-Identifier: MIT */
#include <zlib.h>

#include "kernels/cubin.h"
#include "kernels/file.h"

const struct cubin_form_name cubin_form_names[CUBIN_FORM_COUNT] = {
#define CUBIN_FORM(symbol, key, suffix) { #key "_bytes", #key "_crc32", suffix },
#include "kernels/cubin_forms.def"
#undef CUBIN_FORM
};

int cubin_form_read_file(struct cubin_form_file *form, const char *path, struct err *reterr)
{
	struct file_map map;
	int r = file_map(&map, path, reterr);

	if (r < 0)
		return r;
	*form = (struct cubin_form_file){ .bytes = map.bytes,
					  .crc32 = (uint32_t)crc32_z(0, map.image, map.bytes) };
	file_unmap(&map);
	return 0;
}
