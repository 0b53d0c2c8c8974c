/* SPDX-License-Identifier: MIT */
#include "harness/host_meter.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void read_resident(struct host_reading *reading)
{
	char text[128], *rest;
	uint64_t resident_pages, shared_pages;
	uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);

	if (fd >= 0)
		close(fd);
	if (got <= 0)
		return;
	text[got] = '\0';
	strtoull(text, &rest, 10); /* size, resident, shared and more, in pages */
	resident_pages = strtoull(rest, &rest, 10);
	shared_pages = strtoull(rest, &rest, 10);
	if (*rest != ' ')
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
		char *rest;
		uint64_t start = strtoull(line, &rest, 16);

		if (*rest == '-' && strstr(line, " /dev/nvidia"))
			mapped_bytes += strtoull(rest + 1, &rest, 16) - start;
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

uint64_t host_meter_rss_bytes(void)
{
	struct host_reading reading = { 0 };

	read_resident(&reading);
	return reading.rss_bytes;
}
