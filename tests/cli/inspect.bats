#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# inspect: the build's own modules against what the build knows of them, what nvcc makes against what ptxas tells of it, and
# files that hold something else.

# shellcheck disable=SC2154,SC2030,SC2031 # common.sh assigns them
load common.sh

setup() {
	cli_setup
	modules=$CUCTX_BUILD/share/cuctx/modules/sm_90
}
teardown() { cli_teardown; }

needs_modules() {
	[ -e "$modules/kernels.csv" ] || skip "this build has no modules for sm_90"
}

needs_nvcc() {
	command -v nvcc >/dev/null || skip "there is no nvcc here"
	command -v g++ >/dev/null || skip "there is no g++ here, which nvcc wants"
}

needs_zstd() {
	grep -q '^CUCTX_zstd_.*_LIBRARY:.*/' "$CUCTX_BUILD/CMakeCache.txt" || skip "this build has no libzstd"
}

# A kernel of each kind: plain, with a frame, with shared memory, as a template in a namespace; a variable.
write_source() {
	cat >program.cu <<-'END'
		#include <cstdio>
		__device__ int variable[25];
		__global__ void shared(float *p)
		{
			__shared__ float s[300];
			s[threadIdx.x] = p[threadIdx.x];
			__syncthreads();
			p[0] = s[299 - threadIdx.x] + variable[(int)p[1]];
		}
		namespace n {
		template <class T> __global__ void frame(T *p)
		{
			T a[512];
			for (int i = 0; i < 512; i++)
				a[i] = p[i];
			p[0] = a[(int)p[1]];
		}
		template __global__ void frame<double>(double *);
		}
		extern "C" __global__ void talks(int n) { printf("%d\n", n); }
		int main() { shared<<<1, 1>>>(0); }
	END
}

# compile OPTIONS...: what ptxas tells goes to ptxas.txt.
compile() {
	nvcc -Xptxas -v "$@" program.cu 2>ptxas.txt || complain "nvcc: $(cat ptxas.txt)"
}

# sum COLUMN [ROW PATTERN]: over rows of the CSV on out.
sum() {
	python3 -c '
import csv, re, sys
rows = csv.DictReader(open("out"))
print(sum(int(row[sys.argv[1]] or 0) for row in rows if re.search(sys.argv[2], " ".join(row.values()))))' "$1" "${2:-}"
}

@test "the modules of the build hold what the build says of them" {
	needs_modules
	mapfile -t files < <(ls "$modules"/*.cubin)
	accepted inspect --format csv "${files[@]}"
	run python3 - "$work/out" "$modules/kernels.csv" <<-'END'
		import csv, os, sys
		def read(path):
		    with open(path, newline="") as file:
		        return list(csv.DictReader(file))
		found, known = read(sys.argv[1]), read(sys.argv[2])
		columns = ["text_bytes", "instructions", "local_bytes", "constant_bytes", "architecture"]
		def key(row, module):
		    return (module, row["kernel"], *(row[column] for column in columns))
		ours = {key(row, os.path.basename(row["file"])[:-len(".cubin")]) for row in found if row["kernel"]}
		theirs = {key(row, row["module"]) for row in known if row["kernel"]}
		static = {(os.path.basename(row["file"])[:-len(".cubin")], row["static_bytes"]) for row in found if not row["kernel"]}
		assert ours == theirs, ours ^ theirs
		assert static == {(row["module"], row["static_bytes"]) for row in known}, static
		assert len(ours) > 30
	END
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "a module is the same in each of its forms" {
	needs_modules
	for form in fatbin compressed.fatbin; do
		accepted inspect --format csv "$modules/source-4063.$form"
		cut -d, -f6,9-19 out | sort >"$form"
	done
	accepted inspect --format csv "$modules/source-4063.cubin"
	cut -d, -f6,9-19 out | sort >cubin
	cmp fatbin compressed.fatbin
	cmp fatbin cubin
}

@test "what ptxas tells of a program is found in it, however it is packed" {
	needs_nvcc
	write_source
	for packed in none speed default; do
		[ "$packed" != default ] || needs_zstd
		option=(--compress-mode="$packed")
		nvcc --help | grep -q -- --compress-mode || option=()
		compile "${option[@]}" -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code='[sm_90,compute_90]' \
			-gencode arch=compute_100,code=sm_100 -o program
		accepted inspect --format csv program
		run python3 - out ptxas.txt <<-'END'
			import csv, re, sys
			with open(sys.argv[1], newline="") as file:
			    rows = list(csv.DictReader(file))
			ours = {(r["kernel"], r["architecture"]): (r["registers"], r["local_bytes"], r["shared_bytes"])
			        for r in rows if r["kernel"]}
			theirs, frame = {}, None
			for line in open(sys.argv[2]):
			    if match := re.search(r"Compiling entry function '(\w+)' for 'sm_(\d+)'", line):
			        key = match.groups()
			    if match := re.search(r"(\d+) bytes stack frame", line):
			        frame = match[1]
			    if match := re.search(r"Used (\d+) registers", line):
			        shared = re.search(r"(\d+) bytes smem", line)
			        theirs[key] = (match[1], frame, shared[1] if shared else "0")
			assert ours == theirs, (ours, theirs)
			assert len(ours) == 9
			names = {r["name"] for r in rows}
			assert {"shared(float*)", "void n::frame<double>(double*)", "talks"} <= names, names
			assert sum(r["kind"] == "ptx" for r in rows) == 1
			assert sum(int(r["static_bytes"] or 0) for r in rows) >= 3 * 100
			assert sum("printf" in r["uses"] for r in rows) == 3
		END
		echo "$packed: $output"
		[ "$status" -eq 0 ]
	done
}

@test "cuobjdump tells the same of a program" {
	needs_nvcc
	needs_zstd
	command -v cuobjdump >/dev/null || skip "there is no cuobjdump here"
	write_source
	compile -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code='[sm_90,compute_90]' -o program
	run python3 "$BATS_TEST_DIRNAME/../peers.py" "$cuctx" program
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "the sections that readelf lists are the code that is told" {
	needs_modules
	command -v readelf >/dev/null || skip "there is no readelf here"
	for module in many-8 launch-linked recurse-40 printf-called; do
		accepted inspect --format csv "$modules/$module.cubin"
		listed=$(readelf -SW "$modules/$module.cubin" 2>/dev/null | python3 -c '
import re, sys
print(sum(int(size, 16) for size in re.findall(r"\] \.text\.\S+ +PROGBITS +\S+ +\S+ +(\S+)", sys.stdin.read())))')
		[ "$(($(sum text_bytes) + $(sum function_bytes)))" -eq "$listed" ]
	done
}

@test "an object to be linked, an archive and a library have the kernels, too" {
	needs_nvcc
	write_source
	compile --compress-mode=none -arch=sm_90 -rdc=true -c -o program.o
	ar rc program.a program.o
	compile --compress-mode=none -arch=sm_90 -shared -Xcompiler -fPIC -o program.so
	for file in program.o program.a program.so; do
		accepted inspect --format csv --filter 'shared|frame|talks' "$file"
		[ "$(grep -c ",sm_90\|,90," out)" -eq 3 ]
		[ "$(sum shared_bytes)" -eq 1200 ]
		[ "$(sum local_bytes)" -ge 4096 ]
	done
	grep -q '^program.so,,' out
	accepted inspect --format csv program.a
	grep -q '^program.a,program.o,' out
}

# recorded: the path of a run that is part of the source.
recorded() {
	local runs=("$CUCTX_SOURCE"/results/nvidia-*/)
	[ -e "${runs[0]}/environment.csv" ] || skip "there is no recorded run"
	printf '%s\n' "${runs[0]%/}"
}

@test "what the recorded run's modules took is what inspect says of their files" {
	needs_modules
	run python3 "$BATS_TEST_DIRNAME/../inspected.py" "$cuctx" "$(recorded)" "$modules"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "with a run, each kernel is told what it takes alone, and the sum of a process" {
	needs_modules
	directory=$(recorded)
	accepted inspect "$modules/frame-16384.cubin" --run "$directory"
	grep -q 'all kernels loaded on NVIDIA H200' out
	grep -q 'The largest stack, 16384 bytes for each thread, is that of kernel' out
	accepted inspect "$modules/frame-16384.cubin" --run "$directory" --format json
	grep -q '"stack for each thread, limit: 16384"' out
	accepted inspect "$modules/copy-1.cubin" "$modules/copy-47.cubin" --run "$directory" --format csv
	# 640 and 1,280 bytes, 2,176 more for each, in slots of 256.
	[ "$(sum text_bytes)" -eq 1920 ]
	[ "$(sum device_bytes)" -eq $((2816 + 3584)) ]
	accepted inspect "$modules/frame-16384.cubin" --format csv
	[ "$(sum device_bytes)" -eq 0 ]
}

@test "a run of another architecture says nothing of a kernel" {
	needs_modules
	cp -r "$(recorded)" other
	sed -i 's/^compute_capability,.*/compute_capability,8.6/' other/environment.csv
	accepted inspect "$modules/copy-87.cubin" --run other --format csv
	[ "$(sum device_bytes)" -eq 0 ]
	accepted inspect "$modules/copy-87.cubin" --run other
	grep -q 'No machine code in it runs on sm_86' out
	accepted inspect "$modules/source-31.fatbin" --run other --format json
	grep -q '"useless_fatbins":1' out
	sed -i 's/^compute_capability,.*/compute_capability,new/' other/environment.csv
	refused 4 "compute_capability is 'new'" inspect "$modules/copy-87.cubin" --run other
	refused 4 "environment.csv" inspect "$modules/copy-87.cubin" --run .
	rm other/limit-stack.csv
	sed -i 's/^compute_capability,.*/compute_capability,9.0/' other/environment.csv
	refused 4 "limit-stack" inspect "$modules/copy-87.cubin" --run other
}

@test "of a program that has been linked from parts, only what is linked is counted" {
	needs_nvcc
	directory=$(recorded)
	cat >other.cu <<-'END'
		__device__ __noinline__ float called(float *p, int n)
		{
			float a[256];
			for (int i = 0; i < 256; i++)
				a[i] = p[i];
			return a[n] + a[n / 2];
		}
	END
	cat >program.cu <<-'END'
		extern __device__ float called(float *p, int n);
		__global__ void calls(float *p)
		{
			float a[64];
			for (int i = 0; i < 64; i++)
				a[i] = p[i];
			p[0] = called(p, (int)p[1]) + a[(int)p[2]];
		}
		int main() { calls<<<1, 1>>>(0); }
	END
	nvcc -arch=sm_90 -rdc=true --compress-mode=none other.cu program.cu -o program
	accepted inspect program --format csv --filter calls
	grep -q ',no,_Z5calls' out
	accepted inspect program --format json --run "$directory"
	run python3 - <<-'END'
		import json
		file = json.load(open("out"))["files"][0]
		linked = {image["image"] for image in file["images"] if image["linked"]}
		(kernel,) = (kernel for kernel in file["kernels"] if kernel["image"] in linked)
		assert kernel["stack_bytes"] >= kernel["local_bytes"] + 1024 >= 1280, kernel
		assert sum(image["function_bytes"] for image in file["images"] if image["linked"]) > 0
		cost = file["cost"]
		assert cost["unlinked_fatbins"] == 2 and cost["loaded_images"] == len(linked), cost
		assert sum("code of 1 kernel of" in line["component"] for line in cost["lines"]) == 1
		stack = f"stack for each thread, limit: {kernel['stack_bytes']}"
		assert any(line["component"] == stack for line in cost["lines"]), cost["lines"]
	END
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "rows, columns and files are chosen" {
	needs_modules
	accepted inspect "$modules/many-512.cubin" "$modules/frame-4096.cubin"
	[ "$(grep -c '^What is in' out)" -eq 2 ]
	grep -q 'The 20 largest of 512; --top 0 lists all' out
	accepted inspect --top 3 "$modules/many-512.cubin" --format csv
	[ "$(wc -l <out)" -eq 5 ]
	accepted inspect --filter '^kernel_12.$' "$modules/many-512.cubin" --format csv
	[ "$(wc -l <out)" -eq 11 ]
	accepted inspect --arch 80 "$modules/many-512.cubin"
	grep -q 'No device code for this architecture' out
	accepted inspect --arch sm_90 "$modules/many-512.cubin" "$modules/frame-4096.cubin" --format json
	python3 -c 'import json; assert len(json.load(open("out"))["files"]) == 2'
}

@test "a file that holds something else is called by name" {
	: >empty
	mkfifo pipe
	mkdir directory
	head -c 4096 /dev/urandom | tr '\177' x >noise
	truncate -s 4G sparse
	printf '\177ELF' >elf
	for file in empty pipe directory noise sparse elf none; do
		refused 4 "$file: " inspect "$file"
	done
	# A program of this machine, of any other, and an archive without one.
	refused 1 "$BASH: no device code in it" inspect "$BASH"
	printf '\177ELF\1\2\1%9s\0\2\0\10\0\0\0\1%28s' '' '' | tr ' ' '\0' >other
	refused 1 "other: no device code in it" inspect other
	printf '!<arch>\n' >archive
	refused 1 "archive: no device code in it" inspect archive
}

@test "of several files the worst decides, and the others are told of" {
	needs_modules
	cuctx inspect "$BASH" "$modules/frame-4096.cubin"
	[ "$code" -eq 1 ]
	grep -q 'What is in .*frame-4096' out
	cuctx inspect "$BASH" none "$modules/frame-4096.cubin" --format json
	[ "$code" -eq 4 ]
	python3 -c 'import json; assert len(json.load(open("out"))["files"]) == 1'
	cuctx inspect none --format json
	[ "$code" -eq 4 ]
	python3 -c 'import json; assert json.load(open("out"))["files"] == []'
	# Half a module.
	head -c 3000 "$modules/frame-4096.cubin" >half
	cuctx inspect half
	[ "$code" -eq 4 ]
	grep -q 'half: .*cut short' err
}

@test "a hundred thousand frames take no longer than they must" {
	python3 "$BATS_TEST_DIRNAME/hostile_cubin.py" frames.cubin 100000
	code=0
	timeout 20 "$cuctx" inspect --format csv frames.cubin >out || code=$?
	[ "$code" -eq 0 ]
	[ "$(sum text_bytes)" -eq 64 ]
}

@test "a wrong option is named" {
	refused 2 "a file is needed" inspect
	refused 2 "--format: 'xml'" inspect --format xml file
	refused 2 "--arch: 'sm_x'" inspect --arch sm_x file
	refused 2 "--top: '-1'" inspect --top -1 file
	refused 2 "--filter: '('" inspect --filter '(' file
}

@test "a full disk is told of" {
	needs_modules
	[ -e /dev/full ] || skip "there is no /dev/full"
	for format in table csv json; do
		code=0
		"$cuctx" inspect --format $format "$modules/frame-4096.cubin" >/dev/full 2>err || code=$?
		[ "$code" -eq 4 ]
		grep -q 'standard output' err
	done
}
