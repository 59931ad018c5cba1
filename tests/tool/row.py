# SPDX-License-Identifier: MIT
"""row.py: the rows of a table of include/profplug/abi, the program that tries them, the ways to build it, and its runs.
Nothing is timed."""

import collections
import concurrent.futures
import hashlib
import os
import re
import shutil
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, line_of
from report import at, read

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "program/every.c")
LEVELS = {"-O0": ["-O0"], "-O2": ["-O2"], "-flto": ["-O2", "-flto"]}
COMPILERS = ("gcc", "profplug-gcc", "profplug-g++")
Row = collections.namedtuple("Row", "id key kind fallback values")
Run = collections.namedtuple("Run", "files report")
TEXT = r'"((?:[^"\\]|\\.)*)"'


def rows(table, macro):
    """The rows of `macro` in a .def; a collector has values of its own."""
    text = open(os.path.join(HERE, "../../include/profplug/abi", table)).read()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    if macro == "PP_COLLECTOR":
        found = [Row(name, key, "COLLECTOR", level, available) for name, key, level,
                 available in re.findall(rf"^PP_COLLECTOR\((\w+), *{TEXT}, *(\w+), *(\d)", text, re.M)]
    elif macro == "PP_GRADED":
        found = [Row(name, key, "COLLECTOR", level, values) for name, key, level,
                 values in re.findall(rf"^PP_GRADED\((\w+), *{TEXT}, *(\w+), *{TEXT}", text, re.M)]
    else:
        found = [Row(*row) for row in re.findall(rf"^{macro}\((\w+), *{TEXT}, *(\w+), *{TEXT}, *{TEXT}", text, re.M)]
    expect(len(found) == len(re.findall(rf"^{macro}\(", text, re.M)) and found,
           f"{table}: every row of {macro} is read", found)
    return found


def together(jobs):
    """Runs them on two threads; the work is other processes'."""
    with concurrent.futures.ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        for done in concurrent.futures.as_completed([pool.submit(*job) for job in jobs]):
            done.result()


class Maker:
    """Builds the program, runs it, reads its data; what was run already is not run again."""

    def __init__(self, build, scratch):
        self.build, self.scratch, self.runs = build, scratch, {}
        self.tool = build + "/profplug"
        ask = [self.tool, "config"]
        self.flags, self.libraries = (call([*ask, item]).out.split() for item in ("--cflags", "--libs"))
        shutil.copy(SOURCE, scratch + "/every.c")
        done = call(["gcc", "-I" + build + "/include", "every.c", "-o", "plain"], cwd=scratch)
        self.plain = call(["./plain"], cwd=scratch)
        expect(done.returncode == 0 and self.plain.returncode == 3, "the plain program", done.err)

    @staticmethod
    def said(done):
        return "".join(text for text in done.err.splitlines(True)
                       if "reading executable name failed" not in text)     # a sanitizer in the tool

    def compile(self, compiler, words, name, dependencies=False, link=True, silent=True, **more):
        """Returns what the compiler said, or None where it failed. Without link, name.o comes of it."""
        words = [*words, *(["-MD"] if dependencies else []), "every.c", "-o", name + ("" if link else ".o"),
                 *([] if link else ["-c"])]
        if compiler == "gcc":
            argv = ["gcc", *self.flags, *words, *(self.libraries if link else [])]
        else:
            argv = [f"{self.build}/{compiler}", *words]
        done = call(argv, cwd=self.scratch, **more)
        said = self.said(done)
        expect(done.returncode == 0 and not done.out and not (silent and said),
               f"{' '.join(argv)}: compiles{' and is silent' if silent else ''}", done.returncode, said)
        if done.returncode:
            return None
        if dependencies:
            rules = [f"{self.scratch}/{name}.d", f"{self.scratch}/{name}-every.d"]
            rules = [open(path).read() for path in rules if os.path.exists(path)]
            expect(rules and "every.c" in rules[0].split(), f"{' '.join(argv)}: names what it was made of", rules)
        return said

    def link(self, compiler, words, name, silent=True):
        if compiler == "gcc":
            argv = ["gcc", *words, name + ".o", *self.libraries]
        else:
            argv = [f"{self.build}/{compiler}", *words, name + ".o"]
        if compiler == "gcc" and "-flto" in words:
            argv[1:1] = self.flags
        done = call([*argv, "-o", name], cwd=self.scratch)
        said = self.said(done)
        expect(done.returncode == 0 and not (silent and said), f"{' '.join(argv)}: links", said)
        return None if done.returncode else said

    def digest(self, name):
        with open(f"{self.scratch}/{name}", "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()

    def run(self, what, argv, env=None, says=None):
        """Runs it in a folder of its own. Its output and status are the plain program's. It says nothing, or one line
        with the words of `says`."""
        folder = f"{self.scratch}/run-{hashlib.sha256(what.encode()).hexdigest()[:20]}"
        os.mkdir(folder)
        done = call(argv, cwd=folder, env=env)
        expect((done.returncode, done.out) == (self.plain.returncode, self.plain.out),
               f"{what}: output and status are the plain program's", done.returncode, done.out, done.err)
        expect(not done.err if not says else says in done.err and done.err.count("\n") == 1,
               f"{what}: says {says or 'nothing'}", done.err)
        files = sorted(name for name in os.listdir(folder) if name != "profplug-total")  # the count of max-total
        expect(len(files) < 2, f"{what}: leaves one data file", files)
        report = read(self.build, os.path.join(folder, files[0])) if files else None
        shutil.rmtree(folder)
        return Run(files, report)


def options(report):
    """What the run was recorded with."""
    return dict(one.split("=", 1) for one in report["runs"][0]["options"])


def hits(report, words):
    """How often the line with these words was reached; None where that was not counted."""
    return next((row["hits"] for row in at(report["lines"], SOURCE, line_of(open(SOURCE).read(), words)) if "hits" in row), None)


def mode(report, name):
    return next((row.get("mode") for row in report["functions"] if row["name"] == name), None)
