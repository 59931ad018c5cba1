#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gcov.py BUILD CACHE PROJECT: at -O0, `calls` of every function equal gcov's. Clang's coverage arbitrates: where the two agree (that must be
85 % of the executed functions) we must agree too; elsewhere one of the two must be with us, and the cause is printed.
Without clang, gcov judges alone, but for functions that open with a label, where gcov counts the jumps to it."""
import glob
import gzip
import json
import os
import re
import shutil
import subprocess
import sys

from project import Profiler, Project, Verdict

build, cache, name = sys.argv[1:4]
project, profiler, verdict = Project(name, cache), Profiler(build), Verdict()
folder = f"{build}/real/{name}-calls"
work = f"{folder}/work"
arguments = project.arguments(work, 0.3)


def key(path, function):
    return os.path.basename(path), function


def gcov_counts():
    covered = f"{cache}/plain/{name}-gcov"
    program = project.build(covered, ["gcc"], ["-O0", "-g", "--coverage"], keep=True)
    for old in glob.glob(f"{covered}/*.gcda"):
        os.remove(old)
    output = project.run(program, arguments, work)
    counts = {}
    for data in glob.glob(f"{covered}/*.gcda"):
        text = subprocess.run(["gcov", "--json-format", "--stdout", data], cwd=covered, check=True, capture_output=True).stdout
        for file in json.loads(gzip.decompress(text) if text[:2] == b"\x1f\x8b" else text)["files"]:
            for f in file["functions"]:
                k = key(file["file"], f["name"])
                counts[k] = counts.get(k, 0) + f["execution_count"]
    return output, counts


def clang_counts():
    if not all(map(shutil.which, ("clang", "llvm-profdata", "llvm-cov"))):
        return None
    covered = f"{cache}/plain/{name}-clang"
    program = project.build(covered, ["clang"], ["-O0", "-g", "-w", "-fprofile-instr-generate", "-fcoverage-mapping"], keep=True)
    project.run(program, arguments, work, {"LLVM_PROFILE_FILE": f"{covered}/raw"})
    subprocess.run(["llvm-profdata", "merge", "-o", f"{covered}/data", f"{covered}/raw"], check=True)
    text = subprocess.run(["llvm-cov", "export", program, f"-instr-profile={covered}/data"], check=True, capture_output=True).stdout
    counts = {}
    for f in json.loads(text)["data"][0]["functions"]:
        k = key(f["filenames"][0], f["name"].split(":")[-1])
        counts[k] = counts.get(k, 0) + f["count"]
    return counts


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
