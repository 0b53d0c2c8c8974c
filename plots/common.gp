# SPDX-License-Identifier: MIT
# What all charts of one run share. A chart is drawn by
#
#     gnuplot -c plots/common.gp BENCHMARK FORMAT OUT DIR GPU DRIVER STARTED GRANULE SIMULATED
#
# FORMAT is svg, png or pdf, OUT the file to write, DIR a run directory with laws.csv and <benchmark>.csv. The others
# are what its environment.csv says under gpu_name, driver_release, started_utc, granule_bytes and simulated: gnuplot
# would read a text with commas and line breaks as something else than one value. The arguments are data to gnuplot,
# never code, so any path will do.
#
# At its end this file loads <benchmark>.gp beside it, which finds here: `data` (its CSV), selections of rows, the
# laws, and what canvas.gp has. Columns are found by name.

if (ARGC != 9) {
	printerr "usage: gnuplot -c common.gp BENCHMARK FORMAT OUT DIR GPU DRIVER STARTED GRANULE SIMULATED"
	exit status 2
}
chart_name = ARG1
chart_format = ARG2
chart_out = ARG3
# A name that begins with '<' would be a command.
run_dir = (ARG4[1:1] eq "/") ? ARG4 : "./".ARG4
gpu_name = ARG5
driver_release = ARG6
started_utc = ARG7
granule = strlen(ARG8) ? real(ARG8) : 0
# Nothing else takes the mark from a chart.
is_simulated = ARG9 ne "no"
data = run_dir."/".chart_name.".csv"
plots_dir = ARG0[1:strlen(ARG0) - strlen("common.gp")]

load plots_dir."canvas.gp"
when_text(utc) = strlen(utc) == 16 \
	? utc[1:4]."-".utc[5:6]."-".utc[7:8]." ".utc[10:11].":".utc[12:13]." UTC" : utc
subtitle = (strlen(gpu_name) ? gpu_name : "unknown GPU") \
	.", driver ".(strlen(driver_release) ? driver_release : "unknown") \
	.", ".when_text(started_utc) \
	.(granule > 0 ? ", granule of the meter ".size(granule) : "")


# ---- laws.csv --------------------------------------------------------------------------------------

# Kept as text, "\nCOMPONENT\tPARAMETER\tVALUE\n" one behind the other, and looked up in it.
between(text, from) = (from_ = strstrt(text, from), from_ \
	? (rest_ = text[from_ + strlen(from):*], rest_[1:strstrt(rest_, "\n") - 1]) : "")
number(text) = (slash_ = strstrt(text, "/"), slash_ \
	? real(text[1:slash_ - 1]) / real(text[slash_ + 1:*]) : real(text))

# The header is read as a row, as there may be no other, which gnuplot would complain of. The function beside the file
# keeps the plot from being empty.
laws_text = ""
header_place(name) = sum [i_=1:9] (strcol(i_) eq name ? i_ : 0)
read_header(row) = (benchmark_at = header_place("benchmark"), component_at = header_place("component"), \
	parameter_at = header_place("parameter"), value_at = header_place("value"), holds_at = header_place("holds"))
read_law(row) = (laws_text = laws_text.((strcol(benchmark_at) eq chart_name) \
	? "\n".strcol(component_at)."\t".strcol(parameter_at)."\t".strcol(value_at)."\n\n" \
		.strcol(component_at)."\tholds\t".strcol(holds_at)."\n" : ""), 0)
unset datafile columnheaders
set table $nothing
set yrange [0:1]
plot [0:1] 0, run_dir."/laws.csv" using (column(0) == 0 ? read_header(0) : read_law(0), NaN):(0)
unset table
set autoscale y
set datafile columnheaders

law_parameter(component, parameter, otherwise) = \
	(found_ = between(laws_text, "\n".component."\t".parameter."\t"), \
	strlen(found_) ? number(found_) : otherwise)

# The law in use: eval use_law("stack"), then law(x), which is undefined where there is none.
use_law(component) = sprintf( \
	"has_law = strstrt(laws_text, \"\\n%s\\t\") > 0;" \
	."law_offset = law_parameter(\"%s\", \"intercept_bytes\", law_parameter(\"%s\", \"bytes\", 0));" \
	."law_slope = law_parameter(\"%s\", \"bytes_per_unit\", 0);" \
	."law_granule = law_parameter(\"%s\", \"granule_bytes\", 0);" \
	."law_slack = law_parameter(\"%s\", \"slack_bytes\", 0);" \
	."law_floor = law_parameter(\"%s\", \"floor_bytes\", -1e300);" \
	."law_cap = law_parameter(\"%s\", \"cap_bytes\", 1e300);" \
	."law_free = law_parameter(\"%s\", \"free_until\", -1);" \
	."law_fails = between(laws_text, \"\\n%s\\tholds\\t\") eq \"no\"", \
	component, component, component, component, component, component, component, component, component, component)
ends(y) = y < law_floor ? law_floor : y > law_cap ? law_cap : y
law(x) = !has_law ? NaN : x <= law_free ? law_offset : ends(law_offset + (law_granule > 0 \
	? law_granule * ceil((law_slope * x - law_slack) / law_granule) : law_slope * x))

# "law: bytes = 272171008 + 270336 x limit, in granules of 2 MiB"
# "16 x instructions", "granted limit / 512", and what small amounts that are no longer free bring along.
law_parts_ = 0.0
law_term(x_name) = (law_parts_ = law_slope > 0 ? 1 / law_slope : 0, \
	law_slope < 1 && abs(law_parts_ - floor(law_parts_ + 0.5)) < 1e-6 \
	? sprintf("%s / %.0f", x_name, law_parts_) : sprintf("%.10g x %s", law_slope, x_name)) \
	.(law_free >= 0 && law_slack < 0 ? sprintf(" + %.0f", -law_slack) : "")
law_words(x_name) = !has_law ? "" : law_slope == 0 ? sprintf("law: bytes = %.0f throughout", law_offset) \
	.(law_fails ? " (it does not hold)" : "") \
	: "law: bytes = ".(law_offset == 0 ? "" : sprintf("%.0f + ", law_offset)) \
	.law_term(x_name) \
	.(law_granule > 0 ? ", in granules of ".size(law_granule) : "") \
	.(law_floor >= 0 ? ", at least ".size(law_floor) : "") \
	.(law_free >= 0 ? sprintf(", nothing up to %.0f", law_free) : "") \
	.(law_cap < 1e300 ? ", at most ".size(law_cap) : "") \
	.(law_fails ? " (it does not hold)" : "")

# eval law_line(LOW, HIGH, IS_LOG) fills $law with x and y of a line through it, 0 included where logarithmic.
law_line(low, high, is_log) = sprintf("set print $law; print \"x,y\";" \
	."do for [i=0:1500] { x = %d ? %e * (%e)**(i / 1500.0) : %e + (%e) * i / 1500.0;" \
	."print sprintf(\"%%.17g,%%.17g\", x, law(x)) }; set print", \
	is_log, low, real(high) / (low > 0 ? low : 1), low, high - low)

# ---- rows ------------------------------------------------------------------------------------------

is_ok(row) = strcol("status") eq "ok"
at(name) = strcol("step") eq name && strcol("status") eq "ok"
refused(name) = strcol("step") eq name && strcol("status") eq "refused"
is(axis, word) = strcol(axis) eq word

# Whether the limit that the sample asked for was accepted: known from the step "set" on.
accepted_ = 0
accepted(row) = (accepted_ = strcol("step") eq "set" ? strcol("status") eq "ok" : accepted_, accepted_)

# Readings stand in the row of the step that took them: this carries one on to the sample's later rows.
carried_ = NaN
carry(reading) = (carried_ = column("step_index") == 0 ? NaN \
	: strlen(strcol(reading)) ? column(reading) : carried_, carried_)

# What was taken on top of the context, known from the step "create" on.
base_ = NaN
above_context(row) = (base_ = at("create") ? column("total_bytes") : base_, \
	column("total_bytes") - base_)

# eval in_order("kernels", MOST): `list` has the values of a column of numbers, as text: "1 2 4". Each pass finds
# the next larger one.
in_order(name, most) = "list = \"\"; last_ = -1; do for [i_=1:".most."] { " \
	.measure("next", "if_row(column(\"".name."\") > last_, column(\"".name."\"))") \
	."; if (next_found) { list = list.sprintf(\" %.0f\", next_min); last_ = next_min } }"

load plots_dir.chart_name.".gp"
