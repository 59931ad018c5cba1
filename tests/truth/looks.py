#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""looks.py BUILD: a call that could wait and returns at once is on the CPU (looks.c). What a line is told to have waited
is no more than its phase was off the CPU by the thread's clocks, and, of one that waits, no less than that; in LINES,
in OPERATIONS and in WAITS alike. Alone, and beside busy loops on its CPU, the calls' own clocks say no more than FACTOR
times what the thread's say, and no less than LEAST times."""
import os
import sys

sys.path[:0] = [sys.path[0] + "/../support", sys.path[0] + "/../run"]
import inclusive
from datafile import DataFile
from program import expect, main, must
from report import at, profiled

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "looks.c")
OFF, SLACK_NS = 0.35, 2e6                # of the CPU time: what the profiler itself takes is in it, and the clock is read in some of the calls; what a host takes beside them

# It was 12 where a reading of the CPU clock gave the CPU away before the call, and 2 where the clock's time was more
# than the call's by the clock on the wall. The runtime's own part of the thread's time is in no call: where that is
# large, calls have at least PLAIN of what they take with recording off.
LOOPS, FACTOR, LEAST, PLAIN, POLL = 2, 1.4, 0.7, 0.8, 13


def clocked(scratch, loops):
    cpu, data = min(os.sched_getaffinity(0)), f"{scratch}/{loops}.profplug"

    def run(options):
        said = must([f"{scratch}/looks"], env={"PROFPLUG": options}, preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))
        return sum(int(row.split()[2]) for row in said.splitlines())
    with inclusive.beside(loops, cpu):
        before, took, after = run("off"), run(f"output={data}"), run("off")
    told = sum(row["cpu_ns"] for row in DataFile(data).operations() if row["key"] >> 16 & 255 == POLL)
    print(f"beside {loops} busy loops: {took / 1e6:.1f} ms on the CPU, {told / 1e6:.1f} by the calls' clocks;",
          f"with recording off {before / 1e6:.1f} and {after / 1e6:.1f}")
    expect(min(LEAST * took, PLAIN * max(before, after)) <= told <= FACTOR * took,
           "calls beside others have what they took", told, took)


def test(build, scratch):
    must([f"{build}/profplug-gcc", "-O2", "-g", "-Wno-misleading-indentation", f"-I{os.path.dirname(SOURCE)}", SOURCE, "-o", f"{scratch}/looks"])
    said, document = profiled(build, [f"{scratch}/looks"])
    for line, wall, cpu in (map(int, row.split()) for row in said.splitlines()):
        slack = OFF * cpu + SLACK_NS
        if not (rows := [row for row in at(document["lines"], "looks.c", line) if row.get("wait_ns")]):      # a call within a function that was inlined: its own line
            rows = [row for row in document["lines"] if os.path.basename(row["file"]) == "looks.c" and row["line"] < 30 and row.get("wait_ns")]
        calls = [row for row in document["operations"] if row["operation"] in ("poll", "sleep") and row["line"] == rows[0]["line"]] if rows else []
        waits = [row for row in document["waits"] if row.get("line") == rows[0]["line"]] if rows else []
        told = [sum(row["wait_ns"] for row in of) for of in (rows, calls, waits)]
        print(f"line {line}: {wall / 1e6:.1f} ms, on the CPU {cpu / 1e6:.1f}, told to have waited", *[f"{ns / 1e6:.1f}" for ns in told])
        for what, ns in zip(("LINES", "OPERATIONS", "WAITS"), told):
            expect(ns <= wall - cpu + slack, f"line {line} waited no longer than it was off the CPU ({what})", ns, wall, cpu)
        if wall > 4 * cpu:
            expect(told[0] >= 0.95 * (wall - cpu) - SLACK_NS, f"line {line} waited as long as it was off the CPU", told, wall, cpu)
    for loops in (0, LOOPS):
        clocked(scratch, loops)


main(test)
