#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What predict says is held against what the simulated device then takes; anatomy adds up.

# shellcheck disable=SC2154,SC2030,SC2031 # common.sh assigns them
load common.sh

setup() { cli_setup; }
teardown() { cli_teardown; }

# laws PROFILE OPTIONS...: a run with what laws are made of. Leaves its path in directory.
laws() {
	needs_simulator
	accepted run limit-stack limit-printf-fifo limit-malloc-heap --simulate="$1" --repeat 1 --quiet --no-claims --out out.d \
		--axis api=driver --filter 'direction=up|module=called' "${@:2}"
	directory=$(run_directory)
}

# predicted OPTIONS...: bytes of a process.
predicted() {
	accepted predict "$directory" "$@" --format csv
	sed -n 's/^process,1,\([0-9]*\),.*/\1/p' "$work/out"
}

# held_against PROFILE AXES...: combinations, and the laws that they are predicted from; the table is what is said.
held_against() {
	needs_simulator
	accepted run limit-stack limit-printf-fifo limit-malloc-heap device-runtime static-symbols streams graphs memory-pool \
		module-code module-copies combined --simulate="$1" --repeat 1 --quiet --no-claims --out out.d \
		--axis api=driver --axis printf_fifo_limit_bytes=0,1M,8M,64M --axis copies=1100 --axis priority=default \
		--axis streams=1,2,4,16,64 --axis steps=edges --axis loading=lazy --axis nodes=1 --axis sync_depth=0 \
		--axis direction=up --axis threshold=none --axis symbol=device --axis module=called "${@:2}"
	directory=$(run_directory)
	run python3 "$BATS_TEST_DIRNAME/../predicted.py" "$cuctx" "$directory" --exact
	echo "$output"
	[ "$status" -eq 0 ]
}

# made_up FILE: the H200 with other bytes, by chance, but with as much room.
made_up() {
	python3 - "$CUCTX_BUILD/share/cuctx/profiles/h200.csv" "$1" <<-'END'
		import csv, random, sys
		rows = list(csv.reader(open(sys.argv[1], newline="")))
		some = {"sm_count": random.randrange(1, 200), "context_fixed_bytes": random.randrange(2**24, 2**31),
		        "oom_returns_bytes": 0,
		        "printf_fixed_bytes": random.randrange(2**27), "malloc_fixed_bytes": random.randrange(2**27),
		        "device_runtime_fixed_bytes": random.randrange(2**27), "heap_extra_bytes": random.randrange(2**24)}
		least = min(value for key, value in some.items() if "_fixed_" in key and "context" not in key)
		inner = random.randrange(least + 1)
		for pair in ("printf_malloc", "printf_device_runtime", "malloc_device_runtime", "printf_malloc_device_runtime"):
		    some[f"{pair}_shared_bytes"] = inner
		print(some)
		with open(sys.argv[2], "w", newline="") as file:
		    csv.writer(file, lineterminator="\n").writerows([key, some.get(key, value)] for key, value in rows)
	END
}

@test "combinations on the H200's profile: to the byte where laws leave nothing open, else within granules" {
	held_against h200
}

@test "what a device takes that was made up is predicted to the byte" {
	local with parts=printf,malloc,launch,printf+malloc,printf+launch,malloc+launch,printf+malloc+launch
	for with in printf+malloc malloc+pool-64M printf+pool-1M; do
		parts+=,stack-3K+$with,$with+frame-4K,frame-2K+$with
	done
	for with in printf+malloc malloc+pool-64M malloc+stack-5K; do
		parts+=,heap-64M+$with,fifo-16M+stack-48K+printf+$with
	done
	made_up device.csv
	held_against "$PWD/device.csv" --axis parts=$parts
}

@test "a stack, a FIFO and a heap that were never measured take what is predicted" {
	local profile
	for profile in h200 odd; do
		laws "$profile"
		local told=()
		told[0]=$(predicted --stack 19200)
		told[1]=$(predicted --fifo 7000000)
		told[2]=$(predicted --heap 52000000)
		accepted run limit-stack limit-printf-fifo limit-malloc-heap --simulate=$profile --repeat 1 --quiet --no-claims \
			--out again --axis api=driver --axis stack_limit_bytes=19200 --axis printf_fifo_limit_bytes=7000000 \
			--axis malloc_heap_limit_bytes=52000000 --filter 'direction=up|module=called'
		python3 - "$(run_directory)" "${told[@]}" <<-'END'
			import csv, sys
			names = ("limit-stack", "limit-printf-fifo", "limit-malloc-heap")
			for name, told in zip(names, sys.argv[2:]):
			    rows = csv.DictReader(open(f"{sys.argv[1]}/{name}.csv", newline=""))
			    taken = {row["total_bytes"] for row in rows if row["step"] == "launch-2"}
			    if taken != {told}:
			        sys.exit(f"{name}: it takes {taken}, and {told} are predicted")
		END
	done
}

@test "what is outside of what was measured, or none of its business, is usage" {
	laws h200 --quick
	refused 2 "--stack: 1048577 is outside of what was measured, 0 to " predict "$directory" --stack 1048577
	refused 2 "--extrapolate" predict "$directory" --frame 1T
	refused 2 "'x' is no amount" predict "$directory" --stack x
	refused 2 "'0' is not from 1 to 4096" predict "$directory" --processes 0
	refused 2 "'7xx' is no amount" predict "$directory" --instructions 7x7xx
	refused 2 "one directory too many" predict "$directory" "$directory"
	refused 2 "a run directory is needed" predict --printf
	refused 2 "none of table, csv, markdown" predict "$directory" --format html
	refused 2 "--nodes is about --graphs" predict "$directory" --nodes 2
	refused 4 "nowhere" predict nowhere --printf
	refused 4 "\`cuctx run streams\` measures them" predict "$directory" --streams 2
	accepted predict "$directory" --stack 1048577 --extrapolate
	grep -q "nothing says that the laws still hold" "$work/out"
}

@test "a law that does not hold is not used, and its name is told" {
	laws h200 --quick
	python3 - "$directory/limit-stack.csv" <<-'END'
		import sys
		text = open(sys.argv[1], newline="").read().splitlines(keepends=True)
		changed = [line.replace(line.split(",")[15], str(int(line.split(",")[15]) + 900 * 2**20), 1)
		           if ",8192,driver,up," in line and ",launch-2," in line else line for line in text]
		assert changed != text
		open(sys.argv[1], "w", newline="").write("".join(changed))
	END
	refused 1 "--stack: the law limit-stack, stack does not hold" predict "$directory" --stack 4096
}

@test "nothing predicted looks measured, and SIMULATED stays" {
	laws h200 --quick
	accepted predict "$directory" --printf --processes 4 --beside 100G
	grep -q "^Predicted, not measured" "$work/out"
	grep -q "SIMULATED" "$work/out"
	grep -q "^4 such processes: predicted " "$work/out"
	grep -q "such processes fit on this device beside 100 GiB" "$work/out"
	accepted predict "$directory" --printf --malloc --format markdown
	grep -q "This is an upper bound" "$work/out"
	accepted predict "$directory" --format csv
	head -1 "$work/out" | grep -qx "component,count,predicted_bytes,predicted_low_bytes,predicted_high_bytes,from,simulated"
}

@test "anatomy measures by itself, and says the same from the directory" {
	local directory profile
	needs_simulator
	for profile in h200 odd; do
		cuctx anatomy --simulate=$profile --out "out of $profile" --format csv
		[ "$code" -eq 0 ] || complain "anatomy"
		mv "$work/out" measured
		directory=$(sed -n 's/^its rows are in //p' "$work/err")
		[[ $directory == "out of $profile/simulated-"* ]] || complain "it should say where its rows are"
		accepted anatomy "$directory" --format csv
		cmp measured "$work/out"
		python3 - measured $profile "$directory" <<-'END'
			import csv, sys
			rows = list(csv.DictReader(open(sys.argv[1], newline="")))
			parts = [row["bytes_min"] for row in rows if row["component"].startswith("of it")]
			# Where the default limit is none of the axis, its part was not measured, and nothing is the rest.
			assert len(parts) == 3 and all(parts) == (sys.argv[2] == "h200") and bool(parts[2]) == all(parts), rows
			assert not parts[2] or sum(map(int, parts)) == int(rows[0]["bytes_min"]), rows
			assert all(row["simulated"] == "yes" for row in rows), rows
			shared = [row for row in rows if row["component"].startswith("shared by")]
			assert len(shared) == 1 and int(shared[0]["bytes_max"]) < 0, rows
			# Each by itself and what they share add up to what they take together.
			alone = [row for row in rows if row["component"].startswith("device ")]
			combined = {}
			for row in csv.DictReader(open(sys.argv[3] + "/combined.csv", newline="")):
			    combined.setdefault(row["parts"].count("+"), {}).setdefault(row["step"], int(row["total_bytes"] or 0))
			together = combined[2]["part-3"] - combined[2]["create"]
			for side in ("bytes_min", "bytes_max") if all(row["bytes_min"] for row in alone) else ():
			    assert sum(int(row[side]) for row in alone + shared) == together, (together, rows)
		END
		accepted anatomy "$directory"
		grep -q "SIMULATED" "$work/out"
		grep -q "^What gives it back" "$work/out"
	done
}

@test "anatomy: what it does not take" {
	refused 2 "one directory too many" anatomy a b
	refused 2 "--device is for measuring" anatomy a --device 1
	refused 2 "none of text, markdown, csv" anatomy a --format json
	refused 4 "nowhere" anatomy nowhere
}
