#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""left.py BUILD: what longjmp leaves in the function that goes on is closed when it is entered again (left.c): entries are exact, and iterations but for the last entry's; an entry has not the time
of what came after it, and eight times as many take at most 24 times as long (64 times, when all of them stayed open)."""
import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, must
from report import profiled

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "left.c")
FEW, MANY = 3000, 24000


def test(build, scratch):
    must([f"{build}/profplug-gcc", "-O2", "-g", "-Wall", f"-I{build}/include", SOURCE, "-o", f"{scratch}/left"])
    took = {}
    for count in (FEW, MANY):
        said, document = profiled(build, [f"{scratch}/left", count])
        took[count] = int(said)
        stages = {row["name"]: row for row in document["stages"]}
        loops = {row["name"]: row for row in document["loops"]}
        calls = {name: stages[name]["calls"] for name in ("commands", "one", "rows")}
        expect(calls == {"commands": count // 3 + 1, "one": count, "rows": count // 3}, "each entry is counted", calls)
        iterations = {name: loops[name]["iterations"] for name in loops}
        expect(all(count - 3 <= iterations[name] <= count for name in ("commands", "rows")), "each iteration is counted, but for those of the last entry", iterations)
        expect(all(stages[name]["wall_total_ns"] <= 2 * document["runs"][0]["wall_ns"] for name in calls), "entries do not overlap", {name: stages[name]["wall_total_ns"] for name in calls})
    print(f"{FEW}: {took[FEW] / 1e6:.1f} ms, {MANY}: {took[MANY] / 1e6:.1f} ms")
    expect(took[MANY] <= 24 * took[FEW], "time grows with the number of entries", took)


main(test)
