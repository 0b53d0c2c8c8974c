#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# record.sh CUCTX OUT: builds the programs beside it with gcc, the CUDA runtime and cuBLAS, and traces each
# of them, the example `surprise`, and PyTorch where python3 has it, into folders of OUT.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
if (($# != 2)) || [ ! -x "$1" ]; then
	sed -n '3,4s/^# //p' "${BASH_SOURCE[0]}" >&2
	exit 2
fi
cuctx=$(realpath "$1") out=$(realpath -m "$2")
cuda=${CUDA_HOME:-/usr/local/cuda}
programs=$(mktemp -d)
trap 'rm -rf "$programs"' EXIT

gpu=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1 | tr 'A-Z ' 'a-z-' | sed 's/,-*/_/')

# trace NAME PROGRAM...: what the program prints, and the summary, go into the folder, too.
trace() {
	local folder
	folder=$out/trace-$1_${gpu}_$(date -u +%Y%m%dT%H%M%SZ)
	shift
	mkdir -p "$folder"
	"$cuctx" trace --quiet --out "$folder/trace.csv" -- "$@" >"$folder/output.txt" 2>/dev/null || echo "exit code $?" >>"$folder/output.txt"
	"$cuctx" trace --from "$folder/trace.csv" >"$folder/summary.txt" 2>/dev/null || true
	echo "$folder"
}

# The command is part of the trace, so the programs are called as they lie there.
cd "$programs"
for program in handles streams processes; do
	gcc -O2 -I"$cuda/include" -o "$program" "$here/$program.c" -L"$cuda/lib64" -Wl,-rpath,"$cuda/lib64" -lcublas -lcudart
	trace "$program" "./$program"
done
trace surprise "$(dirname "$(dirname "$cuctx")")/lib/cuctx/examples/surprise"
cp "$here/matmul.py" .
if python3 -c 'import torch' 2>/dev/null; then
	trace pytorch python3 matmul.py
fi
