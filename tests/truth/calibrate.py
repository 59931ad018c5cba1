#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""calibrate.py BUILD PROGRAM [RUNS] [MS]: are the printed errors of lines honest? PROGRAM (shares.c) says what each of
its lines took, and what the CPU clock says of each stage, with the kernel's part.

Lines: how a stage's user time is divided among its lines is held against how the program's clocks divide it. A line's
printed error is that of its share and of the stage's user time, which has an error of its own; so the share's is what
is left. Distances must be as large as that says, neither more nor less: by Pearson the sum of their squares is chi-
square distributed, with one degree of freedom less than lines. A right report leaves the bounds once in ten million
tests. Within one error lie 68 % of honest estimates.

Stages: user time is at least what undisturbed pieces take, and at most what the CPU clock says, which has the kernel's
part of samples, too: a tenth of it on the two machines where that was measured. Over all runs the printed errors add up
to that of the sum."""
import math
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from report import read

build, program = sys.argv[1:3]
runs, ms = (int(v) for v in (sys.argv[3:] + ["40", "120"][len(sys.argv) - 3:]))
SIGMAS = 5.4            # one in 15 million, both sides

squares, inside, judged, degrees, worst = 0.0, 0, 0, 0, 0.0
by_line, by_stage = {}, {}
with tempfile.TemporaryDirectory() as work:
    for _ in range(runs):
        data = f"{work}/run.profplug"
        env = dict(os.environ, PROFPLUG=f"output={data},sample-hz=4000,budget=50")
        truth, clock = {}, {}
        for stage, line, ns in map(str.split, subprocess.run([program, str(ms)], env=env, check=True, capture_output=True, text=True).stdout.splitlines()):
            if line == "clock":
                clock[stage] = float(ns)
            else:
                truth.setdefault(stage, {})[int(line)] = float(ns)
        report = read(build, data)
        os.unlink(data)
        lines = {r["line"]: r for r in report["lines"] if os.path.basename(r["file"]) == "shares.c"}
        stages = {r["name"]: r for r in report["stages"]}
        for stage, of in truth.items():
            user, undisturbed = stages[stage]["user_ns"], sum(of.values())
            error = user * stages[stage]["user_error_percent"] / 100
            total = by_stage.setdefault(stage, [0.0, 0.0, 0.0, 0.0])
            for i, ns in enumerate((user, error ** 2, undisturbed, clock[stage])):
                total[i] += ns
            # The stage's user time has the error that its lines share. Their kernel time has another, and is no part of that.
            got = {line: lines.get(line, {}).get("user_ns", 0) for line in of}
            for line, ns in of.items():
                part = ns / undisturbed
                printed = lines[line]["error_percent"] if got[line] else 0
                variance = (lines[line]["self_ns"] * printed / 100) ** 2 - (got[line] / user * error) ** 2 if got[line] else 0
                # A line without samples has no error of its own: it is judged by what its share should have.
                if variance < 0:
                    sys.exit(f"line {line}: +-{printed} % of {lines[line]['self_ns']} ns, less than the stage's error leaves it: {got[line]} of {user} ns +- {error:.0f}")
                sigma = math.sqrt(variance) if got[line] else user * math.sqrt(part * (1 - part) / stages[stage]["samples"])
                z = (got[line] - part * sum(got.values())) / sigma
                squares += z * z * (1 - part)                    # Pearson's: shares of one whole are not independent
                inside += abs(z) <= 1
                judged += 1
                worst = max(worst, abs(z))
                row = by_line.setdefault(line, [0, 0.0, 0.0, 0.0])
                row[0] += 1
                row[1] += z
                row[2] += z * z
                row[3] += printed
            degrees += len(of) - 1

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
for stage, (user, variance, least, most) in by_stage.items():
    slack = SIGMAS * math.sqrt(variance)
    print(f"{stage}: {user / 1e6:.1f} +- {math.sqrt(variance) / 1e6:.1f} ms, {least / 1e6:.1f} undisturbed, {most / 1e6:.1f} by the CPU clock")
    ok = ok and least - slack <= user <= most + slack
sys.exit(0 if ok and judged == runs * 8 else 1)
