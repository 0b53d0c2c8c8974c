#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""trace_sums.py TRACE [CALL=BYTES | KERNEL:EVENT=BYTES]...: a trace adds up, and has these rows.

Each device's delta_bytes add up to what its row `end` has more in use than its row `start`. CALL=BYTES
wants all rows of a call to take so much together, NAME:EVENT=BYTES those of a kernel.
"""
import csv
import sys


def number(text):
    return int(text) if text else 0


def main():
    with open(sys.argv[1], newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    devices = {row["device"] for row in rows if row["event"] == "start"}
    assert devices, "no device has a row `start`"
    for device in devices:
        own = [row for row in rows if row["device"] == device]
        start, = [number(row["used_bytes"]) for row in own if row["event"] == "start"]
        end, = [number(row["used_bytes"]) for row in own if row["event"] == "end"]
        total = sum(number(row["delta_bytes"]) for row in own)
        assert total == end - start, f"device {device}: {total} is not {end} - {start}"
    times = [number(row["time_ns"]) for row in rows]
    assert times == sorted(times), "rows are not in order of time"
    for wanted in sys.argv[2:]:
        what, size = wanted.rsplit("=", 1)
        name, _, event = what.partition(":")
        found = [number(row["delta_bytes"]) for row in rows
                 if (row["event"] == event and row["kernel"] == name if event
                     else row["call"] == name or row["event"] == name)]
        assert sum(found) == int(size), f"{what}: {sum(found)} in {len(found)} rows, wanted {size}"


if __name__ == "__main__":
    main()
