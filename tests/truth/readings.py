#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""readings.py BUILD: CPU time of calls that only wait comes from readings of the thread's clock in some of them
(readings.c). What the data file has for a line is off from the program's own clock as much as its spread says, by
squares over RUNS runs. In the report such a line has an error, with perf events and where the kernel refuses them."""
import os
import sys

sys.path[:0] = [sys.path[0] + "/../support", sys.path[0] + "/../run"]
import refused
from datafile import DataFile
from program import expect, main, must
from report import at, read

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "readings.c")
RUNS, POLL = 24, 13
# A line with few readings of its longest calls has too little time and too small an error: some are three errors off.
LEAST, WITHIN, SIGMAS = 0.3, 0.75, 2     # the mean of squares over variances; how many are within so many errors
SMALLEST = 3                             # percent: each line has some 40 readings, which stand for 1,000 calls
FEWEST = 0.7                             # of the lines have CPU time in the report: not all, as samples may contradict


def test(build, scratch):
    must([f"{build}/profplug-gcc", "-O2", "-g", "-Wno-misleading-indentation", f"-I{os.path.dirname(SOURCE)}", SOURCE, "-o", f"{scratch}/readings"])
    squares, told_lines = [], 0
    for run in range(RUNS):
        data, forbidden = f"{scratch}/{run}.profplug", [refused.PERF_EVENT_OPEN] * (run % 2)
        said = must([f"{scratch}/readings"], env={"PROFPLUG": f"output={data}"}, preexec_fn=lambda: refused.refuse(forbidden) if forbidden else None)
        document, rows = read(build, data), DataFile(data).operations()
        points = {}
        for row in rows:
            if row["key"] >> 16 & 255 == POLL:
                points.setdefault(row["key"] & 0xffff, []).append(row)
        told = sorted((sum(row["cpu_ns"] for row in of), sum(row["spread"] for row in of) * 1024) for of in points.values())
        took = sorted(map(int, (text.split()[1] for text in said.splitlines())))
        expect(len(told) == len(took), "each line has a row", told, took)
        for text in said.splitlines():
            line, cpu = map(int, text.split())
            row, = at(document["lines"], "readings.c", line)
            if row["system_ns"]:
                told_lines += 1
                expect(row["error_percent"] >= SMALLEST, f"line {line} has an error", row, cpu)
        print([f"{cpu / 1e6:.2f}+-{variance ** 0.5 / 1e6:.2f} of {true / 1e6:.2f}" for (cpu, variance), true in zip(told, took)])
        squares += [(cpu - true) ** 2 / max(1, variance) for (cpu, variance), true in zip(told, took)]
    mean = sum(squares) / len(squares)
    within = sum(square <= SIGMAS ** 2 for square in squares) / len(squares)
    print(f"squares over variances: {mean:.2f}, {100 * within:.0f} % within {SIGMAS} errors; {told_lines} of {len(squares)} lines have CPU time")
    expect(told_lines >= FEWEST * len(squares), "lines have CPU time", told_lines, len(squares))
    expect(LEAST <= mean and within >= WITHIN, "readings are off by as much as their spread says", mean, within, squares)


main(test)
