#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""walk.py PROGRAM: how many instructions finding the calls of a sample takes, by callgrind, from 20 and 100 calls deep. Where no call has changed since the last
sample it is one comparison for each call, and where the innermost has, a comparison and an entry in the path."""

import os
import re
import shutil
import sys

sys.path.insert(0, f"{os.path.dirname(os.path.abspath(__file__))}/../support")
from program import call  # noqa: E402

WALKS = 102
# at most: no call has changed; every second time another function is the innermost caller; instructions a walk
MOST = {20: (3500, 9500), 100: (6500, 24000)}
LEAST = {20: 9000, 100: 30000}           # unwinding all of it: else there would be nothing to save


def instructions(program, depth, way):
    done = call(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=measured", program, "cost", str(depth), way])
    found = re.search(r"Collected : (\d+)", done.err)
    if done.returncode or not found:
        sys.exit(f"walk.py: {depth} {way}: status {done.returncode}: {done.err[-2000:]}")
    return int(found.group(1)) // WALKS


if not shutil.which("valgrind"):
    print("skipped: no valgrind on this machine")
    sys.exit(77)
wrong = 0
for depth, (same, turn) in MOST.items():
    got = {way: instructions(sys.argv[1], depth, way) for way in ("all", "turn", "same")}
    print(f"{depth} calls deep: {got['all']} instructions unwind all, {got['turn']} if the innermost caller changes by turns, {got['same']} if none does")
    wrong += got["same"] > same or got["turn"] > turn or got["all"] < LEAST[depth]
sys.exit(f"walk.py: more than {MOST}, or less than {LEAST} for all" if wrong else 0)
