#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sends.py BUILD: a send on a new connection that takes long, and in which the kernel says that the thread kept its CPU, is not told as a wait. The thread
slept just before, so that its count of switches has grown, and the last call on the connection before was short."""
import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, line_of, main, must
from report import profiled

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sends.c")
ROUNDS = 1000
MOST = 0.1                               # of the time: a thread that lost its CPU, by chance
ATTEMPTS = 3


def test(build, scratch):
    program = f"{scratch}/sends"
    must([f"{build}/profplug-gcc", "-O2", "-g", SOURCE, "-o", program])
    with open(SOURCE) as file:
        line = line_of(file.read(), "MARK send")
    for attempt in range(ATTEMPTS):      # where something made it wait, once more
        said, document = profiled(build, [program, str(ROUNDS)])
        if int(said) <= ROUNDS * MOST / 10:
            break
    expect(int(said) <= ROUNDS * MOST / 10, "the kernel says that sends did not wait", said)
    rows = [row for row in document["operations"] if row["operation"] == "send" and row["line"] == line]
    calls, wall, wait = (sum(row[what] for row in rows) for what in ("calls", "wall_ns", "wait_ns"))
    print(f"{calls} sends took {wall / calls / 1e3:.1f} us each, {100 * wait / wall:.1f} % of that told as waits")
    expect(calls == ROUNDS and wall > 10e3 * calls, "sends are long", rows)
    expect(wait <= MOST * wall, "they are not told as waits", rows)


main(test)
