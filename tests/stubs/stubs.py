#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""stubs.py BUILD [WORD]: of each row of rows.txt (those that hold WORD): in a copy of the sources the row's function returns at once, or its metric
is 0, and the test that is named there fails. Before, it passes."""

import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.realpath(f"{os.path.dirname(os.path.abspath(__file__))}/../..")
MERGE = "report/merge/merge.c"


def rows():
    with open(f"{ROOT}/tests/stubs/rows.txt") as file:
        return [line.split() for line in file if line.strip() and line[0] != "#"]


def returned(text, function):
    """The source with `return` as the first statement of the function."""
    head = re.search(rf"^(int|void|bool) {function}\([^;{{]*\)\n\{{\n", text, re.M)
    return text[:head.end()] + ("    return;\n" if head[1] == "void" else "    return 0;\n") + text[head.end():]


def stub(table, name):
    """The file to change for a row, and its new text."""
    if table.endswith("metric.def"):
        identity = re.search(rf"^PP_METRIC\((\w+), +{name},", open(f"{ROOT}/{table}").read(), re.M)[1]
        text, loop = open(f"{ROOT}/{MERGE}").read(), "    for (unsigned i = 0; i < PP_METRIC_COUNT; i++) {\n        if (metric[i].fold == LEVEL) {\n"
        assert text.count(loop) == 1, f"{MERGE}: the loop over metrics is not there once"
        first, second = loop.splitlines(True)
        return MERGE, text.replace(loop, f"{first}        if (i == PP_METRIC_{identity}) {{\n            to->metric_known[i] = true;\n            continue;\n        }}\n{second}")
    folder = os.path.dirname(table)
    function = f"{os.path.basename(folder)}_{name}"
    if table.endswith("tools.def"):
        function = f"export_{name}"
    if table.endswith("exports.def"):
        function = re.search(rf"^EXPORT\({name}, +\w+, +(\w+),", open(f"{ROOT}/{table}").read(), re.M)[1]
    for room, _, files in os.walk(f"{ROOT}/report"):
        for file in sorted(files):
            path = f"{room}/{file}"
            if file.endswith(".c") and re.search(rf"^(int|void|bool) {function}\([^;{{]*\)\n\{{\n", open(path).read(), re.M):
                return os.path.relpath(path, ROOT), returned(open(path).read(), function)
    sys.exit(f"{table}: {name}: {function} is nowhere in report/")


def make(build):
    done = subprocess.run(["cmake", "--build", build], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"the copy does not build: {done.stdout[-3000:]}")


def fails(build, test):
    """Whether the test fails; None where it was skipped or is not there."""
    done = subprocess.run(["ctest", "--test-dir", build, "-R", f"^{test}$", "--no-tests=error", "--timeout", "600"], capture_output=True, text=True, check=False)
    if "No tests were found" in done.stdout + done.stderr or re.search(r"\*\*\*Skipped", done.stdout):
        return None
    return done.returncode != 0


def main(build, word=""):
    source, made = (os.path.realpath(f"{build}/stubs/{name}") for name in ("source", "build"))
    shutil.copytree(ROOT, source, symlinks=True, dirs_exist_ok=True, ignore=lambda folder, names: [
        name for name in names if name in (".git", ".cache", "__pycache__") or os.path.exists(f"{folder}/{name}/CMakeCache.txt")])
    subprocess.run(["cmake", "-S", source, "-B", made, "-G", "Ninja"], check=True, stdout=subprocess.DEVNULL)
    chosen = [row for row in rows() if word in " ".join(row)]
    for table, name, _ in chosen:        # a run that was killed may have left a stub's object
        os.utime(f"{source}/{stub(table, name)[0]}")
    make(made)
    wrong, sound = [], {test: fails(made, test) is False for test in {row[2] for row in chosen}}
    for table, name, test in chosen:
        if not sound[test]:
            wrong.append(f"{table}: {name}: {test} does not pass without a stub")
            print(wrong[-1], flush=True)
            continue
        path, text = stub(table, name)
        with open(f"{source}/{path}", "w") as file:
            file.write(text)
        try:
            make(made)
            noticed = fails(made, test)
        finally:
            shutil.copy(f"{ROOT}/{path}", f"{source}/{path}")
        if not noticed:
            wrong.append(f"{table}: {name}: {test} does not notice that it does nothing")
        print(wrong[-1] if not noticed else f"{table}: {name}: {test} fails", flush=True)
    make(made)
    print(f"{len(chosen)} rows, {len(wrong)} wrong")
    sys.exit(1 if wrong or not chosen else 0)


main(*sys.argv[1:3])
