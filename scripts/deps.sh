#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# scripts/deps.sh [--install] GROUP...
#
# Says what is missing here for the groups build, plots, tests and fuzz, and with --install gets it:
# packages through apt-get, the CUDA compiler and headers as Python wheels unpacked into .deps/cuda.
# Without --install nothing is changed.
#
# Exit: 0 all is there, 2 something is missing (or a wrong argument), 4 it could not be installed.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
deps_cuda=$root/.deps/cuda
wheels_list=$root/scripts/cuda-wheels.txt
nvcc_minimum=11.8

# group | what | how to tell that it is there | apt packages
needs='
build | a C compiler             | have_compiler                    | gcc libc6-dev
build | make                     | have_program make                | make
build | CMake 3.20 or later      | have_version 3.20 cmake          | cmake
build | libcsv                   | have_header csv.h                | libcsv-dev
build | libelf                   | have_header gelf.h               | libelf-dev
build | zlib                     | have_header zlib.h               | zlib1g-dev
plots | gnuplot 5.4 or later, for charts | have_version 5.4 gnuplot     | gnuplot-nox
tests | libzstd, which the build uses where it is | have_header zstd.h | libzstd-dev
tests | cmocka                   | have_header cmocka.h             | libcmocka-dev
tests | bats                     | have_program bats                | bats
tests | shellcheck               | have_program shellcheck          | shellcheck
tests | clang-format             | have_program clang-format        | clang-format
tests | clang-tidy               | have_program clang-tidy          | clang-tidy
tests | a browser (Chromium)     | have_browser                     | chromium
tests | python3                  | have_program python3             | python3
tests | git                      | have_program git                 | git
fuzz  | clang                    | have_program clang               | clang
fuzz  | libFuzzer                | have_fuzzer                      | libclang-rt-dev
'

say() {
	printf '%s\n' "$*" >&2
}

have_program() {
	command -v "$1" >/dev/null
}

# at_least MINIMUM VERSION
at_least() {
	[[ -n $2 && $(printf '%s\n' "$1" "$2" | sort -V | head -n 1) == "$1" ]]
}

# have_version MINIMUM PROGRAM
have_version() {
	have_program "$2" && at_least "$1" "$("$2" --version 2>/dev/null | grep -Eo '[0-9]+\.[0-9]+' | head -n 1)"
}

have_compiler() {
	have_program cc && printf '#include <stdlib.h>\n' | cc -E -x c - >/dev/null 2>&1
}

# A compiler knows where it looks; before there is one, look where distributions put headers.
have_header() {
	if have_compiler; then
		printf '#include <sys/types.h>\n#include <stdarg.h>\n#include <stddef.h>\n#include <setjmp.h>\n#include <%s>\n' \
			"$1" | cc -E -x c - >/dev/null 2>&1
	else
		[[ -e /usr/include/$1 || -e /usr/local/include/$1 ]]
	fi
}

have_browser() {
	have_program chromium || have_program chromium-browser || have_program google-chrome
}

# What clang needs for -fsanitize=fuzzer: a package of its own since release 14.0.6, clang's before.
have_fuzzer() {
	have_program clang && [[ -n $(find "$(clang -print-resource-dir)" -name 'libclang_rt.fuzzer*.a' -print -quit) ]]
}

first_existing() {
	local path
	for path; do
		[[ ! -e $path ]] || { printf '%s\n' "$path" && return; }
	done
	return 1
}

# toolkit_is_complete NVCC: what the build and CMake's FindCUDAToolkit insist on, too.
toolkit_is_complete() {
	local version home program
	[[ -x $1 ]] || return 1
	version=$("$1" --version 2>/dev/null | sed -n 's/.*, V\([0-9.]*\).*/\1/p')
	at_least "$nvcc_minimum" "$version" || return 1
	home=$(dirname "$(dirname "$(realpath "$1")")")
	for program in ptxas fatbinary; do
		first_existing "$home/bin/$program" "/usr/lib/nvidia-cuda-toolkit/bin/$program" >/dev/null || return 1
	done
	first_existing "$home"/{include,targets/*/include}/cudaTypedefs.h /usr/include/cudaTypedefs.h >/dev/null &&
		first_existing "$home"/{lib64,lib,targets/*/lib}/libcudart.so /usr/lib/*/libcudart.so >/dev/null
}

# Prints the nvcc that the build will use.
find_nvcc() {
	local nvcc
	for nvcc in "${CUDAToolkit_ROOT:-/nonexistent}/bin/nvcc" "${CUDA_PATH:-/nonexistent}/bin/nvcc" \
		"$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc /usr/local/cuda-*/bin/nvcc "$deps_cuda/bin/nvcc"; do
		if [[ -n $nvcc ]] && toolkit_is_complete "$nvcc"; then
			printf '%s\n' "$nvcc"
			return
		fi
	done
	return 1
}

have_nvml_header() {
	local home
	home=$(dirname "$(dirname "$(realpath "$1")")")
	first_existing "$home"/{include,targets/*/include}/nvml.h /usr/include/nvml.h \
		"$deps_cuda/include/nvml.h" >/dev/null
}

# Where it is a part of a toolkit that is installed apart, tracing is left out.
have_cupti_header() {
	[[ $1 != "$deps_cuda"/* ]] || [[ -e $deps_cuda/include/cupti.h ]]
}

# Sets missing_wheels to the wheels that are needed: all, NVML's header alone, or none.
check_toolkit() {
	local nvcc
	missing_wheels=()
	if ! nvcc=$(find_nvcc) || ! have_cupti_header "$nvcc" ||
		{ [[ $nvcc == "$deps_cuda"/* ]] && ! have_nvml_header "$nvcc"; }; then
		missing_what+=("CUDA compiler and headers, $nvcc_minimum or later|NVIDIA's wheels, into .deps/cuda")
		mapfile -t missing_wheels < <(sed -n 's/^\([a-z-]*\)==.*/\1/p' "$wheels_list")
	elif ! have_nvml_header "$nvcc"; then
		missing_what+=("NVML's header (nvml.h)|NVIDIA's wheel, into .deps/cuda")
		missing_wheels=(nvidia-nvml-dev)
	fi
}

find_pip() {
	local python
	for python in python3 /usr/bin/python3; do
		if "$python" -m pip --version >/dev/null 2>&1; then
			printf '%s\n' "$python"
			return
		fi
	done
	return 1
}

# check GROUP...: sets missing_what (text|source), missing_packages and missing_wheels.
check() {
	local wanted=" $* " group what test packages word
	missing_what=() missing_packages=() missing_wheels=()
	while IFS='|' read -r group what test packages; do
		read -r group <<<"$group"
		[[ -n $group && $wanted == *" $group "* ]] || continue
		read -ra test <<<"$test"
		! "${test[@]}" || continue
		read -r what <<<"$what"
		read -ra packages <<<"$packages"
		missing_what+=("$what|${packages[*]}")
		for word in "${packages[@]}"; do
			missing_packages+=("$word")
		done
	done <<<"$needs"
	[[ $wanted != *" build "* ]] || check_toolkit
	if ((${#missing_wheels[@]})) && ! find_pip >/dev/null; then
		missing_what+=("pip, which fetches them|python3 python3-pip")
		missing_packages+=(python3 python3-pip)
	fi
}

list_missing() {
	local row
	say "Missing here:"
	for row in "${missing_what[@]}"; do
		printf '  %-44s %s\n' "${row%%|*}" "${row#*|}" >&2
	done
}

# Sets as_root to what stands before a command that only root may run; fails where nothing helps.
find_root() {
	as_root=()
	((EUID != 0)) || return 0
	have_program sudo && as_root=(sudo)
}

# What to type in place of --install; with "sudo" only where there is one and it is needed.
say_by_hand() {
	local as_root prefix
	find_root || :
	prefix=${as_root[*]:+${as_root[*]} }
	say "  ${prefix}apt-get update"
	say "  ${prefix}apt-get install --no-install-recommends ${missing_packages[*]}"
}

install_packages() {
	local as_root
	if ! have_program apt-get; then
		say "This machine has no apt-get. Install what these Debian packages hold, then try again:"
		say "  ${missing_packages[*]}"
		return 1
	fi
	if ! find_root; then
		say "Installing packages takes root or sudo, and this is neither. As root, run"
		say_by_hand
		return 1
	fi
	say "Installing ${missing_packages[*]}"
	# A source that is out of reach need not matter; a list that is too old shows in the next step.
	"${as_root[@]}" apt-get update -qq >&2 || say "apt-get update failed; going on with the lists at hand"
	apt_install "${missing_packages[@]}" || install_each "${missing_packages[@]}"
}

apt_install() {
	"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends "$@" >&2
}

# One name that apt-get does not know keeps it from getting any of the others. What is missing then
# shows when all is looked for again: what a package is wanted for may have come with another.
install_each() {
	local package
	(($# > 1)) || return
	say "apt-get cannot install all of these; trying each by itself"
	for package; do
		apt_install "$package" || :
	done
}

# Prints the rows of missing_wheels, hashes included, as a requirements file.
wheel_requirements() {
	local name
	for name in "${missing_wheels[@]}"; do
		sed -n "/^$name==/,/[^\\\\]\$/p" "$wheels_list"
	done
}

# unpack_wheels WHEELS_DIR TREE: what the wheels hold, as one toolkit tree.
unpack_wheels() {
	local wheel
	for wheel in "$1"/*.whl; do
		"$python" -m zipfile -e "$wheel" "$1/unpacked" || return
	done
	mkdir -p "$2" && cp -a "$1"/unpacked/nvidia/cu13/. "$2" || return
	# zipfile drops execute bits, and a wheel has no name for the linker.
	if [[ -d $2/bin ]]; then
		find "$2/bin" -type f -exec chmod a+x {} + || return
	fi
	if [[ -e $2/lib/libcudart.so.13 ]]; then
		ln -sf libcudart.so.13 "$2/lib/libcudart.so"
	fi
}

install_wheels() {
	local python work=$root/.deps/wheels
	python=$(find_pip) || return
	say "Fetching ${missing_wheels[*]} into .deps/cuda"
	rm -rf "$work" && mkdir -p "$work/tmp" || return
	wheel_requirements >"$work/requirements.txt"
	TMPDIR=$work/tmp PIP_ROOT_USER_ACTION=ignore "$python" -m pip download --quiet --no-cache-dir \
		--disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
		--requirement "$work/requirements.txt" --dest "$work" >&2 || return
	unpack_wheels "$work" "$work/cuda" || return
	# Moved into place whole, so that an interrupted download leaves no half toolkit.
	rm -rf "$deps_cuda" && mv "$work/cuda" "$deps_cuda" && rm -rf "$work"
}

# The wheels first, where pip is there already: they take no root, and packages may fail for want of it.
install_missing() {
	local failed=0
	if ((${#missing_wheels[@]})) && find_pip >/dev/null; then
		install_wheels || failed=1
		missing_wheels=()
	fi
	if ((${#missing_packages[@]})); then
		install_packages || failed=1
	fi
	if ((${#missing_wheels[@]})); then
		install_wheels || failed=1
	fi
	return "$failed"
}

usage() {
	say "usage: scripts/deps.sh [--install] build|plots|tests|fuzz..."
	exit 2
}

main() {
	local install=false groups=() word
	for word; do
		case $word in
		--install) install=true ;;
		build | plots | tests | fuzz) groups+=("$word") ;;
		*) usage ;;
		esac
	done
	((${#groups[@]})) || usage

	check "${groups[@]}"
	((${#missing_what[@]})) || return 0
	list_missing
	if ! $install; then
		say "To get all of it (packages through apt-get, the rest into .deps):"
		say "  $(printf '%q' "$root/scripts/deps.sh") --install ${groups[*]}"
		if ((${#missing_packages[@]})); then
			((EUID == 0)) || have_program sudo ||
				say "That takes root or sudo for the packages, and this is neither."
			say "or the packages alone, by hand (as root):"
			say_by_hand
		fi
		return 2
	fi
	install_missing || { say "Not everything could be installed." && return 4; }
	check "${groups[@]}"
	((!${#missing_what[@]})) || { say "After installing:" && list_missing && return 4; }
}

main "$@"
