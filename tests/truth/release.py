#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""release.py BUILD PROGRAM: opens that empty a large file, and closes that free one, work in the kernel: of their time is waiting what the program's own
clocks leave for it, and what the runtime itself takes between them."""

import os
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from report import read

build, program = sys.argv[1:3]
PART = 0.2     # of the CPU time: what the runtime may take of it, some microseconds of milliseconds
with tempfile.TemporaryDirectory(dir=build) as folder:
    data = f"{folder}/run.profplug"
    done = subprocess.run([program, f"{folder}/file"], env={**os.environ, "PROFPLUG": f"output={data}"}, capture_output=True, text=True)
    if done.returncode == 77:
        print(f"skipped: no room in {build}: {done.stderr}")
        sys.exit(77)
    assert done.returncode == 0 and not done.stderr, (done.returncode, done.stderr)
    rows = read(build, data)["operations"]
for line in done.stdout.splitlines():
    name, wall, cpu = line.split()[0], *map(int, line.split()[1:])
    found = [row for row in rows if row["operation"] == name and row.get("function") in ("open_empty", "close_last")]
    waited, took = sum(row["wait_ns"] for row in found), sum(row["wall_ns"] for row in found)
    print(f"{name}: {wall / 1e6:.1f} ms, of it {cpu / 1e6:.1f} ms of CPU time; said: {took / 1e6:.1f} ms, of it {waited / 1e6:.1f} ms waiting")
    assert took >= cpu * (1 - PART), (name, took, cpu)
    assert waited <= max(wall - cpu, 0) + PART * cpu, f"{name}: {waited} ns of waiting; the clocks leave {wall - cpu}"
