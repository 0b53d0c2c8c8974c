#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What looking on costs: the same program as it is, under a library whose callback does nothing, and under the tracer,
# in turn, so that drift does not look like an effect.
#
#   cost.sh launches [--simulate] [--times N] [LAUNCHES [ROUNDS]]    nanoseconds a launch of an empty, known kernel
#   cost.sh matmuls [--times N] [PRODUCTS [ROUNDS [SIZE]]]           microseconds a product in PyTorch
#   cost.sh exit [--simulate] [--times N] [THREADS [MILLISECONDS]]   threads call CUDA while main() returns
#
# It lies beside what it runs, in the built tree (lib/cuctx/cost), and wants nothing else. Exits 1 where the tracer
# costs more than it should (on the simulated device, that is not judged) or a program hangs.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
lib=$here/..
share=$lib/../../share/cuctx

usage() {
	sed -n 's/^#   //p' "$0" >&2
	exit 2
}

die() {
	echo "cost.sh: $1" >&2
	exit 1
}

# An empty kernel for the GPU at hand, else for the one that the build is for.
find_module() {
	local capability module
	capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1)
	module=$share/modules/sm_${capability//./}/empty.cubin
	if [ ! -e "$module" ]; then
		for module in "$share"/modules/sm_*/empty.cubin; do break; done
	fi
	[ -e "$module" ] || die "there are no modules in $share/modules"
	echo "$module"
}

simulate() {
	[ -e "$lib/sim/libcupti.so.13" ] || die "this build has no simulated device that can be traced"
	export LD_LIBRARY_PATH=$lib/sim${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
	export CUCTX_LIBCUDA=$lib/sim/libcuda.so.1 CUCTX_LIBNVML=$lib/sim/libnvidia-ml.so.1
	export CUCTX_LIBCUPTI=$lib/sim/libcupti.so.13
	export CUCTX_SIM_PROFILE=$share/profiles/h200.csv CUCTX_SIM_STATE=$work/state
	echo "*** SIMULATED: these times are not those of a GPU"
}

ways=(plain empty traced)

# as WAY PROGRAM ARGS...: runs it that way, and makes sure of it.
as() {
	local code=0 way=$1
	shift
	rm -f "$work/empty"
	: >"$work/traced" # rows are appended to a file that is there
	case $way in
	plain) "$@" || code=$? ;;
	empty) CUDA_INJECTION64_PATH=$here/empty_callback.so EMPTY_CALLBACK_FILE=$work/empty "$@" || code=$? ;;
	traced) CUDA_INJECTION64_PATH=$lib/libcuctx_trace.so CUCTX_TRACE_FILE=$work/traced "$@" || code=$? ;;
	esac
	if [ "$way" = empty ] && [ "$code" -eq 0 ] && [ ! -e "$work/empty" ]; then
		die "the driver did not load empty_callback.so"
	fi
	if [ "$way" = traced ] && [ "$code" -eq 0 ] && ! grep -q ',launch,' "$work/traced" 2>/dev/null; then
		die "the program was not traced"
	fi
	return "$code"
}

# measure LIMIT PROGRAM ARGS...: the table, and the ratios of the least times. LIMIT: "other way:ratio" that must be kept.
measure() {
	local limit=$1 way number time code
	shift
	printf '%-8s %12s %12s %12s\n' "" "${ways[@]}"
	: >"$work/table"
	for ((number = 1; number <= times; number++)); do
		local row=()
		for way in "${ways[@]}"; do
			code=0
			time=$(as "$way" "$@") || code=$?
			[ "$code" -ne 77 ] || exit 77
			[ "$code" -eq 0 ] || die "$1 ended with $code ($way)"
			row+=("$time")
		done
		printf '%-8s %12s %12s %12s\n' "$number" "${row[@]}"
		echo "${row[@]}" >>"$work/table"
	done
	judge "$limit"
}

# least COLUMN: of the table. Whatever else a machine does only adds to a time.
least() {
	awk -v column="$1" '{ print $column }' "$work/table" | sort -g | head -n 1
}

judge() {
	awk -v plain="$(least 1)" -v empty="$(least 2)" -v traced="$(least 3)" -v limit="$1" -v judged="$judged" 'BEGIN {
		printf "%-8s %12s %12s %12s\n\n", "least", plain, empty, traced
		printf "traced / plain   %.3f\ntraced / empty   %.3f\nempty / plain    %.3f\n", traced / plain, traced / empty, empty / plain
		printf "added by the empty callback   %+.1f\nadded by the tracer           %+.1f\n", empty - plain, traced - plain
		split(limit, part, ":")
		ratio = traced / (part[1] == "empty" ? empty : plain)
		if (!judged) exit
		printf "%s: traced / %s is %.3f, and should be at most %s\n", ratio <= part[2] ? "fine" : "TOO MUCH", part[1], ratio, part[2]
		exit !(ratio <= part[2])
	}'
}

# How each way ended, how often. Bad: one that hung, or one that ends otherwise traced while plain ones never fail.
endings() {
	local way number code
	for way in "${ways[@]}"; do
		for ((number = 1; number <= times; number++)); do
			code=0
			as "$way" timeout --kill-after=5 60 "$@" >"$work/rounds" || code=$?
			echo "$way $code"
		done
	done | sort | uniq -c | awk '
		{ hung = $3 == 124 || $3 == 137; printf "%-8s %4d times: %s\n", $2, $1, hung ? "HUNG" : "exit code " $3 }
		hung { bad = 1 }
		$3 != 0 { failed[$2] = 1 }
		END { exit bad || failed["traced"] && !failed["plain"] }'
}

[ $# -ge 1 ] || usage
what=$1
shift
times=5
judged=1
simulated=0
while [[ ${1:-} == --* ]]; do
	case $1 in
	--simulate) simulated=1 judged=0 ;;
	--times) [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || usage; times=$2; shift ;;
	*) usage ;;
	esac
	shift
done
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset CUDA_INJECTION64_PATH CUCTX_TRACE_IDLE
[ "$simulated" -eq 0 ] || simulate

case $what in
launches) measure empty:1.1 "$here/launch_loop" "$(find_module)" "$@" ;;
matmuls) measure plain:1.03 python3 "$here/matmul_loop.py" "$@" ;;
exit) endings "$here/threads_at_exit" "$(find_module)" "$@" ;;
*) usage ;;
esac
