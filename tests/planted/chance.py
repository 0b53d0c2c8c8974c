# SPDX-License-Identifier: MIT
"""Profiles that nobody thought of, and axis values at their edges."""

import itertools
import math

from combined_steps import random_combinations
from files import BYTES_MAX, LIMIT_MAX
from model import Context, down, piece_bytes, up
from objects import SHARING

KIB, MIB, GIB = 2**10, 2**20, 2**30


def spread(rng, smallest, largest):
    """Any order of magnitude is as likely as any other, and so are round and crooked numbers."""
    low, high = math.log2(smallest + 1), math.log2(largest + 1)
    number = round(2 ** rng.uniform(low, high)) - 1
    if rng.random() < 0.3:
        number = down(number, 2 ** rng.randrange(21))
    return min(max(number, smallest), largest)


def some(rng, largest):
    """Often nothing at all."""
    return 0 if rng.random() < 0.3 else spread(rng, 0, largest)


def name(rng):
    return "".join(rng.choice("aZ9 ,\"'/;-_()") for _ in range(rng.randrange(1, 24))) + "x"


def identity(rng, capabilities):
    digits = "".join(rng.choice("0123456789abcdef") for _ in range(32))
    parts = (digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])
    return {
        "gpu_name": name(rng),
        "gpu_uuid": "GPU-" + "-".join(parts),
        "pci_bus_id": f"{rng.randrange(65536):04x}:{rng.randrange(256):02x}:"
                      f"{rng.randrange(32):02x}.{rng.randrange(8)}",
        "driver_release": f"{rng.randrange(1000)}.{rng.randrange(300)}.{rng.randrange(100)}",
        "driver_api_version": rng.randrange(11000, 99991),
        "runtime_api_version": rng.randrange(11000, 99991),
        "compute_capability": rng.choice(capabilities),
        "sm_count": spread(rng, 1, rng.choice((16, 256, 4096))),
        "max_threads_per_sm": spread(rng, 1, 4096),
        "persistence_mode": rng.randrange(2), "ecc": rng.randrange(2), "mig": rng.randrange(2),
        "compute_mode": rng.randrange(4),
    }


def stack(rng):
    step = rng.choice((1, 16, 48, spread(rng, 1, 100000)))
    default = step * spread(rng, 0, 16 * KIB // step)
    return {"stack_default_bytes": default, "stack_step_bytes": step,
            "stack_max_bytes": spread(rng, default, rng.choice((default, 64 * KIB, LIMIT_MAX))
                                      if rng.random() < 0.5 else default + 512 * KIB)}


def limit(rng, prefix, largest):
    smallest = some(rng, largest // 64)
    maximum = spread(rng, smallest, largest)
    return {f"{prefix}_default_bytes": spread(rng, smallest, min(maximum, smallest + 16 * MIB)),
            f"{prefix}_step_bytes": rng.choice((1, 256, spread(rng, 1, MIB))),
            f"{prefix}_min_bytes": smallest, f"{prefix}_max_bytes": maximum}


def plain_limit(rng, prefix, unit, largest):
    smallest = some(rng, largest // 64)
    maximum = spread(rng, smallest, largest)
    return {f"{prefix}_default_{unit}": spread(rng, smallest, maximum),
            f"{prefix}_step_{unit}": rng.choice((1, 1, spread(rng, 1, largest // 4))),
            f"{prefix}_min_{unit}": smallest, f"{prefix}_max_{unit}": maximum,
            f"{prefix}_each_bytes": rng.choice((0, 1, spread(rng, 0, min(65536, GIB // largest))))}


def shared(rng, made):
    """What printf, malloc and the device runtime have in common: all three, and then every two of what is left."""
    left = {name: made[f"{name}_fixed_bytes"] for name in SHARING}
    left["device_runtime"] = up(left["device_runtime"], made["granule_bytes"])
    core = some(rng, min(left.values()))
    left = {name: size - core for name, size in left.items()}
    keys = {"_".join((*SHARING, "shared_bytes")): core}
    for pair in itertools.combinations(SHARING, 2):
        common = some(rng, min(left[name] for name in pair))
        left.update({name: left[name] - common for name in pair})
        keys["_".join((*pair, "shared_bytes"))] = core + common
    return keys


def parts(rng):
    """What contexts are made of."""
    made = {
        "nvml_reserved_bytes": some(rng, GIB),
        "nvml_process_hidden_bytes": some(rng, rng.choice((16 * MIB, GIB))),
        "granule_bytes": 2 ** rng.choice((9, 12, 16, 16, 20, 21, 21, 25, 30)),
        "device_first_context_bytes": some(rng, 64 * MIB),
        "context_fixed_bytes": some(rng, GIB), "call_spare_bytes": some(rng, 4 * MIB),
        "stack_reserved_bytes": some(rng, 4 * KIB),
        "connection_default_count": rng.randrange(1, 33), "connection_bytes": some(rng, MIB),
        "copy_connection_default_count": rng.randrange(1, 33),
        "copy_connection_bytes": some(rng, MIB),
        "fifo_host_touch_max_bytes": some(rng, 24 * MIB),
        "fifo_host_page_table_divisor": rng.choice((0, 1, 512, spread(rng, 1, LIMIT_MAX))),
        "printf_fixed_bytes": some(rng, 128 * MIB), "printf_module_bytes": some(rng, 8 * MIB),
        "heap_extra_bytes": some(rng, 8 * MIB),
        "malloc_fixed_bytes": some(rng, 128 * MIB), "malloc_module_bytes": some(rng, 8 * MIB),
        "device_runtime_fixed_bytes": some(rng, 128 * MIB),
        "device_runtime_launch_bytes": some(rng, 16 * KIB),
        "device_runtime_launch_apart_bytes": some(rng, 16 * KIB),
        "device_runtime_frame_bytes": rng.choice((0, 16, some(rng, 4 * KIB))),
        "code_extra_bytes": some(rng, 64 * KIB),
        "code_slot_bytes": rng.choice((1, 128, 512, spread(rng, 1, 4 * MIB))),
        "jit_instruction_bytes": rng.choice((1, 16, spread(rng, 1, 256))),
        "jit_kernel_bytes": some(rng, 64 * KIB),
        "stream_priority_count": rng.randrange(1, 65),
        "stream_large_bytes": some(rng, 2 * MIB), "stream_large_slack_bytes": some(rng, 4 * MIB),
        "stream_small_bytes": some(rng, 256 * KIB), "stream_small_slack_bytes": some(rng, 4 * MIB),
        "graph_node_bytes": some(rng, 16 * KIB), "graph_slack_bytes": some(rng, 16 * MIB),
        "graph_executable_large_bytes": some(rng, MIB), "graph_executable_small_bytes": some(rng, 256 * KIB),
        "pool_unit_bytes": rng.choice((1, 512, 32 * MIB, spread(rng, 1, 128 * MIB))),
        "array_slot_bytes": rng.choice((1, 512, spread(rng, 1, 256 * KIB))),
        "texture_bytes": some(rng, 64 * KIB), "texture_slack_bytes": some(rng, 8 * MIB),
        "texture_unit_bytes": rng.choice((1, 4 * MIB, spread(rng, 1, 8 * MIB))),
        "green_context_bytes": some(rng, 16 * MIB),
        "green_context_stream_count": rng.randrange(17),
        "green_sm_min_count": spread(rng, 1, 64), "green_sm_step_count": spread(rng, 1, 64),
        "call_delay_ns": rng.choice((0, 0, 0, 30000)),
    }
    made["oom_returns_bytes"] = some(rng, made["context_fixed_bytes"])
    for key in ("context_fixed_bytes", "nvml_process_hidden_bytes"):
        made[key] += sum(made[f"{kind}_default_count"] * made[f"{kind}_bytes"]
                         for kind in ("connection", "copy_connection"))
    made.update(shared(rng, made))
    made.update(stack(rng))
    made.update(limit(rng, "fifo", rng.choice((MIB, LIMIT_MAX))))
    made.update(plain_limit(rng, "sync_depth", "count", 32))
    made.update(plain_limit(rng, "pending_launch", "count", 2**20))
    made.update(plain_limit(rng, "l2_fetch", "bytes", 256))
    made["l2_cache_bytes"] = some(rng, 128 * MIB)
    made.update(plain_limit(rng, "l2_persisting", "bytes", 64 * MIB))
    made.update(limit(rng, "heap", rng.choice((64 * MIB, 2**40))))
    return made


def least_bytes(profile):
    """What the observer needs."""
    return profile["device_first_context_bytes"] + Context(profile).bytes()


def slack(rng, profile, modules):
    """Anything, or next to what some kernels need."""
    module = rng.choice(list(modules.values()))
    piece = piece_bytes(profile, next(iter(module.kernels.values())).text_bytes)
    exact = piece * rng.randrange(1, 4) + rng.choice((-1, 0, 0, 1))
    return {"code_slack_bytes": rng.choice((some(rng, 8 * MIB), exact))}


def memory(rng, profile):
    """Room for the observer, and then for nothing, for little or for everything."""
    context = Context(profile).bytes()
    room = rng.choice((some(rng, context), context + some(rng, GIB), 2 * context + some(rng, 64 * GIB),
                       8 * context + some(rng, 2**45), BYTES_MAX))
    total = min(max(least_bytes(profile) + room, MIB), BYTES_MAX - profile["nvml_reserved_bytes"])
    return {"total_bytes": total,
            "nvml_total_bytes": min(total + profile["nvml_reserved_bytes"] + some(rng, GIB),
                                    BYTES_MAX)}


def managed(rng, profile):
    """A pool of managed memory where samples can empty it, and none where they lack the room."""
    room = profile["total_bytes"] - least_bytes(profile) - 2 * Context(profile).bytes()
    if room < 4 * GIB or rng.random() < 0.3:
        return {"managed_unit_bytes": rng.choice((1, 4096, 2 * MIB, spread(rng, 1, 4 * MIB))),
                "managed_batch_count": 1}
    # A piece of 2 MiB is one unit then, and the 256 that there may be are more than three batches.
    return {"managed_unit_bytes": rng.choice((2, 3, 4)) * MIB, "managed_batch_count": rng.randrange(1, 65)}


def random_profile(rng, keys, capabilities, modules):
    """Every key, within its range. A key that nobody thought of here stops the test."""
    made = identity(rng, capabilities)
    made.update(parts(rng))
    made.update({key.name: rng.choice(key.words) for key in keys.values() if key.kind == "WORD"})
    made.update({key.name: rng.randrange(2) for key in keys.values()
                 if key.kind == "NUMBER" and key.name not in made and key.largest == 1})
    made.update(slack(rng, made, modules))
    made.update({"managed_unit_bytes": 1, "managed_batch_count": 1})  # while there is no total
    made.update(memory(rng, made))
    made.update(managed(rng, made))
    if set(made) != set(keys):
        raise RuntimeError(f"sim/profile.def and {__file__}: {set(made) ^ set(keys)}")
    for key in keys.values():
        assert key.kind != "NUMBER" or key.smallest <= made[key.name] <= key.largest, key.name
    return {key: made[key] for key in keys}


def edges(rng, profile, prefix, chosen_max):
    """Requests around what the profile does to them, and some that are far from it."""
    largest, step = profile[f"{prefix}_max_bytes"], profile[f"{prefix}_step_bytes"]
    least = profile.get(f"{prefix}_min_bytes", 0)
    around = {0, 1, step, step + 1, least, least + 1, largest, largest + 1, up(largest, step),
              down(largest, step), profile[f"{prefix}_default_bytes"]}
    far = {spread(rng, 0, largest), spread(rng, 0, chosen_max)}
    return sorted(set(rng.sample(sorted(around), min(6, len(around)))) | far)


def random_axes(rng, profile, defaults, modules):
    """Few values of each axis, but every word and every benchmark."""
    thinned = {benchmark: dict(axes) for benchmark, axes in defaults.items()}
    sizes = defaults["module-code"]["instructions"]
    thinned["module-code"]["instructions"] = sorted(rng.sample(sizes, min(6, len(sizes))))
    # 0 and 9 contexts, 3 and 1024 kernels are none that the benchmarks make.
    thinned["context"]["contexts"] = sorted({1, rng.randrange(2, 9), rng.choice((0, 9))})
    settings = defaults["context-settings"]["setting"]
    thinned["context-settings"]["setting"] = ["none", *rng.sample(settings[1:], 7)]
    thinned["context-settings"]["flags"] = ["auto", rng.choice(defaults["context-settings"]["flags"][1:])]
    thinned["module-kernels"]["kernels"] = sorted(
        {1, 2 ** rng.randrange(1, 8), 2 ** rng.randrange(1, 10), rng.choice((3, 1024))})
    thinned["module-kernels"]["launched"] = sorted({0, 1, rng.randrange(2, 9), rng.randrange(2, 129)})
    # The benchmark doubles what it asks for, which must not wrap.
    thinned["limit-stack"]["stack_limit_bytes"] = edges(rng, profile, "stack", 2**62)
    thinned["limit-printf-fifo"]["printf_fifo_limit_bytes"] = edges(rng, profile, "fifo", 2**64 - 1)
    thinned["limit-malloc-heap"]["malloc_heap_limit_bytes"] = edges(rng, profile, "heap", 2**64 - 1)
    thinned["streams"]["streams"] = sorted({0, rng.randrange(1, 9), rng.randrange(1, 300), 65537})
    thinned["events"]["events"] = sorted({1, rng.randrange(2, 3000), 65537})
    thinned["static-symbols"]["symbol_bytes"] = sorted(
        {1, *rng.sample(defaults["static-symbols"]["symbol_bytes"], 2)})
    thinned["local-frame"]["frame_bytes"] = rng.sample(defaults["local-frame"]["frame_bytes"], 4)
    thinned["module-cycle"]["cycles"] = sorted({0, 1, rng.randrange(2, 30)})
    thinned["module-copies"]["copies"] = sorted({0, rng.randrange(1, 5), rng.randrange(5, 100)})
    thinned["other-limits"]["value"] = sorted(
        {spread(rng, 0, 2**64 - 1), rng.choice((0, 1, 32, 2**64 - 1)),
         *(profile[f"{name}_{rng.choice(('min', 'max'))}_{unit}"] + rng.randrange(2)
           for name, unit in (("sync_depth", "count"), ("pending_launch", "count"),
                              ("l2_fetch", "bytes"), ("l2_persisting", "bytes")))})
    thinned["device-runtime"]["pending_launches"] = sorted(
        {0, spread(rng, 1, 2**20), profile["pending_launch_max_count"] + rng.randrange(2)})
    thinned["device-runtime"]["sync_depth"] = sorted({0, spread(rng, 1, 64)})
    unit = profile["pool_unit_bytes"]
    thinned["memory-pool"]["pool_bytes"] = sorted({0, 1, unit, unit + 1, spread(rng, 1, 2**33),
                                                   rng.choice((2**64 - 1, profile["total_bytes"]))})
    total = profile["total_bytes"]
    thinned["stack-overflow"]["stack_limit_bytes"] = thinned["limit-stack"]["stack_limit_bytes"]
    thinned["fragmentation"]["buffer_bytes"] = [spread(rng, 1, min(total, 4 * GIB))]
    thinned["first-launch-oom"]["left_bytes"] = [spread(rng, 0, min(total, 64 * MIB))]
    thinned["graphs"]["nodes"] = sorted({0, 1, rng.randrange(2, 64), rng.randrange(2, 3000)})
    thinned["graphs"]["executables"] = sorted({1, rng.randrange(2, 65), rng.randrange(65, 513), 513})
    thinned["textures"]["objects"] = sorted({0, 1, rng.randrange(2, 400), 131073})
    thinned["green-contexts"]["partitions"] = sorted({0, 1, rng.randrange(2, 9), 9})
    thinned["green-contexts"]["sm_count"] = sorted(
        {0, rng.randrange(1, 65), max(1, profile["sm_count"] // rng.randrange(1, 9)),
         profile["sm_count"] + 1})
    thinned["combined"]["parts"] = random_combinations(rng, modules)
    return thinned
