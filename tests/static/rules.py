#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rules of the house that a compiler does not check.

    rules.py --list          names of the rules
    rules.py RULE [ROOT]     breaches of one rule as PATH:LINE: what is wrong; exit 1 if there is one

A rule is a generator of (path, line, message). selftest.bats plants a breach of each.
"""

import inspect
import os
import re
import sys
import unicodedata

from source import Tree, blank, functions, line_of, room

# ---- who may reach where ---------------------------------------------------------------------------

# Room -> rooms (with a slash) and single headers that its files may include. All may include base/.
REACH = {
    "base": ["base/"],
    "kernels": ["kernels/"],
    "sim": ["sim/", "kernels/cubin.h", "kernels/fatbin.h", "kernels/file.h", "kernels/ptx.h", "harness/abi_green.h",
            "driver_inner.h"],
    "trace": ["trace/", "harness/"],
    "harness": ["harness/", "kernels/cubin.h", "cuctx_config.h"],
    "bench": ["bench/", "harness/bench.h"],
    "analysis": ["analysis/"],
    "inspect": ["inspect/", "analysis/", "kernels/"],
    "examples": [],
    "cli": ["cli/", "harness/", "analysis/", "bench/", "inspect/", "cuctx_config.h"],
}
ANYWHERE = ["base/"]

# The only header whose path does not start at the root: the build writes it.
GENERATED = {"cuctx_config.h", "driver_inner.h"}

# System header -> the rooms that wrap it for all others.
WRAPPED_HEADERS = [
    (re.compile(r"csv\.h"), ["base"], "CSV is read and written through base/csv.h"),
    (re.compile(r"(gelf|libelf|elfutils/.*)\.h"), ["kernels"], "ELF is read through kernels/cubin.h"),
    (re.compile(r"(cuda\w*|nvml|driver_types)\.h"),
     ["harness", "bench", "sim", "kernels", "trace", "examples"],
     "this room knows nothing of CUDA"),
    (re.compile(r"dlfcn\.h"), ["harness", "sim"], "libraries are loaded by harness/"),
]

# Call -> the room in which one single file may make it.
ONE_PLACE = {"fork": "harness", "vfork": "harness", "clone": "harness", "dlopen": "harness"}
# The stand-in runtime loads the stand-in driver next to it.
ONE_PLACE_FREE = {"dlopen": ["sim"], "fork": ["examples"]}

# ---- who may speak and who may end the process ------------------------------------------------------

SPEECH = re.compile(
    r"\b(?:(?:v?printf|puts|putchar|perror|v?warnx?|v?errx?)\s*\(|(?:stdout|stderr)\b)"
)
ENDINGS = re.compile(r"\b(exit|_exit|_Exit|quick_exit|abort)\s*\(")
# The command layer, the two programs of the build, and programs to be traced.
SPEAKERS = ("cli/", "examples/", "kernels/generate.c", "kernels/describe.c", "tests/")
# A forked child leaves by _exit(); the simulated driver can crash on demand.
MAY_END = {"harness": {"_exit"}, "sim": {"abort"}}

# ---- what C offers and we decline -------------------------------------------------------------------

BANNED = {
    r"(?:str|stp)n?(?:cpy|cat)": "snprintf() or memcpy() with a length",
    r"v?sprintf": "snprintf()",
    r"gets": "getline()",
    r"ato(?:i|l|ll|f)": "strtoll(), and look at its end",
    r"strtok": "strtok_r() or strcspn()",
    r"alloca": "malloc()",
    r"system|popen": "a child process without a shell",
    r"tmpnam|tempnam|mktemp": "mkstemp()",
    r"gmtime|localtime|ctime|asctime": "the variant with _r",
}
STYLE = [
    (re.compile(r"\btypedef\s+(?:struct|union|enum)\b"), "no typedef of a struct, union or enum"),
    (re.compile(r"^[^\n\S]*#\s*pragma\s+once", re.M), "a guard named after the path, no pragma"),
]

FUNCTION_LINES_MAX = 60
PARAMETERS_MAX = 5
FILE_LINES_MAX = 500
# What the simulated device exports has the parameters that NVIDIA gave it.
FOREIGN_SIGNATURE = re.compile(r"^(?:cu|cuda|nvml)[A-Z]")

# ---- words ------------------------------------------------------------------------------------------

SPDX_ENDINGS = (".c", ".h", ".def", ".cu", ".py", ".sh", ".bats", ".cmake", ".gp", "CMakeLists.txt",
                ".ci/run")
SPDX = "SPDX-License-Identifier: MIT"
SPDX_WITHIN_LINES = 3

# Written in two pieces, so that this file obeys, too.
WORDS = [
    (re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X)\b"), "finish it, or take it out"),
    (re.compile(r"/wo" r"rk/|/tmp/br" r"ief|/root/\w"), "a path of somebody's machine"),
    (re.compile(r"\bwork" r"place\b|\bissue #?\d", re.I), "the project speaks of itself alone"),
    (re.compile(r"\b(?:py" r"pi\.org|pypi\.nvi" r"dia|pythonho" r"sted\.org|deb\.deb" r"ian\.org"
                r"|archive\.ubu" r"ntu\.com|developer\.download\.nvi" r"dia|registry\.np" r"mjs|gh"
                r"cr\.io|docker\.i" r"o|nv" r"cr\.io)\b", re.I),
     "registries are those that the machine is set up for"),
]

# ---- the rules --------------------------------------------------------------------------------------

INCLUDE = re.compile(r'^[^\n\S]*#[^\n\S]*include[^\n\S]*(?:"([^"\n]*)"|<([^>\n]*)>)', re.M)
BENCH_ROW = re.compile(r"^BENCH\((\w+)\)", re.M)
BENCH_DESCRIPTOR = re.compile(r"^const struct bench (\w+)\s*=", re.M)
BENCH_NAME = re.compile(r'^\s*\.name = "([a-z0-9]+(?:-[a-z0-9]+)+)"', re.M)
BENCH_USERS = ("harness/", "analysis/", "cli/", "plots/common.gp")


def includes(tree):
    for path, text in tree.select(".c", ".h", ".def", ".cu"):
        for match in INCLUDE.finditer(blank(text, strings=False)):
            yield path, line_of(text, match.start()), match.group(1), match.group(2)


def rule_includes(tree):
    """Every include in quotes starts at the root and exists."""
    for path, line, own, _ in includes(tree):
        if own is not None and own not in GENERATED and (".." in own or not tree.exists(own)):
            yield path, line, f'"{own}" is no path from the root of the project'


def rule_rooms(tree):
    """Rooms reach only where the plan lets them."""
    for path, line, own, _ in includes(tree):
        here = room(path)
        if own is None or here == "tests":
            continue
        if here not in REACH:
            yield path, line, f"no rule says what {here or 'a file at the root'} may include"
        elif not any(own == to or to.endswith("/") and own.startswith(to)
                     for to in REACH[here] + ANYWHERE):
            yield path, line, f"{here} may not include {own}"


def rule_headers(tree):
    """Foreign libraries are wrapped by one room."""
    for path, line, _, system in includes(tree):
        for header, rooms, why in WRAPPED_HEADERS:
            if system and header.fullmatch(system) and room(path) not in rooms + ["tests"]:
                yield path, line, f"<{system}>: {why}"


def rule_one_place(tree):
    """Processes are forked and libraries loaded in one file each."""
    for call, home in ONE_PLACE.items():
        first = None
        for path, code in tree.code():
            match = re.search(rf"(?<![\w.>]){call}\s*\(", code)
            if not match or room(path) in ["tests"] + ONE_PLACE_FREE.get(call, []):
                continue
            if room(path) != home:
                yield path, line_of(code, match.start()), f"{call}() belongs into {home}/"
            elif first:
                yield path, line_of(code, match.start()), f"{call}() already has its place in {first}"
            else:
                first = path


def rule_voice(tree):
    """Only the command layer prints or exits."""
    for path, code in tree.code():
        if path.startswith(SPEAKERS):
            continue
        for match in SPEECH.finditer(code):
            yield path, line_of(code, match.start()), "only cli/ speaks to the user"
        for match in ENDINGS.finditer(code):
            if match.group(1) not in MAY_END.get(room(path), ()):
                yield path, line_of(code, match.start()), f"{match.group(1)}(): a library returns"


def rule_banned(tree):
    """No call that cannot be used safely, and no habit that we agreed not to have."""
    for path, code in tree.code():
        for name, instead in BANNED.items():
            for match in re.finditer(rf"(?<![\w.>])({name})\s*\(", code):
                yield path, line_of(code, match.start()), f"{match.group(1)}(): take {instead}"
        for habit, why in STYLE:
            for match in habit.finditer(code):
                yield path, line_of(code, match.start()), why


def rule_comments(tree):
    """Comments are of one kind."""
    for path, text in tree.select(".c", ".h", ".def", ".cu"):
        for match in re.finditer(r"//|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", text, re.S):
            if match.group(0) == "//":
                yield path, line_of(text, match.start()), "comments are written /* */"


def rule_guards(tree):
    """A header's guard is its path."""
    for path, code in tree.code(".h"):
        guard = re.sub(r"\W", "_", path).upper()
        if not re.search(rf"^#ifndef {guard}\n#define {guard}\n", code, re.M):
            yield path, 1, f"the guard is not {guard}"


def rule_shape(tree):
    """Functions and files of a size that can be read; goto leads forward."""
    for path, code in tree.code():
        for function in functions(code):
            if function.line_count > FUNCTION_LINES_MAX:
                yield path, function.line, f"{function.name}() has {function.line_count} lines"
            if function.parameter_count > PARAMETERS_MAX and not (
                    room(path) == "sim" and FOREIGN_SIGNATURE.match(function.name)):
                yield path, function.line, (
                    f"{function.name}() has {function.parameter_count} parameters")
            yield from ((path, line, f"goto {label} leads back")
                        for line, label in backward_gotos(function))
    for path, text in tree.select(".c", ".h", ".py", ".sh", ".bats", ".gp"):
        if text.count("\n") > FILE_LINES_MAX:
            yield path, FILE_LINES_MAX + 1, f"the file has {text.count(chr(10))} lines"


def backward_gotos(function):
    labels = set()
    for offset, line in enumerate(function.body):
        label = re.match(r"\s*(\w+):(?!:)", line)
        if label:
            labels.add(label.group(1))
        for jump in re.finditer(r"\bgoto\s+(\w+)", line):
            if jump.group(1) in labels:
                yield function.body_line + offset, jump.group(1)


def rule_spdx(tree):
    """Every source names its licence at the top."""
    for path, text in tree.select(*SPDX_ENDINGS):
        if SPDX not in "\n".join(text.split("\n")[:SPDX_WITHIN_LINES]):
            yield path, 1, f"no {SPDX}"


def rule_benches(tree):
    """bench/benches.def and the files of bench/ name the same benchmarks."""
    list_path = "bench/benches.def"
    if list_path not in tree.paths:
        yield list_path, 1, "there is no list of benchmarks"
        return
    rows = {match.group(1): line_of(tree.text(list_path), match.start())
            for match in BENCH_ROW.finditer(tree.text(list_path))}
    for symbol, line in rows.items():
        if f"bench/{symbol}.c" not in tree.paths:
            yield list_path, line, f"there is no bench/{symbol}.c"
    for path, code in tree.code(".c"):
        if room(path) != "bench":
            continue
        symbol = os.path.basename(path)[:-2]
        descriptors = list(BENCH_DESCRIPTOR.finditer(code))
        if descriptors and symbol not in rows:
            yield path, line_of(code, descriptors[0].start()), f"{list_path} does not list it"
        if symbol in rows and len(descriptors) != 1:
            yield path, 1, f"a benchmark has one descriptor, this has {len(descriptors)}"
        elif symbol in rows and code[descriptors[0].start():].rstrip().count("\n}") != 1:
            yield path, line_of(code, descriptors[0].start()), "the descriptor is not the last thing"


def rule_special_cases(tree):
    """No benchmark is known by name outside its own file."""
    names = [(match.group(1), path) for path, text in tree.select(".c") if room(path) == "bench"
             for match in BENCH_NAME.finditer(blank(text, strings=False))]
    for path, text in tree.select(".c", ".h", ".def", ".gp"):
        if not path.startswith(BENCH_USERS):
            continue
        code = blank(text, strings=False)
        for name, home in names:
            for match in re.finditer(rf'"{name}"', code):
                yield path, line_of(code, match.start()), f"{name} is known in {home} only"


def rule_words(tree):
    """No leftovers, and nothing about the machine on which this was written."""
    for path in tree.paths:
        text = tree.text(path)
        for pattern, why in WORDS if text is not None else ():
            for match in pattern.finditer(text):
                yield path, line_of(text, match.start()), f"'{match.group(0)}': {why}"


def slug(heading):
    """The anchor that a heading gets on the usual forges."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    kept = (c for c in text if c in " -_" or unicodedata.category(c)[0] in "LN")
    return "".join(kept).replace(" ", "-")


def without_code(text):
    """Markdown without fenced blocks and code in the line, every line in its place."""
    text = re.sub(r"^(```|~~~).*?^\1", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", lambda m: " " * len(m.group(0)), text)


def anchors(text):
    prose = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.S | re.M)
    return {slug(match.group(1)) for match in re.finditer(r"^#+\s+(.*)$", prose.replace("`", ""), re.M)}


LINK = re.compile(
    r'\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)|^[ \t]*\[[^\]]+\]:[ \t]+(\S+)|(?:src|href)="([^"]+)"', re.M)


def rule_links(tree):
    """Every relative link in the documentation leads somewhere."""
    for path, text in tree.select(".md"):
        prose = without_code(text)
        for match in LINK.finditer(prose):
            target = next(group for group in match.groups() if group)
            if re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue
            file, _, anchor = target.partition("#")
            to = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
            line = line_of(prose, match.start())
            if to.startswith("..") or not tree.exists(to):
                yield path, line, f"{target} does not exist"
            elif anchor and to.endswith(".md") and anchor not in anchors(tree.text(to) or ""):
                yield path, line, f"{target}: no such heading"


RULES = {name[5:].replace("_", "-"): rule for name, rule in list(globals().items())
         if name.startswith("rule_") and inspect.isgeneratorfunction(rule)}


def main(arguments):
    if arguments == ["--list"]:
        print("\n".join(RULES))
        return 0
    if len(arguments) not in (1, 2) or arguments[0] not in RULES:
        print(__doc__, file=sys.stderr)
        return 2
    here = os.path.dirname(os.path.abspath(__file__))
    tree = Tree(arguments[1] if len(arguments) == 2 else os.path.join(here, "..", ".."))
    if not tree.paths:
        print(f"{tree.root}: no files", file=sys.stderr)
        return 2
    breaches = sorted(set(RULES[arguments[0]](tree)))
    for path, line, message in breaches:
        print(f"{path}:{line}: {message}")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
