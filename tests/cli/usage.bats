#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What the command line takes, and what it says about the rest: one line, exit 2, nothing done.

# shellcheck disable=SC2154 # common.sh assigns them
load common.sh

setup() { cli_setup; }
teardown() { cli_teardown; }

commands() {
	"$cuctx" --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

@test "the help lists every command and every exit code" {
	local command word
	accepted --help
	while read -r command; do
		grep -q "^  $command " "$work/out" || complain "$command is missing"
	done < <(sed -n 's/^COMMAND(\(.*\))/\1/p' "$CUCTX_SOURCE/cli/commands.def")
	for word in "0 fine" "1 a sample failed" "2 usage" "3 no usable device" "4 a file" "130 interrupted"; do
		grep -qF "$word" "$work/out" || complain "$word is missing"
	done
}

@test "--help and --version of every command go to stdout alone and end with 0" {
	local command
	[ "$(commands | wc -l)" -ge 4 ]
	while read -r command; do
		accepted "$command" --help
		grep -q "^usage: cuctx $command" "$work/out" || complain "$command --help"
		grep -q -- "--quiet" "$work/out" || complain "$command --help: --quiet"
		accepted "$command" -h
		accepted "$command" --version
		grep -qE '^cuctx [0-9]+\.[0-9]+\.[0-9]+ \(.*\)$' "$work/out" || complain "$command --version"
	done < <(commands)
	accepted --version
}

@test "the help of a command shows each of its options" {
	local command option
	while read -r command; do
		"$cuctx" "$command" --help >"$work/out"
		while read -r option; do
			grep -q -- "^  --$option" "$work/out" || complain "$command --help lacks $option"
		done < <(sed -n '/struct cli_option options/,/^};/s/^	{ "\([a-z-]*\)".*/\1/p' "$CUCTX_SOURCE/cli/cmd_$command.c")
	done < <(commands)
}

@test "in the help, what an option does stands in one column" {
	local command left
	while read -r command; do
		"$cuctx" "$command" --help >"$work/out"
		# An option, what it takes, and two spaces at least.
		left=$(sed -nE 's/^(  --[a-z-]+(\[[^ ]*|( [^ ]+))?  +)[^ ].*/\1|/p' "$work/out")
		[ "$(wc -l <<<"$left")" -eq "$(grep -c '^  --' "$work/out")" ] || complain "$command --help: one space"
		[ "$(awk '{ print length }' <<<"$left" | sort -u | wc -l)" -eq 1 ] || complain "$command --help: columns"
	done < <(commands)
}

@test "a command is needed, and an unknown one gets the nearest name" {
	refused 2 "a command is needed"
	refused 2 "unknown command 'rum'; did you mean 'run'?" rum
	refused 2 "unknown command 'reprot'; did you mean 'report'?" reprot
	refused 2 "unknown command 'xyzzy' (" xyzzy
	refused 2 "unknown option '--fast'" --fast
	refused 2 "unknown command ''" ""
}

@test "an unknown option gets the nearest name" {
	refused 2 "unknown option '--simulat'; did you mean '--simulate'?" run --simulat
	refused 2 "unknown option '--repeats'; did you mean '--repeat'?" run --repeats=3
	refused 2 "unknown option '--fromat'; did you mean '--format'?" list --fromat csv
	refused 2 "unknown option '--xyzzy' (see cuctx run --help)" run --xyzzy
	refused 2 "unknown option '-x'" run -x
	refused 2 "unknown option '--'" run --=3
}

@test "an option lacks its value, or has one too many" {
	local option
	for option in filter axis repeat device out resume timeout max-memory; do
		refused 2 "option '--$option' needs " run "--$option"
	done
	refused 2 "option '--quick' takes no value" run --quick=yes
	refused 2 "option '--dry-run' takes no value" run --dry-run=1
	refused 2 "option '--no-claims' takes no value" run --no-claims=1
}

@test "an unknown benchmark gets the nearest name" {
	refused 2 "unknown benchmark 'limit-stak'; did you mean 'limit-stack'?" run limit-stak
	refused 2 "unknown benchmark 'modul-code'; did you mean 'module-code'?" run modul-code
	refused 2 "unknown benchmark 'xyzzy'; \`cuctx list\` names them" run xyzzy
	refused 2 "unknown benchmark '--quick'" run -- --quick
}

@test "numbers out of their range" {
	local text
	for text in 0 -1 +1 x 1.5 1001 "" " 1" "1 " 99999999999999999999 0x1; do
		refused 2 "--repeat: '$text' is not a whole number from 1 to 1000" run --repeat "$text"
	done
	for text in 0 -1 86401 1m "" 0.5; do
		refused 2 "--timeout: '$text' is not a whole number" run --timeout "$text"
	done
	for text in -1 x "" 2147483648 99999999999999999999 ALL; do
		refused 2 "--device: '$text' is not a whole number" run --device "$text"
		refused 2 "--device: '$text'" doctor --device "$text"
	done
}

@test "a value of an axis that is far too long is told by its beginning" {
	refused 2 "axis contexts: '111111111111111111111111 ...' is not a size" run --dry-run --axis "contexts=$(printf '1%.0s' {1..200})"
	refused 2 "axis api: 'xxxxxxxxxxxxxxxxxxxxxxxx ...' is none of" run --dry-run --axis "api=$(printf 'x%.0s' {1..200})"
}

@test "a directory without a name" {
	refused 4 "'': No such file or directory" report ""
	refused 4 "'': No such file or directory" run --resume ""
}

@test "--max-memory takes bytes or a share" {
	local text
	for text in 0% 101% x% % -5% 1.5% "5 %" " 5%"; do
		refused 2 "--max-memory: '$text' is not 1% to 100%" run --max-memory "$text"
	done
	for text in "" x -5 5KK 1.5 99999999999999999999; do
		refused 2 "--max-memory: " run --max-memory "$text"
	done
	for text in 1 64K 1.5M 2G 1% 100%; do
		accepted run --dry-run --max-memory "$text"
	done
}

@test "an axis that nobody has, no values, no name" {
	refused 2 "axis stack: no chosen benchmark has it; \`cuctx list\`" run --dry-run --axis stack=1
	refused 2 "axis instructions: no chosen benchmark has it" run context --dry-run --axis instructions=1
	refused 2 "--axis: 'contexts' is not NAME=VALUES" run --dry-run --axis contexts
	refused 2 "--axis: '=1' is not NAME=VALUES" run --dry-run --axis =1
	refused 2 "axis contexts: it is given twice" run --dry-run --axis contexts=1 --axis contexts=2
}

@test "every way to get the values of an axis wrong" {
	local text
	for text in "" "," "1," ",1" "1,,2" a 1:2 1:2:3:4 : :: 1: 5:1:1 0:8:0 0:8:*2 1:8:*1 1:8:*0 1:8:* 1:8:x x:8:1 \
		1:x:1 -1 1e3 0x10 99999999999999999999 1:99999999999999999999:1 1:16P:1 0:1M:1 1:2:*99999999999999999999 \
		"1 2" 1..8 1:8:**2 1:8:2* '*2'; do
		refused 2 "axis contexts: " run context --dry-run --axis "contexts=$text"
	done
	for text in "" "," cuda "driver," ",runtime" Driver "driver runtime" "driver,cuda"; do
		refused 2 "axis api: '" run context --dry-run --axis "api=$text"
	done
	refused 2 "axis contexts: '" run context --dry-run --axis "contexts=$(printf '1%.0s' {1..300})"
	refused 2 "no module fma-* has 12345 instructions" run module-code --dry-run --axis instructions=12345
}

@test "a plan that nobody can wait for" {
	refused 2 "are more than 1000000 samples" run module-kernels --dry-run --axis kernels=1:9000:1 --axis launched=1:9000:1
	refused 2 "are more than 1000000 samples" run context --dry-run --axis contexts=1:9000:1 --repeat 1000
}

@test "values are read as they are written, and a double counts once" {
	accepted run context --dry-run --repeat 1 --axis api=driver --axis "contexts=1,3:8:2,1K:4095:*2,1.5K,3"
	run bash -c "sed 's/.*contexts=\([0-9]*\) .*/\1/' '$work/out' | sort -n | paste -sd,"
	[ "$output" = 1,3,5,7,1024,1536,2048 ]
}

@test "a filter that is none, and one that leaves nothing" {
	refused 2 "filter '(': not a regular expression" run --dry-run --filter "("
	refused 2 "filter '[': not a regular expression" run --dry-run --filter "["
	refused 2 "no point is left to measure by the filter xyzzy" run --dry-run --filter xyzzy
}

@test "--resume has its plan already" {
	refused 2 "--resume goes on with the plan of its run; leave --quick out" run --resume x --quick
	refused 2 "leave --axis out" run --axis contexts=1 --resume x
	refused 2 "leave --out out" run --resume x --out y
	refused 2 "leave 'context' out" run context --resume x
	refused 2 "the run of one device" run --device all --resume x
}

@test "the other commands: operands and formats" {
	local many
	refused 2 "'extra' is not expected" list extra
	refused 2 "--format: 'xml' is neither table nor csv" list --format xml
	refused 2 "'extra' is not expected" doctor extra
	refused 2 "a run directory is needed" report
	refused 2 "a run directory is needed" plot
	refused 2 "--format: 'gif' is none of svg, png, pdf" plot --format gif x
	refused 4 "x" report x
	refused 4 "x: no run directory" plot x
	mapfile -t many < <(seq 40)
	refused 2 "more than 16 directories" report "${many[@]}"
	refused 2 "more than 16 directories" plot "${many[@]}"
}

@test "nothing has been made by all of this" {
	refused 2 "--out: it names no directory" run --simulate --out ""
	run find "$work" -mindepth 1 ! -name out ! -name err
	[ -z "$output" ]
}
