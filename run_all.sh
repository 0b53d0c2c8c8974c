#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
cuctx=$root/build/bin/cuctx

help() {
	cat <<END
./run_all.sh [--install-deps] [--simulate[=PROFILE]] [--require-gpu] [--quick] [--device N|all] [--out DIR]
             [--no-plots] [-- ARGS FOR "cuctx run"]

Dependencies, build, measurement, charts, report: from a fresh machine to the answer.

  --install-deps        get what is missing: packages through apt-get, the CUDA compiler into .deps
  --simulate[=PROFILE]  measure the simulated device, also where there is a GPU
  --require-gpu         stop where there is no GPU (the default there is the simulated device)
  --quick               fewer points and no large kernels: seconds instead of minutes
  --device N|all        which GPU (0), or each of them
  --out DIR             where the run directory goes (default: results/ of this checkout)
  --no-plots            no charts

Exit: 0 fine, 1 a sample failed, 2 usage or something missing here, 3 no usable device or driver,
4 a file cannot be read or written or the build failed, 130 interrupted (what was measured is kept).
END
}

say() {
	printf '%s\n' "$*" >&2
}

# fail STATUS TEXT
fail() {
	say "run_all.sh: $2"
	exit "$1"
}

banner() {
	printf '%s\n' \
		"+----------------------------------------------------------------------+" \
		"|  SIMULATED: no GPU was measured. The numbers follow a written model. |" \
		"+----------------------------------------------------------------------+"
}

parse() {
	install=false simulate="" require_gpu=false quick=false device="" out=$root/results plots=true run_args=()
	while (($#)); do
		case $1 in
		--install-deps) install=true ;;
		--simulate | --simulate=?*) simulate=$1 ;;
		--require-gpu) require_gpu=true ;;
		--quick) quick=true ;;
		--no-plots) plots=false ;;
		--device=?* | --out=?*)
			set -- "${1%%=*}" "${1#*=}" "${@:2}"
			continue
			;;
		--device | --out)
			[[ -n ${2:-} ]] || fail 2 "$1 takes a value (--help lists the options)"
			if [[ $1 == --out ]]; then out=$2; else device=$2; fi
			shift
			;;
		-h | --help) help && exit ;;
		--)
			run_args=("${@:2}")
			break
			;;
		*) fail 2 "$1 is no option (--help lists them; what is meant for \"cuctx run\" comes behind --)" ;;
		esac
		shift
	done
	# What cuctx prints is read line by line.
	[[ $out != *$'\n'* ]] || fail 2 "--out: the name of the directory has a line break"
	if [[ -n $simulate ]] && $require_gpu; then
		fail 2 "--simulate and --require-gpu contradict each other"
	fi
}

# Before anything is built: which device it will be.
choose_device() {
	hardware=$("$root/scripts/gpu.sh")
	[[ -z $simulate && -z $hardware ]] || return 0
	if $require_gpu; then
		say "run_all.sh: --require-gpu, but there is no NVIDIA GPU here. Check"
		say "  that the machine has one: lspci -d 10de:"
		say "  in a container, that it was started with the GPU (docker run --gpus all ...)"
		exit 3
	fi
	say "No NVIDIA GPU here: the simulated device is used instead (--require-gpu forbids that)."
	simulate=--simulate
}

# Nothing that the build needs is missing.
can_build() {
	"$root/scripts/deps.sh" build 2>/dev/null
}

# Charts are no reason to stop, but where something else is missing, gnuplot is told and got with it.
get_dependencies() {
	local groups=(build) status=0
	! $plots || groups+=(plots)
	if ! $install; then
		can_build && return
		"$root/scripts/deps.sh" "${groups[@]}" || status=$?
		say "or, to get all of it and go on: ./run_all.sh --install-deps"
		exit "$status"
	fi
	"$root/scripts/deps.sh" --install "${groups[@]}" || status=$?
	((status)) || return 0
	if $plots && can_build; then
		say "Only charts want gnuplot: ./run_all.sh --no-plots goes on without it."
	fi
	exit "$status"
}

explain_no_device() {
	say ""
	say "There is NVIDIA hardware here, but it cannot be used:"
	say "  ${hardware//$'\n'/$'\n  '}"
	say "Check that"
	say "  the driver is installed and loaded: nvidia-smi works, /proc/driver/nvidia/version exists"
	say "  driver and libcuda.so.1 are of one release (after an update: reboot, or reload the module)"
	say "  /dev/nvidia* may be opened by this user, and CUDA_VISIBLE_DEVICES does not hide the GPU"
	say "  in a container, that it was started with the GPU (docker run --gpus all ...)"
	say "./run_all.sh --simulate runs everything without it."
}

# Sets run_dirs, one for each device, and run_status. The report tells the claims, at its end. cuctx handles an interrupt itself and keeps what it has
# measured.
measure() {
	local args=(--out "$out" --no-claims) told
	[[ -z $simulate ]] || args+=("$simulate")
	[[ -z $device ]] || args+=(--device "$device")
	! $quick || args+=(--quick)
	trap : INT
	run_status=0
	told=$("$cuctx" run "${args[@]}" "${run_args[@]}") || run_status=$?
	mapfile -t run_dirs <<<"$told"
	trap - INT
	if ((run_status == 3)) && [[ -z $simulate ]]; then
		explain_no_device
	fi
	# Not every run measures: --dry-run prints what it would do.
	if [[ ! -d ${run_dirs[0]} ]]; then
		[[ -z $told ]] || printf '%s\n' "$told"
		exit "$run_status"
	fi
	if ((run_status > 1)); then
		say "What was measured is in" "${run_dirs[@]}"
		exit "$run_status"
	fi
}

# Sets charts_note where there are no charts.
draw() {
	charts_note=""
	if ! $plots; then
		charts_note="No charts (--no-plots); \"cuctx plot DIR\" draws them at any time."
	elif ! command -v gnuplot >/dev/null; then
		charts_note="No charts: gnuplot is not here. Copy the folder to where it is, and run \"cuctx plot DIR\"."
	else
		"$cuctx" plot "${run_dirs[@]}" >/dev/null || draw_status=$?
	fi
}

# What the user came for, last on the screen.
show() {
	"$cuctx" report --write "${run_dirs[@]}" || show_status=$?
	printf '\n'
	[[ -z $simulate ]] || banner
	[[ -z $charts_note ]] || printf '%s\n' "$charts_note"
	printf 'Everything is in %s\n' "${run_dirs[@]}"
}

main() {
	local draw_status=0 show_status=0
	parse "$@"
	# Neither the build nor the run leaves anything outside the checkout and --out.
	[[ $out == /* ]] || out=$PWD/$out
	mkdir -p "$root/build/tmp"
	export TMPDIR=$root/build/tmp

	choose_device
	get_dependencies
	if $quick; then
		"$root/scripts/build.sh" --quick || exit
	else
		"$root/scripts/build.sh" || exit
	fi
	[[ -z $simulate ]] || banner >&2
	measure
	draw
	show
	# A sample that failed is told after all that did work; a chart that failed, before that.
	((!draw_status)) || exit "$draw_status"
	((!show_status)) || exit "$show_status"
	exit "$run_status"
}

main "$@"
