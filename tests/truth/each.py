#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""each.py BUILD: the CPU time of threads is known exactly, so a function that is all of what a thread does has it
(each.c), whatever samples and clocks of calls say of it, with perf events and where the kernel refuses them."""
import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, must
from refused import PERF_EVENT_OPEN, refuse
from report import named, profiled

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "each.c")
RUNS = 4
OFF = 0.05                               # the thread's own start and end, and what the profiler did in it
PRINTED = 5                              # percent: an error beyond that says that it is not known


# By timers, where ticks keep step and a function was met by none, threads are not told apart. Such a run is made anew;
# without the clocks of threads something was off in each run.
ATTEMPTS = 4


def off(build, program, refused):
    """What is off in one run."""
    prepare = (lambda: refuse([PERF_EVENT_OPEN])) if refused else None
    said, document = profiled(build, [program], preexec_fn=prepare)
    rows, wrong = [], []
    for name, ns in map(str.split, said.splitlines()):
        row, took = named(document["functions"], name), int(ns)
        told, error = row.get("cpu_total_ns", 0), row.get("cpu_total_error_percent", 0)
        rows.append(f"{name} {told / took:.2f} +-{error:.0f} %")
        if abs(told - took) > OFF * took or error > PRINTED:
            wrong.append(rows[-1])
    print("timers:" if refused else "events:", ", ".join(rows), flush=True)
    return wrong


def test(build, scratch):
    must([f"{build}/profplug-gcc", "-O2", "-g", "-Wno-misleading-indentation", "-pthread", SOURCE, "-o",
          f"{scratch}/each"])
    for run in range(2 * RUNS):
        wrong = [off(build, f"{scratch}/each", run % 2)]
        while wrong[-1] and len(wrong) < ATTEMPTS:
            wrong.append(off(build, f"{scratch}/each", run % 2))
        expect(not wrong[-1], "functions have their threads' time", wrong)


main(test)
