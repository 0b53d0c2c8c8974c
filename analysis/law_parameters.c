/* SPDX-License-Identifier: MIT */
#include "analysis/law_parameters.h"

#include <stdio.h>

#include "analysis/unit.h"

static struct law_parameter *add(struct law_parameters *parameters, const char *name,
				 struct fraction value)
{
	struct law_parameter *parameter = &parameters->items[parameters->count++];

	parameter->value = value;
	snprintf(parameter->name, sizeof parameter->name, "%s", name);
	return parameter;
}

/* Something that y is counted in: "slack" is slack_bytes where that are bytes. */
static void add_y(struct law_parameters *parameters, const char *name, struct fraction value)
{
	const struct law_request *request = parameters->fitted->request;
	struct law_parameter *parameter = add(parameters, name, value);

	if (law_is_in_bytes(request))
		snprintf(parameter->name, sizeof parameter->name, "%s_bytes", name);
	snprintf(parameter->unit, sizeof parameter->unit, "%s", law_unit(request));
}

static void add_x(struct law_parameters *parameters, const char *name, int64_t x)
{
	struct law_parameter *parameter = add(parameters, name, fraction_whole(x));

	snprintf(parameter->unit, sizeof parameter->unit, "%s", parameters->fitted->request->axis);
}

static void add_slope(struct law_parameters *parameters, const char *end, struct fraction value)
{
	const struct law_request *request = parameters->fitted->request;
	struct law_parameter *parameter = add(parameters, "", value);

	snprintf(parameter->name, sizeof parameter->name, "%sper_unit%s",
		 law_is_in_bytes(request) ? "bytes_" : "", end);
	snprintf(parameter->unit, sizeof parameter->unit, "%s per %s", law_unit(request),
		 request->axis);
}

static void add_slopes(struct law_parameters *parameters, const struct law *law)
{
	add_slope(parameters, "", law->per_unit);
	if (!fraction_compare(law->per_unit_low, law->per_unit_high))
		return;
	add_slope(parameters, "_low", law->per_unit_low);
	add_slope(parameters, "_high", law->per_unit_high);
}

static void add_stairs(struct law_parameters *parameters, const struct law *law)
{
	add_y(parameters, "granule", fraction_whole(law->granule_bytes));
	add_y(parameters, "slack", law->slack_bytes);
	if (law->has_free)
		add_x(parameters, "free_until", law->free_until);
	else
		add_x(parameters, "first_edge", law_first_edge(law));
}

/* Slots are of bytes, always. */
static void add_slot_bytes(struct law_parameters *parameters, const char *name, int64_t bytes)
{
	struct law_parameter *parameter = add(parameters, name, fraction_whole(bytes));

	snprintf(parameter->unit, sizeof parameter->unit, UNIT_BYTES);
}

static void add_range(struct law_parameters *parameters, const char *const names[3],
		      struct slot_range range)
{
	add_slot_bytes(parameters, names[0], range.value);
	if (range.low == range.high)
		return;
	add_slot_bytes(parameters, names[1], range.low);
	add_slot_bytes(parameters, names[2], range.high);
}

/* Where no slot meets the edges there is none to name. */
static void add_slots(struct law_parameters *parameters, const struct slots *slots)
{
	static const char *const slot[] = { "slot_bytes", "slot_bytes_low", "slot_bytes_high" };
	static const char *const overhead[] = { "overhead_bytes", "overhead_bytes_low",
						"overhead_bytes_high" };
	static const char *const slack[] = { "slack_bytes", "slack_bytes_low", "slack_bytes_high" };

	if (!slots->holds) {
		add_slot_bytes(parameters, overhead[0], slots->overhead.value);
		return;
	}
	add_range(parameters, slot, slots->slot);
	add_range(parameters, overhead, slots->overhead);
	add_range(parameters, slack, slots->slack);
	if (slots->chunk_bytes)
		add_slot_bytes(parameters, "chunk_bytes", slots->chunk_bytes);
}

static void add_constant(struct law_parameters *parameters, const struct law *law)
{
	const struct law_request *request = parameters->fitted->request;
	struct law_parameter *parameter =
		add(parameters, law_is_in_bytes(request) ? "bytes" : "value", law->intercept_bytes);

	snprintf(parameter->unit, sizeof parameter->unit, "%s", law_unit(request));
}

static void add_shape(struct law_parameters *parameters, const struct law *law)
{
	if (law->shape == LAW_CONSTANT) {
		add_constant(parameters, law);
		return;
	}
	if (law->shape == LAW_SLOTS) {
		add_slots(parameters, &law->slots);
		return;
	}
	add_slopes(parameters, law);
	add_y(parameters, "intercept", law->intercept_bytes);
	if (law->is_staircase)
		add_stairs(parameters, law);
	if (law->has_floor)
		add_y(parameters, "floor", fraction_whole(law->floor_bytes));
	if (law->has_cap)
		add_y(parameters, "cap", fraction_whole(law->cap_bytes));
}

void law_parameters_list(struct law_parameters *parameters, const struct fitted_law *fitted)
{
	*parameters = (struct law_parameters){ .fitted = fitted };
	add_shape(parameters, &fitted->law);
	if (!law_is_in_bytes(fitted->request))
		add_y(parameters, "residual_max", fraction_whole(fitted->law.residual_max_bytes));
	if (!fitted->law.holds && fitted->law.shape != LAW_SLOTS)
		add_x(parameters, "worst_at", fitted->law.worst_x);
}
