#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reports and charts as a browser lays them out: nothing overlaps, sticks out, is cut off or asks for another file.

usage: test_pages.py; CUCTX_BUILD names the build. Prints TAP. Exits 77 where there is no browser or no gnuplot.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from browser import Browser, find

HERE = pathlib.Path(__file__).resolve().parent
PROFILES = ("h200", "odd")
VIEWS = {"wide": {"width": 1280}, "tablet": {"width": 768}, "phone": {"width": 390},
         "dark": {"width": 1280, "scheme": "dark"}, "dark phone": {"width": 390, "scheme": "dark"},
         "print": {"width": 720, "media": "print"}}

MOST_SHOWN = 40
count = failures = 0


def tell(faults, what):
    global count, failures
    count += 1
    failures += bool(faults)
    print(f"{'not ok' if faults else 'ok'} {count} - {what}")
    for fault in faults[:MOST_SHOWN]:
        print(f"# {fault}")


def measured(page, tools, simulated=True, **view):
    """What is wrong with the page, by measure.js."""
    browser, work = tools
    view = view or VIEWS["wide"]
    path = page
    if isinstance(page, str):
        path = work / "page.html"
        path.write_text(page, encoding="utf-8")
    script = (HERE / "measure.js").read_text(encoding="utf-8")
    script = script.replace("MEASURE_WIDTH", str(view["width"])).replace("MEASURE_SIMULATED", str(simulated).lower())
    return browser.measure(path, script, **view)


def cuctx(*arguments):
    program = pathlib.Path(os.environ["CUCTX_BUILD"]) / "bin/cuctx"
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)


def measure_run(work, profile):
    """A run directory of a simulated device, with its charts and reports."""
    said = cuctx("run", "--quick", "--quiet", "--no-claims", f"--simulate={profile}", "--out", work / profile)
    directory = pathlib.Path(said.stdout.strip())
    cuctx("plot", directory, "--format", "svg")
    cuctx("report", directory, "--write", "--quiet")
    return directory


def charts_page(directory):
    """The charts as parts of one page, so that their texts can be measured."""
    charts = [re.sub(r"^.*?(?=<svg)", "", path.read_text(encoding="utf-8"), flags=re.S)
              for path in sorted(directory.glob("plots/*.svg"))]
    # gnuplot uses the same ids in each chart; they are none of what is measured here.
    text = "\n".join(re.sub(r"xlink:href='[^']*'", "", chart) for chart in charts)
    return f"<!DOCTYPE html><html><head></head><body>{text}</body></html>", len(charts)


def check_charts(directory, tools, what):
    page, chart_count = charts_page(directory)
    tell(measured(page, tools, width=3000) if chart_count > 5 else ["there are hardly any charts"], f"{what}: the charts")


def check_page(path, tools, what, views=tuple(VIEWS)):
    for view in views:
        tell(measured(path, tools, **VIEWS[view]), f"{what}: {view}")


# What is planted, and what is to be said of it.
PLANTED = {
    "an overlap": ("</h1>", "</h1><p style='position:absolute;top:0;left:0'>over the headline and all else</p>"
                   "<p style='position:absolute;top:0;left:0'>over the headline and all else</p>", "overlap"),
    "something wide": ("</h1>", "</h1><p style='width:3000px'>wide</p>", "the page is"),
    "a picture from elsewhere": ("</h1>", "</h1><img src='https://example.com/a.png' alt=''>", "asks for"),
    "a script": ("</h1>", "</h1><script>window.ran = 1;</script>", "has a SCRIPT"),
    "grey on grey": ("</h1>", "</h1><style>p { color: #999; background: #aaa; }</style>", "contrast"),
    "a hidden mark": ("</h1>", "</h1><style>.banner { display: none; }</style>", "SIMULATED is not to be seen"),
    "a cut cell": ("</h1>", "</h1><style>td { max-width: 2rem; min-width: 0 !important; overflow: hidden;"
                   "white-space: nowrap; }</style>", "cut off"),
    "a bar that is too long": ('<div class="bar">', '<div class="bar"><span style="width:130%"></span>', "a bar is longer"),
}


def check_planted(path, tools):
    page = path.read_text(encoding="utf-8")
    for what, (place, fault, words) in PLANTED.items():
        faults = measured(page.replace(place, fault, 1), tools)
        tell([] if any(words in fault for fault in faults) else faults or ["nothing is found"], f"planted: {what} is found")
    chart = "<svg width='300' height='100'><text x='250' y='50'>a text that is cut off</text></svg>"
    faults = measured(f"<html><head></head><body>{chart}</body></html>", tools, simulated=False)
    tell([] if any("cut off" in fault for fault in faults) else faults or ["nothing"], "planted: a cut label is found")


HOSTILE = """<script>window.ran = 1</script> "' onload="window.ran=1" <img src=x onerror=window.ran=1> | `a` &lt; $(b)"""


HOSTILE_LABEL = """<script>run()<b> "' | `a` &lt; $(b) a label that is much longer than anybody needs"""


def check_hostile(directory, tools):
    """Texts of a run's files in every place of a page: they stay texts."""
    hostile = tools[1] / "hostile"
    shutil.copytree(directory, hostile)
    for path in hostile.glob("*.csv"):
        text = path.read_text(encoding="utf-8")
        cell = '"' + HOSTILE.replace('"', '""') + '"'
        if path.stem == "environment":
            text = re.sub(r"^(gpu_name|driver_release|command|kernel|host),.*$",
                          lambda match: f"{match[1]},{cell}", text, flags=re.M)
        else:
            text = text.replace("CUDA_ERROR_INVALID_VALUE", cell)
        path.write_text(text, encoding="utf-8")
    said = cuctx("report", hostile, "--write", "--quiet")
    tell([said.stderr] if said.returncode else [], "a hostile run has a report")
    page = (hostile / "report.html").read_text(encoding="utf-8")
    tell([] if "&lt;script&gt;" in page else ["the texts are not in the page"], "hostile texts are shown")
    check_page(hostile / "report.html", tools, "hostile texts", ("wide", "phone"))


def check_all(tools):
    work = tools[1]
    runs = [measure_run(work, profile) for profile in PROFILES]
    check_page(runs[0] / "report.html", tools, "one run")
    check_charts(runs[0], tools, "one run")
    check_charts(runs[1], tools, "another device")
    out = work / "together"
    cuctx("plot", *runs, f"{HOSTILE_LABEL}={runs[0]}", "--out", out, "--format", "svg")
    said = cuctx("report", *runs, f"{HOSTILE_LABEL}={runs[0]}", "--out", out, "--quiet")
    tell([said.stderr] if said.returncode else [], "three runs have a report")
    check_page(out / "report.html", tools, "three runs")
    check_charts(out, tools, "three runs")
    check_planted(runs[0] / "report.html", tools)
    check_hostile(runs[1], tools)


def main():
    if not find() or not shutil.which("gnuplot"):
        print(f"1..0 # skip there is no {'gnuplot' if find() else 'browser'}")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        with Browser(work / "profile") as browser:
            check_all((browser, work))
    print(f"1..{count}")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
