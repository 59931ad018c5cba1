#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""alternate.py BUILD: of threads that touch pages and compute in turns (alternate.c) each function has its time by the
threads' clocks, where CPU timers sample and others have the CPU, too: a thread's first tick in user code may come late,
and clocks know what it lost before that."""
import math
import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from inclusive import beside
from program import expect, main, must
from refused import PERF_EVENT_OPEN, refuse
from report import named, profiled

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "alternate.c")
RUNS = 8
OFF, ERRORS = 0.15, 1.6                  # the root of the mean square, of the time and of the printed errors


def root(squares):
    return math.sqrt(sum(squares) / len(squares))


def test(build, scratch):
    must([f"{build}/profplug-gcc", "-O2", "-g", "-Wno-misleading-indentation", "-pthread", SOURCE, "-o",
          f"{scratch}/alternate"])
    cpu = min(os.sched_getaffinity(0))
    off, errors = [], []

    def prepare():
        os.sched_setaffinity(0, {cpu})
        refuse([PERF_EVENT_OPEN])

    with beside(1, cpu):
        for _ in range(RUNS):
            said, document = profiled(build, [f"{scratch}/alternate"], preexec_fn=prepare)
            rows = []
            for name, took in ((name, int(ns)) for name, ns in map(str.split, said.splitlines())):
                row = named(document["functions"], name)
                told, error = row.get("cpu_total_ns", 0), row.get("cpu_total_error_percent", 0) / 100
                off.append((told / took - 1) ** 2)
                errors.append(((told - took) / max(error * told, 0.02 * took)) ** 2)
                rows.append(f"{name} {told / took:.2f} +-{100 * error:.0f} %")
            print(", ".join(rows), flush=True)
    print(f"off by {root(off):.2f} of the time, {root(errors):.2f} printed errors")
    expect(root(off) <= OFF, "functions have their time", root(off))
    expect(root(errors) <= ERRORS, "they are as far off as is printed", root(errors))


main(test)
