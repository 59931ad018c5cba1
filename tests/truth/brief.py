#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""brief.py BUILD PROGRAM: of short reads all are counted and few timed; what those stand for is what all of them took by the program's clocks: no
less than most of its CPU time (what the scheduler takes while one runs that is not timed is not seen), no more than the time."""

import statistics
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from report import at, profiled

build, program = sys.argv[1:3]
SIGMAS = 5.5                             # once in 26 million
REST = 0.7                               # of the loop at least is in reads


def once(timing):
    said, document, text = profiled(build, [program, "@/file"], f"timing={timing}", text=True)
    line, calls, moved, took, worked = map(int, said.split())
    row, = at(document["operations"], "brief.c", line)
    given = document["runs"][0]["given_up"].get("operation_times", {"count": 0})["count"]
    assert (row["operation"], row["calls"], row["bytes"], row["errors"]) == ("read", calls, moved, 0), row
    assert row["sizes"][0] + row["sizes"][4] == calls and row["sizes"][4] * 65536 + row["sizes"][0] * 64 == moved, row
    shown, = (r for r in text[text.index("\nOPERATIONS"):].splitlines() if f"brief.c:{line} " in r and " read " in r)
    if timing == "exact":
        assert "timed_calls" not in row and not given and "+-" not in shown, (row, given, shown)
        error = 0
    else:
        assert 16 <= row["timed_calls"] < calls / 2 and calls - row["timed_calls"] == given, (row, given)
        error = row["wall_error_percent"] / 100 * row["wall_ns"]
        assert error > 0 and "+-" in shown, (row, shown)
    assert row["wall_ns"] < took + SIGMAS * error, f"{row['wall_ns']} +- {error} ns in reads, of {took} by the program's clock"
    return row["wall_ns"], error, worked


runs = [(once("exact"), once("adaptive")) for _ in range(5)]
for way in range(2):                     # the rest of the loop is a generator's three steps, and us
    share = statistics.median(run[way][0] / run[way][2] for run in runs)
    assert share > REST - SIGMAS * statistics.median(run[way][1] / run[way][2] for run in runs), f"{share:.2f} of the program's own CPU time in reads: {runs}"
    print(("each timed:", "some timed:")[way], " ".join(f"{wall / 1e6:.1f} +- {error / 1e6:.1f} of {worked / 1e6:.1f} ms" for wall, error, worked in (run[way] for run in runs)))
