# SPDX-License-Identifier: MIT
"""The steps of the benchmarks of a module's variables; see benchmarks.py."""

from object_steps import only_kernel
from source_steps import Unsupported

PIECE_BYTES = 2 * 2**20
PIECES_MAX = 256


def variable_steps(s, module):
    kernel = only_kernel(module)
    s.must("create", s.process.create)
    s.must("load", s.process.load, module)
    s.must("get-function", s.process.get_function, module, kernel)
    s.step("launch-1", s.process.launch, module, kernel)
    s.step("launch-2", s.process.launch, module, kernel)
    s.must("unload", s.process.unload, module)
    s.must("destroy", s.process.destroy)


def constant_memory(s, point):
    variable_steps(s, s.modules[f"constant-{point['constant_bytes']}"])


def add_to_edge(s):
    """How many pieces there are, once one of them has moved the meter."""
    before = s.device.free_bytes()
    while s.process.managed_pieces < PIECES_MAX and s.device.free_bytes() == before:
        s.process.add_managed_piece(PIECE_BYTES)
    return s.process.managed_pieces


def use_up(s):
    first = add_to_edge(s)
    batch = add_to_edge(s) - first
    for _ in range(batch - 1):
        if s.process.managed_pieces < PIECES_MAX:
            s.process.add_managed_piece(PIECE_BYTES)


def static_symbols(s, point):
    family = "managed" if point["symbol"] == "managed" else "static"
    if family == "managed" and s.profile["total_bytes"] < 4 * 2**30:
        raise Unsupported("managed memory needs a device with room to spare: 4 GiB in all")
    variable_steps(s, s.modules[f"{family}-{point['symbol_bytes']}"])
    if family == "managed":
        s.must("create-again", s.process.create)
        s.must("use-up-pool", use_up, s)
        s.must("free-pool", s.process.free_managed_pieces, PIECE_BYTES)
        s.must("destroy-again", s.process.destroy)


def static_symbols_wants(point):
    size = point["symbol_bytes"]
    if point["symbol"] == "managed" and size > 64 * 2**20:
        return False
    return point["loading"] in ("lazy", "eager") or size >= 4 * 2**20
