#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The instrument on the GPU of this machine. Nobody else should use it meanwhile.

cuctx=$CUCTX_BUILD/bin/cuctx

setup_file() {
	export results=$BATS_FILE_TMPDIR/results
	"$CUCTX_BUILD/bin/cuctx" run --quick --repeat 2 --out "$results" >"$BATS_FILE_TMPDIR/directory" 2>"$BATS_FILE_TMPDIR/log" ||
		echo $? >"$BATS_FILE_TMPDIR/status"
}

# value COLUMN-NAME < CSV: that column of all rows.
column() {
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $at }'
}

directory() {
	cat "$BATS_FILE_TMPDIR/directory"
}

@test "doctor finds the device and its modules" {
	run "$cuctx" doctor
	[ "$status" -eq 0 ]
	[[ $output == *"all as kernels.csv describes them"* ]]
	[[ $output != *SIMULATED* ]]
}

@test "a quick run succeeds and is not called simulated" {
	cat "$BATS_FILE_TMPDIR/log"
	[ ! -e "$BATS_FILE_TMPDIR/status" ]
	[[ $(directory) != *simulated* ]]
	grep -q '^simulated,no$' "$(directory)/environment.csv"
}

@test "every row is ok, refused or unsupported" {
	for file in "$(directory)"/{context,limit-*,module-*}.csv; do
		run grep -vE '^(ok|refused|unsupported)$' <(column status <"$file")
		[ -z "$output" ]
	done
}

@test "a context takes memory, and its end gives all of it back" {
	taken=$(grep ',create-1,ok,' "$(directory)/context.csv" | head -n 1)
	[ -n "$taken" ]
	for file in "$(directory)"/{context,limit-*,module-*}.csv; do
		[ -z "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "step") s = i; if ($i == "total_bytes") t = i }; next }
			$s == "exit" && $t != 0' "$file")" ]
	done
}

@test "repeats are equal to the byte" {
	run "$cuctx" report "$(directory)"
	[ "$status" -eq 0 ]
	[[ $output == *"all repeats are equal to the byte"* ]]
	[[ $output != *"of them differ"* ]]
}

@test "the time that is not the driver's stays below 5 %" {
	rest=$(sed -n 's/.*the rest .* (\([0-9.]*\) %).*/\1/p' "$BATS_FILE_TMPDIR/log")
	[ -n "$rest" ]
	awk -v rest="$rest" 'BEGIN { exit !(rest < 5) }'
}
