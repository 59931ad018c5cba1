#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""callgrind.py BUILD CACHE PROJECT: at -O2, `calls` equal those that callgrind counts on the same instrumented binary, for every function that
exists there under its name. Clones (.isra, .constprop) count for their function; parts that GCC split off are no calls."""
import collections
import re
import shutil
import subprocess
import sys

from project import Profiler, Project, Verdict, skip

build, cache, name = sys.argv[1:4]
if not shutil.which("valgrind"):
    skip("no valgrind on this machine")
project, profiler, verdict = Project(name, cache), Profiler(build), Verdict()
folder = f"{build}/real/{name}-callgrind"
work = f"{folder}/work"
# A cold part that jumps back looks like a call of the whole function to callgrind.
program = project.build(folder, profiler.compiler, ["-O2", "-g", "-fno-reorder-blocks-and-partition"], profiler.libraries)
arguments = project.arguments(work, 0.05)

out = f"{folder}/callgrind.out"
output = project.run(program, arguments, work, prefix=("valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--compress-strings=no", "--compress-pos=no"))
counted, edges = collections.Counter(), collections.Counter()
caller = callee = image = callee_image = None
for line in open(out, errors="replace"):
    word, _, rest = line.strip().partition("=")
    if word == "ob":
        image = rest
    elif word == "cob":
        callee_image = rest
    elif word == "fn":
        caller = rest
    elif word == "cfn":
        callee = rest
    elif word == "calls":
        if (callee_image or image) == program:          # the dynamic linker, too, has a check_match
            counted[callee] += int(rest.split()[0])
            edges[caller, callee] += int(rest.split()[0])
        callee_image = None
theirs, parts = collections.Counter(), collections.Counter()
for symbol, n in counted.items():
    base = re.sub(r"('\d+)?$", "", symbol)
    if re.search(r"\.(part|cold)\b", base):
        parts[base.split(".")[0]] += n
    else:
        theirs[re.sub(r"\.(isra|constprop|lto_priv)\.\d+", "", base)] += n

# Of a function that GCC split: the calls of its head, and those of the part that came from elsewhere, where the head was inlined.
split = {name: theirs[name] + n - sum(m for (a, b), m in edges.items() if ".part" in b and a.split(".")[0].split("'")[0] == b.split(".")[0] == name)
         for name, n in parts.items()}

profiled, report = profiler.profile(project, program, arguments, work)
verdict.expect(profiled == output, "the same output under callgrind and under us")
ours, inlined = collections.Counter(), set()
for f in report["functions"]:
    if ".part" not in f["name"]:
        ours[f["name"]] += f.get("calls", 0)
        if f["inlined"]:
            inlined.add(f["name"])
symbols = subprocess.run(["nm", "--defined-only", program], check=True, capture_output=True, text=True).stdout
defined = {line.split()[2].split(".")[0] for line in symbols.splitlines() if line.split()[1] in "tT"}
sources = {f["name"] for f in report["functions"] if f.get("file")}

causes = {}
compared = equal = 0
for function in sorted(sources & defined):
    n, m = ours[function], theirs[function]
    if n == 0 and m == 0:
        continue
    compared += 1
    if n == m:
        equal += 1
    elif function in parts and max(m, parts[function]) <= n <= split[function] and function in inlined:
        causes.setdefault("split by GCC: said to have inlined copies beside", []).append(f"{function}: ours {n}, callgrind {split[function]} with those")
    else:
        causes.setdefault("UNEXPLAINED", []).append(f"{function}: ours {n}, callgrind {m}")
print(f"{name}: {compared} functions compared, {equal} equal")
for cause, rows in sorted(causes.items()):
    print(f"  {cause}: {len(rows)}")
    for row in rows[:15]:
        print(f"    {row}")
verdict.expect(compared > 100, f"{compared} functions are compared")
verdict.expect("UNEXPLAINED" not in causes, "no disagreement is unexplained")
verdict.finish()
