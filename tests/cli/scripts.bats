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

@test "the wheels are pinned by version and by hash" {
	run sed -n '/^[a-z]/p' scripts/cuda-wheels.txt
	[ "${#lines[@]}" -ge 4 ]
	for line in "${lines[@]}"; do
		[[ $line =~ ^nvidia-[a-z-]+==13\.0\.[0-9]+\ \\$ ]]
	done
	[ "$(grep -c -- '--hash=sha256:[0-9a-f]\{64\}' scripts/cuda-wheels.txt)" -ge $((2 * ${#lines[@]})) ]
}
