/* SPDX-License-Identifier: MIT */
#include "kernels/unzstd.h"

#if CUCTX_HAS_ZSTD
#include <zstd.h>

bool unzstd_is_here(void)
{
	return true;
}

bool unzstd(const void *packed, size_t packed_bytes, void *plain, size_t plain_bytes)
{
	return ZSTD_decompress(plain, plain_bytes, packed, packed_bytes) == plain_bytes;
}
#else
bool unzstd_is_here(void)
{
	return false;
}

bool unzstd(const void *packed, size_t packed_bytes, void *plain, size_t plain_bytes)
{
	(void)packed;
	(void)packed_bytes;
	(void)plain;
	(void)plain_bytes;
	return false;
}
#endif
