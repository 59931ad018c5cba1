#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""calibrate.py BUILD PROGRAM [RUNS] [MS]: are the printed errors of lines honest? PROGRAM (shares.c) says what each of its lines took; over RUNS runs the
estimates must be as far from that as their errors say, neither more nor less. The sum of the squares of their distances, in
errors, is chi-square distributed; a right report leaves the bounds once in ten million tests. Within one error lie 68 % of honest estimates."""
import json
import math
import os
import subprocess
import sys
import tempfile

build, program = sys.argv[1:3]
runs, ms = (int(v) for v in (sys.argv[3:] + ["40", "120"][len(sys.argv) - 3:]))
SIGMAS = 5.4            # one in 15 million, both sides

squares, inside, judged, degrees, worst = 0.0, 0, 0, 0, 0.0
by_line = {}
with tempfile.TemporaryDirectory() as work:
    for _ in range(runs):
        data = f"{work}/run.profplug"
        env = dict(os.environ, PROFPLUG=f"output={data},sample-hz=4000,budget=50")
        truth = {}
        for row in subprocess.run([program, str(ms)], env=env, check=True, capture_output=True, text=True).stdout.splitlines():
            truth[int(row.split()[0])] = float(row.split()[1])
        report = json.loads(subprocess.run([f"{build}/profplug", "report", "--format", "json", data], check=True, capture_output=True, text=True).stdout)
        os.unlink(data)
        lines = {r["line"]: r for r in report["lines"] if os.path.basename(r["file"]) == "shares.c"}
        whole = sum(truth.values())
        for line, cpu_ns in truth.items():
            got = lines[line]
            sigma = got["self_ns"] * got["error_percent"] / 100
            z = (got["self_ns"] - cpu_ns) / sigma
            squares += z * z * (1 - cpu_ns / whole)          # Pearson's: shares of one whole are not independent
            inside += abs(z) <= 1
            judged += 1
            worst = max(worst, abs(z))
            of = by_line.setdefault(line, [0, 0.0, 0.0, 0.0])
            of[0] += 1
            of[1] += z
            of[2] += z * z
            of[3] += got["error_percent"]
        degrees += len(truth) - 1

for line, (n, sum_z, sum_zz, error) in sorted(by_line.items()):
    print(f"line {line}: mean {sum_z / n:+.2f}, rms {math.sqrt(sum_zz / n):.2f} errors off; mean error {error / n:.1f} %")
ratio = squares / degrees
# Wilson and Hilferty: the cube root of a chi-square over its degrees of freedom is normal.
spread = 2 / (9 * degrees)
low, high = ((1 - spread + side * SIGMAS * math.sqrt(spread)) ** 3 for side in (-1, 1))
part, part_sigma = inside / judged, math.sqrt(0.683 * 0.317 / degrees)
print(f"{runs} runs, {judged} estimates: chi-square over {degrees} degrees of freedom {ratio:.3f}, allowed {low:.2f} to {high:.2f}; "
      f"{100 * part:.1f} % within one error, worst {worst:.1f}")
ok = low <= ratio <= high and abs(part - 0.683) <= SIGMAS * part_sigma
sys.exit(0 if ok and judged == runs * 8 else 1)
