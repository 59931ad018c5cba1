#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""inlaid.py BUILD: where CPU timers sample and the thread shares its CPU, clocks tell the time of functions that pause
in an inlined one (inlaid.c): they have what the thread's clock says, and their errors are those of clocks."""
import os
import statistics
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from inclusive import beside
from program import expect, main, must
from refused import PERF_EVENT_OPEN, refuse
from report import named, profiled

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "inlaid.c")
RUNS, SIGMAS, SLACK = 6, 3, 0.05
PART, MOST_ERROR = 0.15, 9               # of the time of all; percent, in the mean of such functions and all runs
SELDOM_MET, OFF = "waits", 0.3           # by ticks it had 0.02 to 0.5 of its time; in all runs together


def test(build, scratch):
    must([f"{build}/profplug-gcc", "-O2", "-g", "-Wno-misleading-indentation", SOURCE, "-o", f"{scratch}/inlaid"])
    cpu = min(os.sched_getaffinity(0))
    errors, seldom = [], []

    def prepare():
        os.sched_setaffinity(0, {cpu})
        refuse([PERF_EVENT_OPEN])

    with beside(1, cpu):
        for _ in range(RUNS):
            said, document = profiled(build, [f"{scratch}/inlaid"], preexec_fn=prepare)
            known = {name: int(ns) for name, ns in map(str.split, said.splitlines())}
            rows = []
            for name, took in known.items():
                row = named(document["functions"], name)
                told, error = row.get("cpu_total_ns", 0), row.get("cpu_total_error_percent", 0)
                rows.append(f"{name} {told / took:.2f} +-{error:.0f} %")
                if name == SELDOM_MET:
                    seldom.append((told, took))
                else:
                    allowed = SIGMAS * error / 100 * told + SLACK * took
                    expect(abs(told - took) <= allowed, f"{name}: within its errors", told, took, error)
                errors += [error] if took >= PART * sum(known.values()) else []
            print(", ".join(rows), flush=True)
    told, took = map(sum, zip(*seldom))
    print(f"errors of {statistics.mean(errors):.1f} % in the mean, {SELDOM_MET} {told / took:.2f}")
    expect(statistics.mean(errors) <= MOST_ERROR, "errors are those of clocks", errors)
    expect(abs(told - took) <= OFF * took, f"{SELDOM_MET}, which ticks seldom meet, has its time", told, took)


main(test)
