#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Modules are what their names say: kernels.csv has it from the cubins, not from the list they were made from.

# shellcheck disable=SC2154 # common.sh assigns them
load common.sh

setup() {
	cli_setup
}

teardown() {
	cli_teardown
}

# numbers COLUMN FAMILY: "NAME'S NUMBER = COLUMN" of every module FAMILY-NUMBER, of all architectures.
numbers() {
	awk -F, -v column="$1" -v family="$2" '
		FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		split($1, name, "-") == 2 && name[1] == family { print name[2], $at[column] }
	' "$CUCTX_BUILD"/share/cuctx/modules/sm_*/kernels.csv
}

# all_agree COLUMN FAMILY COUNT
all_agree() {
	local name value count=0
	while read -r name value; do
		[ "$name" = "$value" ] || { echo "$2-$name: $1 $value"; return 1; }
		count=$((count + 1))
	done < <(numbers "$1" "$2")
	[ "$count" -ge "$3" ]
}

@test "variables and constants have as many bytes as their modules say, addresses not counted" {
	all_agree static_bytes static 9
	all_agree static_bytes constant 4
}

@test "frames have as many bytes as their modules say" {
	all_agree local_bytes frame 11
}

@test "kernels of FMAs have neither variables nor frames" {
	local column value
	for column in static_bytes local_bytes; do
		while read -r _ value; do
			[ "$value" = 0 ]
		done < <(numbers "$column" fma)
	done
}

@test "of modules that print, the text is a variable; those that allocate have none" {
	[ "$(numbers static_bytes printf | sort -u)" = "$(printf 'called 1\nlinked 1')" ]
	[ "$(numbers static_bytes malloc | sort -u)" = "$(printf 'called 0\nlinked 0')" ]
}
