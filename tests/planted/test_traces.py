#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Traces that never happened, made up at random: each change of memory is planted at a moment within a call, and what
`cuctx trace --from` makes of the readings around the calls is held against it.

A call that no other overlaps has to get exactly what was planted in it. Of calls that overlap, all together have to get
what was planted in all of them. A device's column adds up, and the summary, which adds up parts, is printed.
CUCTX_TRACES_SEED=N makes the same traces again.
"""
import csv
import os
import pathlib
import random
import subprocess
import sys
import tempfile

MIB = 2 ** 20
TRACES = 60
CONTEXT_BYTES = 512 * MIB
KINDS = {"context": "cuDevicePrimaryCtxRetain", "allocation": "cuMemAlloc_v2", "code": "cuModuleLoadData", "stream": "cuStreamCreate", "pool": "cuMemAllocAsync",
         "graph": "cuGraphInstantiateWithFlags", "limit": "cuCtxSetLimit", "launch": "cuLaunchKernel"}


class Call:
    def __init__(self, maker, begin, process, thread, device, makes_context=False):
        self.begin = begin
        self.end = begin + maker.randrange(1000, 50000)
        self.process, self.thread, self.device = process, thread, device
        self.kind = "context" if makes_context else maker.choice([kind for kind in KINDS if kind != "context"])
        self.bytes = CONTEXT_BYTES if makes_context else maker.choice((0, 0, 2, 2, 4, 64, -2)) * MIB
        self.moment = maker.randrange(self.begin + 1, self.end)

    def overlaps(self, other):
        return self.device == other.device and self.begin < other.end and other.begin < self.end


def make_calls(maker):
    calls = []
    for process in range(1, maker.randrange(2, 5)):
        start = maker.randrange(1000, 100000)
        for device in range(2):
            calls.append(Call(maker, start, process, 10 * process, device, True))
            start = calls[-1].end + 10
        for thread in range(1, maker.randrange(2, 4)):
            now = start + maker.randrange(1000, 100000)
            for number in range(maker.randrange(1, 12)):
                calls.append(Call(maker, now, process, 10 * process + thread, maker.randrange(2)))
                now = calls[-1].end + maker.randrange(1, 40000)
    return calls


class Truth:
    """What each device has in use at any time."""

    def __init__(self, maker, calls):
        self.first = [maker.randrange(100) * MIB + 10 ** 10 for _ in range(2)]
        self.changes = [(call.moment, call.device, call.bytes) for call in calls]
        self.last_ns = max(call.end for call in calls)
        for process in {call.process for call in calls}:
            own = [call for call in calls if call.process == process]
            # After its last call, and before that of another one only if there is time between them.
            moment = max(call.end for call in own) + 3
            for device in range(2):
                held = sum(call.bytes for call in own if call.device == device)
                if held > 0:
                    self.changes.append((self.last_ns + moment % 1000 + 10, device, -held))

    def used(self, device, time):
        return self.first[device] + sum(size for moment, where, size in self.changes if where == device and moment <= time)


def write_raw(path, header, calls, truth):
    with open(path, "w", newline="", encoding="utf-8") as file:
        rows = csv.DictWriter(file, header, restval="")
        rows.writeheader()
        for device in range(2):
            rows.writerow({"time_ns": 0, "device": device, "event": "start", "used_bytes": truth.used(device, 0)})
            end = truth.last_ns + 10 ** 6
            rows.writerow({"time_ns": end, "device": device, "event": "end", "used_bytes": truth.used(device, end)})
        # In the order in which processes would have written them.
        for call in sorted(calls, key=lambda call: call.end):
            rows.writerow({"time_ns": call.begin, "elapsed_ns": call.end - call.begin, "process": call.process,
                           "thread": call.thread, "device": call.device, "kind": call.kind, "call": KINDS[call.kind],
                           "event": "launch" if call.kind == "launch" else "call", "object": f"0x{call.moment:x}",
                           "requested_bytes": max(call.bytes - 7, 0) if call.kind == "allocation" else "",
                           "used_before_bytes": truth.used(call.device, call.begin),
                           "used_bytes": truth.used(call.device, call.end)})


def groups(calls):
    """Calls that overlap, directly or by others between them."""
    found = []
    for call in calls:
        touched = [group for group in found if any(call.overlaps(other) for other in group)]
        found = [group for group in found if group not in touched] + [sum(touched, []) + [call]]
    return found


def number(text):
    return int(text) if text else 0


def faults(rows, calls, truth):
    for device in range(2):
        own = [row for row in rows if row["device"] == str(device)]
        total = sum(number(row["delta_bytes"]) for row in own)
        if total != truth.used(device, truth.last_ns + 10 ** 6) - truth.used(device, 0):
            yield f"device {device} adds up to {total}"
    told = {(row["object"], row["device"]): number(row["delta_bytes"]) for row in rows if row["object"]}
    for group in groups(calls):
        begin, end = min(call.begin for call in group), max(call.end for call in group)
        device = str(group[0].device)
        got = sum(told[f"0x{call.moment:x}", device] for call in group)
        got += sum(number(row["delta_bytes"]) for row in rows if row["event"] == "between" and row["device"] == device and
                   begin < number(row["time_ns"]) + 1 <= end)
        if got != sum(call.bytes for call in group):
            yield f"{len(group)} calls from {begin} to {end} on device {device} got {got}"
        if len(group) == 1 and told[f"0x{group[0].moment:x}", device] != group[0].bytes:
            yield f"the call at {begin} got {told[f'0x{group[0].moment:x}', device]}, and not {group[0].bytes}"


def main():
    cuctx = pathlib.Path(os.environ["CUCTX_BUILD"]) / "bin/cuctx"
    columns = pathlib.Path(os.environ["CUCTX_SOURCE"]) / "base/trace_columns.def"
    header = [line.split("(")[1].split(",")[0] for line in columns.read_text(encoding="utf-8").splitlines()
              if line.startswith("TRACE_COLUMN(")]
    seed = int(os.environ.get("CUCTX_TRACES_SEED") or random.randrange(2 ** 32))
    maker = random.Random(seed)
    print(f"1..1\n# seed {seed}")
    count = 0
    with tempfile.TemporaryDirectory(prefix="cuctx-traces-") as folder:
        for number_of in range(TRACES):
            path = pathlib.Path(folder) / f"{number_of}.csv"
            calls = make_calls(maker)
            truth = Truth(maker, calls)
            write_raw(f"{path}.part", header, calls, truth)
            told = subprocess.run([cuctx, "trace", "--from", f"{path}.part"], capture_output=True, text=True, check=False,
                                  env={**os.environ, "PATH": "/nothing"})
            if told.returncode not in (0, 4) or "add up" in told.stderr or "all of it" not in told.stdout:
                print(f"# trace {number_of}: {told.stderr.strip()}\n{told.stdout[:2000]}")
                count += 1
                continue
            with open(path, newline="", encoding="utf-8") as file:
                for fault in faults(list(csv.DictReader(file)), calls, truth):
                    print(f"# trace {number_of}: {fault}")
                    count += 1
    print("not ok" if count else "ok", f"1 - {TRACES} traces, {count} faults")
    return count > 0


if __name__ == "__main__":
    sys.exit(main())
