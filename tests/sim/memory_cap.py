#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What --max-memory is told that a sample may take is what it takes at most, its contexts apart.

memory_cap.py PROFILE: under a cap of nothing every sample is skipped, and its row says what it may take. Under a cap
of everything each is taken, and no total may be above that. Then a cap in between, with the samples that are left.
"""
import csv
import glob
import os
import re
import subprocess
import sys
import tempfile

CUCTX = os.path.join(os.environ["CUCTX_BUILD"], "bin", "cuctx")

# Few points, the large ones among them; the rest as --quick has them.
AXES = {
    "frame_bytes": "0,1040,64K", "stack_limit_bytes": "0,1K,64K", "array_bytes": "1000",
    "malloc_heap_limit_bytes": "0,1G", "printf_fifo_limit_bytes": "0,256M",
    "pending_launches": "0,1,262144", "sync_depth": "0,16", "pool_bytes": "1,32769K,256M",
    "nodes": "1,1K", "executables": "1,64", "objects": "1,60000", "copies": "10,1K", "cycles": "1,100",
    "kernels": "1,512", "launched": "1,512", "symbol_bytes": "1,64M", "constant_bytes": "1,64K",
    "events": "1,4K", "streams": "1,512", "partitions": "1,8", "value": "1,128,64M", "contexts": "1,8",
    "buffer_bytes": "64M", "parts": "launch,pool-1,stack-16K+frame-1040+printf,streams-64+graphs-64+malloc+pool-64M",
}
UNITS = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}
STEPS_OF_CONTEXTS = re.compile(r"create(-[1-8])?$")


def run(out, profile, *words):
    """All samples of a run: {(benchmark, axes...): rows}."""
    command = [CUCTX, "run", "--quiet", "--quick", "--no-claims", f"--simulate={profile}", "--out", out, *words]
    for name, values in AXES.items():
        command += ["--axis", f"{name}={values}"]
    variables = {k: v for k, v in os.environ.items() if not k.startswith("CUCTX_SIM_")}
    told = subprocess.run(command, env=variables, capture_output=True, text=True)
    assert told.returncode in (0, 1), told.stderr
    samples = {}
    for path in glob.glob(os.path.join(told.stdout.strip(), "*.csv")):
        with open(path, newline="") as file:
            rows = list(csv.DictReader(file))
        if not rows or "step_index" not in rows[0]:
            continue
        names = list(rows[0])
        axes = names[names.index("device") + 1:names.index("repeat")]
        for row in rows:
            samples.setdefault((row["benchmark"], *(f"{a}={row[a]}" for a in axes)), []).append(row)
    return samples


def need_of(rows):
    """What the only row says that the sample may take, rounded up by what the text leaves out; None: it says nothing."""
    found = re.match(r"it may take ([0-9.]+) (\w+), and 0 B are allowed", rows[0]["note"])
    return (float(found[1]) + 0.005) * UNITS[found[2]] if found else None


def taken_by(key, rows, context_bytes):
    """The largest total of the sample, beside its contexts."""
    totals = [int(row["total_bytes"]) for row in rows if row["total_bytes"]]
    # There a context may come with any call: one more for each of the calls, and the last for all.
    contexts = 3 * context_bytes if key[0] == "first-call" else sum(
        max(0, int(row["delta_bytes"] or 0)) for row in rows if STEPS_OF_CONTEXTS.match(row["step"]))
    return max(totals, default=0) - contexts


def check_needs(needs, taken, context_bytes):
    wrong = []
    for key, rows in taken.items():
        need_bytes = need_of(needs[key])
        if need_bytes is None:  # not to be had here, or it takes nothing but contexts
            need_bytes = 0
        got = taken_by(key, rows, context_bytes)
        if got > need_bytes:
            wrong.append(f"{' '.join(key)}: {got:,} bytes, said to be at most {need_bytes:,.0f}")
    return wrong


def main():
    profile = sys.argv[1]
    with tempfile.TemporaryDirectory(prefix="cuctx-cap-") as out:
        needs = run(os.path.join(out, "nothing"), profile, "--max-memory", "0")
        taken = run(os.path.join(out, "all"), profile, "--max-memory", "1T")
        capped = run(os.path.join(out, "some"), profile, "--max-memory", "20M")
    context_bytes = max(int(row["total_bytes"]) for row in taken["context", "contexts=1", "api=driver"]
                        if row["step"] == "create-1")
    wrong = check_needs(needs, taken, context_bytes)
    for key, rows in capped.items():
        got = taken_by(key, rows, context_bytes)
        if got > 20 << 20:
            wrong.append(f"{' '.join(key)}: {got:,} bytes, under a cap of 20 MiB")
    kept = sum(rows[0]["status"] != "skipped" for rows in capped.values())
    assert len(taken) == len(needs) == len(capped) > 100 and 20 < kept < len(taken), (len(taken), kept)
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
