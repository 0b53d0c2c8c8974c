#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run_tests.sh [--install-deps] [--gpu]: everything that is tested, as in CI.
#
# Builds with sanitizers into build-tests/ and runs unit tests, the suites in bats, the rules of the
# house, clang-tidy and shellcheck. --gpu tests a plain build on the real device, too. The last line is
#
#	N passed, N failed, N skipped
#
# Exit: 0 all passed or skipped · 1 a test failed · 2 usage, or something is missing · 3 no GPU for --gpu
#       4 something could not be installed
set -u

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P) || exit 2
build=$root/build-tests
gpu_build=$root/build-gpu-tests
log=$build/run_tests.log
jobs=$(nproc)

install=()
gpu=

usage() {
	sed -n '3,11s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
}

parse_options() {
	while (($#)); do
		case $1 in
		--install-deps) install=(--install) ;;
		--gpu) gpu=1 ;;
		-h | --help)
			usage
			exit 0
			;;
		*)
			printf 'run_tests.sh: there is no option %s\n\n' "$1" >&2
			usage >&2
			exit 2
			;;
		esac
		shift
	done
}

require_gpu() {
	nvidia-smi -L 2>/dev/null | grep -q '^GPU ' && return
	echo "run_tests.sh: --gpu: nvidia-smi lists no GPU here; is the driver loaded?" >&2
	exit 3
}

# A step that ctest does not run, told to tally.py in ctest's words.
record() {
	printf '0: %s\n1/1 Test #0: %s ...***%s  0.0 sec\n' "$2" "$1" "$3" >>"$log"
}

# CMake refuses a folder that was configured for another place (a moved or copied checkout).
forget_other_checkout() {
	local home
	[ -e "$1/CMakeCache.txt" ] || return 0
	home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$1/CMakeCache.txt")
	[ "$home" = "$root" ] || rm -rf "$1/CMakeCache.txt" "$1/CMakeFiles"
}

# build_into PRESET FOLDER NAME [CMAKE OPTION...]
build_into() {
	local preset=$1 folder=$2 name=$3
	shift 3
	echo "== building $name ($folder): some minutes, the first time; build.log there says where it is"
	mkdir -p "$folder"
	forget_other_checkout "$folder"
	rm -rf "$folder/tmp" # of tests that were killed
	if (cd "$root" && cmake --preset "$preset" -B "$folder" "$@" &&
		cmake --build "$folder" -j "$jobs") >"$folder/build.log" 2>&1; then
		return 0
	fi
	tail -n 40 "$folder/build.log"
	record "$name" "see $folder/build.log" Failed
	return 1
}

# run_ctest FOLDER [CTEST OPTION...]: one line for each program while it runs.
run_ctest() {
	local folder=$1 output=$1/ctest.log
	shift
	echo "== testing $folder"
	ctest --test-dir "$folder" -V -j "$jobs" "$@" 2>&1 | tee "$output" |
		grep --line-buffered -E '^ *[0-9]+/[0-9]+ Test '
	grep -q '^No tests were found' "$output" && record ctest "no tests were found" Failed
	cat "$output" >>"$log"
}

parse_options "$@"
if [ -n "$gpu" ]; then
	require_gpu
fi
"$root/scripts/deps.sh" "${install[@]}" build plots tests || exit
"$root/scripts/deps.sh" "${install[@]}" fuzz || echo "run_tests.sh: going on without fuzzing" >&2
mkdir -p "$build"
: >"$log"
if build_into dev "$build" build-with-sanitizers; then
	run_ctest "$build"
fi
if [ -n "$gpu" ] && build_into release "$gpu_build" build-for-gpu -DCUCTX_GPU_TESTS=ON; then
	run_ctest "$gpu_build" -L gpu
fi
echo
"$root/tests/tally.py" <"$log"
