#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Each rule is shown to catch a breach of it, and to leave its neighbour alone.

setup() {
	rules=$BATS_TEST_DIRNAME/rules.py
	tree="$BATS_TEST_TMPDIR/a tree"
	mkdir "$tree"
	plant bench/benches.def <<<'/* SPDX-License-Identifier: MIT */'
}

# plant PATH: writes stdin to a file of the tree, and takes back earlier breaches at the same path.
plant() {
	mkdir -p "$tree/$(dirname "$1")"
	cat >"$tree/$1"
}

# breaks RULE PATH:LINE [TEXT]: the rule finds exactly one breach, there, and says TEXT.
breaks() {
	run "$rules" "$1" "$tree"
	echo "$output"
	[ "$status" -eq 1 ]
	[ "${#lines[@]}" -eq 1 ]
	[[ ${lines[0]} == "$2: "*"${3-}"* ]]
}

# keeps RULE: the rule finds nothing.
keeps() {
	run "$rules" "$1" "$tree"
	echo "$output"
	[ "$status" -eq 0 ]
	[ -z "$output" ]
}

# with PATH TEXT: plants one line of text behind two others.
with() {
	printf '/* SPDX-License-Identifier: MIT */\n\n%s\n' "$2" | plant "$1"
}

@test "an empty tree keeps all rules, and a wrong rule or an empty folder is no success" {
	local rule
	for rule in $("$rules" --list); do
		keeps "$rule"
	done
	run "$rules" no-such-rule "$tree"
	[ "$status" -eq 2 ]
	mkdir "$BATS_TEST_TMPDIR/empty"
	run "$rules" rooms "$BATS_TEST_TMPDIR/empty"
	[ "$status" -eq 2 ]
}

@test "includes" {
	with base/a.h ''
	with harness/b.c '#include "base/a.h"'
	keeps includes
	with harness/b.c '#include "../base/a.h"'
	breaks includes harness/b.c:3 'no path from the root'
	with harness/b.c '#include "b.h"'
	with harness/b.h ''
	breaks includes harness/b.c:3 'no path from the root'
	with harness/b.c '/* #include "b.h" */'
	keeps includes
}

@test "rooms" {
	with analysis/a.c '#include "base/err.h"'
	with bench/a.c '#include "harness/bench.h"'
	with cli/a.c '#include "harness/run.h"'
	with harness/a.c '#include "kernels/cubin.h"'
	with sim/a.c '#include "kernels/cubin.h"'
	with tests/a.c '#include "sim/model.h"'
	keeps rooms
	with analysis/a.c '#include "harness/run.h"'
	breaks rooms analysis/a.c:3 'analysis may not include harness/run.h'
	with analysis/a.c ''
	with bench/a.c '#  include "harness/meters.h"'
	breaks rooms bench/a.c:3
	with bench/a.c ''
	with cli/a.c '#include "sim/model.h"'
	breaks rooms cli/a.c:3
	with cli/a.c ''
	with harness/a.c '#include "kernels/variants.def"'
	breaks rooms harness/a.c:3
	with harness/a.c ''
	with base/a.c '#include "harness/axis.h"'
	breaks rooms base/a.c:3
	with base/a.c ''
	with attic/a.c '#include "base/err.h"'
	breaks rooms attic/a.c:3 'no rule says'
}

@test "headers" {
	with base/a.c '#include <csv.h>'
	with kernels/a.c '#include <gelf.h>'
	with harness/a.c '#include <dlfcn.h>'
	with sim/a.c '#include <cuda.h>'
	keeps headers
	with analysis/a.c '#include <csv.h>'
	breaks headers analysis/a.c:3 'base/csv.h'
	with analysis/a.c '#include <cuda.h>'
	breaks headers analysis/a.c:3 'CUDA'
	with analysis/a.c '#include <cudaTypedefs.h>'
	breaks headers analysis/a.c:3 'CUDA'
	with analysis/a.c ''
	with sim/a.c '#include <libelf.h>'
	breaks headers sim/a.c:3 'cubin.h'
	with sim/a.c ''
	with cli/a.c '#include <dlfcn.h>'
	breaks headers cli/a.c:3
}

@test "one-place: fork" {
	with harness/a.c 'int f(void) { return fork(); }'
	with tests/a.c 'int f(void) { return fork(); }'
	with sim/a.c '/* fork() */ const char *s = "fork()";'
	with cli/a.c 'int f(struct s *s) { return s->fork(); }'
	keeps one-place
	with harness/b.c 'int f(void) { return fork(); }'
	breaks one-place harness/b.c:3 'already has its place in harness/a.c'
	with harness/b.c ''
	with cli/a.c 'int f(void) { return fork(); }'
	breaks one-place cli/a.c:3 'belongs into harness/'
}

@test "one-place: dlopen" {
	with harness/a.c 'void *p = dlopen("x", 0);'
	with sim/a.c 'void *p = dlopen("x", 0);'
	keeps one-place
	with bench/a.c 'void *p = dlopen("x", 0);'
	breaks one-place bench/a.c:3
	with bench/a.c ''
	with harness/b.c 'void *p = dlopen ("x", 0);'
	breaks one-place harness/b.c:3
}

@test "voice" {
	with cli/a.c 'void f(void) { printf("x"); exit(1); }'
	with kernels/generate.c 'void f(void) { fprintf(stderr, "x"); }'
	with harness/a.c 'void f(void) { snprintf(b, 1, "printf("); _exit(0); }'
	with analysis/a.c 'void f(FILE *file) { fprintf(file, "x"); fputs("x", file); }'
	with sim/a.c 'void f(void) { abort(); }'
	keeps voice
	with analysis/a.c 'void f(void) { fprintf(stderr, "x"); }'
	breaks voice analysis/a.c:3 'only cli/'
	with analysis/a.c 'void f(void) { puts("x"); }'
	breaks voice analysis/a.c:3 'only cli/'
	with analysis/a.c 'void f(void) { exit(1); }'
	breaks voice analysis/a.c:3 'a library returns'
	with analysis/a.c 'void f(void) { _exit(1); }'
	breaks voice analysis/a.c:3 'a library returns'
	with analysis/a.c ''
	with harness/a.c 'void f(void) { abort(); }'
	breaks voice harness/a.c:3 'a library returns'
	with harness/a.c ''
	with kernels/cubin.c 'void f(void) { perror("x"); }'
	breaks voice kernels/cubin.c:3 'only cli/'
}

@test "banned" {
	with cli/a.c 'void f(void) { snprintf(b, 1, "strcpy()"); strtok_r(b, b, b); s.system(1); }'
	keeps banned
	local call
	for call in strcpy strncpy strcat strncat stpcpy stpncpy sprintf vsprintf gets atoi atol atof \
		strtok alloca system popen mktemp localtime; do
		with cli/a.c "void f(void) { $call(b); }"
		breaks banned cli/a.c:3 "$call()"
	done
	with cli/a.c 'typedef struct thing thing;'
	breaks banned cli/a.c:3 typedef
	with cli/a.c '#pragma once'
	breaks banned cli/a.c:3 guard
}

@test "comments" {
	with cli/a.c 'const char *a = "http://x"; /* http://y */'
	keeps comments
	with cli/a.c 'int a; // why'
	breaks comments cli/a.c:3
}

@test "guards" {
	printf '/* x */\n#ifndef BASE_A_H\n#define BASE_A_H\n#endif\n' | plant base/a.h
	keeps guards
	printf '/* x */\n#ifndef A_H\n#define A_H\n#endif\n' | plant base/a.h
	breaks guards base/a.h:1 BASE_A_H
}

# function LINES PARAMETERS: a function definition of that size.
function_text() {
	local i
	printf 'static int f(%s)\n{\n' "$2"
	for ((i = 0; i < $1 - 3; i++)); do printf '\tf(1, 2, 3, 4, 5, 6, 7);\n'; done
	printf '}\n'
}

@test "shape: lines of a function" {
	function_text 60 void | plant cli/a.c
	keeps shape
	function_text 61 void | plant cli/a.c
	breaks shape cli/a.c:1 'f() has 61 lines'
}

@test "shape: parameters" {
	function_text 5 'int a, int (*b)(int, int), int c, int d, int e' | plant cli/a.c
	keeps shape
	function_text 5 $'int a, int b, int c,\n\tint d, int e, int f' | plant cli/a.c
	breaks shape cli/a.c:1 'f() has 6 parameters'
	printf 'int cuLaunch(int a, int b, int c, int d, int e, int f)\n{\n}\n' | plant cli/a.c
	breaks shape cli/a.c:1 'cuLaunch() has 6 parameters'
	mkdir "$tree/sim"
	mv "$tree/cli/a.c" "$tree/sim/a.c"
	keeps shape
}

@test "shape: goto" {
	printf 'int f(void)\n{\n\tgoto out;\nout:\n\treturn 0;\n}\nint g(void)\n{\n\tgoto out;\nout:\n\treturn 0;\n}\n' |
		plant cli/a.c
	keeps shape
	printf 'int f(void)\n{\nagain:\n\tif (1)\n\t\tgoto again;\n\treturn 0;\n}\n' | plant cli/a.c
	breaks shape cli/a.c:5 'goto again leads back'
}

@test "shape: lines of a file" {
	seq 500 | sed 's/.*/int a&;/' | plant cli/a.c
	keeps shape
	seq 501 | sed 's/.*/int a&;/' | plant cli/a.c
	breaks shape cli/a.c:501 'the file has 501 lines'
}

@test "spdx" {
	printf '#!/bin/sh\n# SPDX-License-Identifier: MIT\n' | plant scripts/a.sh
	keeps spdx
	printf '#!/bin/sh\n' | plant scripts/a.sh
	breaks spdx scripts/a.sh:1
	rm "$tree/scripts/a.sh"
	printf 'project(x)\n' | plant CMakeLists.txt
	breaks spdx CMakeLists.txt:1
}

@test "benches" {
	printf 'BENCH(a)\n' | plant bench/benches.def
	breaks benches bench/benches.def:1 'there is no bench/a.c'
	printf 'const struct bench a = {\n\t.name = "a",\n};\n' | plant bench/a.c
	printf 'int helper;\n' | plant bench/helper.c
	keeps benches
	printf 'const struct bench b = {\n\t.name = "b",\n};\n' | plant bench/b.c
	breaks benches bench/b.c:1 'does not list it'
	rm "$tree/bench/b.c"
	printf 'int f(void);\n' | plant bench/a.c
	breaks benches bench/a.c:1 'one descriptor'
	printf 'const struct bench a = {\n\t.name = "a",\n};\nint f(void)\n{\n}\n' | plant bench/a.c
	breaks benches bench/a.c:1 'not the last thing'
	rm "$tree/bench/benches.def"
	breaks benches bench/benches.def:1 'no list'
}

@test "special-cases" {
	printf 'const struct bench a = {\n\t.name = "limit-a",\n};\n' | plant bench/a.c
	with harness/a.c '/* as "limit-a" does */ const char *s = "limit-ab";'
	with tests/a.c 'const char *s = "limit-a";'
	keeps special-cases
	with harness/a.c 'bool b = !strcmp(name, "limit-a");'
	breaks special-cases harness/a.c:3 'bench/a.c only'
}

@test "words" {
	with docs/a.md 'the workings of XXXXXX'
	keeps words
	local word
	for word in "TO""DO" "FIX""ME" "/wo""rk/main" "/tmp/br""ief" "iss""ue #3" "pyp""i.org" \
		"developer.download.nvi""dia.com"; do
		with docs/a.md "see $word: it"
		breaks words docs/a.md:3
	done
}

@test "links" {
	plant docs/a.md <<-'END'
		# A Title: `x`, y
		[b](b.md) [c](b.md#two-words) [d](#a-title-x-y) [e](https://x.y/z)
	END
	plant docs/b.md <<-'END'
		## Two words
		`[no](link)`
		```
		[no](link)
		```
		[up](../bench/benches.def)
	END
	keeps links
	with docs/a.md '![chart](nowhere.svg)'
	breaks links docs/a.md:3 'nowhere.svg does not exist'
	with docs/a.md '[x](b.md#three-words)'
	breaks links docs/a.md:3 'no such heading'
	with docs/a.md '[x]: b.txt'
	breaks links docs/a.md:3 'b.txt does not exist'
	with docs/a.md '[x](../../outside.md)'
	breaks links docs/a.md:3 'does not exist'
}

@test "the lists of git are followed: ignored files are nobody's business, new ones are" {
	git -C "$tree" init -q
	printf '/build/\n' | plant .gitignore
	with build/a.c 'void f(void) { puts("x"); }'
	keeps voice
	with cli/b.c 'void f(void) { puts("x"); }'
	keeps voice
	with analysis/b.c 'void f(void) { puts("x"); }'
	breaks voice analysis/b.c:3
	git -C "$tree" add .
	breaks voice analysis/b.c:3
	rm "$tree/analysis/b.c"
	keeps voice
}
