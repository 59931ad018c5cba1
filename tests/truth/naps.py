#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""naps.py BUILD: what calls that only wait work is no part of their waits (naps.c): functions waited what the thread
was off the CPU by its own clocks, as far as that is told with an error, with perf events and where the kernel refuses
them. Short and long pauses of one line each have their own."""
import os
import statistics
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, must
from refused import PERF_EVENT_OPEN, refuse
from report import named, profiled

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "naps.c")
RUNS, SLACK, SIGMAS = 3, 0.02, 3
SHARED = ("often", "seldom")
MOST_ERROR, MOST_USUAL = 10, 4           # percent: an error is no excuse; in the middle run of each sampler


def test(build, scratch):
    must([f"{build}/profplug-gcc", "-O2", "-g", "-Wno-misleading-indentation", SOURCE, "-o", f"{scratch}/naps"])
    errors = {}
    for run in range(2 * RUNS):
        prepare = (lambda: refuse([PERF_EVENT_OPEN])) if run % 2 else None
        said, document = profiled(build, [f"{scratch}/naps"], preexec_fn=prepare)
        for name, low, high in map(str.split, said.splitlines()):
            least, most = int(low), int(high)
            row = named(document["functions"], name)
            waited, error = row.get("wait_total_ns", 0), row.get("wait_total_error_percent", 0)
            print(f"{name}: {waited / 1e6:.1f} ms +-{error:.1f} % of {least / 1e6:.1f} to {most / 1e6:.1f}")
            allowed = SLACK * most + SIGMAS * error / 100 * waited
            expect(least - allowed <= waited <= most + allowed, f"{name} waited while it was off the CPU", row, least,
                   most)
            if name not in SHARED:
                expect(error <= MOST_ERROR, f"{name}: its wait is known", row)
                errors.setdefault((name, run % 2), []).append(error)
    for (name, refused), of in errors.items():
        expect(statistics.median(of) <= MOST_USUAL, f"{name}: its wait is mostly known", refused, of)


main(test)
