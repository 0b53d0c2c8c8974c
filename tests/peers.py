#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds what `cuctx inspect` says of a file against what NVIDIA's cuobjdump says of it, kernel by kernel.

    peers.py CUCTX FILE

Exit 77 without cuobjdump. Its SHARED has the 1 KiB of the system's, from sm_90 on, in linked code.
"""

import collections
import csv
import re
import shutil
import subprocess
import sys

ADDRESS_BANK = "4"  # holds no variable
SYSTEM_SHARED_BYTES = 1024


def ours(cuctx, path):
    out = subprocess.run([cuctx, "inspect", "--format", "csv", path], stdout=subprocess.PIPE, check=True, text=True)
    kernels, static = collections.Counter(), collections.Counter()
    for row in csv.DictReader(out.stdout.splitlines()):
        if row["kernel"]:
            kernels[row["architecture"], row["kernel"], row["registers"], row["local_bytes"], row["shared_bytes"],
                    row["constant_bytes"]] += 1
        elif row["kind"] == "cubin":
            static[row["architecture"]] += int(row["static_bytes"])
    return kernels, static


def constants(text):
    return sum(int(size) for bank, size in re.findall(r"CONSTANT\[(\d+)\]:(\d+)", text) if bank != ADDRESS_BANK)


def theirs(path):
    out = subprocess.run(["cuobjdump", "-res-usage", path], stdout=subprocess.PIPE, check=True, text=True)
    kernels, static = collections.Counter(), collections.Counter()
    architecture = name = None
    for line in out.stdout.splitlines():
        if match := re.match(r"arch = sm_(\d+)", line):
            architecture = match[1]
        elif match := re.match(r" Function (\S+):", line):
            name = match[1]
        elif match := re.search(r"REG:(\d+) STACK:(\d+) SHARED:(\d+) (.*)", line):
            shared = int(match[3])
            if int(architecture) >= 90 and shared >= SYSTEM_SHARED_BYTES:
                shared -= SYSTEM_SHARED_BYTES
            kernels[architecture, name, match[1], match[2], str(shared), str(constants(match[4]))] += 1
        elif match := re.search(r"GLOBAL:(\d+)(.*)", line):
            static[architecture] += int(match[1]) + constants(match[2])
    return kernels, static


def main():
    cuctx, path = sys.argv[1:]
    if not shutil.which("cuobjdump"):
        print("there is no cuobjdump here")
        return 77
    our_kernels, our_static = ours(cuctx, path)
    their_kernels, their_static = theirs(path)
    for name, more in (("only ours", our_kernels - their_kernels), ("only theirs", their_kernels - our_kernels)):
        for kernel in more:
            print(f"{name}: {' '.join(kernel)}")
    print(f"{sum(our_kernels.values())} kernels, variables {dict(our_static)} and {dict(their_static)}")
    return 0 if our_kernels == their_kernels and our_static == their_static else 1


if __name__ == "__main__":
    sys.exit(main())
