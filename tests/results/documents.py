# SPDX-License-Identifier: MIT
"""What the documents quote from recorded runs: figures that are in their rows, and commands that can be given.

A section's figures are of the runs that it names (results/NAME), else of those that the document names anywhere.
"""
import csv
import os
import pathlib
import re
import shlex
import subprocess

DOCUMENTS = ("README.md", "docs/FINDINGS.md")
WHOLE = re.compile(r"-?\d+")
IN_WORDS = re.compile(r"(?<![\w.])\d+(?![\w.])")
UNITS = {"MiB": 2 ** 20, "GiB": 2 ** 30}

RUN = re.compile(r"results/([A-Za-z0-9_.-]*[A-Za-z0-9])")
# What stands behind a letter and a hyphen is a part of a name: code-524255.
FIGURE = re.compile(r"(?<![\w.,])(?<![A-Za-z]-)(?:\d{1,3}(?:,\d{3})+|\d{5,})(?!\w|[.,]\d)")
SIZE = re.compile(r"(?<![\w.,])(\d[\d,]*)(\.\d+)? (MiB|GiB)\b")
FENCE = re.compile(r"^```.*$", re.M)
SIMULATED = re.compile(r"SIMULATED|--simulate")
COMMAND = re.compile(r"(?:^|`|[ \t])(cuctx run\b[^`\n]*)", re.M)
PLACEHOLDER = re.compile(r"\b[A-Z]{3,}\b")


def of(source):
    return [path for path in (source / name for name in DOCUMENTS) if path.exists()]


def measured(text):
    """Without fenced blocks that show the simulated device, whose figures are of no run."""
    parts = FENCE.split(text)
    return "".join(part for number, part in enumerate(parts) if number % 2 == 0 or not SIMULATED.search(part))


def sections(text):
    """The text up to each heading, headings with what they head."""
    return re.split(r"^(?=#{1,6} )", text, flags=re.M)


def numbers_in(run):
    """Every integer of the run's tables without its sign, and which of them are bytes."""
    numbers, sizes = set(), set()
    for path in run.rglob("*.csv"):
        for row in rows_of(path):
            for column, cell in row.items():
                found = [int(number) for number in IN_WORDS.findall(cell)] if column == "figures" else \
                    [abs(int(cell))] if WHOLE.fullmatch(cell) else []
                numbers.update(found)
                # In laws.csv and environment.csv, other cells of the row say what it is.
                if column in ("figures", "bytes") or column.endswith("_bytes") or \
                        row.get("unit", "").startswith("bytes") or row.get("key", "").endswith("_bytes"):
                    sizes.update(found)
    return numbers, sizes


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            yield {column: cell or "" for column, cell in row.items() if column}


def wrong_figures(text, numbers, sizes):
    """Of five digits and more exactly; in MiB or GiB to as many places as are given."""
    for figure in FIGURE.findall(text):
        number = int(figure.replace(",", ""))
        if number >= 10000 and number not in numbers:
            yield figure
    for whole, places, unit in SIZE.findall(text):
        quoted = whole.replace(",", "") + places
        if not any(f"{size / UNITS[unit]:.{max(len(places) - 1, 0)}f}" == quoted for size in sizes):
            yield f"{whole}{places} {unit}"


def check_figures(source, path):
    """Every figure is a number of a run that is named near it."""
    text = path.read_text(encoding="utf-8")
    name = path.relative_to(source)
    named = {run for run in RUN.findall(text) if (source / "results" / run).is_dir()}
    for run in sorted(set(RUN.findall(text)) - named):
        if not (source / "results" / run).exists():
            yield f"{name}: there is no results/{run}"
    if not named:
        yield f"{name}: no recorded run is named"
    known = {run: numbers_in(source / "results" / run) for run in named}
    for section in sections(measured(text)):
        near = named.intersection(RUN.findall(section)) or named
        prose = re.sub(r"results/\S+", "", section)
        numbers, sizes = (set().union(*sets) for sets in zip(*(known[run] for run in near))) if near else ((), ())
        for figure in wrong_figures(prose, numbers, sizes):
            yield f"{name}: {figure} is in no row of {' or '.join(sorted(near))}"


def commands_in(text):
    """Without what explains them, two blanks behind; those about the reader's own DIR or BENCHMARK are left out."""
    for command in COMMAND.findall(text):
        command = re.split(r" {2,}|\s#", command)[0].strip()
        if not PLACEHOLDER.search(command) and "..." not in command:
            yield command


def check_commands(source, path):
    """Every `cuctx run` is one that the program takes and that would measure something."""
    program = pathlib.Path(os.environ.get("CUCTX_BUILD", "")) / "bin/cuctx"
    name = path.relative_to(source)
    if not program.exists():
        yield f"{name}: no program to try the commands on; CUCTX_BUILD names the build"
        return
    for command in commands_in(path.read_text(encoding="utf-8")):
        simulated = [] if "--simulate" in command else ["--simulate"]
        plan = subprocess.run([program, *shlex.split(command)[1:], "--dry-run", *simulated],
                              capture_output=True, text=True, check=False)
        if plan.returncode or not plan.stdout:
            yield f"{name}: {command}: {plan.stderr.strip() or 'it would measure nothing'}"
