#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""chatter.py BUILD PROGRAM: of short calls on sockets all are counted, as are answers, and few timed; what those stand for is within what all of them took
by the program's clock, and the answers' percentiles are of all."""

import os
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from report import at, profiled, read

build, program = sys.argv[1:3]
SIGMAS = 5.5                             # once in 26 million


class Late(AssertionError):
    """A time that preemption can stretch: one drawn call that was taken off its CPU stands for many. Asked again in a new run."""


def holds(condition, *what):
    if not condition:
        raise Late(*what)


def once(timing):
    said, document = profiled(build, [program], f"timing={timing}")
    *lines, (took,) = (list(map(int, line.split())) for line in said.splitlines())
    wall = error = timed = given = rounds = 0
    for (line, calls, moved), what in zip(lines, ("send", "receive", "write", "read")):
        row, = (o for o in at(document["operations"], "chatter.c", line) if o["operation"] == what)
        assert (row["calls"], row["bytes"], row["errors"], sum(row["sizes"])) == (calls, moved, 0, calls), row
        wall, rounds = wall + row["wall_ns"], calls
        error += row.get("wall_error_percent", 0) / 100 * row["wall_ns"]
        timed += row.get("timed_calls", calls)
    given = document["runs"][0]["given_up"].get("operation_times", {"count": 0})["count"]
    assert timed + given == 4 * rounds and (timed < 2 * rounds if timing == "adaptive" else not given), (timing, timed, given)
    holds(wall < took + SIGMAS * error, f"{timing}: {wall} +- {error} ns in calls, of {took} by the program's clock")
    for what in ("response", "served"):
        row, = (o for o in document["operations"] if o["operation"] == what)
        end, = (e for e in document["endpoints"] if f"{what}_calls" in e)
        tail = 0 if timing == "exact" else 20            # no timed one stands for them: of both sides' calls at most ten in a row are not timed
        assert row["calls"] == end[f"{what}_calls"] == rounds and rounds - tail <= sum(row["sizes"]) <= rounds, (what, row, end)
        holds(row["wall_ns"] < took + SIGMAS * row.get("wall_error_percent", 0) / 100 * row["wall_ns"], what, row, took)
        assert 0 < end[f"{what}_p50_ns"] <= end[f"{what}_p95_ns"] <= end[f"{what}_p99_ns"] <= end[f"{what}_max_ns"], end
        holds(end[f"{what}_p50_ns"] < 2 * took / rounds, what, end, took)
    print(f"{timing}: {timed} of {4 * rounds} calls timed, {wall / 1e6:.1f} +- {error / 1e6:.1f} of {took / 1e6:.1f} ms")


def full():
    """Where the data file has no room for the tables, what is not in them is lost, and counted."""
    with tempfile.TemporaryDirectory(dir=build) as folder:
        data = f"{folder}/run.profplug"
        subprocess.run([program], env={**os.environ, "PROFPLUG": f"output={data},max-file=64K"}, capture_output=True, check=True)
        document = read(build, data)
    booked, lost = sum(o["calls"] for o in document.get("operations", [])), document["runs"][0]["losses"]["operations"]
    assert lost and 600000 <= booked + lost <= 600010, (booked, lost)


full()
TRIES = 7                                # on a busy machine about one run in ten is late: all of them once in 10 million
for way in ("exact", "adaptive"):
    for last in [False] * (TRIES - 1) + [True]:
        try:
            once(way)
            break
        except Late as late:
            if last:
                raise
            print("again:", late)
