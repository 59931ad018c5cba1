#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""begun.py BUILD: what pthread_create works is its caller's CPU time, also where the new thread takes its CPU (begun.c): a half to all of what the caller's clock says,
which has the runtime's part, too. None of the rest is a wait."""
import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, must
from report import at, profiled

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "begun.c")
ATTEMPTS = 3


def test(build, scratch):
    must([f"{build}/profplug-gcc", "-O2", "-g", "-Wall", "-pthread", SOURCE, "-o", f"{scratch}/begun"])
    good = False
    for _ in range(ATTEMPTS):
        said, document = profiled(build, [f"{scratch}/begun"])
        _, line, ns = said.split()
        rows = [row for row in at(document["operations"], "begun.c", int(line)) if row["operation"] == "start"]
        worked, waited = sum(row["wall_ns"] - row["wait_ns"] for row in rows), sum(row["wait_ns"] for row in rows)
        print(f"{worked / 1e6:.1f} ms of {int(ns) / 1e6:.1f} by the clock, {waited / 1e6:.1f} ms of waits")
        good = good or (0.5 * int(ns) <= worked <= int(ns) and waited <= 0.02 * int(ns))
    expect(good, "what the new thread took of the CPU is no time of its start")


main(test)
