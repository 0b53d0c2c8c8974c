#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds what `cuctx inspect --run RUN` says of the files of modules against what they took when RUN was measured.

    inspected.py CUCTX RUN MODULES

No number comes from a law here: the total of a sample that loads and launches all kernels of a module, and the sum that
inspect gives for that module's file alone. Exit 1 where the former is outside of the latter's range, or that is wide.
"""

import csv
import json
import os
import subprocess
import sys

GRANULE_BYTES = 2 << 20  # of a meter: a wider range would say nothing
STEP = "launch-2"  # all is loaded, and what the first launch takes has been taken

# benchmark, condition on its axes, module by the value of one
CASES = [
    ("module-code", {"loading": "lazy"}, "instructions", None),
    ("local-frame", {"grid": "device"}, "frame_bytes", "frame-{}"),
    ("static-symbols", {"loading": "lazy", "symbol": "device"}, "symbol_bytes", "static-{}"),
    ("static-symbols", {"loading": "lazy", "symbol": "managed"}, "symbol_bytes", "managed-{}"),
    ("module-kernels", {"loading": "lazy", "launched": "512"}, "kernels", "many-{}"),
    ("module-kernels", {"loading": "lazy", "launched": "1", "kernels": "1"}, "kernels", "many-{}"),
    ("limit-printf-fifo", {"api": "driver"}, "module", "printf-{}"),
    ("limit-malloc-heap", {"api": "driver"}, "module", "malloc-{}"),
]


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def measured(run, kernels):
    """Module -> totals, with limits as the driver sets them."""
    by_instructions = {row["instructions"]: row["module"] for row in kernels
                       if row["module"].startswith("fma-")}
    found = {}
    for benchmark, where, axis, name in CASES:
        set_otherwise = set()
        for row in read(f"{run}/{benchmark}.csv"):
            sample = (row["repeat"], *(row[key] for key in list(row)[3:list(row).index("repeat")]))
            if row.get("granted_bytes") and row["granted_bytes"] != row["default_bytes"]:
                set_otherwise.add(sample)
            if (row["step"] != STEP or row["status"] != "ok" or sample in set_otherwise
                    or any(row[key] != value for key, value in where.items())):
                continue
            module = name.format(row[axis]) if name else by_instructions.get(row[axis])
            if module:
                found.setdefault(module, set()).add(int(row["total_bytes"]))
    return found


def predicted(cuctx, run, files):
    out = subprocess.run([cuctx, "inspect", "--format", "json", "--run", run, *files], stdout=subprocess.PIPE, check=True)
    return {os.path.basename(file["file"])[:-len(".cubin")]: file["cost"]["with"]
            for file in json.loads(out.stdout)["files"]}


def main():
    cuctx, run, modules = sys.argv[1:]
    totals = measured(run, read(f"{run}/kernels.csv"))
    files = [f"{modules}/{module}.cubin" for module in totals if os.path.exists(f"{modules}/{module}.cubin")]
    wrong = 0
    said = predicted(cuctx, run, files)
    for module, cost in said.items():
        low, high = cost["predicted_low_bytes"], cost["predicted_high_bytes"]
        if high - low > GRANULE_BYTES or not all(low <= total <= high for total in totals[module]):
            print(f"{module}: measured {sorted(totals[module])}, predicted {low} to {high}")
            wrong += 1
    print(f"{len(said)} modules, {wrong} wrong")
    return 1 if wrong or len(said) < 40 else 0


if __name__ == "__main__":
    sys.exit(main())
