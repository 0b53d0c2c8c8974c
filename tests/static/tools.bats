#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What other programs check: layout, shell scripts, and the compiler with the project's warnings.

setup() {
	cd "${CUCTX_SOURCE:-$BATS_TEST_DIRNAME/../..}" || return
}

# files PATTERN...: the project's own files, tracked or new, NUL behind each.
files() {
	if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
		git ls-files -z --cached --others --exclude-standard -- "$@" | while IFS= read -rd '' file; do
			[ ! -f "$file" ] || printf '%s\0' "$file"
		done
	else
		skip "git does not say which files are the project's"
	fi
}

@test "clang-format: C files are laid out by .clang-format" {
	command -v clang-format >/dev/null || skip "clang-format is not installed"
	# Releases differ in details; this is the one of Debian 12.
	[[ $(clang-format --version) == *"version 14."* ]] || skip "this is not clang-format 14"
	# A whole listing would hide what matters: which files to put through clang-format -i.
	run bash -c 'xargs -0 clang-format --dry-run -Werror 2>&1' < <(files '*.c' '*.h')
	sed -n 's/^\([^ :]*\):[0-9].* error: .*/\1/p' <<<"$output" | sort -u
	[ "$status" -eq 0 ]
}

@test "clang-format: a breach is seen" {
	command -v clang-format >/dev/null || skip "clang-format is not installed"
	run clang-format --style=file --assume-filename=base/a.c --dry-run -Werror <<<'int f(void) {return 1;}'
	[ "$status" -ne 0 ]
}

@test "shellcheck: scripts and suites" {
	command -v shellcheck >/dev/null || skip "shellcheck is not installed"
	files '*.sh' '*.bats' '.ci/run' | xargs -0 shellcheck
}

@test "shellcheck: a breach is seen" {
	command -v shellcheck >/dev/null || skip "shellcheck is not installed"
	run shellcheck --shell=bash - <<<"rm \$1"
	[ "$status" -ne 0 ]
}

@test "the scripts that people start can be started" {
	local file
	while IFS= read -rd '' file; do
		[[ $(head -c 2 "$file") != '#!' || -x $file || $file == *.bats ]] ||
			{ echo "$file has a first line that starts it, but cannot be executed" && false; }
	done < <(files '*.sh' '*.py' '.ci/run')
}

# compile: compiles stdin the way the build compiles base/err.c.
compile() {
	local command
	command=$(python3 - "$CUCTX_BUILD/compile_commands.json" <<-'END'
		import json, shlex, sys
		rows = [r for r in json.load(open(sys.argv[1])) if r["file"].endswith("base/err.c")]
		words = shlex.split(rows[0]["command"])
		del words[words.index("-o") : words.index("-o") + 2]
		print(shlex.join(w for w in words if w not in ("-c", rows[0]["file"])))
	END
	) || return
	eval "$command -fsyntax-only -xc -"
}

@test "the compiler refuses what the project does not want" {
	[ -f "${CUCTX_BUILD:-}/compile_commands.json" ] || skip "this build has no compile_commands.json"
	grep -q -- -Werror "$CUCTX_BUILD/compile_commands.json" || skip "this build only warns"
	local bad=(
		'int f(int n); int f(int n) { int a[n]; a[0] = n; return a[0]; }'
		'int f(long n); int f(long n) { return n; }'
		'int f(int n); int f(int n) { { int n = 2; return n; } }'
		'int f(void) { return 1; }'
		'int f(); int f() { return 1; }'
		'int f(int n); int f(int n) { return 1; }'
	)
	compile <<<'int f(int n); int f(int n) { return n; }'
	local code
	for code in "${bad[@]}"; do
		run compile <<<"$code"
		[ "$status" -ne 0 ] || { echo "accepted: $code" && false; }
	done
}
