#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""staged.py BUILD SOURCE: lines=auto, which is the default, counts the lines of stages, of functions with annotated loops, of what those call in their
unit, and of inline functions of that; lines=stages those of the first two; lines=all each. What is not counted has no hits in the report: it is
not said to be 0. And where a unit has neither stage nor annotated loop, auto and stages compile it to the same assembler as none."""
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
COUNTED = {"": "=~", "auto": "=~", "stages": "=", "all": "=~-", "none": ""}
expected = {}
with open(source) as lines:
    for number, text in enumerate(lines, 1):
        if found := re.search(r"/\* ([=~-])(\d+) \*/", text):
            expected[number] = found[1], int(found[2])
assert len({kind for kind, _ in expected.values()}) == 3 and len(expected) > 15
wrong = checked = 0
with tempfile.TemporaryDirectory() as folder:
    def compile(*arguments):
        subprocess.run([compiler, *arguments], check=True, timeout=300, cwd=folder)

    for flags in ("-O0", "-O2", "-O3 -flto", "-O2 -fPIC -pie"):
        for lines, counted in COUNTED.items():
            argument = [f"-fplugin-arg-profplug-lines={lines}"] if lines else []
            compile(*flags.split(), "-g", *argument, source, "-o", f"{folder}/program")
            data = f"{folder}/data.profplug"
            ran = subprocess.run([f"{folder}/program"], timeout=120, cwd=folder, env=environment(PROFPLUG=f"output={data}"), stdout=subprocess.DEVNULL)
            assert ran.returncode == 7, f"{flags}: exit status {ran.returncode}"
            report = read(build, "--top", "0", "--min-percent", "0", data)
            os.remove(data)
            hits = {}
            for line in report["lines"]:
                if os.path.basename(line["file"]) == os.path.basename(source) and "hits" in line:
                    hits[line["line"]] = hits.get(line["line"], 0) + line["hits"]
            for number, (kind, truth) in expected.items():
                checked += 1
                want = truth if kind in counted else None
                if hits.get(number) != want:
                    print(f"{flags} lines={lines or 'by default'}: {os.path.basename(source)}:{number}: {hits.get(number)} hits, expected {want}")
                    wrong += 1

    # Without a stage. The macros that mark are taken away; what is left is the same program.
    plain = f"{folder}/plain{os.path.splitext(source)[1]}"
    with open(plain, "w") as f:
        f.write(re.sub(r"PROFPLUG_(STAGE|LOOP)\(.*?\)", "", open(source).read()))
    made = {}
    for lines in ("none", "auto", "stages", "all"):
        compile("-O2", "-S", "-gno-record-gcc-switches", f"-fplugin-arg-profplug-lines={lines}", plain, "-o", f"{folder}/{lines}.s")
        made[lines] = open(f"{folder}/{lines}.s").read()
    checked += 3
    for lines in ("auto", "stages"):
        if made[lines] != made["none"]:
            print(f"lines={lines} without a stage: other assembler than with none")
            wrong += 1
    if made["all"] == made["none"]:
        print("lines=all: the same assembler as with none")
        wrong += 1
print(f"{os.path.basename(source)}: {checked} checks, {wrong} wrong")
sys.exit(1 if wrong else 0)
