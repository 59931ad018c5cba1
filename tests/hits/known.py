#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""known.py BUILD SOURCE: a program that says in comments how often its lines are reached, `/* =N */`, is right about each of them, at every level of
optimization. Exit statuses: the program's own is 7. Lines without a comment are not judged."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from program import environment
from report import read

build, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
compiler = f"{build}/profplug-g++" if source.endswith(".cc") else f"{build}/profplug-gcc"
SETS = ["-O0", "-O0 -fPIC -pie", "-O1", "-O2", "-O3", "-Os", "-O2 -flto", "-O2 -static", "-O2 -ffunction-sections -Wl,--gc-sections", "-O3 -fno-inline"]
if os.environ.get("HITS_FLAGS"):
    SETS = [os.environ["HITS_FLAGS"]]
expected = {}
with open(source) as lines:
    for number, text in enumerate(lines, 1):
        found = re.search(r"/\* =(\d+)", text)
        if found:
            expected[number] = int(found.group(1))
assert len(expected) > 40, f"only {len(expected)} lines with a known truth"
wrong = checked = 0
with tempfile.TemporaryDirectory() as folder:
    for flags in SETS:
        command = [compiler, *flags.split(), "-g", "-pthread", "-fplugin-arg-profplug-lines=all", source, "-o", f"{folder}/program"]
        subprocess.run(command, check=True, timeout=300, cwd=folder)
        subprocess.run(["strip", "-s", f"{folder}/program"], check=True)      # hits need no debug information in the program
        data = f"{folder}/data-%p.profplug"
        ran = subprocess.run([f"{folder}/program"], timeout=120, cwd=folder, env=environment(PROFPLUG=f"output={data}"), stdout=subprocess.DEVNULL)
        assert ran.returncode == 7, f"{flags}: exit status {ran.returncode}"
        hits = {}
        for name in sorted(os.listdir(folder)):
            if not name.endswith(".profplug"):
                continue
            for line in read(build, "--top", "0", "--min-percent", "0", f"{folder}/{name}")["lines"]:
                if os.path.basename(line["file"]) == os.path.basename(source) and "hits" in line:
                    hits[line["line"]] = hits.get(line["line"], 0) + line["hits"]
            os.remove(f"{folder}/{name}")
        for number, truth in expected.items():
            checked += 1
            if hits.get(number) != truth:
                print(f"{flags}: {os.path.basename(source)}:{number}: {hits.get(number)} hits, expected {truth}")
                wrong += 1
print(f"{os.path.basename(source)}: {checked} lines checked in {len(SETS)} builds, {wrong} wrong")
sys.exit(1 if wrong else 0)
