#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""implicit.py BUILD: what members do that the compiler wrote (the copy and assignment of a structure in implicit.cc) stands at the lines that need them, and none
at the structure. A copy constructor that somebody wrote keeps its own. Blocks are exact, by an operator new that counts. CPU time is held against the thread's clock, and
asked again if it is off by SIGMAS of its printed error."""
import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, line_of, main
from report import at, profiled

HERE = os.path.dirname(os.path.abspath(__file__))
SIGMAS, SLACK, ATTEMPTS = 4, 0.1, 4
WAYS = {"O0": ["-O0"], "O2": ["-O2"], "O3": ["-O3"]}
LEAST = {"kept": 0.9, "assigned": 0.7, "written": 0.4}    # the loop around them and destructors have the rest


def counted(build, program, way, text, blocks):
    _, document = profiled(build, [program, "20"], "blocks=on")
    rows = at(document["lines"], "implicit.cc", line_of(text, "MARK structure"))
    expect(not any(row["samples"] or row.get("alloc_blocks") for row in rows), f"{way}: the structure has nothing", rows)
    for name in blocks:
        rows = at(document["lines"], "implicit.cc", line_of(text, f"MARK {name}"))
        expect(sum(row.get("alloc_blocks", 0) for row in rows) == blocks[name], f"{way}: {name} has {blocks[name]} blocks", rows)


def timed(build, program, way, text):
    said, document = profiled(build, [program, "1500"])
    sure = True
    for name, cpu_ns, _ in map(str.split, said.splitlines()):
        rows = at(document["lines"], "implicit.cc", line_of(text, f"MARK {name}"))
        got, error = sum(row["self_ns"] for row in rows), max((row["self_ns"] * row["error_percent"] / 100 for row in rows), default=0)
        print(f"{way}: {name} {got / 1e6:.0f} ms +- {error / 1e6:.0f}, by the clock {float(cpu_ns) / 1e6:.0f}")
        sure = sure and float(cpu_ns) * LEAST[name] - SIGMAS * error <= got <= float(cpu_ns) * (1 + SLACK) + SIGMAS * error
    return sure


def test(build, scratch):
    with open(f"{HERE}/implicit.cc") as source:
        text = source.read()
    for way, words in WAYS.items():
        done = call([f"{build}/profplug-g++", *words, "-g", f"{HERE}/implicit.cc", "-o", f"{scratch}/{way}"])
        expect(done.returncode == 0 and not done.err, f"{way}: it compiles", done.err)
        done = call(["g++", *words, "-DCOUNTS", f"{HERE}/implicit.cc", "-o", f"{scratch}/counts"])
        expect(done.returncode == 0, f"{way}: it compiles without the plugin", done.err)
        blocks = {name: int(count) for name, _, count in map(str.split, call([f"{scratch}/counts", "20"]).out.splitlines())}
        expect(all(blocks.values()) and len(blocks) == 3, f"{way}: the program counts its blocks", blocks)
        counted(build, f"{scratch}/{way}", way, text, blocks)
        expect(any(timed(build, f"{scratch}/{way}", way, text) for _ in range(ATTEMPTS)), f"{way}: CPU time of implicit members is their callers'")


main(test)
