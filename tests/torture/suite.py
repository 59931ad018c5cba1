# SPDX-License-Identifier: MIT
"""suite.py: finds the programs: those of GCC's own testsuite that are made to be run or to be compiled, with the options that their comments ask
for, and what Csmith generates. Must not know what is done with them."""
import os
import pathlib
import re
import subprocess
import zlib

# folder, file ending, runs: a program is run if its comments say so, or the whole folder is made to be run
FOLDERS = {
    "c": [("gcc.c-torture/execute", ".c", True), ("gcc.c-torture/execute/ieee", ".c", True), ("gcc.c-torture/execute/builtins", ".c", True),
          ("gcc.dg/torture", ".c", None), ("c-c++-common/torture", ".c", None)],
    "cxx": [("g++.dg/torture", ".C", None), ("g++.dg/eh", ".C", None), ("g++.dg/coroutines/torture", ".C", None)],
    "compile": [("gcc.c-torture/compile", ".c", False), ("gcc.dg/torture", ".c", False), ("g++.dg/torture", ".C", False),
                ("g++.dg/coroutines", ".C", False), ("g++.dg/eh", ".C", False)],
}
# What those folders' own drivers add.
DRIVERS = {
    "gcc.c-torture/execute/builtins": "-fno-tree-dse -fno-tree-loop-distribute-patterns -fno-tracer -fno-ipa-ra -fno-inline-functions",
    "g++.dg/coroutines": "-std=c++20", "g++.dg/coroutines/torture": "-std=c++20",
}
HERE = ("x86_64", "*-*-linux", "*-*-*", "lp64", "fpic", "pthread", "c99_runtime")
NOT_HERE = ("!", "ilp32", "ia32", "newlib")


class Program:
    def __init__(self, name, cxx, sources, options, runs):
        self.name, self.cxx, self.sources, self.options, self.runs = name, cxx, [str(s) for s in sources], options, runs
        self.chance = zlib.crc32(name.encode())      # for choices that stay the same from run to run


def target_matches(selector):
    return not selector or any(word in selector for word in HERE) and not any(word in selector for word in NOT_HERE) or selector.startswith("c++")


def asked_options(text):
    """The options that dg-options and its kin ask for; levels of optimization and dumps are not theirs to choose here."""
    words = []
    for line in re.findall(r"\{\s*dg-(?:additional-)?options\s+(?:\{\s*)?(.*)", text):
        found = re.match(r'"([^"]*)"\s*(?:\{\s*target\s+(.*?)\s*\}\s*\})?', line)
        if found and target_matches((found.group(2) or "").strip("{ ")):
            words += found.group(1).split()
    words = [w for w in words if not re.match(r"-O[0-3sg]?$|-fdump|-m(32|x32)$|-W", w) or w.startswith("-Wl")]
    if not any(w.startswith("-std") for w in words):
        newest = re.search(r"dg-do\s+\w+\s+\{\s*target\s+\{?\s*c\+\+(20|2a|23|2b)", text)
        if newest:
            words.append("-std=c++" + newest.group(1))
    return words


def made_to_run(text):
    found = re.search(r"\{\s*dg-do\s+(\w+)(?:\s+\{\s*target\s+(.*?)\s*\}\s*\})?", text)
    return bool(found) and found.group(1) == "run" and target_matches((found.group(2) or "").strip("{ "))


def read_program(tests, path, folder, runs):
    """None where the program is not of that sort."""
    text = path.read_text(errors="replace")
    if runs is None and not made_to_run(text) or runs is False and (made_to_run(text) or "dg-error" in text):
        return None
    options = DRIVERS.get(folder, "").split() + asked_options(text)
    sources = [path]
    if folder.endswith("/builtins"):
        sources += [path.with_name(path.stem + "-lib.c"), path.parent / "lib" / "main.c"]
    for more in re.findall(r'dg-additional-sources\s+"([^"]*)"', text):
        sources += [path.parent / name for name in more.split()]
    if "pthread.h" in text:
        options.append("-pthread")
    return Program(str(path.relative_to(tests)), path.suffix == ".C", sources, options, runs is not False)


def find_programs(group, tests):
    tests = pathlib.Path(tests)
    programs = []
    for folder, ending, runs in FOLDERS[group]:
        for path in sorted((tests / folder).glob("*" + ending)):
            if not path.stem.endswith("-lib"):
                program = read_program(tests, path, folder, runs)
                if program:
                    programs.append(program)
    return programs


def generate(csmith, seed, folder):
    """The program that Csmith makes of a seed. None where it takes too long over it."""
    path = pathlib.Path(folder) / f"csmith-{seed}.c"
    if not path.exists():
        part = path.with_suffix(f".{os.getpid()}.part")
        try:
            subprocess.run([csmith / "usr/bin/csmith", "--seed", str(seed), "-o", str(part)], check=True, timeout=60, stdout=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            part.write_text("")
        part.rename(path)
    if not path.stat().st_size:
        return None
    return Program(path.name, False, [path], ["-I" + str(csmith / "usr/include/csmith")], True)
