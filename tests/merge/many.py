#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""many.py BUILD: what merging many files takes grows with their number as slowly as it should: memory hardly, instructions no faster than the files."""

import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, environment, expect, main, must, write

PROGRAM = "static volatile double sink;\n" + "".join(
    f"__attribute__((noinline)) static void f{i}(int n) {{ for (int k = 1; k < 20000 + n; k++) sink += 1.0 / k; }}\n" for i in range(100)) + \
    "int main(void)\n{\n" + "".join(f"    f{i}({i});\n" for i in range(100)) + "    return 0;\n}\n"
FEW, MANY = 10, 200


def peak_kb(argv, scratch):
    """The largest resident size of a command."""
    process = subprocess.Popen(argv, cwd=scratch, env=environment(), stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    expect(process.returncode == 0, "it merges", argv[:6])
    return usage.ru_maxrss


def instructions(argv, scratch):
    done = call(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *argv], cwd=scratch, timeout=280)
    found = re.search(r"Collected : (\d+)", done.err)
    return int(found[1]) if found else 0


def test(build, scratch):
    write(f"{scratch}/work.c", PROGRAM)
    must([f"{build}/profplug-gcc", "-O1", "-g", "-o", "work", "work.c"], cwd=scratch)
    for at in range(4):
        expect(call([f"{scratch}/work"], cwd=scratch, env={"PROFPLUG": f"output={at}.profplug,budget=off"}).returncode == 0, "it runs")
    names = [f"{at}.profplug" for at in range(4)]
    size_kb = os.path.getsize(f"{scratch}/0.profplug") // 1024
    merge = [f"{build}/profplug", "merge", "--as", "repeats", "-o", "all.profplug"]
    few, many = (peak_kb([*merge, *(names * count)[:count]], scratch) for count in (FEW, MANY))
    if "libasan" not in call(["ldd", merge[0]]).out:
        expect(many - few <= 0.25 * (MANY - FEW) * size_kb, "files do not stay in memory", few, many, size_kb)
    if shutil.which("valgrind") and "libasan" not in call(["ldd", merge[0]]).out:
        one, four = (instructions([*merge, *(names * count)[:count]], scratch) for count in (FEW, 4 * FEW))
        expect(0 < four <= 4.4 * one, "instructions by file", one, four)
    else:
        print("left out: instructions, valgrind is not installed")
    print(f"{size_kb} kB a file: {few} kB of memory for {FEW}, {many} kB for {MANY}")


main(test)
