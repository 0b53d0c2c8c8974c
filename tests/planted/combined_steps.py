# SPDX-License-Identifier: MIT
"""The steps of the benchmark of several things in one context; see benchmarks.py."""

import copy

from object_steps import only_kernel
from source_steps import Unsupported

MIB, GIB = 2**20, 2**30
UNITS = {"K": 2**10, "M": MIB, "G": GIB}
COUNT_MAX = 65536

NO_COMBINATION = ("this is no combination of one to eight parts that the benchmark knows, of each at most "
                  "65,536")
NO_MODULE = ("a module that it needs is none of those that were built: kernels.csv lists them, and not every "
             "toolkit can build all")

# ---- one part each ----


def use_module(s, name):
    module = copy.copy(s.modules[name])
    s.process.load(module)
    s.process.get_function(module, only_kernel(module))
    return module


def launch(s, name):
    module = use_module(s, name)
    s.process.launch(module, only_kernel(module))


def load_copies(s, count):
    for _ in range(count):
        use_module(s, "copy-1")


def launch_graphs(s, count):
    """Of one launch each. That is the graph's affair, and none of them is waited for but the last."""
    module = use_module(s, "empty")
    s.process.calls += 2
    for _ in range(count):
        s.process.instantiate(1, 1)
        s.process.launch(module, only_kernel(module))
        s.process.calls -= 1
    s.process.calls += 1


LIMITS = {"stack": "stack", "fifo": "fifo", "heap": "heap", "pending": "pending_launch"}
WITH_TRAITS = {"printf": "printf-called", "malloc": "malloc-called", "launch": "launch-called"}
FAMILIES = {"frame": "frame", "code": "fma", "data": "static"}
COUNTED = {"copies": load_copies, "graphs": launch_graphs,
           "streams": lambda s, count: s.process.create_streams(count)}
WITHOUT_CALLS = {"copies": "copy-1", "graphs": "empty"}


def amount_of(text):
    return int(text[:-1]) * UNITS[text[-1]] if text[-1] in UNITS else int(text)


def module_of(part):
    """Its name, None where the part has none."""
    name, _, amount = part.partition("-")
    if name in FAMILIES:
        return f"{FAMILIES[name]}-{amount_of(amount)}"
    return {**WITH_TRAITS, **WITHOUT_CALLS}.get(name)


def use(s, part):
    name, _, amount = part.partition("-")
    if name in LIMITS:
        s.process.set_limit(LIMITS[name], amount_of(amount))
    elif name in COUNTED:
        COUNTED[name](s, amount_of(amount))
    elif name == "pool":
        s.process.allocate_async(amount_of(amount))
    else:
        launch(s, module_of(part))


def is_known(part):
    name, dash, amount = part.partition("-")
    if name in WITH_TRAITS:
        return not dash
    if name in COUNTED:
        return bool(amount) and amount_of(amount) <= COUNT_MAX
    return bool(amount) and name in {*LIMITS, *FAMILIES, "pool"}


def combined(s, point):
    parts = point["parts"].split("+")
    if len(parts) > 8 or not all(map(is_known, parts)):
        raise Unsupported(NO_COMBINATION)
    if any(module_of(part) not in (None, *s.modules) for part in parts):
        raise Unsupported(NO_MODULE)
    s.must("create", s.process.create)
    for number, part in enumerate(parts, start=1):
        s.must(f"part-{number}", use, s, part)
    s.must("destroy", s.process.destroy)


# ---- combinations that nobody thought of ----


def random_part(rng, modules):
    """Any, those that share as often as all others together."""
    if rng.random() < 0.5:
        return rng.choice(list(WITH_TRAITS))
    name = rng.choice((*LIMITS, *FAMILIES, *COUNTED, "pool"))
    if name in FAMILIES:
        family = f"{FAMILIES[name]}-"
        return f"{name}-{rng.choice([m for m in modules if m.startswith(family)])[len(family):]}"
    if name in COUNTED:
        return f"{name}-{rng.randrange(100)}"
    return f"{name}-{rng.choice((0, 16, 1024, 8192, rng.randrange(MIB), rng.randrange(GIB)))}"


def random_combinations(rng, modules):
    made = ["+".join(random_part(rng, modules) for _ in range(rng.randrange(1, 9))) for _ in range(12)]
    wrong = ["printf+", "printf-1", "stack", "copies-65537", "printf+nothing-1", "+".join(["printf"] * 9),
             "frame-1", "data-3K+printf"]
    return list(dict.fromkeys([*made, *rng.sample(wrong, 2)]))
