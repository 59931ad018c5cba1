#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""entries.py BUILD: of a stage of 0.15 ms (entries.c) the kernel's numbers are read for so few entries, after the first 64, that it takes at most half of the budget, by what such a reading takes
the program among its own work. Calls and times are of all entries."""
import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, must
from report import named, profiled

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "entries.c")
ENTRIES, FIRST, PART = 3000, 64, 0.01       # FIRST: PP_SAMPLED_FIRST


def test(build, scratch):
    must([f"{build}/profplug-gcc", "-O2", "-g", SOURCE, "-o", f"{scratch}/entries"])
    said, document = profiled(build, [f"{scratch}/entries", str(ENTRIES)])
    stage, run = named(document["stages"], "short"), document["runs"][0]
    expect((stage["calls"], stage["timed_calls"]) == (ENTRIES, ENTRIES), "each entry is timed", stage)
    skipped = run["given_up"].get("stage_metrics", {"count": 0})["count"]
    read_ns = int(said) * (ENTRIES - skipped - FIRST)
    print(f"read for {ENTRIES - skipped} of {ENTRIES} entries, {int(said) / 1e3:.1f} us each: {read_ns / 1e6:.1f} of {stage['cpu_ns'] / 1e6:.0f} ms")
    expect(FIRST < ENTRIES - skipped and read_ns <= PART * stage["cpu_ns"], "readings take half of the budget at most", read_ns, stage["cpu_ns"])


main(test)
