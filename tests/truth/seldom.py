#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""seldom.py BUILD: a thread that works for a tenth of a millisecond now and then (seldom.c) is sampled as often as one
that works all the time, and its functions have the CPU time that the thread's clock tells. The kernel's ticks would
meet it ten times."""
import math
import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, must
from report import named, profiled

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "seldom.c")
RUNS = 4
SIGMAS = 4                      # of all runs together
LEAST = 0.85                    # the clocks have in them what it takes to time both functions, with cold caches
SAMPLES = 0.5                   # in a millisecond of user time, where 1 is asked for


def test(build, scratch):
    must([f"{build}/profplug-gcc", "-O2", "-g", SOURCE, "-o", f"{scratch}/seldom"])
    told_ns, variance, known_ns, samples = {}, {}, {}, 0
    for _ in range(RUNS):
        said, document = profiled(build, [f"{scratch}/seldom"])
        note = document["runs"][0].get("sample_note", "")
        if "perf_event_open" in note:
            print(f"skipped: {note}")
            sys.exit(77)
        expect("ticks" not in note, "no ticks sampled it", note)
        samples += document["coverage"]["samples"]
        for name, ns in map(str.split, said.splitlines()):
            row = named(document["functions"], name)
            known_ns[name] = known_ns.get(name, 0) + int(ns)
            told_ns[name] = told_ns.get(name, 0) + row.get("self_ns", 0)
            error_ns = row.get("self_ns", 0) * row.get("self_error_percent", 0) / 100
            variance[name] = variance.get(name, 0) + error_ns ** 2
    for name, ns in known_ns.items():
        error_ns = math.sqrt(variance[name])
        print(f"{name}: {told_ns[name] / 1e6:.1f} ms +-{error_ns / 1e6:.1f} of {ns / 1e6:.1f}")
        expect(LEAST * ns - SIGMAS * error_ns <= told_ns[name] <= ns + SIGMAS * error_ns, f"{name}: its CPU time",
               told_ns[name], ns, error_ns)
    print(f"{samples} samples")
    expect(samples * 1e6 >= SAMPLES * sum(known_ns.values()), "it was sampled", samples, known_ns)


main(test)
