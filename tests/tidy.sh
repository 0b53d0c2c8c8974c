#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tidy.sh BUILD [FILE...]: clang-tidy over every C file that BUILD compiles (or the ones named), as TAP.
# .clang-tidy says which checks are off and why. Exits 77 where clang-tidy is not installed.
set -u

build=$1
shift
source=$(cd "$(dirname "$0")/.." && pwd -P)

if ! command -v clang-tidy >/dev/null; then
	echo "1..0 # skip clang-tidy is not installed"
	exit 77
fi

# The files of the project that are compiled, each once.
compiled_files() {
	python3 - "$build/compile_commands.json" "$source" <<-'END'
		import json, os, sys
		with open(sys.argv[1]) as file:
		    rows = json.load(file)
		root = os.path.realpath(sys.argv[2]) + "/"
		names = {os.path.realpath(os.path.join(row["directory"], row["file"])) for row in rows}
		for name in sorted(name for name in names if name.startswith(root)):
		    print(name, end="\0")
	END
}

# The analyser follows up to 225,000 steps in a function, which takes four minutes for all files. A fifth of that takes one,
# and still finds a null pointer that is handed through five calls.
limits=(--extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=max-nodes=45000)

tidy_one() {
	local log
	# shellcheck disable=SC2086 # several words
	if log=$(clang-tidy --quiet --config-file="$source/.clang-tidy" -p "$build" $tidy_limits "$1" 2>&1); then
		printf 'ok - clang-tidy %s\n' "${1#"$source/"}"
	else
		printf 'not ok - clang-tidy %s\n# %s\n' "${1#"$source/"}" "${log//$'\n'/$'\n# '}"
	fi
}
export -f tidy_one
export build source tidy_limits="${limits[*]}"

if (($#)); then
	printf '%s\0' "$@"
else
	compiled_files
fi | xargs -0 -n 1 -P "$(nproc)" bash -c "tidy_one \"\$1\"" tidy | tee "$build/tidy.log"
grep -q '^ok' "$build/tidy.log" && ! grep -q '^not ok' "$build/tidy.log"
