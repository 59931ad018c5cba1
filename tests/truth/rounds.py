#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rounds.py BUILD: how many instructions calls of the allocator take, by callgrind, relative to the plain program. With recording off there is
nothing beyond a jump, and by default, with sampled blocks, about a tenth."""

import os
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{HERE}/../support")
from program import call, expect, main, must  # noqa: E402

# kind: fewer and more rounds
ROUNDS = {"m": (2000, 12000), "n": (2000, 12000), "e": (500, 2500), "c": (2000, 12000), "r": (2000, 12000),
          "a": (1000, 5000), "x": (20, 60), "t": (1, 3), "h": (2000, 42000)}
OFF_MOST = 1.01
# By default, with a margin of a hundredth or two above what was measured (docs/decisions/memory.md). Samples of CPU time are left out: how many a
# slow machine takes is no matter of the allocator.
MOST = {"m": 1.095, "n": 1.27, "e": 1.13, "c": 1.07, "r": 1.10, "a": 1.16, "x": 1.055, "t": 1.10, "h": 1.12}

NOTHING_MOST = 1.3                       # a free of nothing, with blocks=off
ATTEMPTS = 8                             # which blocks are drawn is by chance: the mean of some runs is judged


def instructions(program, kind, rounds, scratch, options):
    done = call(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, kind, str(rounds)], cwd=scratch,
                env={"PROFPLUG": f"output={scratch}/%p.profplug,{options}"})
    found = re.search(r"Collected : (\d+)", done.err)
    if done.returncode or not found:
        sys.exit(f"rounds.py: {program} {kind}: status {done.returncode}: {done.err[-2000:]}")
    return int(found.group(1))


def per_round(program, kind, scratch, options="level=off"):
    few, many = ROUNDS[kind]
    return (instructions(program, kind, many, scratch, options) - instructions(program, kind, few, scratch, options)) / (many - few)


def test(build, scratch):
    if not shutil.which("valgrind"):
        print("skipped: no valgrind on this machine")
        sys.exit(77)
    source, plain, profiled = f"{HERE}/rounds.c", f"{scratch}/plain", f"{scratch}/profiled"
    flags = ["-O2", "-g", "-fno-builtin-malloc", source, "-o"]
    must(["gcc", *flags, plain])
    must([f"{build}/profplug-gcc", *flags, profiled])
    for kind in ROUNDS:
        base = per_round(plain, kind, scratch)
        off = per_round(profiled, kind, scratch) / base
        off_blocks = per_round(profiled, kind, scratch, "samples=off,blocks=off") / base
        drawn = []
        while len(drawn) < ATTEMPTS:
            drawn.append(per_round(profiled, kind, scratch, "samples=off") / base)
            usual = sum(drawn) / len(drawn)
            if usual <= MOST[kind]:
                break
        print(f"{kind}: plain {base:.1f} instructions a round, off {off:.3f}, by default {usual:.3f}, the mean of {len(drawn)}, with blocks=off {off_blocks:.3f}")
        expect(off <= OFF_MOST, f"{kind}: with recording off a round takes at most {OFF_MOST} of plain's instructions", off)
        expect(usual <= MOST[kind], f"{kind}: by default at most {MOST[kind]}", usual)
        if kind == "n":
            expect(off_blocks <= NOTHING_MOST, f"{kind}: with blocks=off at most {NOTHING_MOST}", off_blocks)


main(test)
