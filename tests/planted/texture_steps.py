# SPDX-License-Identifier: MIT
"""The steps of the benchmarks of arrays, textures and surfaces, and of green contexts; see benchmarks.py."""

from model import Refused
from object_steps import find_and_launch, only_kernel
from rounding import up

# Of one array, and of the buffer.
ELEMENT_BYTES = 32 * 32 * 4
TINY_BYTES = 4
OBJECTS_MAX = 131072
PARTITIONS_MAX = 8

# ---- textures ----


def make_all(s, make, count, made):
    try:
        for _ in range(count):
            made.append(make())
    finally:
        s.read("created_count", len(made))


def end_all(s, made):
    while made:
        s.process.end_thing(*made.pop())


def make_base(s, kind, base):
    if kind == "texture-linear":
        s.must("make-base", s.process.allocate, ELEMENT_BYTES)
    elif kind in ("texture", "surface"):
        s.must("make-base", lambda: base.append(s.process.make_array(ELEMENT_BYTES)))


def end_base(s, kind, base):
    if kind == "texture-linear":
        s.must("destroy-base", lambda: s.process.free(s.process.newest))
    elif kind in ("texture", "surface"):
        s.must("destroy-base", end_all, s, base)


def textures(s, point):
    kind, count, base, made = point["kind"], point["objects"], [], []
    makers = {"array": lambda: s.process.make_array(ELEMENT_BYTES),
              "array-tiny": lambda: s.process.make_array(TINY_BYTES)}
    make = makers.get(kind, s.process.make_texture)
    s.must("create", s.process.create)
    make_base(s, kind, base)
    s.step("create-objects", make_all, s, make, count, made)
    s.must("destroy-objects", end_all, s, made)
    s.step("create-again", make_all, s, make, count, made)
    s.must("destroy-again", end_all, s, made)
    end_base(s, kind, base)
    s.must("destroy", s.process.destroy)


def textures_obstacle(point):
    many = "this benchmark makes up to 131,072 objects"
    return many if point["objects"] > OBJECTS_MAX else None


# ---- green contexts ----


def split(s, partitions, wanted_sms, granted):
    p = s.profile
    s.process.calls += 2
    if wanted_sms > p["sm_count"]:
        raise Refused("CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION")
    each = max(up(wanted_sms, p["green_sm_step_count"]), p["green_sm_min_count"])
    each = min(each, p["sm_count"])
    granted.append(min(partitions, p["sm_count"] // each))
    s.read("granted_count", granted[0])
    s.read("granted_sm_count", each)


def create_green(s, number, granted):
    s.process.calls += 1
    if number > granted[0]:
        raise Refused("CUDA_ERROR_INVALID_RESOURCE_TYPE")
    s.process.make_green()


def launch_green(s, module):
    s.process.calls += 2
    s.process.launch(module, only_kernel(module))


def for_each(count, call):
    for _ in range(count):
        call()


def green_contexts(s, point):
    count, granted = point["partitions"], []
    module = s.modules["empty"]
    s.must("create", s.process.retain)
    s.must("make-current", s.process.make_current)
    s.must("load", s.process.load, module)
    s.must("launch", find_and_launch, s, module)
    s.must("split", split, s, count, point["sm_count"], granted)
    for i in range(1, count + 1):
        s.must(f"create-green-{i}", create_green, s, i, granted)
    for i in range(1, count + 1):
        s.must(f"launch-green-{i}", launch_green, s, module)
    s.must("create-streams", s.process.create_streams, count)
    s.must("destroy-streams", s.process.destroy_streams, count)
    s.must("leave-green", s.process.make_current)
    for i in range(count, 0, -1):
        s.must(f"destroy-green-{i}", s.process.end_green)
    s.must("create-again", for_each, count, s.process.make_green)
    s.must("destroy-again", for_each, count, s.process.end_green)
    s.must("destroy", s.process.destroy)


def green_contexts_obstacle(point):
    return None if 1 <= point["partitions"] <= PARTITIONS_MAX else "this benchmark makes 1 to 8 partitions"
