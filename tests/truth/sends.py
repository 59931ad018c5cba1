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
LONG_NS = 10e3                           # PP_LONG_NS: from there the runtime asks the kernel
MOST = 0.1                               # of the time: a thread that lost its CPU, by chance
ATTEMPTS = 6


def test(build, scratch):
    program = f"{scratch}/sends"
    must([f"{build}/profplug-gcc", "-O2", "-g", SOURCE, "-o", program])
    with open(SOURCE) as file:
        line = line_of(file.read(), "MARK send")
    for attempt in range(ATTEMPTS):      # where something took its CPU, once more
        said, document = profiled(build, [program, str(ROUNDS)])
        lost, took, longest = map(int, said.split())
        if lost <= ROUNDS * MOST / 10 and longest <= took * MOST / 2:
            break
    expect(lost <= ROUNDS * MOST / 10 and longest <= took * MOST / 2, "sends kept their CPU by the kernel", said)
    rows = [row for row in document["operations"] if row["operation"] == "send" and row["line"] == line]
    calls, wall, wait = (sum(row[what] for row in rows) for what in ("calls", "wall_ns", "wait_ns"))
    print(f"{calls} sends took {took / calls / 1e3:.1f} us each, told as {wall / calls / 1e3:.1f}, "
          f"{100 * wait / wall:.1f} % of that as waits")
    expect(calls == ROUNDS and took > LONG_NS * calls, "sends are long by the program's own clock", said)
    expect(wait <= MOST * wall, "they are not told as waits", rows)


main(test)
