#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""region.py BUILD: what lines of a parallel region of OpenMP do in inlined functions of the C++ library stands at those lines, and the place in the header
beside it. Each line's CPU time is held against the threads' clocks; what is off by SIGMAS of the printed error, or has no such place, is asked again with another run."""
import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, line_of, main, must
from report import at, profiled

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "region.cc")
SIGMAS, SLACK, ATTEMPTS = 4, 0.08, 4


def once(build, program, level):
    said, document = profiled(build, [program])
    doubt = []
    outside = {f"{row['file']}:{row['line']}": row["samples"] for row in document["lines"] if row["samples"] and os.path.basename(row["file"]) != "region.cc"}
    expect(sum(outside.values()) <= 0.01 * document["coverage"]["samples"], f"{level}: samples stand in headers", outside)
    with open(SOURCE) as file:
        source = file.read()
    for name, ns in map(str.split, said.splitlines()):
        rows, ns = at(document["lines"], SOURCE, line_of(source, f"MARK {name}")), float(ns)
        rows += at(document["lines"], SOURCE, line_of(source, f"MARK {name}") - 1)       # the loop's step
        got, error = sum(row["self_ns"] for row in rows), sum((row["self_ns"] * row["error_percent"] / 100) ** 2 for row in rows) ** 0.5
        if abs(got - ns) > SIGMAS * error + SLACK * ns:
            doubt.append(f"{level}: {name} has {got / 1e6:.1f} ms +- {error / 1e6:.1f}, {ns / 1e6:.1f} by the clocks")
        inner = {os.path.basename(place["file"]) for row in rows for place in row.get("inner", [])}
        if not inner & {"cmath", "complex", "stl_vector.h"}:         # a tenth of its samples are there, and a busy machine allows few
            doubt.append(f"{level}: {name} has no places in headers beside it but {inner}")
    return doubt


def test(build, scratch):
    for level in ("-O1", "-O3"):
        program = f"{scratch}/region{level}"
        must([f"{build}/profplug-g++", level, "-g", "-Wall", "-fopenmp", "-fno-math-errno", SOURCE, "-o", program])
        for attempt in range(ATTEMPTS):
            doubt = once(build, program, level)
            print(*doubt, sep="\n")
            if not doubt:
                break
        expect(not doubt, "times of lines", doubt)


main(test)
