#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""lives.py BUILD: of threads that live for 10, 1.8 and 0.3 ms (lives.c) the functions have the shares of the CPU time
that they took by the threads' clocks, within the printed errors: the mean of their squares, in those, is about 1, in
all runs together.
What profiling takes is in the clocks, and in no function: that is in all of them alike."""
import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, must
from report import named, profiled

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lives.c")
RUNS, SQUARES, OFF = 4, 1.7, 0.15    # OFF: of what the clocks say, with what profiling took


def test(build, scratch):
    must([f"{build}/profplug-gcc", "-O2", "-g", "-Wno-misleading-indentation", SOURCE, "-o", f"{scratch}/lives",
          "-pthread"])
    squares = []
    for threads, life_us in ((100, 10000), (600, 1800), (6000, 300)):
        for way in ("parts", "kinds"):
            told_ns, known_ns, rows, before = 0, 0, [], len(squares)
            for _ in range(RUNS):
                said, document = profiled(build, [f"{scratch}/lives", str(threads), str(life_us), way])
                if "perf_event_open" in document["runs"][0].get("sample_note", ""):
                    print(f"skipped: {document['runs'][0]['sample_note']}")
                    sys.exit(77)
                known = {name: int(ns) for name, ns in map(str.split, said.splitlines())}
                told = {name: named(document["functions"], name) for name in known}
                all_told, all_known = sum(f["self_ns"] for f in told.values()), sum(known.values())
                for name, f in told.items():
                    share, true = f["self_ns"] / all_told, known[name] / all_known
                    squares.append(((share - true) / (f["self_error_percent"] / 100 * share)) ** 2)
                    rows.append(f"{share:.3f}/{true:.3f}")
                told_ns, known_ns = told_ns + all_told, known_ns + all_known
            mean = sum(squares[before:]) / len(squares[before:])
            print(f"{threads} threads of {life_us} us, {way}: squares of {mean:.2f}; {told_ns / 1e6:.0f} ms told, "
                  f"{known_ns / 1e6:.0f} by the clocks; {' '.join(rows)}", flush=True)
            expect(abs(told_ns - known_ns) <= OFF * known_ns, "all of them have their time", told_ns, known_ns)
    mean = sum(squares) / len(squares)
    expect(mean <= SQUARES, "functions of threads that live shortly are as far off as is printed", mean)


main(test)
