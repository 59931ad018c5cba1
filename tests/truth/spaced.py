#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""spaced.py BUILD: where blocks come and go by gigabytes, sampled ones are farther apart (spaced.c). They cost a part of the program's CPU time, which is held against runs
in turn without the heap; and what was asked for, and what lives, is within the printed errors."""
import os
import resource
import statistics
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, must
from report import at, profiled

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "spaced.c")
PAIRS, TRIES = 5, 3
MOST = 1.12


def cpu_seconds(program, scratch, options):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = call([program], cwd=scratch, env={"PROFPLUG": f"output={scratch}/%p.profplug,samples=off{options}"})
    expect(done.returncode == 0, "the program ends well", done.err)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test(build, scratch):
    program = f"{scratch}/spaced"
    must([f"{build}/profplug-gcc", "-O2", "-g", "-fno-builtin-malloc", SOURCE, "-o", program])
    for _ in range(TRIES):
        ratios = [cpu_seconds(program, scratch, "") / cpu_seconds(program, scratch, ",memory=off") for _ in range(PAIRS)]
        print("with the heap, of the CPU time without it:", " ".join(f"{ratio:.3f}" for ratio in ratios))
        if statistics.median(ratios) <= MOST:
            break
    expect(statistics.median(ratios) <= MOST, f"sampled blocks take {MOST} of the CPU time without them at most", ratios)
    said, document = profiled(build, [program])
    words = [int(word) for word in said.split()]
    for line, blocks, size in (words[:3], words[3:6]):
        row, = [row for row in at(document["allocations"], "spaced.c", line)]
        for what, value in (("blocks", blocks), ("bytes", size)):
            error = row.get(f"alloc_{what}_error_percent", 0) / 100 * row[f"alloc_{what}"]
            expect(abs(row[f"alloc_{what}"] - value) <= 4 * error, f"line {line}: {what} are within four printed errors", row[f"alloc_{what}"], value, error)


main(test)
