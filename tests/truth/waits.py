#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""waits.py BUILD PROGRAM: the time that lines and stages wait in, and in what, against the program's own clock around each, within 2 %."""

import collections
import json
import os
import subprocess
import sys
import tempfile

build, program = sys.argv[1:3]
WAIT = {"sleep": "sleep", "poll": "poll", "lock": "lock", "condition": "event", "semaphore": "event", "barrier": "event", "signal": "event", "join": "event", "child": "event", "write": "io",
        "read": "io", "sync": "io"}
SLACK_NS = 100e3                         # a clock around a call may be put off by the scheduler as well as one within it


def close(got, want, many=1):
    return abs(got - want) <= 0.02 * want + SLACK_NS * many


def once():
    with tempfile.TemporaryDirectory(dir=build) as folder:
        data = f"{folder}/run.profplug"
        done = subprocess.run([program, f"{folder}/file"], env={**os.environ, "PROFPLUG": f"output={data}"}, capture_output=True, text=True)
        assert done.returncode == 0, (done.returncode, done.stderr)
        document = json.loads(subprocess.run([f"{build}/profplug", "report", "--format", "json", data], capture_output=True, text=True, check=True).stdout)
    wrong = []
    said = [line.split() for line in done.stdout.splitlines()]
    stage_of, sums, lines = {}, collections.Counter(), {l["line"]: l for l in document["lines"]}
    for row in document["operations"]:
        if row["attributed"] and row.get("stage"):
            stage_of[row["line"]] = row["stage"]
    for line, what, ns in ((int(a), b, float(c)) for a, b, c in said if a != "0"):
        rows = [r for r in document["operations"] if r.get("line") == line and r["operation"] == what]
        wall = sum(r["wall_ns"] for r in rows)
        if not rows or any(r["wait"] != WAIT[what] for r in rows) or not close(wall, ns):
            wrong.append((line, what, ns, rows))
        if not close(lines[line]["call_wall_ns"], ns):
            wrong.append((line, what, ns, lines[line]))
        if WAIT[what] != "io":
            if not close(lines[line]["wait_ns"], ns):
                wrong.append((line, what, ns, lines[line]))
            sums[stage_of[line], WAIT[what]] += ns
    stages = {s["name"]: s for s in document["stages"]}
    for (stage, wait), ns in sums.items():
        if not close(stages[stage][f"{wait}_wait_ns"], ns, 4):
            wrong.append((stage, wait, ns, stages[stage]))
    for s in stages.values():            # what is known and what is not are all of it
        known = sum(s[f"{w}_wait_ns"] for w in set(WAIT.values()) | {"network"})
        if not close(known + s["other_wait_ns"], s["off_cpu_ns"], 8):
            wrong.append((s["name"], known, s))
    direct = [c for a, b, c in said if b == "direct"][0] == "1"
    disk = stages["disk"]
    if direct and not (0.5 * disk["off_cpu_ns"] <= disk["io_wait_ns"] <= disk["off_cpu_ns"] * 1.05 + SLACK_NS * 8):
        wrong.append(("disk", disk))
    return wrong, len(said)


for attempt in range(3):                 # who is taken off the CPU between the two clocks is slow by one of them alone
    wrong, count = once()
    if not wrong:
        break
assert not wrong, "\n".join(map(str, wrong))
print(f"{count} waits")
