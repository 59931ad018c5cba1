#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pause.py BUILD PROGRAM: of short transfers few are timed; one that is long is known all the same, to some ticks of the kernel's coarse clock, whether it was its
turn or not: its wall time, that of waiting, and, on a socket, that of the answer."""

import sys

sys.path.insert(0, sys.path[0] + "/../support")
from report import at, profiled

build, program = sys.argv[1:3]
TICKS_NS = 1e8                           # ticks of 10 ms, the coarsest clock; and who is taken off the CPU between its own reading and the call waits less in it


def once():
    text, document = profiled(build, [program])
    said = [line.split() for line in text.splitlines()]
    assert [s[0] for s in said] == ["socket", "pipe"], said
    for kind, line, took in said:
        rows = [o for o in at(document["operations"], "pause.c", int(line)) if o["target_kind"] == kind]
        last = int(took)
        for row in [next(o for o in rows if o["operation"] == "read"), *(o for o in rows if o["operation"] == "response")]:
            assert row["calls"] == 1001, row
            # The others are short, together less than the last one; what is timed of them, by chance off the CPU, may add to that.
            assert row["wall_ns"] >= last - TICKS_NS and row["max_ns"] >= last - TICKS_NS, (kind, last, row)
    line, = at(document["lines"], "pause.c", int(said[0][1]))
    assert line["wait_ns"] >= sum(int(s[2]) for s in said) - 2 * TICKS_NS, (line, said)
    served = [o for o in document["operations"] if o["operation"] == "served"]
    assert served and max(o["max_ns"] for o in served) >= 300e6 - TICKS_NS, served


for _ in range(3):                       # whether it was the last one's turn to be timed is drawn
    once()
