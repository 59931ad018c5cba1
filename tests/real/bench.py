#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench.py BUILD: bench/run measures, in small, what it says it does: every way has its rounds, ratios are those of its seconds, the stages and the
loop that its patches put in are entered as often as the programs' arguments say, the recursion's calls are the program's own count; what was written
by hand below the table stays, and so does what an earlier record has of other workloads."""
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile

from project import Verdict

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
build = os.path.abspath(sys.argv[1])
verdict = Verdict()
KEPT = "\n# What the profiler bears\n\nby hand\n"


def run(output, *argv):
    done = subprocess.run([sys.executable, f"{ROOT}/bench/run", build, "--rounds", "3", "--size", "0.05", "--no-compiling", "-o", output, *argv], capture_output=True, text=True)
    verdict.expect(done.returncode == 0, f"bench/run {' '.join(argv)}: exit status {done.returncode} {done.stderr[-500:]}")
    return done


with tempfile.TemporaryDirectory(prefix="profplug-bench-") as scratch:
    table = f"{scratch}/table.md"
    with open(table, "w") as f:
        f.write("old\n" + KEPT)
    run(table, "--only", "tree", "--ways", "default,stages,timeline=on,instrumented", "--no-instructions")
    done = run(table, "--only", "calls", "--ways", "default,stages,gprof", "--compare", f"{scratch}/table.json")
    record, text = json.load(open(f"{scratch}/table.json")), open(table).read()

verdict.expect(record["schema"] == "profplug-bench/1" and list(record["workloads"]) == ["tree", "calls"], f"both runs are in the record: {list(record['workloads'])}")
verdict.expect(text.endswith(KEPT) and "old" not in text, "what was written by hand stays below the table")
verdict.expect("against 20" in done.stdout, "compared with the record of before")
for title, other in (("tree", "instrumented"), ("calls", "gprof")):
    result = record["workloads"][title]
    ways = result["ways"]
    verdict.expect({"plain", "copy", "off", "default", "stages", other, *(["timeline=on"] if title == "tree" else [])} - set(result["missing"]) <= set(ways), f"{title}: {', '.join(ways)}")
    verdict.expect(all(len(row["seconds"]) == len(row["ratios"]) == 3 and min(row["seconds"]) > 0 for row in ways.values()), f"{title}: three rounds of each")
    base = [(a + b) / 2 for a, b in zip(ways["plain"]["seconds"], ways["copy"]["seconds"])]
    wanted = [s / b for s, b in zip(ways["default"]["seconds"], base)]
    verdict.expect(all(math.isclose(a, b) for a, b in zip(ways["default"]["ratios"], wanted)), f"{title}: ratios are to the mean of plain and copy, within a round")
    verdict.expect(f"| default | {statistics.median(ways['default']['seconds']):.3f} | {statistics.median(wanted):.3f} |" in text, f"{title}: the table has the median")
    entered = {s["name"]: s["calls"] for s in result["said"]["stages"]["stages"]}
    rounds = 3 if title == "tree" else 2            # the workload's argument at this size
    names = {"tree": {"build": rounds, "check": rounds, "drop": rounds}, "calls": {"down": rounds, "mix": rounds, "arithmetic": 1}}[title]
    verdict.expect(entered == {"rounds": 1, **names} and result["said"]["stages"]["iterations"] == {"rounds": rounds}, f"{title}: stages and loop of its patch: {entered}")
    functions = result["said"]["default"]["functions"]
    verdict.expect(functions["framed"] + functions["counted"] > 0 and re.search(r"^default: \d+ functions: \d+ % framed, \d+ % counted, \d+ % left out", text, re.M), f"{title}: {functions}")
calls = record["workloads"]["calls"]
verdict.expect(calls["calls"] == calls["calls_counted"] == 2 * 2692537, f"{calls['calls']} calls, {calls['calls_counted']} counted")
verdict.expect("instruction_ratio" not in record["workloads"]["tree"]["ways"]["default"], "no instructions where they are not asked for")
row = calls["ways"]["default"]
verdict.expect(all(math.isclose(ns, 1e9 * s * (1 - 1 / r) / calls["calls"]) for ns, s, r in zip(row["ns_per_call"], row["seconds"], row["ratios"])), "ns a call over plain")
refused = subprocess.run([f"{ROOT}/bench/run", build, "--rounds", "1"], capture_output=True, text=True)
verdict.expect(refused.returncode == 1 and refused.stderr.count("\n") == 1 and "--rounds" in refused.stderr, "one round is refused")
verdict.finish()
