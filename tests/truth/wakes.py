#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""wakes.py BUILD: writes in which a woken thread takes the CPU (wakes.c) have the CPU time that they took by the writer's clock, and not what others computed meanwhile; and so has the line
that computes between them. All runs together, as only some calls have their clock read; the rest of a reading of the program's clock is beyond what it says."""
import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, must
from refused import one_cpu
from report import at, profiled

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "wakes.c")
RUNS = 8
LEAST, MOST = 0.8, 1.3      # of what the clocks say, all runs together


def test(build, scratch):
    must([f"{build}/profplug-gcc", "-O2", "-g", "-Wno-misleading-indentation", SOURCE, "-o", f"{scratch}/wakes", "-pthread"])
    told, known = [0, 0], [0, 0]
    rows = []
    for _ in range(RUNS):
        said, document = profiled(build, [f"{scratch}/wakes"], preexec_fn=one_cpu)
        for which, (line, ns) in enumerate(map(int, row.split()) for row in said.splitlines()):
            [row] = at(document["lines"], "wakes.c", line)
            told[which] += row["self_ns"]
            known[which] += ns
            rows.append(f"{row['self_ns'] / ns:.2f} +-{row['error_percent']:.0f} %")
    print("; ".join(rows))
    for what, ns, clock_ns in zip(("writes", "computing"), told, known):
        print(f"{what}: {ns / 1e6:.0f} ms told, {clock_ns / 1e6:.0f} by the clock")
        expect(LEAST * clock_ns <= ns <= MOST * clock_ns, f"{what}: the CPU time that it took", ns, clock_ns)


main(test)
