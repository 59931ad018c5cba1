#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gcov.py BUILD CACHE PROJECT: at -O0, `calls` of every function equal gcov's. Clang's coverage arbitrates: where the two agree (that must be
85 % of the executed functions) we must agree too; elsewhere one of the two must be with us, and the cause is printed.
Without clang, gcov judges alone, but for functions that open with a label, where gcov counts the jumps to it."""
import json
import os
import re
import sys

from project import Profiler, Project, Verdict, clang_export, gcov_files

build, cache, name = sys.argv[1:4]
project, profiler, verdict = Project(name, cache), Profiler(build), Verdict()
folder = f"{build}/real/{name}-calls"
work = f"{folder}/work"
arguments = project.arguments(work, 0.3)


def key(path, function):
    return os.path.basename(path), function


def gcov_counts():
    output, files = gcov_files(project, f"{cache}/plain/{name}-gcov", arguments, work)
    counts = {}
    for file in files:
        for f in file["functions"]:
            k = key(file["file"], f["name"])
            counts[k] = counts.get(k, 0) + f["execution_count"]
    return output, counts


def clang_counts():
    text, counts = clang_export(project, f"{cache}/plain/{name}-clang", arguments, work), {}
    for f in json.loads(text)["data"][0]["functions"] if text else ():
        k = key(f["filenames"][0], f["name"].split(":")[-1])
        counts[k] = counts.get(k, 0) + f["count"]
    return counts if text else None


expected, gcov = gcov_counts()
clang = clang_counts()
program = project.build(folder, profiler.compiler, ["-O0", "-g"], profiler.libraries)
output, report = profiler.profile(project, program, arguments, work)
verdict.expect(output == expected, "the same output under gcov and under us")
ours = {}
for f in report["functions"]:
    if f.get("file"):
        k = key(f["file"], f["name"])
        ours[k] = ours.get(k, 0) + f.get("calls", 0)
executed = sorted(k for k, n in gcov.items() if n)
causes = {}


def disagree(cause, k):
    causes.setdefault(cause, []).append(f"{k[0]} {k[1]}: ours {ours.get(k)}, gcov {gcov[k]}, clang {clang.get(k) if clang else '-'}")


def opens_with_label(k):
    """True where the function's body reaches a label before its first statement ends: gcov's entry block is then a jump target."""
    source = next(s for s in project.sources if os.path.basename(s) == k[0])
    body = re.search(r"\b%s\s*\([^;{]*\)\s*\{(.{0,1500})" % re.escape(k[1]), open(source, errors="replace").read(), re.S)
    return bool(body and re.search(r"^\s*\w+:(?!:)", body[1], re.M))


agreed = equal = 0
for k in executed:
    judged = clang is None or clang.get(k) == gcov[k]
    agreed += judged
    if ours.get(k) == gcov[k]:
        equal += 1
    elif judged and not (clang is None and opens_with_label(k)):
        disagree("UNEXPLAINED: gcov and clang agree, we do not" if clang else "UNEXPLAINED: not gcov's", k)
    elif clang is None or ours.get(k) == clang.get(k):
        disagree("gcov counts jumps to a label that opens the function", k)
    else:
        disagree("UNEXPLAINED: neither gcov nor clang agrees with us", k)
for k, n in ours.items():
    if n and k in gcov and not gcov[k]:
        disagree("UNEXPLAINED: never executed, says gcov", k)

print(f"{name}: {len(gcov)} functions, {len(executed)} executed, {equal} equal to gcov's, {agreed} where gcov and {'clang agree' if clang else 'nobody else judges'}")
for cause, rows in sorted(causes.items()):
    print(f"  {cause}: {len(rows)}")
    for row in rows[:10]:
        print(f"    {row}")
verdict.expect(len(executed) > 200, f"{len(executed)} functions are compared")
verdict.expect(agreed >= 0.85 * len(executed), f"gcov and clang agree on {100 * agreed / len(executed):.1f} % (85 % is asked for)")
verdict.expect(not any(c.startswith("UNEXPLAINED") for c in causes), "no disagreement is unexplained")
verdict.finish()
