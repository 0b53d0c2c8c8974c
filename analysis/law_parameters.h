/* SPDX-License-Identifier: MIT */
/* The numbers of a law, each with its name and unit, as laws.csv has them. */
#ifndef ANALYSIS_LAW_PARAMETERS_H
#define ANALYSIS_LAW_PARAMETERS_H

#include <stddef.h>

#include "analysis/fraction.h"
#include "analysis/laws.h"

#define LAW_PARAMETERS_MAX 12
#define PARAMETER_MAX      128

struct law_parameter {
	char name[PARAMETER_MAX];
	struct fraction value;
	char unit[PARAMETER_MAX];
};

struct law_parameters {
	const struct fitted_law *fitted;
	struct law_parameter items[LAW_PARAMETERS_MAX];
	size_t count;
};

/* Of a law that was measured. */
void law_parameters_list(struct law_parameters *parameters, const struct fitted_law *fitted);

#endif
