#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# scripts/build.sh [--quick]: configures and builds into build/. What is built already stays, and so
# do options that the folder was configured with before. --quick leaves the largest kernels out where
# no kernels have been built yet.
#
# Exit: 0 built, 4 not; the log is build/build.log.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
build=$root/build
log=$build/build.log

# The assembler needs 5 GB for the largest kernel, while the other jobs take about one.
large_kernels_kib=$((6 * 1024 * 1024))
job_kib=$((3 * 512 * 1024))

say() {
	printf '%s\n' "$*" >&2
}

available_kib() {
	sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo
}

# A folder that was configured for another place (a moved or copied checkout) cannot be used again.
forget_other_checkout() {
	local home
	[[ -e $build/CMakeCache.txt ]] || return 0
	home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt")
	[[ $home == "$root" ]] || rm -rf "$build/CMakeCache.txt" "$build/CMakeFiles"
}

kernels_are_built() {
	compgen -G "$build/share/cuctx/modules/sm_*/kernels.csv" >/dev/null
}

# The largest is the last to be built.
large_kernels_are_built() {
	compgen -G "$build/share/cuctx/modules/sm_*/fma-2??????.cubin" >/dev/null
}

large_kernels_fit() {
	large_kernels_are_built || (($(available_kib) >= large_kernels_kib))
}

# configure QUICK LARGE
configure() {
	local options=() quick=$1 large=$2
	if [[ ! -e $build/CMakeCache.txt ]]; then
		options=(-DCMAKE_BUILD_TYPE=Release -DCUCTX_TESTS=OFF)
	fi
	if $quick; then
		kernels_are_built || options+=(-DCUCTX_LARGE_KERNELS=OFF)
	else
		options+=(-DCUCTX_LARGE_KERNELS="$large")
	fi
	cmake -S "$root" -B "$build" "${options[@]}"
}

compile() {
	local jobs processors
	processors=$(nproc)
	jobs=$(($(available_kib) / job_kib))
	jobs=$((jobs < 1 ? 1 : jobs > processors ? processors : jobs))
	cmake --build "$build" --parallel "$jobs"
}

# Rows name the commit that measured them; a build that does not know it says so when it is made.
say_why_no_commit() {
	sed -n 's/^ *\(The commit of this build is unknown: .*\)/\1/p' "$log" | tail -n 1 >&2
}

main() {
	local quick=false large=ON
	if [[ ${1:-} == --quick ]]; then
		quick=true
		shift
	fi
	if (($#)); then
		say "usage: scripts/build.sh [--quick]"
		exit 2
	fi
	mkdir -p "$build/tmp"
	export TMPDIR=$build/tmp
	forget_other_checkout
	[[ -e $build/bin/cuctx ]] || say "Building; this takes some minutes, most of them for the kernels ($log says where it is)."
	if ! $quick && ! large_kernels_fit; then
		large=OFF
		say "Less than 6 GB of memory are free: kernels of a million instructions and more are left out."
	fi
	if ! { configure "$quick" "$large" && compile; } >"$log" 2>&1; then
		tail -n 30 "$log" >&2
		say "The build failed; all of its output is in $log"
		exit 4
	fi
	say_why_no_commit
}

main "$@"
