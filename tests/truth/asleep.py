#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""asleep.py BUILD: where the kernel refuses perf events, and threads had to wait for a CPU, a function that sleeps in
calls that nobody wraps (asleep.c) has no CPU time for it, though no tick ever meets it."""
import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
import refused
from program import expect, main, must
from report import named, read

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "asleep.c")
RUNS, PART = 3, 0.15                     # a tick that meets it by chance; all it slept was told, and more


def test(build, scratch):
    must([f"{build}/profplug-gcc", "-O2", "-g", f"-I{os.path.dirname(SOURCE)}", SOURCE, "-o", f"{scratch}/asleep"])
    cpu = min(os.sched_getaffinity(0))

    def alone():
        os.sched_setaffinity(0, {cpu})
        refused.refuse([refused.PERF_EVENT_OPEN])

    for run in range(RUNS):
        said = must([f"{scratch}/asleep"], env={"PROFPLUG": f"output={scratch}/{run}.profplug"}, preexec_fn=alone)
        document = read(build, f"{scratch}/{run}.profplug")
        on, wall = map(int, said.split())
        told = named(document["functions"], "sleep_unseen").get("cpu_total_ns", 0)
        print(f"{on / 1e6:.1f} of {wall / 1e6:.1f} ms, told {told / 1e6:.1f}")
        expect(told <= on + PART * (wall - on), "what slept had no CPU", told, on, wall)


main(test)
