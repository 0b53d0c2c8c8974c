# SPDX-License-Identifier: MIT
"""The steps of the benchmark of what variables and flags change; see benchmarks.py."""

from object_steps import only_kernel

L2_PERCENT = {"persisting-l2-25": 25, "persisting-l2-100": 100}


def number_of(setting, prefix):
    """None for another setting."""
    return int(setting[len(prefix):]) if setting.startswith(prefix) else None


def apply(context, setting):
    """To a new context; may raise Refused, and then there is none."""
    p = context.profile
    both = number_of(setting, "max-connections-")
    copies = number_of(setting, "copy-connections-") or both
    for count, kind in ((both, "connection"), (copies, "copy_connection")):
        if count:
            context.connection_bytes += (count - p[f"{kind}_default_count"]) * p[f"{kind}_bytes"]
    if setting in L2_PERCENT and p["l2_persisting_known"]:
        context.set_limit("l2_persisting", p["l2_cache_bytes"] * L2_PERCENT[setting] // 100)


def note_connections(s, setting):
    for prefix, reading in (("max-connections-", "connections"),
                            ("copy-connections-", "copy_connections")):
        count = number_of(setting, prefix)
        if count:
            s.read(reading, count)


def context_settings(s, point):
    setting = point["setting"]
    code, data = s.modules["fma-131039"], s.modules["static-4194304"]
    s.process.prepare = lambda context: apply(context, setting)
    if setting.startswith("module-loading-"):
        s.process.loading = setting[len("module-loading-"):]
    note_connections(s, setting)
    s.must("create", s.process.create)
    s.step("get-stack", s.read_limit, "stack", "stack_bytes")
    s.step("get-l2", s.read_limit, "l2_persisting", "persisting_l2_bytes")
    for name, module in (("code", code), ("data", data)):
        s.must(f"load-{name}", s.process.load, module)
        s.must(f"get-{name}", s.process.get_function, module, only_kernel(module))
        s.step(f"launch-{name}", s.process.launch, module, only_kernel(module))
    s.step("launch-again", s.process.launch, code, only_kernel(code))
    s.step("set-stack-0", s.process.set_limit, "stack", 0)
    s.must("destroy", s.process.destroy)


def context_settings_wants(point):
    return point["flags"] == "auto" or point["setting"] == "none"
