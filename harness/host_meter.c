/* SPDX-License-Identifier: MIT */
#include "harness/host_meter.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static uint64_t read_rss(void)
{
	char text[128];
	unsigned long size_pages, resident_pages;
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);

	if (fd >= 0)
		close(fd);
	if (got <= 0)
		return 0;
	text[got] = '\0';
	if (sscanf(text, "%lu %lu", &size_pages, &resident_pages) != 2)
		return 0;
	return (uint64_t)resident_pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t read_mapped(void)
{
	char line[512];
	uint64_t mapped_bytes = 0;
	FILE *maps = fopen("/proc/self/maps", "re");

	if (!maps)
		return 0;
	while (fgets(line, sizeof line, maps)) {
		uint64_t start, end;

		if (strstr(line, " /dev/nvidia") &&
		    sscanf(line, "%" SCNx64 "-%" SCNx64, &start, &end) == 2)
			mapped_bytes += end - start;
	}
	fclose(maps);
	return mapped_bytes;
}

void host_meter_read(uint64_t *ret_rss_bytes, uint64_t *ret_mapped_bytes)
{
	*ret_rss_bytes = read_rss();
	*ret_mapped_bytes = read_mapped();
}
