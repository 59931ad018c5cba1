#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""atonce.py BUILD: calls on sockets that return at once are counted, few of them are timed, and none waits (atonce.c).
Where a socket waits again, its waits are those of the program's own clock, also if another descriptor said so. Long
calls do not wait either, though their thread waits between them and may lose its CPU in them. Where one call in ten
takes ten times as long as the others, all of them together take what the thread's clock says."""
import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, must
from report import at, profiled

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "atonce.c")
NAMES = ("ask", "hear", "answer", "know", "nothing", "waits", "large")
LINES = {text: number for number, line in enumerate(open(SOURCE), 1) for text in NAMES
         if line.rstrip().endswith(f"/* {text} */")}
LONG_NS = 30000                          # three times what the runtime calls long (PP_LONG_NS)
MOVED = {"ask": 64, "hear": 64, "answer": 32, "know": 32, "nothing": 0}


def look(build, program, way, end):
    said, document = profiled(build, [program, way, end])
    calls, turns_ns, cpu_ns, waits, waited_ns = map(int, said.split())
    moves = [row for row in document["operations"] if row["operation"] in ("send", "receive", "read", "write")]
    rows = {name: at(moves, "atonce.c", line) for name, line in LINES.items()}
    for name, size in MOVED.items():
        row, = rows[name]
        expect(row["calls"] == calls and row["bytes"] == calls * size, f"{way}: each call of {name} is counted", row)
        expect(row["errors"] == (calls if name == "nothing" else 0), f"{way}: what fails is counted", row)
        expect(row["wait_ns"] < turns_ns / 100, f"{way}: {name} waits for nothing in {turns_ns} ns", row)
        expect(row.get("timed_calls", calls) < calls / 3, f"{way}: few calls of {name} are timed", row)
        expect(row["wall_ns"] < turns_ns, f"{way}: {name} takes a part of {turns_ns} ns", row)
    for name in ("served", "response"):
        row, = [row for row in document["operations"] if row["operation"] == name]
        expect(calls <= row["calls"] <= calls + waits, f"{way}: each turn is {name}", row)
    row, = rows["waits"]
    expect(row["calls"] == waits, f"{way}, {end}: each wait is counted", row)
    least = 0.95 * waited_ns if end == "undone" else 0.4 * waited_ns
    expect(least < row["wait_ns"] < 1.02 * waited_ns + (end != "undone") * 8 * waited_ns / waits,
           f"{way}, {end}: the waits are {waited_ns} ns", row)
    return sum(rows[name][0]["wall_ns"] for name in MOVED), cpu_ns, turns_ns


def look_large(build, program):
    said, document = profiled(build, [program, "accept4", "large"])
    reads, moved, longest_ns = map(int, said.split())
    row, = at([row for row in document["operations"] if row["operation"] == "read"], "atonce.c", LINES["large"])
    expect(row["calls"] == reads and row["bytes"] == moved, "each large read is counted", row)
    expect(longest_ns > LONG_NS, "some of them are long by the program's own clock", longest_ns)
    expect(row["wait_ns"] == 0, "large reads wait for nothing", row)


def look_uneven(build, program, way):
    said, document = profiled(build, [program, way, "uneven"])
    rows = [row for row in document["operations"] if row["operation"] in ("read", "write") and row["calls"] > 1000]
    share = sum(row["wall_ns"] for row in rows) / int(said)
    print(f"{way}: uneven calls take {share:.2f} of their thread's CPU time")
    expect(len(rows) == 2 and all(row["timed_calls"] < row["calls"] / 3 for row in rows), "few of them are timed", rows)
    return share


def test(build, scratch):
    program = f"{scratch}/atonce"
    must([f"{build}/profplug-gcc", "-O2", "-g", SOURCE, "-o", program, "-pthread"])
    for _ in range(3):
        look_large(build, program)
    for way in ("accept4", "file"):
        share = sorted(look_uneven(build, program, way) for _ in range(3))[1]
        expect(0.84 < share < 1.2, f"{way}: calls of ten times the others' time are not left out", share)
    for way in ("accept4", "fcntl", "ioctl"):
        for end in ("undone", "elsewhere"):
            booked_ns, cpu_ns, turns_ns = look(build, program, way, end)
            print(f"{way}, {end}: calls take {booked_ns / cpu_ns:.2f} of the turns' CPU time")
            expect(0.5 * cpu_ns < booked_ns < turns_ns, "calls that are not timed have the time of those that are",
                   booked_ns, cpu_ns, turns_ns)


main(test)
