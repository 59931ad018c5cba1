#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""turns.py BUILD: of two threads that take turns on one CPU (turns.c) the lines that compute have the time that they took by the threads' clocks, with perf events and without: what a thread was
without a CPU in the middle of a write is not taken off them. All runs together, and each line of each run in the mean within the printed errors."""
import math
import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, must
from refused import one_cpu, one_cpu_without_events
from report import at, profiled

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "turns.c")
RUNS = 8
OFF, ERRORS = 0.1, 1.6      # of what the clocks say, all runs together; of the printed errors, their squares in the mean


def test(build, scratch):
    must([f"{build}/profplug-gcc", "-O2", "-g", "-Wno-misleading-indentation", SOURCE, "-o", f"{scratch}/turns", "-pthread"])
    for way, prepare in (("events", one_cpu), ("timers", one_cpu_without_events)):
        told_ns = known_ns = squares = 0
        rows = []
        for _ in range(RUNS):
            said, document = profiled(build, [f"{scratch}/turns"], preexec_fn=prepare)
            for line, ns in (map(int, row.split()) for row in said.splitlines()):
                [row] = at(document["lines"], "turns.c", line)
                told_ns, known_ns = told_ns + row["self_ns"], known_ns + ns
                squares += ((row["self_ns"] - ns) / (row["error_percent"] / 100 * row["self_ns"])) ** 2
                rows.append(f"{row['self_ns'] / ns:.2f}")
        errors = math.sqrt(squares / len(rows))
        print(f"{way}: {told_ns / 1e6:.0f} ms told, {known_ns / 1e6:.0f} by the clocks; {errors:.2f} printed errors off in the mean; {' '.join(rows)}")
        expect(abs(told_ns - known_ns) <= OFF * known_ns, f"lines of threads that take turns have their time ({way})", told_ns, known_ns)
        expect(errors <= ERRORS, f"they are as far off as is printed ({way})", errors)


main(test)
