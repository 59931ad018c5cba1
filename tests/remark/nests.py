#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""nests.py BUILD: entries and steps of loops in loops (nests.c) are what the program counts itself, also where they are added up before the loop around them,
so that GCC vectorizes at -O3 what it vectorizes without the profiler; and callgrind sees hardly more instructions."""
import os
import re
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, line_of, main, must
from report import profiled

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE, NESTS = f"{HERE}/nests.c", 7
MOST = 1.05    # instructions, against plain's; a million is the start's


def vectorized(text):                              # lines, as GCC's record names them
    return set(re.findall(r"nests\.c:(\d+):\d+: optimized: loop vectorized", text))


def instructions(program, scratch):
    said = call(["valgrind", "--tool=callgrind", f"--callgrind-out-file={scratch}/callgrind", program], env={"PROFPLUG": f"samples=off,output={scratch}/run.profplug"}).err
    return int(re.search(r"Collected : (\d+)", said)[1])


def test(build, scratch):
    with open(SOURCE) as source:
        text = source.read()
    must(["gcc", "-O1", "-DCOUNTS", SOURCE, "-o", f"{scratch}/counts"])
    for level in ("-O2", "-O3"):
        plain = call(["gcc", level, "-g", "-fopt-info-vec-optimized", SOURCE, "-o", f"{scratch}/plain"]).err
        ours = call([f"{build}/profplug-gcc", level, "-g", "-fopt-info-vec-optimized", SOURCE, "-o", f"{scratch}/ours"]).err
        expect(level == "-O2" or str(line_of(text, "OUTER")) in vectorized(plain), f"{level}: GCC vectorizes an outer loop", plain)
        expect(vectorized(plain) <= vectorized(ours), f"{level}: what GCC vectorizes it vectorizes with us", plain, ours)
        for sizes in (["100", "200"], ["1", "17"], ["33", "300"]):
            counted = call([f"{scratch}/counts", *sizes]).out.splitlines()
            said, document = profiled(build, [f"{scratch}/ours", *sizes], cwd=scratch)
            expect(said.splitlines() == counted[:1], f"{level} {sizes}: the same output", said, counted)
            for i in range(NESTS):
                rows = [row for row in document["remarks"] if row["kind"] == "loop" and row["line"] == line_of(text, f"INNER {i}")]
                entries, steps = map(int, counted[1 + i].split())
                known = [row for row in rows if "entries" in row]
                expect(known or i == 5, f"{level} {sizes}: loop {i} is counted", rows)
                for row in known:
                    expect((row["entries"], row["steps"]) == (entries, steps), f"{level} {sizes}: loop {i} has {entries} entries and {steps} steps", row)
        program, other = f"{scratch}/ours", f"{scratch}/plain"
        more = instructions(program, scratch) - instructions(other, scratch)
        base = instructions(other, scratch)
        expect(more < 1e6 + (MOST - 1) * base, f"{level}: hardly more instructions", more, base)
        print(f"{level}: {more} instructions more than {base}")


main(test)
