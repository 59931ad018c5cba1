#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""elsewhere.py BUILD: a program of one thread that sleeps in a system call of its own (elsewhere.c) is told to have
been for so long neither on a CPU nor in a known wait, and one that sleeps in a known call is not."""
import os
import re
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, must
from report import profiled

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "elsewhere.c")
SLEPT_MS, MORE_MS = 400, 40     # MORE_MS: of a machine that goes on late


def test(build, scratch):
    must([f"{build}/profplug-gcc", "-O2", "-g", "-Wno-misleading-indentation", SOURCE, "-o", f"{scratch}/elsewhere"])
    for way in ("own", "known"):
        _, document, text = profiled(build, [f"{scratch}/elsewhere", way], text=True)
        notices = " ".join(document["runs"][0]["notices"])
        told = re.search(r"for ([0-9.]+) ms, \d+ % of the time, it neither computed nor waited in known calls", notices)
        print(way, told and told[0])
        if way == "own":
            ms = float(told[1]) if told else 0
            expect(SLEPT_MS - 1 <= ms <= SLEPT_MS + MORE_MS, "time that is neither CPU nor a known wait is told", ms)
            expect("neither computed nor waited" in text, "the report says it", text[:800])
        else:
            expect(not told, "a known wait is no such time", notices)


main(test)
