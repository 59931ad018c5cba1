#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""packs.py BUILD: where the kernel refuses perf events, signals are milliseconds apart, and lines that take turns meanwhile share the kernel's time by chance, and as each has user time
(packs.c). So much their printed errors say: over lines and runs, what is told is off the thread's clocks by few of them in the mean."""
import math
import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, must
from refused import PERF_EVENT_OPEN, refuse
from report import at, profiled

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "packs.c")
RUNS = 8
ERRORS = 3                               # their squares in the mean; it was 4 to 20 when each signal was taken for a period


def test(build, scratch):
    must([f"{build}/profplug-gcc", "-O2", "-g", "-Wno-misleading-indentation", SOURCE, "-o", f"{scratch}/packs", "-lz"])
    squares, rows, widest = 0, [], []
    for _ in range(RUNS):
        said, document = profiled(build, [f"{scratch}/packs"], preexec_fn=lambda: refuse([PERF_EVENT_OPEN]))
        for line, ns in (map(int, row.split()) for row in said.splitlines()):
            found = at(document["lines"], "packs.c", line)
            told, error = sum(row["self_ns"] for row in found), sum(row["error_percent"] / 100 * row["self_ns"] for row in found)
            squares += ((told - ns) / max(error, document["runs"][0]["sample_period_ns"])) ** 2
            rows.append(f"{told / 1e6:.0f}+-{error / 1e6:.0f} of {ns / 1e6:.0f}")
            widest += [error / told] if ns > document["runs"][0]["cpu_ns"] / 2 else []
    errors = math.sqrt(squares / len(rows))
    print(f"{errors:.2f} printed errors off in the mean: {', '.join(rows)}")
    expect(errors <= ERRORS, "lines are as far off as is printed", errors)
    expect(len(widest) == RUNS and sum(widest) <= 0.6 * RUNS, "and the largest is told all the same", widest)


main(test)
