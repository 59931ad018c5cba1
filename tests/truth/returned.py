#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""returned.py BUILD: what the kernel does in frees that give memory back stands at their line, with perf events and where the kernel refuses them: half to one and a half
times what the thread's CPU clock has around the frees (returned.c). OPERATIONS has as many of them as took so long, within a tenth."""
import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, must
from refused import PERF_EVENT_OPEN, refuse
from report import at, profiled

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "returned.c")
ATTEMPTS = 3


def test(build, scratch):
    must([f"{build}/profplug-gcc", "-O2", "-g", "-Wall", SOURCE, "-o", f"{scratch}/returned"])
    for refused in (False, True):
        good = False
        for _ in range(ATTEMPTS):
            said, document = profiled(build, [f"{scratch}/returned"], preexec_fn=(lambda: refuse((PERF_EVENT_OPEN,))) if refused else None)
            _, line, ns, times = said.split()
            got = sum(row["system_ns"] for row in at(document["lines"], "returned.c", int(line)))
            calls = sum(row["calls"] for row in at(document["operations"], "returned.c", int(line)) if row["operation"] == "memory")
            print(f"{'timers' if refused else 'events'}: {got / 1e6:.1f} ms of {int(ns) / 1e6:.1f} at the line, {calls} frees of {times}")
            good = good or (0.5 * int(ns) <= got <= 1.5 * int(ns) and abs(calls - int(times)) <= 0.1 * int(times))
        expect(good, "the kernel's time in frees is at their line", refused)


main(test)
