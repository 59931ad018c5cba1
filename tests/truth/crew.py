#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""crew.py BUILD: the tasks of a pool of threads that share one CPU (crew.c) have the time that they took by the clocks
of the threads, with perf events and without. Such threads switch so often that ticks sample them, and ticks meet long
tasks: those of 3 ms were told 1.2 to 2 times theirs, those of 20 us 0.5 to 0.9. All runs together, and each within
the printed errors in the mean."""
import collections
import math
import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, must
from refused import one_cpu, one_cpu_without_events
from report import named, profiled

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "crew.c")
RUNS = 5
OFF, ERRORS = 0.2, 2                     # of what the clocks say; of the printed errors, their squares in the mean


def test(build, scratch):
    must([f"{build}/profplug-gcc", "-O2", "-g", "-Wno-misleading-indentation", "-pthread", SOURCE, "-o",
          f"{scratch}/crew"])
    for way, prepare in (("events", one_cpu), ("timers", one_cpu_without_events)):
        told, known, squares = collections.Counter(), collections.Counter(), []
        for _ in range(RUNS):
            said, document = profiled(build, [f"{scratch}/crew"], preexec_fn=prepare)
            rows = []
            for name, ns in ((name, int(ns)) for name, ns in map(str.split, said.splitlines())):
                row = named(document["functions"], name)
                told[name], known[name] = told[name] + row["cpu_total_ns"], known[name] + ns
                error_ns = row["cpu_total_error_percent"] / 100 * row["cpu_total_ns"]
                squares.append(((row["cpu_total_ns"] - ns) / error_ns) ** 2)
                rows.append(f"{name} {row['cpu_total_ns'] / ns:.2f} +-{row['cpu_total_error_percent']:.0f} %")
            print(f"{way}: {', '.join(rows)}", flush=True)
        errors = math.sqrt(sum(squares) / len(squares))
        parts = ", ".join(f"{name} {told[name] / known[name]:.2f}" for name in known)
        print(f"{way}: {parts} in all, {errors:.1f} printed errors off", flush=True)
        for name in known:
            expect(abs(told[name] - known[name]) <= OFF * known[name], f"{name} has its time ({way})", told, known)
        expect(errors <= ERRORS, f"they are as far off as is printed ({way})", errors)


main(test)
