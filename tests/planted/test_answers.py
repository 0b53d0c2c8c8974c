#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Answers about simulated devices: anatomy and laws say what a profile's formulas give, on devices made up at random, too.

    test_answers.py [--seed S] [--profiles N]

What anatomy and the laws are to say is computed from the model of model.py and from the profile's numbers, not from
rows. A profile whose code follows no law is to be told as such, with the point that is worst. Says in TAP what it found.

    CUCTX_SOURCE, CUCTX_BUILD   the sources, and the build
"""
import argparse
import csv
import fractions
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import chance
from benchmarks import predict
from files import clean_environment, measure, profile_keys, read_modules, read_profile, write_profile
from test_planted import PROFILES, SOURCE, Tap

DEFAULT = "the default"

# line: benchmark, step, point, and the point or the step that it is less.
COMPONENTS = {
    "context, all of it": ("context", "create-1", {"contexts": 1, "api": "driver"}, None, None),
    "of it: connections beyond the first, by default": (
        "context-settings", "create", {"setting": "none", "flags": "auto"},
        {"setting": "max-connections-1", "flags": "auto"}, None),
    "of it: stack at the default limit": (
        "limit-stack", "launch-2", {"stack_limit_bytes": DEFAULT, "api": "driver", "direction": "up"},
        {"stack_limit_bytes": 0, "api": "driver", "direction": "up"}, None),
    "device printf, once a module links it": (
        "limit-printf-fifo", "launch-2", {"printf_fifo_limit_bytes": 2 ** 20, "module": "linked", "api": "driver"},
        {"printf_fifo_limit_bytes": 2 ** 20, "module": "none", "api": "driver"}, None),
    "device malloc, once a kernel that links it is launched": (
        "limit-malloc-heap", "launch-2", {"malloc_heap_limit_bytes": DEFAULT, "module": "linked", "api": "driver"},
        {"malloc_heap_limit_bytes": DEFAULT, "module": "none", "api": "driver"}, None),
    "device runtime, once a module links it": (
        "device-runtime", "launch-2", {"pending_launches": 0, "module": "linked", "sync_depth": 0},
        {"pending_launches": 0, "module": "none", "sync_depth": 0}, None),
    "64 streams": ("streams", "create-streams", {"streams": 64, "priority": "default"}, None, "create"),
    "8 executable graphs of 1,024 launches": (
        "graphs", "launch-graphs", {"nodes": 1024, "executables": 8}, None, "add-nodes"),
    "first byte allocated in stream order": (
        "memory-pool", "allocate", {"pool_bytes": 1, "threshold": "none"}, None, "create"),
    "first __managed__ byte of a module": (
        "static-symbols", "launch-2", {"symbol_bytes": 1, "loading": "lazy", "symbol": "managed"}, None, "create"),
}
REST = "of it: driver, runtime and everything else"
# Which limit is the default, and which of them a quick run asks for.
DEFAULTS = {"limit-stack": ("stack_limit_bytes", "stack_default_bytes"),
            "limit-malloc-heap": ("malloc_heap_limit_bytes", "heap_default_bytes")}
QUICK_LIMITS = {"limit-stack": (0, 1024, 8192, 65536), "limit-malloc-heap": (0, 8 * 2 ** 20, 2 ** 30)}


class Device:
    """A profile, and what its model says of a point."""

    def __init__(self, laboratory, name, profile):
        self.laboratory = laboratory
        self.name = name
        self.profile = profile
        self.path = laboratory.work / f"{name}.csv"
        write_profile(self.path, profile)

    def total(self, benchmark, step, point):
        """None where the step did not end well."""
        rows = predict(benchmark, point, self.profile, self.laboratory.modules)
        for row in rows:
            if row["step"] == step and row["status"] == "ok":
                return int(row["total_bytes"])
        return None

    def component(self, benchmark, step, point, minus, since):
        points = [dict(point), dict(minus or {})]
        for one in points:
            axis, key = DEFAULTS.get(benchmark, (None, None))
            if one.get(axis) == DEFAULT:
                one[axis] = self.profile[key]
                if one[axis] not in QUICK_LIMITS[benchmark]:
                    return None
        whole = self.total(benchmark, step, points[0])
        less = self.total(benchmark, step, points[1]) if minus else \
            self.total(benchmark, since, points[0]) if since else 0
        return None if whole is None or less is None else whole - less

    def components(self):
        bytes_of = {name: self.component(*where) for name, where in COMPONENTS.items()}
        parts = [size for name, size in bytes_of.items() if name.startswith("of it")]
        whole = bytes_of["context, all of it"]
        bytes_of[REST] = None if None in (*parts, whole) else whole - sum(parts)
        return bytes_of

    def lines(self):
        shared = self.shared()
        return {**self.components(), **({"shared by printf, malloc and launch": shared} if shared is not None else {})}

    def shared(self):
        """What printf, malloc and launches take less in one context than one by one."""
        def taken(word):
            point = {"parts": word}
            last = self.total("combined", f"part-{word.count('+') + 1}", point)
            first = self.total("combined", "create", point)
            return None if None in (last, first) else last - first
        sizes = [taken(word) for word in ("printf+malloc+launch", "printf", "malloc", "launch")]
        return None if None in sizes else sizes[0] - sum(sizes[1:])


class Laboratory:
    def __init__(self, work):
        build = os.environ["CUCTX_BUILD"]
        self.work = work
        self.binary = os.path.join(build, "bin", "cuctx")
        self.keys = profile_keys(SOURCE)
        self.modules, self.capabilities = read_modules(build)
        self.h200 = read_profile(os.path.join(PROFILES, "h200.csv"), self.keys)
        if self.h200["compute_capability"] not in self.capabilities:
            self.h200["compute_capability"] = self.capabilities[0]

    def say(self, *arguments):
        said = subprocess.run([self.binary, *map(str, arguments)], capture_output=True, text=True,
                              env=clean_environment(), check=False)
        return said.returncode, said.stdout, said.stderr


# ---- anatomy ----


def wrong_lines(expected, rows):
    """Of the CSV of anatomy."""
    said = {row["component"]: row for row in rows}
    for name, size in expected.items():
        text = "" if size is None else str(size)
        if name not in said:
            yield f"{name}: there is no such line"
        elif (said[name]["bytes_min"], said[name]["bytes_max"]) != (text, text):
            yield f"{name}: expected {text or 'nothing'}, got {said[name]['bytes_min']} to {said[name]['bytes_max']}"
    for name in said:
        if name not in expected:
            yield f"{name}: nobody expects it"


def check_anatomy(device, tap):
    """The line's bytes, and that a wrong one would be noticed."""
    laboratory = device.laboratory
    code, text, err = laboratory.say("anatomy", f"--simulate={device.path}", "--out", laboratory.work / device.name,
                                     "--format", "csv", "--quiet")
    rows = list(csv.DictReader(text.splitlines()))
    expected = device.lines()
    found = list(wrong_lines(expected, rows))
    known = sum(row["bytes_min"] != "" for row in rows)
    tap.result(rows and not found and code in (0, 1), f"{device.name}: {known} lines of its anatomy are as planted",
               *found, *([] if rows else [err]))
    for row in rows:
        if row["bytes_min"]:
            doctored = [{**other, "bytes_max": str(int(other["bytes_max"]) + 1)} if other is row else other
                        for other in rows]
            if not list(wrong_lines(expected, doctored)):
                tap.result(False, f"{device.name}: a byte more in '{row['component']}' is noticed")
    return known


# ---- laws ----

# law: the slope that the profile plants, where its formula is one staircase or one line. (Streams come out of two pools, graphs
# in pieces with room of their own: what laws make of these is held against combinations by predict's tests.)
SLOPES = {
    ("limit-stack", "stack"): lambda p: p["sm_count"] * p["max_threads_per_sm"],
    ("local-frame", "frame"): lambda p: p["sm_count"] * p["max_threads_per_sm"],
    ("limit-malloc-heap", "heap-called"): lambda p: 1,
    ("static-symbols", "symbols-lazy"): lambda p: 1,
    ("memory-pool", "pool"): lambda p: 1,
    ("textures", "textures"): lambda p: p["texture_bytes"],
    ("device-runtime", "launch-called"): lambda p: p["device_runtime_launch_bytes"]
        + p["device_runtime_launch_apart_bytes"],
    ("streams", "streams"): lambda p: p["stream_large_bytes"] + p["stream_small_bytes"],
    ("module-code", "code-lazy"): lambda p: 16,
}
LAW_AXES = ("--axis", "api=driver", "--axis", "direction=up", "--axis", "module=called", "--axis", "loading=lazy",
            "--axis", "symbol=device", "--axis", "threshold=none", "--axis", "kind=texture", "--axis", "sync_depth=0",
            "--axis", "priority=default", "--axis", "malloc_heap_limit_bytes=4M,8M,64M,128M,1G")


def laws_of(directory):
    laws = {}
    with open(directory / "laws.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            law = laws.setdefault((row["benchmark"], row["component"]), {"holds": row["holds"], "shape": row["law"],
                                                                         "residual": row["residual_max_bytes"]})
            law[row["parameter"]] = fractions.Fraction(row["value"])
    return laws


def measure_laws(device, benchmarks, axes=LAW_AXES):
    laboratory = device.laboratory
    directory = pathlib.Path(measure(laboratory.binary, str(device.path), str(laboratory.work / f"laws-{device.name}"),
                                     [*benchmarks, "--quiet", "--no-claims", "--repeat", "1", *axes]))
    code, _, err = laboratory.say("report", directory, "--write", "--quiet")
    if code:
        raise RuntimeError(err)
    return directory


def wrong_slope(law, slope):
    """A slope of nothing is a constant."""
    if not law:
        return "not measured"
    if law["holds"] != "yes":
        return f"it should hold: {law}"
    value = law.get("bytes_per_unit", 0)
    low, high = law.get("bytes_per_unit_low", value), law.get("bytes_per_unit_high", value)
    if not low <= slope <= high:
        return f"{slope} is not in {low} to {high}"
    # What points leave open is less than a hundredth, or a granule over all of them.
    return f"{value} is far from {slope}" if abs(value - slope) > max(fractions.Fraction(slope, 50), 1) and \
        law["shape"] != "staircase" else None


def check_laws(device, tap, slopes):
    laws = laws_of(measure_laws(device, sorted({benchmark for benchmark, _ in slopes})))
    found = []
    for (benchmark, component), slope in slopes.items():
        fault = wrong_slope(laws.get((benchmark, component)), slope(device.profile))
        if fault:
            found.append(f"{benchmark}, {component}: {fault}")
    tap.result(not found, f"{device.name}: {len(slopes)} laws have the slopes that were planted", *found)


def made_up(rng, h200):
    """An H200 with other bytes, whose limits the axes reach."""
    return {**h200, "gpu_name": "made up", "sm_count": rng.randrange(1, 200),
            "max_threads_per_sm": rng.randrange(64, 2049), "context_fixed_bytes": rng.randrange(2 ** 24, 2 ** 31),
            "oom_returns_bytes": 0, "texture_bytes": rng.randrange(33, 2000),
            "device_runtime_launch_bytes": rng.randrange(2048, 16384), "device_runtime_launch_apart_bytes": 0,
            "texture_unit_bytes": h200["granule_bytes"], "texture_slack_bytes": rng.randrange(h200["granule_bytes"]),
            "stream_large_bytes": rng.randrange(2 ** 17, 2 ** 21), "stream_small_bytes": 0,
            "stream_large_slack_bytes": rng.randrange(h200["granule_bytes"]), "heap_extra_bytes": rng.randrange(2 ** 23),
            "malloc_fixed_bytes": h200["malloc_fixed_bytes"]}


# ---- what is no law ----


def no_law(h200):
    """Code in slots that are no multiple of the granule: two staircases, one on the other."""
    nothing = {key: 0 for key in h200 if key.endswith("_shared_bytes")}
    return {**h200, **nothing, "gpu_name": "no law", "granule_bytes": 2 ** 16, "code_slot_bytes": 1000003}


def check_no_law(device, tap):
    directory = measure_laws(device, ["module-code"], ("--axis", "loading=lazy"))
    law = laws_of(directory).get(("module-code", "code-lazy"), {})
    _, text, _ = device.laboratory.say("report", directory, "--format", "markdown")
    points = {}
    for row in csv.DictReader(open(directory / "module-code.csv", newline="", encoding="utf-8")):
        if row["step"] == "launch-2":
            points[int(row["instructions"])] = int(row["total_bytes"])
    line = {x: law.get("intercept_bytes", 0) + law.get("bytes_per_unit", 0) * x for x in points}
    residual = max(abs(points[x] - line[x]) for x in points)
    worst = law.get("worst_at")
    tap.result(law.get("holds") == "no", "no law: it is told that it does not hold", str(law))
    tap.result(law and abs(residual - int(law["residual"])) <= 1, "no law: the largest residual is that of the worst point",
               f"{float(residual)}, {law.get('residual')}")
    tap.result(worst in points and abs(points[worst] - line[worst]) == residual, "no law: the worst point is told",
               f"{float(residual)} is missed: {law}")
    tap.result(f" at instructions {worst}" in " ".join(text.split()), "no law: the report names the worst point", *[line for line in text.splitlines() if "code-lazy" in line])


# ---- all of it ----


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed")
    parser.add_argument("--profiles", type=int, default=4)
    options = parser.parse_args(arguments)
    seed = options.seed or str(random.SystemRandom().randrange(10 ** 9))
    print(f"# seed {seed}")
    work = pathlib.Path(tempfile.mkdtemp(prefix="cuctx-answers-"))
    laboratory = Laboratory(work)
    tap = Tap()
    known = 0
    for name in ("h200", "odd"):
        profile = read_profile(os.path.join(PROFILES, f"{name}.csv"), laboratory.keys)
        known += check_anatomy(Device(laboratory, name, {**profile, "compute_capability":
                                                         laboratory.h200["compute_capability"]}), tap)
    for i in range(options.profiles):
        rng = random.Random(f"{seed}/{i}")
        made = chance.random_profile(rng, laboratory.keys, laboratory.capabilities, laboratory.modules)
        known += check_anatomy(Device(laboratory, f"random-{i}", made), tap)
        device = Device(laboratory, f"made-up-{i}", made_up(rng, laboratory.h200))
        known += check_anatomy(device, tap)
        check_laws(device, tap, SLOPES)
    tap.result(known > 18 * options.profiles, f"{known} lines were measured")
    check_no_law(Device(laboratory, "no-law", no_law(laboratory.h200)), tap)
    if tap.failed:
        print(f"# kept: {work}; again: test_answers.py --seed {seed}")
    else:
        shutil.rmtree(work)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
