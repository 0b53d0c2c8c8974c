/* SPDX-License-Identifier: MIT */
/* What the environment asks of this process's contexts. */
#include "sim/driver.h"

#include <stdlib.h>
#include <string.h>

#define CONNECTIONS_MAX 32
#define PERCENT_MAX     100

/* False where the variable is not set, or to no such number: then it changes nothing. */
static bool read_number(const char *variable, uint64_t least, uint64_t most, uint64_t *ret_number)
{
	const char *text = getenv(variable);
	size_t length = text ? strspn(text, "0123456789") : 0;
	uint64_t number;

	if (!length || length > 3 || text[length])
		return false;
	number = strtoull(text, NULL, 10);
	if (number < least || number > most)
		return false;
	*ret_number = number;
	return true;
}

static bool wants_eager(const struct profile *profile)
{
	const char *loading = getenv("CUDA_MODULE_LOADING");

	if (loading && !strcmp(loading, "EAGER"))
		return true;
	if (loading && !strcmp(loading, "LAZY"))
		return false;
	return profile->default_loading == LOADING_EAGER;
}

void driver_read_settings(void)
{
	const struct profile *profile = &driver.simulation.profile;
	struct model_settings settings = model_usual_settings(profile);

	/* The more special of the two overrides the other. */
	if (read_number("CUDA_DEVICE_MAX_CONNECTIONS", 1, CONNECTIONS_MAX,
			&settings.connection_count))
		settings.copy_connection_count = settings.connection_count;
	read_number("CUDA_DEVICE_MAX_COPY_CONNECTIONS", 1, CONNECTIONS_MAX,
		    &settings.copy_connection_count);
	settings.has_l2_percent =
		read_number("CUDA_DEVICE_DEFAULT_PERSISTING_L2_CACHE_PERCENTAGE_LIMIT", 0,
			    PERCENT_MAX, &settings.l2_percent);
	driver.settings = settings;
	driver.is_eager = wants_eager(profile);
}
