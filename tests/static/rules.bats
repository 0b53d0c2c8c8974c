#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The project keeps its own rules. rules.py says what each of them means.

setup() {
	cd "$BATS_TEST_DIRNAME" || return
}

@test "includes: every include starts at the root and exists" {
	./rules.py includes
}

@test "rooms: no room reaches where it must not" {
	./rules.py rooms
}

@test "headers: foreign libraries are wrapped by one room" {
	./rules.py headers
}

@test "one-place: fork and dlopen live in one file each" {
	./rules.py one-place
}

@test "voice: only the command layer prints or exits" {
	./rules.py voice
}

@test "banned: no unsafe call, no typedef of a struct" {
	./rules.py banned
}

@test "comments: of one kind" {
	./rules.py comments
}

@test "guards: named after the path" {
	./rules.py guards
}

@test "shape: functions, parameters, files, goto" {
	./rules.py shape
}

@test "spdx: every source names its licence" {
	./rules.py spdx
}

@test "benches: the list and the files agree" {
	./rules.py benches
}

@test "special-cases: no benchmark is known outside its file" {
	./rules.py special-cases
}

@test "words: no leftovers, nothing about the author's machine" {
	./rules.py words
}

@test "links: every link in the documentation leads somewhere" {
	./rules.py links
}

@test "every rule is applied here and is proven in selftest.bats" {
	local rule
	for rule in $(./rules.py --list); do
		grep -q "^	./rules.py $rule\$" rules.bats || { echo "rules.bats lacks $rule" && false; }
		grep -q "breaks $rule " selftest.bats || { echo "selftest.bats lacks $rule" && false; }
	done
}
