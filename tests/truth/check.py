#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check.py BUILD PROGRAM [ARGUMENT...]: runs an instrumented PROGRAM and holds its JSON report against the rows that the program prints
(truth.h). An estimate below 5 % of the run is printed, not judged. @ in an argument stands for a temporary folder."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from report import read

build, program, *arguments = sys.argv[1:]
wrong = judged = estimates = 0
strange = set()
BY_LINE = ("lines", "allocations", "mappings", "copies", "pools", "fills", "child_allocations", "child_mappings", "child_copies")
# A right estimate is more than three of its errors off once in 370 times, 5.5 once in 26 million. Of 40 in a run five or more are unusual once
# in ten million runs. (calibrate.py says whether the errors are what they should be.)
SIGMAS, UNUSUAL = 5.5, 4
# What two clocks say of the same thing differs by what the scheduler, or the machine below a virtual one, takes between
# their readings. A busy machine does so in up to 3 of 100 runs: such a row is asked anew, five times in all, and all
# five are so once in 40 million. Rows of another kind are asked once.
ATTEMPTS = 5


def run_once():
    with tempfile.TemporaryDirectory() as work:
        data = f"{work}/run.profplug"
        env = dict(os.environ, PROFPLUG=",".join([f"output={data},max-file=1G", *filter(None, [os.environ.get("TRUTH_OPTIONS")])]))
        if "TRUTH_PRELOAD" in env:
            env["LD_PRELOAD"] = env["TRUTH_PRELOAD"]
            known = subprocess.run([shutil.which("ldconfig") or "/sbin/ldconfig", "-p"], capture_output=True, text=True).stdout
            if "/" not in env["LD_PRELOAD"] and env["LD_PRELOAD"] not in known:
                print(f"skipped: {env['LD_PRELOAD']} is not installed")
                sys.exit(77)
        rows = subprocess.run([program, *(a.replace("@", work) for a in arguments)], env=env, check=True, capture_output=True, text=True).stdout.splitlines()
        report = read(build, data)
        children = [read(build, f["path"]) for f in report["runs"][0]["files"]]
    return rows, report, children


rows, report, children = run_once()
if "TRUTH_STATIC" in os.environ:
    note = report["runs"][0].get("memory_note", "")
    wrong += not ("is static" in note and "every call of malloc" in note and "(no hooked call)" in note)
    print(f"{'WRONG' if wrong else 'ok   '} note: {note}")

stage_name = {s["id"]: s["name"] for s in report["stages"]}
run_ns = report["runs"][0]["wall_ns"]

by_id = {n["id"]: n for n in report["call_tree"]}


def path_of(node):
    return f"{path_of(by_id[node['parent_id']])}/{node['name']}" if "parent_id" in node else node["name"]


def find(kind, name, field):
    if kind == "call_tree":
        return [n for n in report[kind] if path_of(n) == name]
    if kind == "most":                                  # of the rows of a stage, one for each that encloses it
        rows_of = [r for r in report["stages"] if r["name"] == name]
        return rows_of and [max(rows_of, key=lambda r: r.get(field, 0))]
    if kind in BY_LINE:
        base, line = name.split(":")
        if kind.startswith("child_"):
            return [r for c in children for r in c[kind[6:]] if r.get("line") == int(line) and os.path.basename(r["file"]) == base]
        return [r for r in report[kind] if r.get("line") == int(line) and os.path.basename(r["file"]) == base]
    if kind == "runs":
        return report["runs"]
    if kind == "numbers":                            # of all stages and of what is outside, together
        all_ = {}
        for row in [*report["stages"], *report["runs"]]:
            for number, tally in row.get("counters", {}).items():
                to = all_.setdefault(number, {"count": 0, "sum": 0, "min": tally["min"], "max": tally["max"]})
                to.update(count=to["count"] + tally["count"], sum=to["sum"] + tally["sum"], min=min(to["min"], tally["min"]), max=max(to["max"], tally["max"]))
        return [{"counters": all_}]
    if kind.startswith("child_"):
        return [r for c in children for r in c[kind[6:]] if kind == "child_runs" or r["name"] == name]
    return [r for r in report[kind] if r["name"] == name]


def value_of(row, field):
    if field == "parent_name":
        return stage_name.get(row.get("parent"), "-")
    if "." in field and "[" not in field:
        for step in field.split("."):
            row = (row or {}).get(step)
        return row
    part = re.fullmatch(r"(\w+)\[(\d+)\]\.(\w+)", field)
    if part:
        return row[part[1]][int(part[2])][part[3]]
    return row.get(field)


def judge(text):
    """Whether the row holds; of an estimate that is not judged None."""
    global estimates, strange
    kind, name, field, expected, tolerance = text.split()
    found = find(kind, name, field)
    if len(found) != 1 and not (kind in BY_LINE and found):
        print(f"WRONG {kind} {name}: {len(found)} rows")
        return False
    got = value_of(found[0], field) if len(found) == 1 else sum(r.get(field, 0) for r in found)
    if tolerance == "oneof":
        ok, detail = str(got) in expected.split("|"), f"{got}, expected {expected}"
    elif tolerance == "text":
        ok, detail = str(got) == expected, f"{got}, expected {expected}"
    elif got is None:
        ok, detail = False, f"no {field}"
    elif tolerance.startswith("+-"):               # may be below 0
        ok, detail = abs(got - int(expected)) <= int(tolerance[2:]), f"{got}, expected {expected} {tolerance}"
    else:
        low, high = map(int, (expected.split("-") * 2)[:2])
        if tolerance == "estimate":
            named = "error_percent" if kind == "lines" and not field.endswith("total_ns") else field.replace("_ns", "_error_percent")
            error = max(r.get(named, 0) for r in found)
            percent = max(5.0, SIGMAS * error)
            usual = max(5.0, 3 * error)
            if high < 0.05 * run_ns:
                print(f"-     {kind} {name} {field}: {got}, {expected} by the program's clocks: below 5 % of the run")
                return None
        elif tolerance == "scaled":                # read at some of the entries: with an error, and a useful one
            error = found[0].get(f"{field}_error_percent", 0)
            percent = SIGMAS * error if 0 < error < 50 else -1
        else:
            percent = float(tolerance)
        want = min(max(got, low), high)
        off = 100 * abs(got - want) / want if want else (0 if got == 0 else 100)
        ok = off <= percent
        if tolerance == "estimate":
            estimates += 1
            strange |= {expected} if off > usual else set()      # one that several rows are asked for is one
        detail = f"{got}, expected {expected}: {off:.2f} % off, {percent:.3g} % allowed"
    print(f"{'ok   ' if ok else 'WRONG'} {kind} {name} {field}: {detail}")
    return ok


def is_clocked(text):
    return re.fullmatch(r"[0-9.]+", text.split()[4]) and float(text.split()[4]) > 0


asked_again = set()
for text in rows:
    held = judge(text)
    judged += held is not None
    if held is False and is_clocked(text):
        asked_again.add(tuple(text.split()[:3]))
    else:
        wrong += held is False
for attempt in range(1, ATTEMPTS):
    if not asked_again:
        break
    rows, report, children = run_once()
    stage_name = {s["id"]: s["name"] for s in report["stages"]}
    by_id = {n["id"]: n for n in report["call_tree"]}
    print(f"attempt {attempt + 1}:")
    again = [text for text in rows if tuple(text.split()[:3]) in asked_again and is_clocked(text)]
    asked_again -= {tuple(text.split()[:3]) for text in again} - {tuple(text.split()[:3]) for text in again if not judge(text)}
wrong += len(asked_again)

if len(strange) > UNUSUAL:
    print(f"WRONG {len(strange)} of {estimates} estimates are more than three of their errors off")
    wrong += 1
print(f"{judged} judged, {wrong} wrong; run {run_ns / 1e9:.2f} s, losses {report['runs'][0].get('losses')}")
sys.exit(1 if wrong or not judged else 0)
