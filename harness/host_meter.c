/* SPDX-License-Identifier: MIT */
#include "harness/host_meter.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void read_resident(struct host_reading *reading)
{
	char text[128];
	unsigned long size_pages, resident_pages, shared_pages;
	uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);

	if (fd >= 0)
		close(fd);
	if (got <= 0)
		return;
	text[got] = '\0';
	if (sscanf(text, "%lu %lu %lu", &size_pages, &resident_pages, &shared_pages) != 3)
		return;
	reading->rss_bytes = resident_pages * page_bytes;
	reading->shared_bytes = shared_pages * page_bytes;
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

struct host_reading host_meter_read(void)
{
	struct host_reading reading = { .mapped_bytes = read_mapped() };

	read_resident(&reading);
	return reading;
}
