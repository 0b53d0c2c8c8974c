# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# To be read in by scripts that have set `source` to the project's root: where fuzzing begins.

# cut_small LINES DIRECTORY FILE...
cut_small() {
	local lines=$1 directory=$2 file
	shift 2
	for file; do
		[ ! -f "$file" ] || head -n "$lines" "$file" >"$directory/$(basename "$file")"
	done
}

# Two runs that differ a little, for tests/fuzz/fuzz_run.c.
make_pairs() {
	local file
	for file in "$1"/*.csv; do
		printf '\f\n' | cat "$file" - <(sed '12,$s/2097152/4194304/g' "$file") >"${file%.csv}.pair"
		rm "$file"
	done
}

# Each line of a file with its header, as files of their own.
cut_lines() {
	local directory=$1 file
	shift
	for file; do
		awk -v to="$directory/$(basename "$file" .csv)" \
			'NR == 1 { header = $0; next } { out = to "." NR; printf "%s\n%s\n", header, $0 >out; close(out) }' "$file"
	done
}

# write_seeds TARGET DIRECTORY: files of the project, cut small.
write_seeds() {
	local runs=("$source"/tests/golden/simulated-run/*.csv "$source"/results/nvidia-*/*.csv)
	case $1 in
	csv) cut_small 6 "$2" "${runs[@]}" ;;
	profile)
		cut_small 1000 "$2" "$source"/sim/profiles/*.csv
		cut_lines "$2" "$source"/sim/profiles/*.csv
		;;
	run)
		cut_small 32 "$2" "${runs[@]}"
		rm -f "$2"/{claims,environment,laws,plan,timing}.csv
		make_pairs "$2"
		;;
	esac
}

# Names of columns and keys, and what CSV is made of, as libFuzzer's dictionary.
write_words() {
	sed -n -E 's/^(COLUMN|ENVIRONMENT_KEY|PROFILE_[A-Z]+)\(([a-z0-9_]+),.*/"\2"/p' \
		"$source"/{harness/columns,harness/environment,sim/profile}.def
	sed -n -E 's/^STATUS\([A-Za-z_]+, *"?([a-z]+).*/"\1"/p' "$source"/harness/status.def
	cat <<-'END'
		","
		"\""
		"\"\""
		"\x0a"
		"\x0d\x0a"
		"\x0c\x0a"
		"\xef\xbb\xbf"
		"2097152"
		"-9223372036854775808"
		"9223372036854775807"
		"18446744073709551616"
		"<script>"
	END
}
