# SPDX-License-Identifier: MIT
"""What lies on disk: profiles and their keys, kernels.csv, the benchmarks' axes, and runs."""

import collections
import csv
import glob
import itertools
import os
import re
import subprocess

from benchmarks import is_wanted
from cubins import kernels_in_order
from model import Kernel, Module
from source_steps import count_instructions

KEY = re.compile(r"^PROFILE_(TEXT|NUMBER|WORD)\((\w+), (.*)\)$", re.M)
Key = collections.namedtuple("Key", "name kind smallest largest words")

UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}
BYTES_MAX = 2**48
LIMIT_MAX = 2**32
RANGE_WORDS = {"PROFILE_BYTES_MAX": BYTES_MAX, "PROFILE_LIMIT_MAX": LIMIT_MAX}


def read_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, strict=True))


# ---- profiles ----


def profile_keys(source):
    """name -> Key, as sim/profile.def has them."""
    keys = {}
    with open(os.path.join(source, "sim", "profile.def"), encoding="utf-8") as file:
        for kind, name, rest in KEY.findall(file.read()):
            parts = [part.strip().strip('"') for part in rest.split(",")]
            if kind == "TEXT":
                keys[name] = Key(name, kind, 1, int(parts[0]) - 1, ())
            elif kind == "NUMBER":
                ends = [RANGE_WORDS.get(part) or int(part) for part in parts[1:3]]
                keys[name] = Key(name, kind, ends[0], ends[1], ())
            else:
                keys[name] = Key(name, kind, 0, 0, (parts[1], parts[3]))
    return keys


def read_profile(path, keys):
    profile = {row["key"]: row["value"] for row in read_csv(path)}
    return {name: int(value) if keys[name].kind == "NUMBER" else value
            for name, value in profile.items()}


def write_profile(path, profile):
    with open(path, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["key", "value"])
        rows.writerows(profile.items())


# ---- modules ----


def read_modules(build):
    """The modules of one architecture that was built, by name, and the compute capabilities for
    which the program takes them, the first being their own."""
    tables = sorted(glob.glob(os.path.join(build, "share", "cuctx", "modules", "sm_*", "kernels.csv")))
    path = next((table for table in tables if "sm_90" in table), tables[0])
    modules = {}
    for row in read_csv(path):
        name = row["module"]
        if name not in modules:
            modules[name] = Module(name, int(row["static_bytes"]), int(row["instructions"]))
            if row["ptx_bytes"]:
                modules[name].ptx_instructions = count_instructions(
                    os.path.join(os.path.dirname(path), f"{name}.ptx"))
        modules[name].kernels[row["kernel"]] = Kernel(
            row["kernel"], int(row["text_bytes"]), int(row["local_bytes"]),
            int(row["call_bytes"]))
    for name, module in modules.items():
        cubin = os.path.join(os.path.dirname(path), f"{name}.cubin")
        module.kernels = {kernel: module.kernels[kernel] for kernel in kernels_in_order(cubin)}
    major, minor = re.search(r"sm_(\d+)(\d)", path).groups()
    last = 9 if len(tables) == 1 else int(minor)
    return modules, [f"{major}.{i}" for i in range(int(minor), last + 1)]


# ---- axes ----


def parse_size(text):
    number, unit = re.fullmatch(r"(\d+)([KMG]?)", text).groups()
    return int(number) * UNITS[unit]


def parse_item(item):
    if ":" not in item:
        return [parse_size(item)]
    start, stop, step = item.split(":")
    value, stop, values = parse_size(start), parse_size(stop), []
    while value <= stop:
        values.append(value)
        value = value * parse_size(step[1:]) if step[0] == "*" else value + parse_size(step)
    return values


def parse_values(text):
    if re.match(r"[a-z]", text):
        return text.split(",")
    return [value for item in text.split(",") for value in parse_item(item)]


def sizes_of_family(modules, prefix):
    sizes = (module.instructions for name, module in modules.items() if name.startswith(prefix))
    return list(dict.fromkeys(sizes))


def default_axes(binary, modules):
    """benchmark -> axis -> values, of everything that `cuctx list` names."""
    listed = subprocess.run([binary, "list", "--format", "csv"], check=True, text=True,
                            capture_output=True).stdout
    axes = {}
    for row in csv.DictReader(listed.splitlines()):
        family = re.search(r"modules ([a-z]+-)\*$", row["values"])
        values = (sizes_of_family(modules, family.group(1)) if family
                  else parse_values(row["values"]))
        axes.setdefault(row["benchmark"], {})[row["axis"]] = values
    return axes


def points(benchmark, axes):
    """All that the benchmark wants of the product of its axes."""
    for values in itertools.product(*axes.values()):
        point = dict(zip(axes, values))
        if is_wanted(benchmark, point):
            yield point


# ---- runs ----


class Run:
    """What one `cuctx run` was to do, and the tables that it left."""

    def __init__(self, directory, axes, repeats):
        self.directory = directory
        self.axes = axes
        self.repeats = repeats
        self.environment = {row["key"]: row["value"]
                            for row in read_csv(os.path.join(directory, "environment.csv"))}
        self.tables = {benchmark: read_csv(os.path.join(directory, f"{benchmark}.csv"))
                       for benchmark in axes}

    def sample_count(self):
        return self.repeats * sum(1 for benchmark, axes in self.axes.items()
                                  for _ in points(benchmark, axes))

    def row_count(self):
        return sum(len(table) for table in self.tables.values())


def clean_environment():
    """Without what would point the program at another device or loading mode."""
    return {name: value for name, value in os.environ.items()
            if not name.startswith(("CUDA_", "CUCTX_"))}


def axis_options(axes, defaults):
    """--axis for each axis that has other values than its default, in all benchmarks alike."""
    changed = {}
    for benchmark, of_benchmark in axes.items():
        for axis, values in of_benchmark.items():
            if values != defaults[benchmark][axis]:
                changed[axis] = ",".join(str(value) for value in values)
    return [part for axis, values in changed.items() for part in ("--axis", f"{axis}={values}")]


def measure(binary, profile_path, out, options):
    """The run directory. RuntimeError with what the program said where it did not end well."""
    command = [binary, "run", f"--simulate={profile_path}", "--out", out, *options]
    ended = subprocess.run(command, text=True, capture_output=True, env=clean_environment(),
                           check=False)
    if ended.returncode:
        raise RuntimeError(f"{' '.join(command)}: exit {ended.returncode}\n{ended.stderr}")
    return ended.stdout.strip()
