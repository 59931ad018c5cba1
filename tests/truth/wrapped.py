#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""wrapped.py BUILD: what a function that allocates and frees has of the CPU time (wrapped.c), held against the thread's
clock. That contains what profiling such calls costs, 3 to 14 % of them (docs/decisions/memory.md). But 15 to 30 % of
the samples there meet the allocator's wrappers. Half of these are the program's: told as the profiler's, it would lack
them all. A loop that calls nothing lacks only what samples take themselves."""
import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, must
from report import named, profiled

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "wrapped.c")
OPTIONS = "sample-hz=4000,budget=50"
LEAST, MOST = 0.86, 1.03                 # of what the loop has


def test(build, scratch):
    must([f"{build}/profplug-gcc", "-O2", "-g", "-fno-builtin-malloc", SOURCE, "-o", f"{scratch}/wrapped"])
    said, document = profiled(build, [f"{scratch}/wrapped"], OPTIONS)
    part = {name: named(document["functions"], name)["self_ns"] / int(clock)
            for name, clock in zip(("allocate", "multiply"), said.split())}
    print(", ".join(f"{name} has {told:.3f} of its clock" for name, told in part.items()))
    coverage = document["coverage"]
    expect(coverage["samples_profiler"] > 0.01 * coverage["samples"], "the wrappers are met", coverage)
    expect(LEAST <= part["allocate"] / part["multiply"] <= MOST, "both have alike", part)


main(test)
