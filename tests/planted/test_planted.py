#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Planted truth: what `cuctx run` writes about a simulated device is what its profile's formulas give.

    test_planted.py [--seed S] [--profiles N] [--only NAME]

Runs all benchmarks on every shipped profile and on N that are made up from the seed, and compares
every row with model.py. Then proves that it can fail: a model with one key changed must be found out
by these same rows, for every key, and so must doctored rows. Says in TAP what it found.

    CUCTX_SOURCE, CUCTX_BUILD        the sources, and the build (default: build-tests among them)
    CUCTX_PLANTED_SEED, _PROFILES    as the options; the seed is a new one each time and printed
"""

import argparse
import glob
import os
import random
import shutil
import sys
import tempfile

import chance
import doctored
import slots
from compare import breaches, mismatches
from files import (Run, axis_options, default_axes, measure, profile_keys, read_modules,
                   read_profile, write_profile)
from model import Context, piece_bytes

SOURCE = os.environ.get("CUCTX_SOURCE") or os.path.normpath(
    os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
PROFILES = os.path.join(SOURCE, "sim", "profiles")
SHOWN_MAX = 5


class Tap:
    def __init__(self):
        self.count = 0
        self.failed = 0

    def result(self, good, name, *why):
        self.count += 1
        self.failed += not good
        print(f"{'ok' if good else 'not ok'} {self.count} - {name}")
        for line in "\n".join(why).splitlines():
            print(f"# {line}")
        sys.stdout.flush()

    def end(self):
        print(f"1..{self.count}")
        return 1 if self.failed or not self.count else 0


class Laboratory:
    """The program, and what the profiles and modules of its build are."""

    def __init__(self, build, work, seed):
        self.work = work
        self.seed = seed
        self.binary = os.path.join(build, "bin", "cuctx")
        self.keys = profile_keys(SOURCE)
        self.modules, self.capabilities = read_modules(build)
        self.axes = default_axes(self.binary, self.modules)
        # Thousands of copies, cycles and streams show no more than some do, and take the model long.
        self.fewer = {**self.axes,
                      "module-copies": {**self.axes["module-copies"], "copies": [1, 150]},
                      "textures": {**self.axes["textures"], "objects": [1, 150, 1000]},
                      "fragmentation": {**self.axes["fragmentation"], "buffer_bytes": [2**26]},
                      "events": {**self.axes["events"], "events": [1, 300]},
                      "streams": {**self.axes["streams"], "streams": [1, 2, 3, 48, 300]},
                      "module-cycle": {**self.axes["module-cycle"], "cycles": [1, 10]}}

    def read(self, name):
        profile = read_profile(os.path.join(PROFILES, f"{name}.csv"), self.keys)
        # A build for another architecture has no modules for it. They are data of the model, too.
        if profile["compute_capability"] not in self.capabilities:
            profile["compute_capability"] = self.capabilities[0]
        return profile

    def shipped(self):
        """name -> (profile, axes, repeats)"""
        for path in sorted(glob.glob(os.path.join(PROFILES, "*.csv"))):
            name = os.path.basename(path)[:-len(".csv")]
            yield name, (self.read(name), self.fewer, 1)

    def cramped(self):
        """The odd device with so little memory that launches fail which would lock a limit, and
        with no room for code that comes for nothing."""
        late = dict.fromkeys(("fifo_when", "fifo_locks_at", "heap_when", "heap_locks_at"), "launch")
        profile = {**self.read("odd"), **late, "code_slack_bytes": 0}
        profile["total_bytes"] = chance.least_bytes(profile) + Context(profile).bytes() + 40 * 2**20
        return profile, self.fewer, 1

    def brimful(self):
        """The odd device with memory for exactly two contexts beside the observer's, and with room
        for exactly the smallest kernel that comes for nothing."""
        profile = {**self.read("odd"), "code_returns": 1}
        [kernel] = self.modules["empty"].kernels.values()
        profile["code_slack_bytes"] = piece_bytes(profile, kernel.text_bytes)
        profile["total_bytes"] = chance.least_bytes(profile) + 2 * Context(profile).bytes()
        return profile, self.fewer, 1

    def made_up(self, count):
        for i in range(1, count + 1):
            rng = random.Random(f"{self.seed}/{i}")
            profile = chance.random_profile(rng, self.keys, self.capabilities, self.modules)
            axes = chance.random_axes(rng, profile, self.axes, self.modules)
            yield f"random-{i}", (profile, axes, 1 + (i % 3 == 0))

    def run(self, name, profile, axes, repeats):
        path = os.path.join(self.work, f"{name}.csv")
        write_profile(path, profile)
        options = ["--repeat", str(repeats), *axis_options(axes, self.axes)]
        return Run(measure(self.binary, path, os.path.join(self.work, name), options), axes, repeats)


def describe(mismatch):
    return (f"{mismatch.benchmark} {mismatch.axes} step {mismatch.step or '-'}: {mismatch.column}: "
            f"expected {mismatch.expected!r}, got {mismatch.got!r}")


def complain(laboratory, name, found):
    lines = [f"seed {laboratory.seed}, profile {name} ({laboratory.work}/{name}.csv): "
             f"{len(found)} cells differ"]
    lines += [describe(mismatch) for mismatch in found[:SHOWN_MAX]]
    lines.append(f"again: test_planted.py --seed {laboratory.seed} --only {name}")
    return lines


def check_profile(laboratory, tap, name, truth):
    """The run where there is one and it agrees."""
    try:
        run = laboratory.run(name, *truth)
    except (RuntimeError, OSError) as error:
        tap.result(False, f"{name}: all benchmarks run", f"seed {laboratory.seed}", str(error))
        return None
    found = [*breaches(run), *mismatches(run, truth[0], laboratory.modules)]
    what = f"{name}: {run.row_count()} rows of {run.sample_count()} samples are as planted"
    tap.result(not found, what, *(complain(laboratory, name, found) if found else ()))
    return None if found else run


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", default=os.environ.get("CUCTX_PLANTED_SEED"))
    parser.add_argument("--profiles", type=int,
                        default=int(os.environ.get("CUCTX_PLANTED_PROFILES", "4")))
    parser.add_argument("--only", help="one profile: h200, odd, random-1 ...")
    return parser.parse_args(arguments)


def main(arguments):
    options = parse(arguments)
    seed = options.seed or str(random.SystemRandom().randrange(10**9))
    print(f"# seed {seed}")
    work = tempfile.mkdtemp(prefix="cuctx-planted-")
    laboratory = Laboratory(os.environ.get("CUCTX_BUILD", os.path.join(SOURCE, "build-tests")), work,
                            seed)
    tap = Tap()
    fixed = {**dict(laboratory.shipped()), "cramped": laboratory.cramped(),
             "brimful": laboratory.brimful()}
    runs = {}
    for name, truth in {**fixed, **dict(laboratory.made_up(options.profiles))}.items():
        if options.only in (None, name):
            runs[name] = (check_profile(laboratory, tap, name, truth), truth[0])
    if not options.only:
        slots.check(laboratory, tap)
    if not options.only and not tap.failed:
        doctored.check(laboratory, tap, {name: runs[name] for name in fixed})
    if tap.failed:
        print(f"# kept: {work}")
    else:
        shutil.rmtree(work)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
