# SPDX-License-Identifier: MIT
"""What the rules look at: the project's files, and C text with comments and strings blanked out."""

import os
import re
import subprocess

# Not the project's own text, should a tree without git be checked.
SKIPPED_FOLDERS = re.compile(r"^(\.git|\.deps|build.*|__pycache__)$")

TOKENS = re.compile(
    r"""(?P<comment>/\*.*?\*/|//[^\n]*)
      | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')""",
    re.S | re.X,
)
NAMED_CALL = re.compile(r"(\w+)\s*\(")
NO_FUNCTIONS = {"__attribute__", "if", "for", "while", "switch"}


def _listed_by_git(root):
    """Tracked files and new ones that nobody told git to ignore; None where root is no checkout."""
    top = subprocess.run(
        ["git", "-C", root, "rev-parse", "--show-toplevel"], capture_output=True, text=True, check=False
    )
    if top.returncode or os.path.realpath(top.stdout.rstrip("\n")) != os.path.realpath(root):
        return None
    names = subprocess.run(
        ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, check=True,
    )
    return [os.fsdecode(name) for name in names.stdout.split(b"\0") if name]


def _walked(root):
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not SKIPPED_FOLDERS.match(name)]
        for name in names:
            yield os.path.relpath(os.path.join(folder, name), root)


class Tree:
    """A checkout, its files by path from the root."""

    def __init__(self, root):
        self.root = root
        listed = _listed_by_git(root)
        if listed is None:
            listed = _walked(root)
        self.paths = sorted(path for path in listed if os.path.isfile(os.path.join(root, path)))
        self._texts = {}

    def text(self, path):
        """The text of a file; None for one that is not text."""
        if path not in self._texts:
            with open(os.path.join(self.root, path), "rb") as file:
                data = file.read()
            try:
                self._texts[path] = None if b"\0" in data else data.decode("utf-8")
            except UnicodeDecodeError:
                self._texts[path] = None
        return self._texts[path]

    def exists(self, path):
        return os.path.exists(os.path.join(self.root, path))

    def select(self, *endings):
        """(path, text) of the text files with these endings."""
        for path in self.paths:
            if path.endswith(endings) and self.text(path) is not None:
                yield path, self.text(path)

    def code(self, *endings):
        """(path, code) of C files, without comments and without what is inside quotes."""
        for path, text in self.select(*(endings or (".c", ".h"))):
            yield path, blank(text)


def room(path):
    """The folder at the root that a file is in; "" for one at the root."""
    return path.split("/")[0] if "/" in path else ""


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def blank(text, strings=True):
    """Comments (and strings) replaced by blanks; what is left stays on its line and in its column."""

    def replace(match):
        if match.group("string") is not None:
            if not strings:
                return match.group(0)
            quote = match.group(0)[0]
            return quote + " " * (len(match.group(0)) - 2) + quote
        return re.sub(r"[^\n]", " ", match.group(0))

    return TOKENS.sub(replace, text)


class Function:
    """A function definition as clang-format leaves it: braces at the margin, parameters indented."""

    def __init__(self, lines, brace, end):
        start = brace - 1
        while start > 0 and lines[start][:1] in ("\t", " "):
            start -= 1
        self.line = start + 1
        self.line_count = end - start + 1
        self.body_line = brace + 1
        self.body = lines[brace : end + 1]
        head = " ".join(lines[start:brace])
        names = [match for match in NAMED_CALL.finditer(head) if match.group(1) not in NO_FUNCTIONS]
        self.name = names[0].group(1) if names else "?"
        self.parameter_count = _count_parameters(head[names[0].end() :]) if names else 0


def _count_parameters(text):
    depth, commas, used = 0, 0, ""
    for char in text:
        if char == ")" and not depth:
            break
        depth += (char == "(") - (char == ")")
        commas += char == "," and not depth
        used += char
    return 0 if used.strip() in ("", "void") else commas + 1


def functions(code):
    """All function definitions in code without comments and strings."""
    lines = code.split("\n")
    for number, line in enumerate(lines):
        if line.rstrip() != "{" or not number:
            continue
        end = next((i for i in range(number, len(lines)) if lines[i].startswith("}")), None)
        if end is not None:
            yield Function(lines, number, end)
