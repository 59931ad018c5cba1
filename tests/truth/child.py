#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""child.py BUILD PROGRAM: system and pclose are waits for a child, and a read of what it writes is one even if that is nothing, as long as the child and the program's clock say."""

import os
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from report import read

build, program = sys.argv[1:3]
with tempfile.TemporaryDirectory(dir=build) as folder:
    data = f"{folder}/run.profplug"
    done = subprocess.run([program], env={**os.environ, "PROFPLUG": f"output={data}"}, capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, (done.returncode, done.stderr)
    rows = read(build, data)["operations"]
for line in done.stdout.splitlines():
    name, least, most, kind = line.split()[0], *map(int, line.split()[1:3]), line.split()[3]
    found = [row for row in rows if row["operation"] == kind and row.get("function") == name]
    calls, waited = sum(row["calls"] for row in found), sum(row["wait_ns"] for row in found)
    print(f"{name}: {calls} calls, {waited / 1e6:.1f} ms waiting; {least / 1e6:.1f} to {most / 1e6:.1f} ms")
    assert calls == (2 if name == "by_system" else 1), (name, found)
    # what the child does before it sleeps may be CPU time of the parent: the kernel copies its page tables
    assert 0.9 * least <= waited <= most, (name, waited, least, most)
