#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Files that cannot be read or written: one line that names the file, exit 4, and only whole samples left.

# shellcheck disable=SC2154,SC2030,SC2031 # common.sh assigns them
load common.sh

setup() {
	cli_setup
	needs_simulator
	modules=$CUCTX_BUILD/share/cuctx/modules
}

teardown() {
	[ -z "${mounted:-}" ] || umount "$mounted"
	cli_teardown
}

# copy_modules: a folder of modules of our own to damage; links, so it costs nothing.
copy_modules() {
	local folder
	rm -rf modules
	for folder in "$modules"/sm_*; do
		mkdir -p "modules/${folder##*/}"
		ln -s "$folder"/*.* "modules/${folder##*/}"
		rm "modules/${folder##*/}/kernels.csv"
		cp "$folder/kernels.csv" "modules/${folder##*/}"
	done
	export CUCTX_MODULES=$work/modules
}

# damage FILE COMMAND...: replaces it by what the command makes of it.
damage() {
	local file=modules/sm_90/$1
	shift
	"$@" <"$file" >damaged
	rm "$file"
	mv damaged "$file"
}

flip() {
	python3 -c 'import sys
data = bytearray(sys.stdin.buffer.read())
data[int(sys.argv[1])] ^= 0xff
sys.stdout.buffer.write(data)' "$1"
}

clean_deltas() {
	column "$1/context.csv" delta_bytes
}

@test "--out that cannot be made or written" {
	: >file
	refused 4 "file: Not a directory" "${one_sample[@]}" --out file
	refused 4 "file/below: " "${one_sample[@]}" --out file/below
	refused 4 "/proc/nothing" "${one_sample[@]}" --out /proc/nothing/here
	refused 4 "/dev/null: Not a directory" "${one_sample[@]}" --out /dev/null
	ln -s /nonexistent/target dangling
	refused 4 "dangling" "${one_sample[@]}" --out dangling
}

@test "--out without permission" {
	[ "$(id -u)" -ne 0 ] || skip "root may write everywhere"
	mkdir closed
	chmod 500 closed
	refused 4 "closed: cannot be written" "${one_sample[@]}" --out closed
	refused 4 "closed/below: cannot be made: Permission denied" "${one_sample[@]}" --out closed/below
}

@test "--out is made with all that is above it, spaces and all" {
	accepted "${one_sample[@]}" --out "a b/c/d//e"
	samples_whole "$(run_directory)/context.csv"
}

@test "a name that is too long, and one with control characters, make one line" {
	refused 4 "File name too long" "${one_sample[@]}" --out "$(printf 'x%.0s' {1..300})"
	: >$'a\nb'
	refused 4 "Not a directory" "${one_sample[@]}" --out $'a\nb'
}

@test "a file that may not grow: whole samples stay, and --resume completes them" {
	local blocks least most
	accepted "${many_samples[@]}" --out whole
	directory=$(run_directory)
	clean_deltas "$directory" >clean
	# In KiB: there is room for all files that come before the samples, but not for those.
	least=$(find "$directory" -name '*.csv' ! -name context.csv -printf '%s\n' | sort -n | tail -1)
	least=$((least / 1024 + 1)) most=$(($(stat -c %s "$directory/context.csv") / 1024))
	[ "$least" -lt "$most" ]
	for blocks in "$least" $(((least + most) / 2)) "$most"; do
		code=0
		(ulimit -f "$blocks" && exec "$cuctx" "${many_samples[@]}" --out "$work/$blocks") >"$work/out" 2>"$work/err" || code=$?
		said 4 "context.csv: File too large" "ulimit -f $blocks"
		directory=$(run_directory)
		samples_whole "$directory/context.csv"
		accepted run --simulate --quiet --resume "$directory"
		samples_whole "$directory/context.csv"
		clean_deltas "$directory" | cmp - clean
	done
}

@test "a full disk: whatever the size, files end in whole samples or nothing was begun" {
	local kib began=0
	mkdir disk
	mount -t tmpfs -o size=64k none disk 2>/dev/null || skip "no small file system can be mounted here"
	mounted=$work/disk
	for kib in 4 8 16 24 32 64 68 72 80 96 128 160 192; do
		mount -o "remount,size=${kib}k" disk
		cuctx "${many_samples[@]}" --out disk/out
		said 4 "No space left on device" "a disk of $kib KiB"
		if [ -s "$work/out" ]; then
			directory=$(run_directory)
			began=$((began + 1))
			[ ! -e "$directory/context.csv" ] || [ ! -s "$directory/context.csv" ] || samples_whole "$directory/context.csv"
		fi
		find disk -name '*.csv' -size +0 | while read -r file; do
			[ "$(tail -c 1 "$file" | od -An -c | tr -d ' ')" = '\n' ] || complain "$kib KiB: $file is cut off"
		done
		rm -rf disk/out
	done
	[ "$began" -ge 3 ] || complain "only $began of the sizes let a run begin"
	mount -o remount,size=4m disk
	accepted "${many_samples[@]}" --out disk/out
}

@test "a disk that fills up in the middle: --resume completes the run when there is room" {
	mkdir disk
	mount -t tmpfs -o size=116k none disk 2>/dev/null || skip "no small file system can be mounted here"
	mounted=$work/disk
	cuctx "${many_samples[@]}" --out disk/out
	said 4 "No space left on device" "a disk of 116 KiB"
	directory=$(run_directory)
	samples_whole "$directory/context.csv"
	mount -o remount,size=4m disk
	accepted run --simulate --quiet --resume "$directory"
	[ "$(column "$directory/context.csv" step | grep -c '^exit$')" -eq 200 ]
	accepted "${many_samples[@]}" --out whole
	clean_deltas "$(run_directory)" >clean
	clean_deltas "$directory" | cmp - clean
}

@test "a module that is missing" {
	copy_modules
	rm modules/sm_90/printf-called.cubin
	refused 4 "modules/sm_90/printf-called.cubin" "${one_sample[@]}"
}

@test "a module that is damaged" {
	local byte size
	for size in 0 1 63 64 500; do
		copy_modules
		damage empty.cubin head -c "$size"
		refused 4 "modules/sm_90/empty.cubin" "${one_sample[@]}"
	done
	# Magic, class, order, machine, and where the section headers are, how large and how many.
	for byte in 0 3 4 5 18 40 41 58 60 61; do
		copy_modules
		damage empty.cubin flip "$byte"
		refused 4 "modules/sm_90/empty.cubin" "${one_sample[@]}"
	done
	copy_modules
	damage empty.cubin bash -c 'cat; echo more'
	refused 4 "modules/sm_90/empty.cubin" "${one_sample[@]}"
	[ "$(ls results 2>/dev/null)" = "" ] || complain "a run directory was made"
}

@test "a module that is another one" {
	copy_modules
	damage empty.cubin cat "$modules/sm_90/printf-called.cubin"
	refused 4 "modules/sm_90/empty.cubin: it is not what kernels.csv beside it describes" "${one_sample[@]}"
}

@test "another form of a module that is missing, damaged or cut" {
	local form
	for form in ptx fatbin compressed.fatbin; do
		copy_modules
		rm "modules/sm_90/source-31.$form"
		refused 4 "modules/sm_90/source-31.$form: No such file" "${one_sample[@]}"
		copy_modules
		damage "source-31.$form" flip 100
		refused 4 "modules/sm_90/source-31.$form: it is not what kernels.csv" "${one_sample[@]}"
		copy_modules
		damage "source-31.$form" head -c 200
		refused 4 "modules/sm_90/source-31.$form: it is not what kernels.csv" "${one_sample[@]}"
	done
}

@test "kernels.csv that is missing or damaged" {
	copy_modules
	rm modules/sm_90/kernels.csv
	refused 4 "modules/sm_90/kernels.csv: No such file" "${one_sample[@]}"
	refused 4 "modules/sm_90/kernels.csv: No such file" run --dry-run
	copy_modules
	damage kernels.csv sed '1s/text_bytes/text/'
	refused 4 "modules/sm_90/kernels.csv: it has no column text_bytes" "${one_sample[@]}"
	copy_modules
	damage kernels.csv sed '3s/,90,[0-9]*,/,90,many,/'
	refused 4 "modules/sm_90/kernels.csv: line 3: not a number" "${one_sample[@]}"
	copy_modules
	damage kernels.csv sed '1s/ptx_bytes/ptx/'
	refused 4 "modules/sm_90/kernels.csv: it has no column ptx_bytes" "${one_sample[@]}"
	copy_modules
	damage kernels.csv sed '/^source-31,/s/,[0-9]*$/,many/'
	refused 4 "modules/sm_90/kernels.csv: line [0-9]*: not a number" "${one_sample[@]}"
	copy_modules
	damage kernels.csv head -n 1
	refused 4 "modules/sm_90/kernels.csv: it lists no module" "${one_sample[@]}"
	copy_modules
	damage kernels.csv head -c 1000
	refused 4 "modules/sm_90/kernels.csv: it is cut off" "${one_sample[@]}"
	copy_modules
	: >modules/sm_90/kernels.csv
	refused 4 "modules/sm_90/kernels.csv" "${one_sample[@]}"
}

@test "no modules for this device, or none at all" {
	copy_modules
	mv modules/sm_90 modules/sm_80
	refused 4 "no modules for compute capability 9.0; build with" "${one_sample[@]}"
	CUCTX_MODULES=/nonexistent refused 4 "/nonexistent: no modules" "${one_sample[@]}"
	CUCTX_MODULES=/nonexistent refused 4 "/nonexistent: no modules are built" run --dry-run
	CUCTX_MODULES=/nonexistent accepted doctor --simulate
	grep -q '^modules .*none.*/nonexistent' "$work/out" || complain "doctor should look where a run would"
}

@test "--resume of what is no run directory" {
	mkdir empty
	: >file
	refused 4 "nothing: No such file or directory" run --simulate --quiet --resume nothing
	refused 4 "file: Not a directory" run --simulate --quiet --resume file
	refused 4 "empty/environment.csv: No such file or directory" run --simulate --quiet --resume empty
	refused 4 "No such file" run --simulate --quiet --resume ""
	run ls empty
	[ -z "$output" ]
}

@test "--resume of another device, driver, or build of the modules" {
	accepted "${one_sample[@]}" --out a
	directory=$(run_directory)
	find "$directory" -type f -exec md5sum {} + | sort >before
	refused 2 "this run was of gpu_uuid" run --simulate=odd --quiet --resume "$directory"
	sed 's/^driver_release,.*/driver_release,1.2.3/' "$CUCTX_BUILD/share/cuctx/profiles/h200.csv" >p.csv
	refused 2 "this run was of driver_release '580.159.04', now it is '1.2.3'" run --simulate=./p.csv --quiet --resume "$directory"
	copy_modules
	damage kernels.csv head -n -1
	refused 2 "the modules have been built anew since" run --simulate --quiet --resume "$directory"
	unset CUCTX_MODULES
	find "$directory" -type f -exec md5sum {} + | sort | cmp - before
}

@test "--resume by a program whose commit does not say what it was built from warns" {
	accepted "${one_sample[@]}" --out a
	directory=$(run_directory)
	cuctx run --simulate --resume "$directory"
	[ "$code" -eq 0 ] || complain "it should go on"
	if grep -Eq '^git_commit,("?unknown"?|.*-dirty)$' "$directory/environment.csv"; then
		grep -q '^git commit .* does not say what this program was built from' "$work/err" || complain "no warning"
	else
		! grep -q 'git commit' "$work/err" || complain "a clean commit needs no warning"
	fi
}

@test "--resume of files that somebody has changed" {
	accepted "${one_sample[@]}" --out a
	directory=$(run_directory)
	cp -r "$directory" kept
	again() { rm -rf changed && cp -r kept changed; }
	resume=(run --simulate --quiet --resume changed)
	again && sed -i 's/^1,context/1,contexts/' changed/plan.csv
	refused 4 "changed/plan.csv: line 2: not a sample that this version can take" "${resume[@]}"
	again && truncate -s -1 changed/plan.csv
	refused 4 "changed/plan.csv: it is cut off" "${resume[@]}"
	again && rm changed/plan.csv
	refused 4 "changed/plan.csv: No such file" "${resume[@]}"
	again && sed -i '/^gpu_uuid/d' changed/environment.csv
	refused 4 "changed/environment.csv: it has no gpu_uuid" "${resume[@]}"
	again && sed -i 's/^git_commit,.*/git_commit,0123456789ab/' changed/environment.csv
	refused 2 "this run was of git_commit '0123456789ab', now it is" "${resume[@]}"
	again && sed -i '1s/settle_ns/settling_ns/' changed/context.csv
	refused 2 "changed/context.csv: its columns are those of another version" "${resume[@]}"
	again && printf 'a,"b\n' >>changed/context.csv
	accepted "${resume[@]}"
	cmp kept/context.csv changed/context.csv
	# Carriage returns are no loss, but where to cut such a file is not for us to say.
	again && sed -i 's/$/\r/' changed/context.csv && printf 'a' >>changed/context.csv
	cp changed/context.csv copy
	cuctx "${resume[@]}"
	[ "$code" -ne 0 ] || complain "a file with carriage returns"
	cmp copy changed/context.csv
}

@test "--resume of a plan that --dry-run would not have printed" {
	accepted run context-settings module-source --simulate --quiet --repeat 1 --out a \
		--axis setting=none,max-connections-1 --axis flags=auto --axis kernel_instructions=64 --axis source=cubin,ptx
	cp -r "$(run_directory)" kept
	again() { rm -rf changed && cp -r kept changed; }
	resume=(run --simulate --quiet --resume changed)
	local change
	for change in s/max-connections-1/max-connections-9/ s/,ptx/,ptxx/ s/cubin/cuBin/ s/kernel_instructions,64/kernel_instructions,65/ \
		's/kernel_instructions,64/kernel_instructions, 64/' '2{h;d};3{G}' 3d; do
		again && sed -i "$change" changed/plan.csv
		refused 4 "changed/plan.csv: line " "${resume[@]}"
	done
	again && sed -n 2s/^1/5/p kept/plan.csv >>changed/plan.csv
	refused 4 "changed/plan.csv: lines 2 and 6: the same sample twice" "${resume[@]}"
}

@test "--resume of rows that are missing, out of order, or there twice" {
	accepted run context --simulate --quiet --axis contexts=1,2 --axis api=driver --repeat 1 --out a
	cp -r "$(run_directory)" kept
	again() { rm -rf changed && cp -r kept changed; }
	resume=(run --simulate --quiet --resume changed)
	again && sed -i 3d changed/context.csv
	refused 4 "changed/context.csv: line 3: not the step that comes next" "${resume[@]}"
	again && sed -i '3{h;d};4{G}' changed/context.csv
	refused 4 "changed/context.csv: line 3: not the step that comes next" "${resume[@]}"
	again && sed -i '/,exit,/d' changed/context.csv
	refused 4 "changed/context.csv: line " "${resume[@]}"
	again && sed 1d kept/context.csv >>changed/context.csv
	refused 4 "that is there already" "${resume[@]}"
	again && sed -i 's/,driver,1,1,/,driver,1,2,/' changed/context.csv
	refused 4 "that is there already" "${resume[@]}"
	again && sed -i 's/,driver,1,1,/,driver,7,1,/' changed/context.csv
	refused 4 "a sample that the plan has not" "${resume[@]}"
	cmp changed/plan.csv kept/plan.csv
}

@test "--resume heeds what its run was begun with, unless told otherwise" {
	accepted run limit-stack --simulate --quiet --axis stack_limit_bytes=256K --axis api=driver --axis direction=up \
		--repeat 1 --max-memory 1G --timeout 1 --out a
	directory=$(run_directory)
	[ "$(value "$directory" max_memory)" = 1073741824 ]
	rm "$directory/limit-stack.csv"
	accepted run --quiet --resume "$directory"
	[ "$(column "$directory/limit-stack.csv" status)" = skipped ]
	rm "$directory/limit-stack.csv"
	CUCTX_SIM_FAULTS=hang@1:cuCtxSetLimit cuctx run --quiet --resume "$directory" --max-memory 100%
	[[ $(column "$directory/limit-stack.csv" error) == *"no answer in 1 s"* ]]
	rm "$directory/limit-stack.csv"
	accepted run --quiet --resume "$directory" --max-memory polite --timeout 60
	[ "$(column "$directory/limit-stack.csv" status | sort -u)" = ok ]
	[ "$(value "$directory" max_memory)" = 1073741824 ]
	sed -i 's/^timeout_s,.*/timeout_s,0/' "$directory/environment.csv"
	refused 4 "environment.csv: timeout_s: '0' is not" run --quiet --resume "$directory"
	sed -i '/^timeout_s,/d; s/^max_memory,.*/max_memory,200%/' "$directory/environment.csv"
	refused 4 "environment.csv: max_memory: '200%' is not" run --quiet --resume "$directory"
}

@test "--resume of a simulated run finds its profile from anywhere, and sees where it was changed" {
	cp "$CUCTX_BUILD/share/cuctx/profiles/odd.csv" mine.csv
	accepted "${one_sample[@]}" --simulate=mine.csv --out a
	directory=$PWD/$(run_directory)
	mkdir elsewhere && cd elsewhere
	accepted run --quiet --resume "$directory"
	sed -i 's/^sm_count,17$/sm_count,18/' ../mine.csv
	refused 2 "environment.csv: this run was of simulated_profile_crc32 '" run --quiet --resume "$directory"
	rm ../mine.csv
	refused 2 "environment.csv: the run was of simulated_profile '/" run --quiet --resume "$directory"
}

@test "an --out that is a link to nothing" {
	ln -s nowhere link
	refused 4 "link: it is a link to what is not there" "${one_sample[@]}" --out link
	refused 4 "link: it is a link to what is not there" "${one_sample[@]}" --out link/below
}

@test "--resume of a run that is complete measures nothing and ends as it did" {
	CUCTX_SIM_FAULTS=abort@1:4 cuctx "${one_sample[@]}" --out a
	[ "$code" -eq 1 ]
	directory=$(run_directory)
	cp "$directory/context.csv" kept.csv
	cuctx run --simulate --quiet --resume "$directory"
	[ "$code" -eq 1 ] || complain "a sample had failed"
	cmp "$directory/context.csv" kept.csv
}

@test "two runs into one --out: the second is turned away, the first goes on" {
	slow_profile slow.csv
	"$cuctx" run context --simulate=./slow.csv --quiet --axis api=driver --repeat 10 --out a >first 2>first.err &
	first=$!
	until [ -s first ]; do sleep 0.02; done
	refused 4 "a: another run is measuring into it" "${one_sample[@]}" --out a
	refused 4 "another run is measuring into it" run --simulate=./slow.csv --quiet --resume "$(<first)"
	wait "$first" || complain "the first run"
	[ ! -s first.err ]
	[ "$(find a -mindepth 1 -maxdepth 1 | wc -l)" -eq 1 ]
	[ "$(column "$(<first)/context.csv" step | grep -c '^exit$')" -eq 80 ]
}

@test "two resumes of one directory: one of them does it" {
	slow_profile slow.csv
	accepted run context --simulate=./slow.csv --quiet --axis api=driver --repeat 10 --out a
	directory=$(run_directory)
	rm "$directory/context.csv"
	"$cuctx" run --simulate=./slow.csv --quiet --resume "$directory" >first 2>&1 &
	first=$!
	until [ -s first ]; do sleep 0.02; done
	refused 4 "another run is measuring into it" run --simulate=./slow.csv --quiet --resume "$directory"
	wait "$first" || complain "the first one"
	[ "$(column "$directory/context.csv" step | grep -c '^exit$')" -eq 80 ]
}
