#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# fuzz.sh PROGRAM TARGET SECONDS [SEED]: fuzzes with one of the build's programs fuzz_*, on one core.
#
# It begins with the files of this tree, cut small, and with what is in corpus/TARGET. An input that fails is
# kept in the build, and how to run it again is printed. The last line is
#
#	TARGET: seed N, N executions in N s, N edges: nothing found | found PATH
#
# CUCTX_FUZZ_CORPUS=DIRECTORY keeps what was learnt there, and goes on with it.
#
# Exit: 0 nothing found · 1 a finding · 2 usage
set -u

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P) || exit 2
source=$(cd "$here/../.." && pwd -P) || exit 2
if (($# < 3)) || [ ! -x "$1" ]; then
	sed -n '3,13s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
	exit 2
fi
program=$1 target=$2 seconds=$3 seed=${4:-1}
# shellcheck source=tests/fuzz/seeds.sh
. "$here/seeds.sh"

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
findings=$(dirname "$program")/findings
learnt=${CUCTX_FUZZ_CORPUS:-$work/learnt}
mkdir -p "$findings" "$learnt" "$work/seeds" "$work/tmp"
write_seeds "$target" "$work/seeds"
write_words >"$work/words"

options=(
	-seed="$seed" -max_total_time="$seconds" -dict="$work/words" -artifact_prefix="$findings/$(basename "$program")-"
	-keep_seed=1 -timeout=60 -rss_limit_mb=2048 -print_final_stats=1
)
# A small quarantine, since nothing lives long; a stack of its own for each call would cost half of the speed.
export ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=0:quarantine_size_mb=32
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export TMPDIR=$work/tmp
"$program" "${options[@]}" "$learnt" "$here/corpus/$target" "$work/seeds" >"$work/log" 2>&1
status=$?

count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$work/log" | tail -n 1)
took=$(sed -n 's/^Done .* in \([0-9]*\) second.*/\1/p' "$work/log")
found=$(sed -n 's/.*Test unit written to //p' "$work/log" | tail -n 1)
if ((status)); then
	grep -v -E '^#[0-9]+[[:space:]]' "$work/log" | cut -c 1-200 | tail -n 60
	printf 'again: %s %q\n' "$program" "$found"
fi
printf '%s: seed %s, %s executions in %s s, %s edges: %s\n' "$target" "$seed" "${count:-?}" "${took:-?}" \
	"${edges:-?}" "$( ((status)) && echo "found ${found:-nothing that was kept}" || echo "nothing found")"
((!status))
