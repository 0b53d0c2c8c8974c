#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# run_all.sh and its helpers, as far as they can be tried without installing or building anything.

setup() {
	cd "${CUCTX_SOURCE:-$BATS_TEST_DIRNAME/../..}" || return
	work=$(mktemp -d)
}

teardown() {
	rm -rf "$work"
}

# A PATH with nothing but what the scripts themselves are made of.
bare_path() {
	local program
	mkdir -p "$work/bin"
	for program in bash env dirname realpath sed grep sort head tail cat mkdir rm; do
		ln -sf "$(command -v "$program")" "$work/bin/$program"
	done
	printf '%s\n' "$work/bin"
}

# program NAME TEXT: a program that prints TEXT.
program() {
	mkdir -p "$work/bin"
	rm -f "$work/bin/$1"
	printf '#!/bin/sh\necho "%s"\n' "$2" >"$work/bin/$1"
	chmod +x "$work/bin/$1"
}

@test "run_all.sh --help names every option" {
	run ./run_all.sh --help
	[ "$status" -eq 0 ]
	for option in --install-deps --simulate --require-gpu --quick --device --out --no-plots; do
		[[ $output == *"$option"* ]]
	done
}

@test "run_all.sh: a wrong option is one line and exit 2, and nothing is done" {
	local arguments
	for arguments in --fast "--device" "--out" "--simulate --require-gpu" "limit-stack"; do
		# shellcheck disable=SC2086
		run ./run_all.sh $arguments
		[ "$status" -eq 2 ]
		[ "${#lines[@]}" -eq 1 ]
		[[ $output == run_all.sh:* ]]
	done
}

@test "run_all.sh: an --out with a line break is refused" {
	run ./run_all.sh --simulate --out $'a\nb'
	[ "$status" -eq 2 ]
	[[ $output == "run_all.sh: --out: "* ]]
}

@test "run_all.sh --require-gpu without one is exit 3 before anything is built" {
	[ -z "$(scripts/gpu.sh)" ] || skip "there is a GPU here"
	run ./run_all.sh --require-gpu
	[ "$status" -eq 3 ]
	[[ $output == *"--require-gpu"*"lspci"* ]]
}

@test "build.sh: a wrong option is exit 2" {
	run scripts/build.sh --fast
	[ "$status" -eq 2 ]
}

@test "build.sh leaves large kernels out where memory is short, unless they are built, and says so" {
	local modules=$work/tree/build/share/cuctx/modules/sm_90
	mkdir -p "$work/tree/scripts" "$modules"
	cp scripts/build.sh "$work/tree/scripts"
	program cmake '$*'
	program sed 6000000 # what /proc/meminfo says
	touch "$modules/kernels.csv"
	PATH=$work/bin:$PATH run "$work/tree/scripts/build.sh"
	[[ $status -eq 0 && $output == *"left out"* ]]
	grep -q -- -DCUCTX_LARGE_KERNELS=OFF "$work/tree/build/build.log"
	touch "$modules/fma-2097119.cubin"
	PATH=$work/bin:$PATH run "$work/tree/scripts/build.sh"
	[[ $status -eq 0 && $output != *"left out"* ]]
	grep -q -- -DCUCTX_LARGE_KERNELS=ON "$work/tree/build/build.log"
}

@test "deps.sh: a wrong or no group is exit 2" {
	run scripts/deps.sh
	[ "$status" -eq 2 ]
	run scripts/deps.sh build everything
	[ "$status" -eq 2 ]
}

@test "deps.sh names what is missing, with its packages, and changes nothing" {
	run env -i PATH="$(bare_path)" HOME="$work" scripts/deps.sh build plots tests
	[ "$status" -eq 2 ]
	for word in gcc make cmake gnuplot-nox bats shellcheck clang-tidy "--install build plots tests" "apt-get install"; do
		[[ $output == *"$word"* ]]
	done
	[ "$(find "$work" -newer "$work/bin" -type f)" = "" ]
}

@test "deps.sh is silent where everything is there" {
	[ -e "${CUCTX_BUILD:-}/CMakeCache.txt" ] || skip "nothing has been built"
	run scripts/deps.sh build
	[ "$status" -eq 0 ]
	[ -z "$output" ]
}

@test "deps.sh sees that a release is too old" {
	path=$(bare_path)
	program cmake "cmake version 3.18.4"
	program gnuplot "gnuplot 5.2 patchlevel 8"
	run env -i PATH="$path" HOME="$work" scripts/deps.sh build plots
	[[ $output == *"CMake 3.20 or later"* && $output == *"gnuplot 5.4 or later"* ]]
	program cmake "cmake version 3.20.0"
	program gnuplot "gnuplot 6.0 patchlevel 0"
	run env -i PATH="$path" HOME="$work" scripts/deps.sh build plots
	[[ $output != *"CMake 3.20 or later"* && $output != *"gnuplot 5.4 or later"* ]]
}

@test "deps.sh --install fails with exit 4 where there is nothing to install with" {
	run env -i PATH="$(bare_path)" HOME="$work" scripts/deps.sh --install plots
	[ "$status" -eq 4 ]
	[[ $output == *"apt-get"*"gnuplot-nox"* ]]
}

@test "deps.sh --install asks for exactly what is missing" {
	path=$(bare_path)
	printf '#!/bin/sh\necho "apt-get $*" >>"%s/log"\n' "$work" >"$work/bin/apt-get"
	printf '#!/bin/sh\nexec "$@"\n' >"$work/bin/sudo"
	chmod +x "$work/bin/apt-get" "$work/bin/sudo"
	run env -i PATH="$path" HOME="$work" scripts/deps.sh --install plots
	[ "$status" -eq 4 ] # the stand-in installs nothing
	[[ $output == *"After installing"* ]]
	grep -qx "apt-get update -qq" "$work/log"
	grep -qx "apt-get install -qq --no-install-recommends gnuplot-nox" "$work/log"
}

@test "deps.sh --install gets what it can where apt-get does not know one of the packages" {
	path=$(bare_path)
	printf '#!/bin/sh\necho "apt-get $*" >>"%s/log"\ncase $* in *libclang-rt-dev*) exit 100 ;; esac\n' "$work" \
		>"$work/bin/apt-get"
	printf '#!/bin/sh\nexec "$@"\n' >"$work/bin/sudo"
	chmod +x "$work/bin/apt-get" "$work/bin/sudo"
	run env -i PATH="$path" HOME="$work" scripts/deps.sh --install fuzz
	[ "$status" -eq 4 ] # the stand-in installs nothing
	[[ $output == *"After installing"*"libFuzzer"* ]]
	grep -qx "apt-get install -qq --no-install-recommends clang" "$work/log"
}

@test "run_tests.sh goes on without what only fuzzing takes" {
	tree=$(scripts_tree)
	cp run_tests.sh "$tree"
	mkdir "$tree/tests"
	printf '#!/bin/sh\ncat >/dev/null\necho tallied\n' >"$tree/tests/tally.py"
	printf '#!/bin/sh\ncase $* in *fuzz*) exit 4 ;; esac\n' >"$tree/scripts/deps.sh"
	printf '#!/bin/sh\nexit 1\n' >"$work/cmake"
	chmod +x "$tree/tests/tally.py" "$work/cmake"
	PATH=$work:$PATH run "$tree/run_tests.sh" --install-deps
	[[ $output == *"going on without fuzzing"*tallied ]]
	printf '#!/bin/sh\nexit 4\n' >"$tree/scripts/deps.sh"
	run "$tree/run_tests.sh" --install-deps
	[ "$status" -eq 4 ]
	[[ $output != *tallied* ]]
}

# tree: a copy of the scripts, so that what they fetch does not go into this checkout.
scripts_tree() {
	mkdir -p "$work/tree"
	cp -r scripts run_all.sh "$work/tree"
	printf '%s\n' "$work/tree"
}

@test "deps.sh fetches the wheels first, as they want no root, and also where packages cannot be had" {
	path=$(bare_path)
	# shellcheck disable=SC2016
	printf '#!/bin/sh\necho "python3 $*" >>"%s/log"\n[ "$3" != download ]\n' "$work" >"$work/bin/python3"
	printf '#!/bin/sh\necho "apt-get $*" >>"%s/log"\nexit 100\n' "$work" >"$work/bin/apt-get"
	printf '#!/bin/sh\nexec "$@"\n' >"$work/bin/sudo"
	chmod +x "$work/bin/"{python3,apt-get,sudo}
	run env -i PATH="$path" HOME="$work" "$(scripts_tree)/scripts/deps.sh" --install build plots
	[ "$status" -eq 4 ]
	[ "$(grep -n 'pip download' "$work/log" | cut -d: -f1)" -lt "$(grep -n 'apt-get install' "$work/log" | head -n 1 | cut -d: -f1)" ]
}

@test "deps.sh fetches the wheels again where an earlier list had none for CUPTI" {
	tree=$(scripts_tree)
	cuda=$tree/.deps/cuda
	mkdir -p "$cuda/bin" "$cuda/include" "$cuda/lib"
	printf '#!/bin/sh\necho "release 13.0, V13.0.88"\n' >"$cuda/bin/nvcc"
	cp "$cuda/bin/nvcc" "$cuda/bin/ptxas"
	cp "$cuda/bin/nvcc" "$cuda/bin/fatbinary"
	chmod +x "$cuda/bin/"*
	touch "$cuda/include/"{cudaTypedefs.h,nvml.h} "$cuda/lib/libcudart.so"
	CUDAToolkit_ROOT=$cuda run "$tree/scripts/deps.sh" build
	[ "$status" -eq 2 ]
	[[ $output == *"CUDA compiler and headers"* ]]
	touch "$cuda/include/cupti.h"
	CUDAToolkit_ROOT=$cuda run "$tree/scripts/deps.sh" build
	[[ $output != *"CUDA compiler and headers"* ]]
}

@test "deps.sh lists exactly what it would install, pip among it, and how to get that by hand" {
	run env -i PATH="$(bare_path)" HOME="$work" scripts/deps.sh build plots
	[ "$status" -eq 2 ]
	listed=$(sed -n '/^Missing/,/^To get/s/^  .\{44\} //p' <<<"$output" | grep -v wheel | xargs)
	by_hand=$(sed -n 's/^  apt-get install --no-install-recommends //p' <<<"$output")
	[ "$by_hand" = "$listed" ]
	[[ $output == *"  apt-get update"* ]]
	[[ $output != *"sudo apt-get"* ]] # there is none
}

@test "run_all.sh names gnuplot among what is missing, unless there are to be no charts" {
	path=$(bare_path)
	run env -i PATH="$path" HOME="$work" "$(scripts_tree)/run_all.sh" --simulate
	[ "$status" -eq 2 ]
	[[ $output == *"gnuplot-nox"*"--install build plots"*"./run_all.sh --install-deps"* ]]
	run env -i PATH="$path" HOME="$work" "$work/tree/run_all.sh" --simulate --no-plots
	[ "$status" -eq 2 ]
	[[ $output != *gnuplot* ]]
}

@test "run_all.sh says that it can go on where gnuplot alone could not be had" {
	tree=$(scripts_tree)
	printf '#!/bin/sh\ncase $* in *plots*) exit 4 ;; esac\n' >"$tree/scripts/deps.sh"
	run "$tree/run_all.sh" --simulate --install-deps
	[ "$status" -eq 4 ]
	[[ $output == *"./run_all.sh --no-plots goes on"* ]]
	printf '#!/bin/sh\nexit 4\n' >"$tree/scripts/deps.sh"
	run "$tree/run_all.sh" --simulate --install-deps
	[ "$status" -eq 4 ]
	[[ $output != *"--no-plots"* ]]
}

# commit_of [VARIABLE=VALUE...]: the commit that a build of $work/sources would know, or what is said instead.
commit_of() {
	printf '@CUCTX_GIT_COMMIT@\n' >"$work/template"
	env "$@" "$(command -v cmake)" -DTEMPLATE="$work/template" -DOUTPUT="$work/commit" -DSOURCE_DIR="$work/sources" \
		-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -P cmake/write_config.cmake 2>&1
	cat "$work/commit"
}

@test "a build that does not know its commit says why" {
	command -v cmake >/dev/null && command -v git >/dev/null || skip "there is no cmake or git here"
	mkdir "$work/sources"
	[[ $(commit_of) == *"unknown: the sources are no git checkout"*$'\n'unknown ]]
	git -C "$work/sources" init -q
	[[ $(commit_of) == *"unknown: git says \"fatal:"*$'\n'unknown ]]
	[[ $(commit_of PATH="$(bare_path)") == *"unknown: git is not installed"*$'\n'unknown ]]
	touch "$work/sources/file"
	git -C "$work/sources" add file
	git -C "$work/sources" -c user.name=a -c user.email=a commit -qm a
	head=$(git -C "$work/sources" rev-parse HEAD)
	[ "$(commit_of)" = "$head" ]
	# It may belong to somebody else: git refuses what the build has been trusted with.
	[ "$(commit_of GIT_TEST_ASSUME_DIFFERENT_OWNER=1)" = "$head" ]
	echo >"$work/sources/file"
	[ "$(commit_of)" = "$head-dirty" ]
}

@test "the wheels are pinned by version and by hash" {
	run sed -n '/^[a-z]/p' scripts/cuda-wheels.txt
	[ "${#lines[@]}" -ge 4 ]
	for line in "${lines[@]}"; do
		[[ $line =~ ^nvidia-[a-z-]+==13\.0\.[0-9]+\ \\$ ]]
	done
	[ "$(grep -c -- '--hash=sha256:[0-9a-f]\{64\}' scripts/cuda-wheels.txt)" -ge $((2 * ${#lines[@]})) ]
}
