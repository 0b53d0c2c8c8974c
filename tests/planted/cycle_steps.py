# SPDX-License-Identifier: MIT
"""The steps of the benchmark of modules that come and go; see benchmarks.py."""

import copy

from object_steps import do_nothing, only_kernel

HELD = ("in-order", "reverse", "shuffled")


def cycle_module(s, module):
    kernel = only_kernel(module)
    s.process.load(module)
    s.process.get_function(module, kernel)
    s.process.launch(module, kernel)
    s.process.unload(module)


def cycle_library(s, module):
    kernel = only_kernel(module)
    s.process.load_library(module)
    do_nothing(s)
    s.process.get_library_function(module, kernel)
    s.process.launch(module, kernel)
    s.process.unload(module)


def cycle(s, module, count, one):
    for _ in range(count):
        one(s, module)


def first_library(s, module):
    kernel = only_kernel(module)
    s.must("load-library", s.process.load_library, module)
    s.must("get-kernel", do_nothing, s)
    s.must("get-function", s.process.get_library_function, module, kernel)
    s.must("launch-1", s.process.launch, module, kernel)
    s.must("unload-library", s.process.unload, module)


def order(way, count):
    """In which modules go."""
    if way == "shuffled":
        return [i * 1637 % count for i in range(count)]
    return list(reversed(range(count))) if way == "reverse" else list(range(count))


def for_all(call, modules):
    for module in modules:
        call(module)


def hold(s, original, way, count):
    modules = [copy.copy(original) for _ in range(count)]
    kernel = only_kernel(original)
    going = [modules[i] for i in order(way, count)]
    s.must("load-held", for_all, s.process.load, modules)
    s.must("get-held", for_all, lambda module: s.process.get_function(module, kernel), modules)
    s.must("launch-held", for_all, lambda module: s.process.launch(module, kernel), modules)
    s.must("unload-half", for_all, s.process.unload, going[:count // 2])
    s.must("unload-rest", for_all, s.process.unload, going[count // 2:])
    s.must("destroy", s.process.destroy)


def module_cycle(s, point):
    module = s.modules[{"small": "fma-991", "large": "fma-131039"}[point["module_size"]]]
    s.must("create", s.process.create)
    if point["way"] in HELD:
        hold(s, module, point["way"], point["cycles"])
        return
    one = cycle_module
    if point["way"] == "module":
        s.must("cycle-first", cycle, s, module, 1, one)
    else:
        one = cycle_library
        first_library(s, module)
    s.must("cycle-rest", cycle, s, module, point["cycles"] - 1, one)
    s.must("destroy", s.process.destroy)


def most_cycles(point):
    is_small = point["module_size"] == "small"
    if point["way"] in HELD:
        return 1000 if is_small else 100
    if is_small:
        return 2**64 - 1
    return 100 if point["way"] == "library" else 1000


def module_cycle_wants(point):
    return point["cycles"] <= most_cycles(point) and (point["cycles"] != 1 or point["way"] not in HELD)


def module_cycle_obstacle(point):
    return None if point["cycles"] else "there is no cycle before the first"
