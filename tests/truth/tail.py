#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tail.py BUILD PROGRAM [RUNS]: are the printed errors of functions' totals honest, where only some of their calls are timed? PROGRAM (tail.c) says
what all calls took by its own clock. In every run the total must be within five of its errors of that, in half of the runs within one and a half; and an error that is
beyond 60 % of the total says nothing."""
import os
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from report import read

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "run"))
from datafile import DataFile  # noqa: E402

build, program = sys.argv[1:3]
runs = int(sys.argv[3]) if len(sys.argv) > 3 else 12
wrong = 0
spread = {}                      # of each shape: the sum of squares of what calls are off, in the run that others disturbed least
with tempfile.TemporaryDirectory() as work:
    for options in ("", "samples=off"):
        for shape in ("even", "skew", "rare", "waits"):
            if options == "samples=off" and shape in ("rare", "waits"):
                continue                                 # nobody saw the calls that no clock met: docs/limitations.md says so
            off, errors, sums = [], [], []
            for _ in range(runs):
                data = f"{work}/run.profplug"
                env = dict(os.environ, PROFPLUG=",".join(filter(None, [f"output={data}", options])))
                calls, truth = (int(v) for v in subprocess.run([program, shape], env=env, check=True, capture_output=True, text=True).stdout.split())
                report = read(build, data)
                squares = sum(n["squares_ns2"][0] + (n["squares_ns2"][1] << 64) for _, n in DataFile(data).nodes())
                spread[shape] = min(squares, spread.get(shape, squares))
                os.unlink(data)
                got = next(f for f in report["functions"] if f["name"] == "work")
                error = got.get("wall_error_percent", 0)
                # A clock's reading is in each of the program's own: 20 to 60 ns of a call of a microsecond and more.
                sigma = max(got["wall_total_ns"] * error / 100, 0.03 * truth)
                off.append((got["wall_total_ns"] - truth) / sigma)
                errors.append(error)
                sums.append(f"{got['wall_total_ns'] / 1e6:.1f}+-{error:.1f}% of {truth / 1e6:.1f}")
                if got["calls"] != calls:
                    print("WRONG calls:", got["calls"])
                    wrong += 1
            far, middle = max(abs(z) for z in off), statistics.median(abs(z) for z in off)
            bad = far > 5 or middle > 1.5 or statistics.median(errors) > 60
            wrong += bad
            print(f"{'WRONG' if bad else 'ok   '} {options or 'default':13} {shape:6} worst {far:.1f}, median {middle:.2f} errors off, median error {statistics.median(errors):.1f} %:", ", ".join(sums))
# A call in a hundred is fifty times as long: its square is more than the hundred others' together, however noisy they are.
if not spread["skew"] > 10 * spread["even"] > 0:
    print("WRONG spread:", spread)
    wrong += 1
sys.exit(1 if wrong else 0)
