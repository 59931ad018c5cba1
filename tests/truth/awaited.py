#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""awaited.py BUILD: where the kernel opens its first event of performance, a process waits for it for 10 ms before it works (awaited.c). That is no time of its run,
which takes no longer than its own clock and all of its CPU time say. An event of another process within the last second hides the wait, so each try waits for longer."""
import os
import sys
import time

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, must
from report import profiled

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "awaited.c")
ATTEMPTS = 4


def test(build, scratch):
    must([f"{build}/profplug-gcc", "-O2", "-g", "-Wall", SOURCE, "-o", f"{scratch}/awaited"])
    good = False
    for _ in range(ATTEMPTS):
        time.sleep(2)
        said, document = profiled(build, [f"{scratch}/awaited"])
        own, wall, lived = int(said.split()[1]), document["runs"][0]["wall_ns"], document["threads"][0]["wall_ns"]
        most = own + document["runs"][0]["cpu_ns"]
        print(f"{wall / 1e6:.2f} ms, thread {lived / 1e6:.2f}, of {own / 1e6:.2f} by its own clock, {most / 1e6:.2f} at most")
        good = good or (own <= wall <= most and own <= lived <= most)
    expect(good, "what the program waited before it began is no time of its run")


main(test)
