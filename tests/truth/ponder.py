#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ponder.py BUILD PROGRAM: how long calls waited that wait for 10 to 100 us is what the program's clocks say, in the median of several runs within 4 %, and no farther off than the errors say.
In some of them, drawn by chance, the runtime reads the thread's CPU clock, and those stand for the others."""

import statistics
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from report import at, profiled

build, program = sys.argv[1:3]
RUNS = 5
ATTEMPTS = 3                             # hosts take time, too
MOST = 0.04                              # of each sort's median: one call that a host held stands for 100. It was 0.06 when drawn calls told the share of CPU time, not the CPU time


def once():
    said, document = profiled(build, [program])
    for line, calls, waited in (map(int, text.split()) for text in said.splitlines()):
        row, = (o for o in at(document["operations"], "ponder.c", line) if o["operation"] == "read")
        waits = at(document["waits"], "ponder.c", line)
        error = sum((w["wait_error_percent"] / 100 * w["wait_ns"]) ** 2 for w in waits) ** 0.5
        assert row["calls"] == calls and error > 0, (row, waits)
        yield row["wait_ns"] / waited - 1, (row["wait_ns"] - waited) / error


def good():
    seen = [list(once()) for _ in range(RUNS)]
    off = [statistics.median(each for each, _ in sort) for sort in zip(*seen)]
    sigmas = statistics.fmean(sigma ** 2 for run in seen for _, sigma in run) ** 0.5
    print("waits are", " ".join(f"{each:+.1%}" for each in off), f"off, {sigmas:.2f} times their error:", " ".join(f"{each:+.1%}" for run in seen for each, _ in run))
    return all(abs(each) < MOST for each in off) and sigmas < 2


assert any(good() for _ in range(ATTEMPTS)), "waits are off each time"
