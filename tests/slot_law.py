# SPDX-License-Identifier: MIT
"""What laws.csv says that copies of a module are rounded up to, and what so many copies take by it."""


def up(bytes_, unit):
    return -(-bytes_ // unit) * unit


def read(rows, component="slot"):
    """parameter -> value, {} where the law does not hold; `rows` are those of laws.csv"""
    return {row["parameter"]: int(row["value"]) for row in rows
            if row["benchmark"] == "module-copies" and row["component"] == component
            and row["law"] == "slots" and row["holds"] == "yes"}


def bounds(law, parameter):
    """What the edges allow."""
    return law.get(f"{parameter}_low", law[parameter]), law.get(f"{parameter}_high", law[parameter])


def bytes_of(law, text_bytes, copies, granule):
    """Device memory that copies with so much code take."""
    piece = up(text_bytes + law["overhead_bytes"], law["slot_bytes"])
    if "chunk_bytes" not in law:
        return up(max(0, piece * copies - law["slack_bytes"]), granule)
    chunk = up(piece, law["chunk_bytes"])
    beyond = max(0, copies - law["slack_bytes"] // piece)
    return -(-beyond // (chunk // piece)) * chunk
