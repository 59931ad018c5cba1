#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""streams.py BUILD: writes that the C++ library makes for a line (streams.cc) are counted exactly at that line, and the same way from line to library is not unwound each
time: by callgrind, a write takes at most so many instructions beyond plain's."""
import os
import re
import shutil
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, must
from report import at, profiled

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "streams.cc")
FEW, MANY = 2000, 22000
MOST = 2000  # instructions; with unwinding it was 6,800


def instructions(program, rounds, scratch):
    done = call(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, str(rounds)], cwd=scratch,
                env={"PROFPLUG": f"output={scratch}/%p.profplug,samples=off"})
    found = re.search(r"Collected : (\d+)", done.err)
    if done.returncode or not found:
        sys.exit(f"streams.py: {program}: status {done.returncode}: {done.err[-2000:]}")
    return int(found.group(1)), sum(map(int, done.out.split()[1::2]))


def per_write(program, scratch):
    (least, few), (most, many) = instructions(program, FEW, scratch), instructions(program, MANY, scratch)
    return (most - least) / (many - few)


def test(build, scratch):
    must([f"{build}/profplug-g++", "-O2", "-g", "-Wall", SOURCE, "-o", f"{scratch}/streams"])
    said, document = profiled(build, [f"{scratch}/streams"])
    words = said.split()
    with open(SOURCE) as file:
        lines = {re.search(r"/\* (\w+) \*/", text).group(1): number for number, text in enumerate(file, 1) if re.search(r"std::endl; /\* \w+ \*/", text)}
    expect(len(lines) == 3, "three lines write", lines)
    for name, count in zip(words[::2], map(int, words[1::2])):
        calls = sum(row["calls"] for row in at(document["operations"], "streams.cc", lines[name]) if row["operation"] == "write")
        expect(calls == count, f"{name}: all writes stand at their line", calls, count)
    if not shutil.which("valgrind"):
        print("instructions are not looked at: no valgrind on this machine")
        return
    must(["g++", "-O2", "-g", SOURCE, "-o", f"{scratch}/plain"])
    plain, more = per_write(f"{scratch}/plain", scratch), per_write(f"{scratch}/streams", scratch)
    print(f"a write takes {plain:.0f} instructions, and {more - plain:.0f} more")
    expect(more - plain <= MOST, f"a write that a library makes takes at most {MOST} instructions more", more - plain)


main(test)
