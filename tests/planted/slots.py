# SPDX-License-Identifier: MIT
"""Slots far below a granule, planted in profiles and demanded back from laws.csv of module-copies."""

import os
import sys

from files import measure, read_csv, write_profile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import slot_law  # pylint: disable=wrong-import-position

# (packing, bytes of a slot, bytes taken with each kernel's code)
PLANTED = [
    *((packing, slot, extra) for packing in ("chunks", "pool")
      for slot, extra in ((512, 96), (768, 2112), (1024, 2112), (4096, 0), (4096, 1000),
                          (16384, 2112), (65536, 96))),
    # Those that no roundness helps to find: the edges alone tell.
    ("chunks", 777, 2112), ("pool", 777, 96), ("pool", 12345, 96), ("pool", 50000, 2112),
]
SLACK = 300000


def profile_with(laboratory, packing, slot, extra):
    """The recorded device but for its code, of which some comes for nothing."""
    return {**laboratory.read("h200"), "code_packing": packing, "code_slot_bytes": slot,
            "code_extra_bytes": extra, "code_slack_bytes": SLACK}


def run_of(laboratory, profile, name):
    """The run directory."""
    path = os.path.join(laboratory.work, f"{name}.csv")
    write_profile(path, profile)
    return measure(laboratory.binary, path, os.path.join(laboratory.work, name),
                   ["module-copies", "--repeat", "1"])


def law_of(directory):
    return slot_law.read(read_csv(os.path.join(directory, "laws.csv")))


def complaints(law, packing, slot, extra):
    """The slot must be right to the byte, and nothing that was planted impossible."""
    if not law:
        yield "no law holds"
        return
    if law["slot_bytes"] != slot:
        yield f"the slot is {law['slot_bytes']}"
    for parameter, planted in (("slot_bytes", slot), ("overhead_bytes", extra)):
        low, high = slot_law.bounds(law, parameter)
        if not low <= planted <= high:
            yield f"{parameter} is {low} to {high}"
    # Where the meter moves after equal numbers of copies, these look the same.
    if packing == "chunks" and "chunk_bytes" not in law:
        yield "it has no chunks"


def direct_misses(laboratory, directory, law, granule):
    """Copies that were loaded at once must take what the law says, give or take a granule."""
    texts = {module.instructions: module.text_bytes for name, module in laboratory.modules.items()
             if name.startswith("copy-")}
    for row in read_csv(os.path.join(directory, "module-copies.csv")):
        if row["step"] != "load-copies":
            continue
        text, copies = texts[int(row["kernel_instructions"])], int(row["copies"])
        by_law = slot_law.bytes_of(law, text, copies, granule)
        if abs(by_law - int(row["delta_bytes"])) > granule:
            yield f"{copies} copies of {text} bytes take {row['delta_bytes']}, by the law {by_law}"


def check_planted(laboratory, tap, packing, slot, extra):
    profile = profile_with(laboratory, packing, slot, extra)
    directory = run_of(laboratory, profile, f"slot-{packing}-{slot}-{extra}")
    law = law_of(directory)
    found = list(complaints(law, packing, slot, extra))
    if not found:
        found = list(direct_misses(laboratory, directory, law, profile["granule_bytes"]))
    tap.result(not found, f"copies of modules show a slot of {slot} bytes with {extra} more ({packing})",
               *found)


def check_lazy(laboratory, tap):
    """Code that waits for a launch: nothing moves, and there is no law."""
    profile = {**profile_with(laboratory, "chunks", 512, 96), "lazy_when": "launch"}
    law = law_of(run_of(laboratory, profile, "slot-lazy"))
    tap.result(not law, "copies that take nothing have no slot", *(() if not law else (str(law),)))


def check(laboratory, tap):
    for packing, slot, extra in PLANTED:
        check_planted(laboratory, tap, packing, slot, extra)
    check_lazy(laboratory, tap)
