#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench.py BUILD: bench/run measures, in small, what it says it does: every way has its rounds, ratios are those of its seconds, the stages and the
loop that its patches put in are entered as often as the programs' arguments say, the recursion's calls are the program's own count; what was written
by hand below the table stays, and so does what an earlier record has of other workloads."""
import json
import math
import os
import re
import shutil
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


def functions_by_layout(way):
    """The program's own functions as they lie, by layout; the runtime's follow."""
    orders = {}
    for number in range(1, 7):
        names = subprocess.run(["nm", "-n", f"{build}/bench/tree-{way}/{number}/program"], capture_output=True, text=True).stdout
        orders[number] = [name for name in re.findall(r" [tT] (\w+)$", names, re.M) if name in ("grow", "fell", "count")][:3]
    return orders


with tempfile.TemporaryDirectory(prefix="profplug-bench-") as scratch:
    table = f"{scratch}/table.md"
    with open(table, "w") as f:
        f.write("old\n" + KEPT)
    run(table, "--only", "tree", "--ways", "default,stages,timeline=on,instrumented", "--no-instructions")
    done = run(table, "--only", "calls", "--ways", "default,stages,gprof", "--compare", f"{scratch}/table.json")
    record, text = json.load(open(f"{scratch}/table.json")), open(table).read()
    run(table, "--only", "tree", "--ways", "default", "--no-instructions", "--more")
    tree, more = json.load(open(f"{scratch}/table.json"))["workloads"]["tree"]["ways"], open(table).read()
    orders, others = functions_by_layout("off"), functions_by_layout("plain")
    run(table, "--only", "tree", "--ways", "default", "--only-instructions")
    counted = json.load(open(f"{scratch}/table.json"))["workloads"]["tree"]["ways"]

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
verdict.expect(f"| default | {statistics.median(tree['default']['seconds']):.3f} |" in more and len(tree["default"]["seconds"]) == 6
               and len({tuple(row["seconds"]) for row in tree.values()}) == len(tree), "more rounds are added to those of the record")
low, high = (float(word) for word in re.search(r"^\| default \| [^|]*\| [^|]*\| ([0-9.]+) to ([0-9.]+) \|", more, re.M).groups())
six = sorted(tree["default"]["ratios"])
verdict.expect(math.isclose(low, six[0], abs_tol=6e-4) and math.isclose(high, six[-1], abs_tol=6e-4), f"of six rounds all ratios are in the interval: {low} to {high}, {six}")
verdict.expect(len(orders) == 6 and all(sorted(order) == sorted(orders[1]) for order in orders.values()) and len(set(map(tuple, orders.values()))) > 1
               and all(order == others[number] for number, order in orders.items()), f"functions of tree by layout: {orders}, plain {others}")
is_counted = not shutil.which("valgrind") or counted["default"]["instruction_ratio"] > 1 and counted["default"]["counted"]["made"] == counted["default"]["made"]
verdict.expect(is_counted and all(counted[name]["seconds"] == row["seconds"] for name, row in tree.items()), "instructions alone leave the times as they are")
verdict.expect("instruction_ratio" not in record["workloads"]["tree"]["ways"]["default"], "no instructions where they are not asked for")
row = calls["ways"]["default"]
verdict.expect(all(math.isclose(ns, 1e9 * s * (1 - 1 / r) / calls["calls"]) for ns, s, r in zip(row["ns_per_call"], row["seconds"], row["ratios"])), "ns a call over plain")
refused = subprocess.run([f"{ROOT}/bench/run", build, "--rounds", "1"], capture_output=True, text=True)
verdict.expect(refused.returncode == 1 and refused.stderr.count("\n") == 1 and "--rounds" in refused.stderr, "one round is refused")
verdict.finish()
