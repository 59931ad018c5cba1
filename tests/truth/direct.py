#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""direct.py BUILD: what `syscall` does for a line (direct.c) stands at that line, user and kernel time, with perf events and without: it is as the C library's, though it is the runtime's."""
import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, must
from refused import PERF_EVENT_OPEN, refuse
from report import at, profiled

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "direct.c")
OFF = 0.1                                # what samples cost, and the clock


def test(build, scratch):
    must([f"{build}/profplug-gcc", "-O2", "-g", f"-I{os.path.dirname(SOURCE)}", SOURCE, "-o", f"{scratch}/direct"])
    for way, prepare in (("events", None), ("timers", lambda: refuse([PERF_EVENT_OPEN]))):
        said, document = profiled(build, [f"{scratch}/direct"], preexec_fn=prepare)
        line, ns = map(int, said.split())
        told = sum(row["self_ns"] for row in at(document["lines"], "direct.c", line))
        profiler = document["coverage"]["profiler_percent"]
        print(f"{way}: {told / 1e6:.0f} of {ns / 1e6:.0f} ms at the line, {profiler:.0f} % of the samples in the profiler")
        expect((1 - OFF) * ns <= told <= 1.02 * ns, f"the line has its time ({way})", told, ns)
        expect(profiler < 10, f"its samples are not the profiler's ({way})", profiler)


main(test)
