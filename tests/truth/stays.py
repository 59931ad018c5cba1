#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""stays.py BUILD: a function that stays in the kernel in calls that nobody wraps (stays.c) has its CPU time, with perf
events and without, and what computes beside it has no more than its own. By events no sample meets it, and what
computes had its time. All runs together are within three printed errors."""
import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, must
from refused import PERF_EVENT_OPEN, refuse
from report import named, profiled

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stays.c")
RUNS = 5
SIGMAS, OFF, PRINTED = 3, 0.03, 15       # OFF: what samples cost, which clocks see; PRINTED: percent, the middle run


def test(build, scratch):
    must([f"{build}/profplug-gcc", "-O2", "-g", "-Wno-misleading-indentation", SOURCE, "-o", f"{scratch}/stays"])
    for way, prepare in (("events", None), ("timers", lambda: refuse([PERF_EVENT_OPEN]))):
        told, known, squares, percents = {}, {}, {}, {}
        for _ in range(RUNS):
            said, document = profiled(build, [f"{scratch}/stays"], preexec_fn=prepare)
            for name, ns in map(str.split, said.splitlines()):
                row = named(document["functions"], name)
                has, percent = row.get("cpu_total_ns", 0), row.get("cpu_total_error_percent", 0)
                told[name] = told.get(name, 0) + has
                known[name] = known.get(name, 0) + int(ns)
                squares[name] = squares.get(name, 0) + (has * percent / 100) ** 2
                percents.setdefault(name, []).append(percent)
                print(f"{way}: {name} {has / int(ns):.2f} of {int(ns) / 1e6:.0f} ms +-{percent:.0f} %", flush=True)
        for name in known:
            off, error = abs(told[name] - known[name]), squares[name] ** 0.5
            print(f"{way}: {name} is {off / error if error else 0:.1f} printed errors off in all runs", flush=True)
            expect(off <= SIGMAS * error + OFF * known[name], f"{name} has its time ({way})", told[name], known[name],
                   error)
            printed = sorted(percents[name])
            expect(printed[RUNS // 2] <= PRINTED and printed[-1] <= 2 * PRINTED, f"and its error is small ({way})",
                   name, printed)


main(test)
