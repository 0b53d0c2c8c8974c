#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs that are ended from outside, and what is left of them.

    kills.py parent      SIGKILL at many moments: whole samples stay, no process does, --resume completes
    kills.py orphans     SIGKILL while one of the processes hangs in the driver: it goes, too
    kills.py cut         files cut off anywhere, as by a machine that went down: --resume completes
    kills.py observer    it is killed or stopped: a new one takes over
    kills.py subject     it is killed or stopped: crashed or timeout, and the run goes on
    kills.py signals     SIGINT, SIGTERM, SIGHUP: exit 130, what was measured is kept
    kills.py hanging     SIGINT while the driver hangs, at its start or in a sample: exit 130 at once
"""

import csv
import itertools
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import uuid

from torture import (CUCTX, ENDLESS, Findings, Place, arguments, calls_of, clean_run, environment,
                     in_parallel, read_csv, read_plan, read_run, resume)

# Slow enough that a kill hits every part of a run, and always the same: CUCTX_TEST_SEED tries others.
CALL_DELAY_NS = 1000000
SEED = int(os.environ.get("CUCTX_TEST_SEED", "20260131"))
KILLS = 24
CUTS = 24
MARK = "CUCTX_TORTURE"
# Rows of the H200 profile, whose calls take longer.
FEW = {"benchmarks": ("context", "module-code"), "repeat": 2}


def slow_profile(place):
    source = os.path.join(os.path.dirname(CUCTX), "..", "share", "cuctx", "profiles", "h200.csv")
    path = os.path.join(place.path, "slow.csv")
    rows = read_csv(source)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["key", "value"])
        for row in rows:
            writer.writerow([row["key"], CALL_DELAY_NS if row["key"] == "call_delay_ns" else row["value"]])
    return path


class Live:
    """A run that is going on, with its processes."""

    def __init__(self, place, faults=None, **options):
        self.out = place.new()
        self.mark = f"{MARK}={uuid.uuid4()}"
        variables = environment(faults, **dict([self.mark.split("=")]))
        self.popen = subprocess.Popen(arguments(self.out, **options), env=variables, text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.directory = None

    def wait_for_start(self):
        """The directory's line: the observer is there and the first sample begins."""
        self.directory = self.popen.stdout.readline().rstrip("\n")

    def processes(self):
        """Children, oldest first: the observer, then the sample's process."""
        found = []
        for name in os.listdir("/proc"):
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    is_ours = self.mark.encode() in file.read().split(b"\0")
                with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                    fields = file.read().rpartition(")")[2].split()
            except (OSError, ValueError):
                continue
            if is_ours and fields[0] not in "ZX" and int(name) != self.popen.pid:
                found.append((int(fields[19]), int(name)))
        return [pid for _, pid in sorted(found)]

    def end(self):
        stdout, stderr = self.popen.communicate(timeout=ENDLESS)
        names = sorted(os.listdir(self.out)) if os.path.isdir(self.out) else []
        self.directory = os.path.join(self.out, names[0]) if names else None
        return self.popen.returncode, stdout, stderr

    def is_alone(self, patience_s=5):
        """No process of the run is left."""
        deadline = time.monotonic() + patience_s
        while self.processes():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.01)
        return True


def complete_count(findings, where, directory, clean):
    """How many samples are on file. They must be the plan's first, each of them whole."""
    samples = read_run(directory)
    count = 0
    while count < len(samples) and samples[count]:
        findings.attempt_equal(f"{where}, sample {count + 1}", samples[count][0], clean[count])
        count += 1
    for order, attempts in enumerate(samples[count:], start=count + 1):
        findings.expect(where, f"attempts at sample {order}, after one that is missing", len(attempts), 0)
    return count


def check_files_whole(findings, where, directory):
    for name in os.listdir(directory):
        if name.endswith(".csv"):
            with open(os.path.join(directory, name), "rb") as file:
                findings.expect(where, f"last byte of {name}", file.read()[-1:], b"\n")


def check_complete(findings, where, directory, clean):
    for order, (attempts, twin) in enumerate(zip(read_run(directory), clean), start=1):
        findings.expect(where, f"attempts at sample {order}", [a.number for a in attempts], [1])
        for attempt in attempts:
            findings.attempt_equal(f"{where}, sample {order}", attempt, twin)
    for key, axes in read_plan(directory):
        path = os.path.join(directory, key[0] + ".csv")
        rows = [tuple(row[c] for c in [*axes, "repeat", "attempt", "step_index"]) for row in read_csv(path)]
        findings.expect(where, f"rows of {key[0]} that are there twice", len(rows) - len(set(rows)), 0)


def check_resume(findings, where, again, clean):
    """What came of resume()."""
    directory = again.directory
    findings.expect(f"{where}, resumed", "exit code", (again.code, again.stderr), (0, ""))
    findings.expect(f"{where}, resumed", "stdout", again.stdout, directory + "\n")
    check_complete(findings, f"{where}, resumed", directory, clean)


def is_ready(directory):
    """Whether the run had come so far that there is something to go on with."""
    return directory and os.path.exists(os.path.join(directory, "kernels.csv"))


def parent(findings, place):
    profile = slow_profile(place)
    begin = time.monotonic()
    clean = clean_run(place, profile=profile)
    length_s = time.monotonic() - begin
    rng = random.Random(SEED)
    moments = [length_s * (i + rng.random()) / KILLS for i in range(KILLS)]

    def one(moment):
        run = Live(place, profile=profile)
        time.sleep(moment)
        run.popen.kill()
        run.end()
        findings.expect(f"killed after {moment:.3f} s", "no process is left", run.is_alone(), True)
        return moment, run.directory

    killed = [(moment, directory) for moment, directory in in_parallel(one, moments) if is_ready(directory)]
    reached = 0
    for moment, directory in killed:
        where = f"killed after {moment:.3f} s"
        check_files_whole(findings, where, directory)
        count = complete_count(findings, where, directory, clean)
        reached += 0 < count < len(clean)
    resumed = in_parallel(lambda kill: resume(kill[1], profile=profile), killed)
    for (moment, _), again in zip(killed, resumed):
        check_resume(findings, f"killed after {moment:.3f} s", again, clean)
    findings.expect("all kills", "hit one of them the middle of a run", reached > 0, True)


def orphans(findings, place):
    """Whoever waits for its parent notices that it is gone; whoever hangs has to be told."""
    for faults, count in (("hang@observer:12", 1), ("hang@2:5", 2)):
        where = f"SIGKILL of the parent with {faults}"
        run = Live(place, faults, timeout=60, **FEW)
        wait_for_hang(run, count)
        run.popen.kill()
        run.end()
        findings.expect(where, "no process is left", run.is_alone(), True)


def cut(findings, place):
    """Each file loses its end, so much that it stops in the header, a row, or between two samples."""
    clean = clean_run(place, **FEW)
    whole = os.path.join(place.path, "1")
    whole = os.path.join(whole, os.listdir(whole)[0])
    rng = random.Random(SEED)

    def one(number):
        directory = os.path.join(place.path, f"cut-{number}", os.path.basename(whole))
        shutil.copytree(whole, directory)
        sizes = {}
        for name in FEW["benchmarks"]:
            path = os.path.join(directory, name + ".csv")
            size = os.path.getsize(path)
            sizes[name] = rng.choice([0, 1, 40, size - 1, size, *(rng.randrange(size) for _ in range(8))])
            os.truncate(path, sizes[name])
        return directory, sizes

    directories, cuts = zip(*(one(number) for number in range(CUTS)))
    for sizes, again in zip(cuts, in_parallel(resume, directories)):
        check_resume(findings, f"cut to {sizes}", again, clean)


def observer(findings, place):
    profile = slow_profile(place)
    clean = clean_run(place, profile=profile, **FEW)
    # A stopped one is given up after the timeout.
    for number, delay in ((signal.SIGKILL, 0.02), (signal.SIGKILL, 0.08), (signal.SIGSTOP, 0.05)):
        where = f"observer gets {number.name} after {delay} s"
        run = Live(place, profile=profile, timeout=1, **FEW)
        run.wait_for_start()
        time.sleep(delay)
        os.kill(run.processes()[0], number)
        code, _, _ = run.end()
        findings.expect(where, "exit code", code, 0)
        findings.expect(where, "no process is left", run.is_alone(), True)
        samples = read_run(run.directory)
        findings.expect(where, "attempts in all", sum(len(a) for a in samples), len(clean) + 1)
        for attempts, twin in zip(samples, clean):
            findings.attempt_equal(where, attempts[-1], twin)


def subject(findings, place):
    """It hangs at a call that is known, so that it is there to be hit."""
    clean = clean_run(place, **FEW)
    for number, timeout, status, error in ((signal.SIGKILL, 30, "crashed", "SIGKILL"),
                                           (signal.SIGSEGV, 30, "crashed", "SIGSEGV"),
                                           (signal.SIGTERM, 30, "crashed", "SIGTERM"),
                                           (signal.SIGRTMIN, 30, "crashed", f"signal {int(signal.SIGRTMIN)}"),
                                           (signal.SIGSTOP, 2, "timeout", "no answer in 2 s")):
        where = f"subject gets signal {int(number)}"
        call = calls_of(clean[1])[-3]
        run = Live(place, f"hang@2:{call.number}", timeout=timeout, **FEW)
        run.wait_for_start()
        os.kill(wait_for_hang(run, 2), number)
        code, _, _ = run.end()
        findings.expect(where, "exit code", code, 1)
        findings.expect(where, "no process is left", run.is_alone(), True)
        samples = read_run(run.directory)
        rows = samples[1][0].rows
        findings.rows_equal(where, rows[:call.row], clean[1].rows)
        findings.expect(where, "rows", [(r["step"], r["status"], r["error"]) for r in rows[call.row:]],
                        [(clean[1].rows[call.row]["step"], status, error), ("exit", "ok", "")])
        for order in (0, 2, 3):
            findings.attempt_equal(where, samples[order][0], clean[order])


def is_busy(pid):
    """Whether it does anything but hang; one that is gone is."""
    def ticks():
        with open(f"/proc/{pid}/schedstat", encoding="utf-8") as file:
            return file.read().split()[2]
    try:
        before = ticks()
        time.sleep(0.2)
        return ticks() != before
    except OSError:
        return True


def wait_for_hang(run, count):
    """Waits until the run has so many children and the last of them hangs, which is returned."""
    pids = []
    while len(pids) < count or is_busy(pids[count - 1]):
        time.sleep(0.05)
        pids = run.processes()
    return pids[count - 1]


def signals(findings, place):
    profile = slow_profile(place)
    clean = clean_run(place, profile=profile)

    def one(number, delay):
        where = f"{number.name} after {delay} s"
        run = Live(place, profile=profile)
        run.wait_for_start()
        time.sleep(delay)
        run.popen.send_signal(number)
        code, _, stderr = run.end()
        findings.expect(where, "exit code", code, 130)
        findings.expect(where, "stderr", stderr, "")
        findings.expect(where, "no process is left", run.is_alone(), True)
        check_files_whole(findings, where, run.directory)
        count = complete_count(findings, where, run.directory, clean)
        findings.expect(where, "was it the middle of the run", count < len(clean), True)
        check_resume(findings, where, resume(run.directory, profile=profile), clean)

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    in_parallel(lambda case: one(*case), itertools.product(numbers, (0, 0.2)))


def hanging(findings, place):
    clean = clean_run(place, **FEW)
    for faults, count in (("hang@observer:1", 1), ("hang@observer:12", 1), ("hang@observer:40", 1),
                          ("hang@2:5", 2)):
        where = f"SIGINT, {faults}"
        run = Live(place, faults, timeout=60, **FEW)
        wait_for_hang(run, count)
        begin = time.monotonic()
        run.popen.send_signal(signal.SIGINT)
        code, stdout, stderr = run.end()
        findings.expect(where, "did it end at once", time.monotonic() - begin < 5, True)
        findings.expect(where, "exit code", code, 130)
        findings.expect(where, "no process is left", run.is_alone(), True)
        if count == 1:
            findings.expect(where, "stdout", stdout, "")
            findings.expect(where, "lines on stderr", len(stderr.splitlines()), 1)
            findings.expect(where, "run directory", run.directory, None)
        else:
            findings.expect(where, "samples", complete_count(findings, where, run.directory, clean), 1)
            check_resume(findings, where, resume(run.directory), clean)


def main():
    cases = {"parent": parent, "orphans": orphans, "cut": cut, "observer": observer, "subject": subject,
             "signals": signals, "hanging": hanging}
    findings = Findings()
    with Place() as place:
        cases[sys.argv[1]](findings, place)
    findings.finish()


if __name__ == "__main__":
    main()
