#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""same.py BUILD CACHE PROJECT LEVEL: PROJECT compiled with the plugin prints what it prints without, profiled or not, and its report names
functions and lines that are there: every file exists, every line is in it, and the functions that callgrind finds expensive come first."""
import collections
import os
import re
import shutil
import subprocess
import sys

from project import Profiler, Project, Verdict

build, cache, name, level = sys.argv[1:5]
project, profiler, verdict = Project(name, cache), Profiler(build), Verdict()
folder = f"{build}/real/{name}-{level}"
flags = [f"-{level}", "-g"]
plain = project.build(f"{cache}/plain/{name}-{level}", ["gcc"], flags, keep=True)
program = project.build(folder, profiler.compiler, flags, profiler.libraries)
work = f"{folder}/work"
sizes = {"lua": 12, "sqlite": 10, "zstd": 8}
arguments = project.arguments(work, sizes[name] / (1 if level == "O2" else 3))

expected = project.run(plain, arguments, work)
verdict.expect(len(expected.splitlines()) > 1, f"plain: {len(expected.splitlines())} lines of output")
verdict.expect(project.run(program, arguments, work) == expected, "the same output with PROFPLUG=off")
output, report = profiler.profile(project, program, arguments, work)
verdict.expect(output == expected, "the same output while profiled")
if name == "zstd":
    threaded = [arguments[0], arguments[1], "2"]
    output, two = profiler.profile(project, program, threaded, work)
    verdict.expect(output == project.run(plain, threaded, work), "the same output with two threads")
    verdict.expect(two["runs"][0]["thread_count"] >= 3, f"two workers and the main thread: {two['runs'][0]['thread_count']} threads")

# Functions and lines that are there.
lengths = {}


def lines_of(path):
    if path not in lengths:
        lengths[path] = len(open(path, errors="replace").read().splitlines()) if os.path.exists(path) else 0
    return lengths[path]


# Debug information of the C library, where it is installed, names files that are not.
images = {m["id"] for m in report["modules"] if m["path"] == program}
own = {f["id"] for f in report["functions"] if f.get("module_id") in images}
functions = [f for f in report["functions"] if f["id"] in own and (f.get("calls", 0) > 0 or f.get("self_ns", 0) > 0)]
placed = [f for f in functions if f.get("file")]
lines = [l for l in report["lines"] if l.get("self_ns", 0) > 0 and l.get("function_id") in own]
verdict.expect(len(functions) > 50, f"{len(functions)} functions, {len(placed)} with a place, {len(lines)} lines with time")
verdict.expect(len(lines) > 10, "at least ten lines have time")
ours = {os.path.basename(s) for s in project.sources}
bad = [f"{f['name']} {f['file']}:{f.get('line')}" for f in placed if not 1 <= f.get("line", 0) <= lines_of(f["file"])]
verdict.expect(not bad and placed, f"functions: every file exists and has the line {bad[:5]}")
bad = [f"{l['file']}:{l['line']}" for l in lines if l.get("file") and not 1 <= l["line"] <= lines_of(l["file"])]
verdict.expect(not bad, f"lines: every file exists and has the line {bad[:5]}")
wrong = []
for f in sorted(placed, key=lambda f: -f.get("calls", 0))[:200]:
    if os.path.basename(f["file"]) in ours and f.get("line"):
        text = open(f["file"], errors="replace").read().splitlines()
        # The declarator's line carries the name, but where a macro makes it.
        if not re.search(r"\b%s\b" % re.escape(f["name"]), text[f["line"] - 1]) and not re.match(r"\w*\s*\w*\(", text[f["line"] - 1]):
            wrong.append(f"{f['name']} {f['file']}:{f['line']}: {text[f['line'] - 1].strip()[:60]}")
verdict.expect(not wrong, f"functions: the line carries the name {wrong[:5]}")
for label, share in report["coverage"].items():
    print(f"      coverage {label}: {share}")

# Expensive functions, by callgrind's instruction counts on the plain program; at -O2 symbols hide what was inlined, so -O0 judges.
if level == "O0" and shutil.which("valgrind"):
    small = project.arguments(work, sizes[name] / 40)
    out = f"{work}.callgrind"
    project.run(plain, small, work, prefix=("valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"))
    table = subprocess.run(["callgrind_annotate", "--threshold=100", out], check=True, capture_output=True, text=True).stdout
    cost = collections.Counter()
    for count, function in re.findall(r"^\s*([\d,]+)\s+\([^)]*\)\s+[^\s:]*:(\S+)", table, re.M):
        cost[function] += int(count.replace(",", ""))
    total = sum(cost.values())
    rank = [f["name"] for f in sorted(functions, key=lambda f: -f.get("self_ns", 0))]
    dear = [(f, c / total) for f, c in cost.most_common(8) if c / total > 0.05 and any(f == r for r in rank)]
    verdict.expect(bool(dear), f"callgrind's functions above 5 %: {', '.join(f'{f} {100 * c:.0f} %' for f, c in dear)}")
    verdict.expect(all(f in rank[:12] for f, _ in dear), f"they are among the first twelve of the report: {', '.join(rank[:12])}")
verdict.finish()
