#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""storage.py BUILD PROGRAM: how much of what stages read came from storage, by the kernel's account and by what was dropped from the page cache before."""

import os
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from report import read

build, program = sys.argv[1:3]
MIB = 1 << 20
WHOLE = {"written": 0, "dropped": 8 * MIB, "again": 0, "half": 4 * MIB, "mapped": 8 * MIB, "direct": 8 * MIB}
with tempfile.TemporaryDirectory(dir=build) as folder:
    data = f"{folder}/run.profplug"
    done = subprocess.run([program, f"{folder}/file"], env={**os.environ, "PROFPLUG": f"output={data}"}, capture_output=True, text=True)
    if done.returncode == 77:
        print(f"skipped: what is read in {build} comes from no storage, or stays in memory")
        sys.exit(77)
    assert done.returncode == 0 and not done.stderr, (done.returncode, done.stderr)
    document = read(build, data)
    text = subprocess.run([f"{build}/profplug", "report", "--all", data], env={**os.environ, "COLUMNS": "200"}, capture_output=True, text=True, check=True).stdout
stages = {s["name"]: s for s in document["stages"]}
said = {name: int(count) for name, count in map(str.split, done.stdout.splitlines())}
assert said.keys() - {"direct"} == WHOLE.keys() - {"direct"}, said
for name, kernel in said.items():
    got = stages[name]["storage_read_bytes"]
    # The program's own looks are inside; pages of other files (its code, the library's) that its thread comes to first are in both.
    assert kernel <= got <= kernel + 256 * 1024, f"{name}: {got}, the kernel says {kernel}"
    assert WHOLE[name] <= got <= WHOLE[name] + MIB, f"{name}: {got}, {WHOLE[name]} were not in memory"
    assert (name == "mapped") == (stages[name]["read_bytes"] < 8 * MIB), (name, stages[name])
assert "from storage" in text, text
print(said)
