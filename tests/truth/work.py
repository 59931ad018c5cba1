#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""work.py BUILD PROGRAM: calls that the kernel works in, by line: how many there were and how many failed, to the last one; and of those that take long
enough, the time of the program's own clock. What touches no disk does not wait. A row whose time is off is asked for again, since a busy host takes time from it."""

import os
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from program import environment, line_of
from report import read

build, program = sys.argv[1:3]
source = open(f"{os.path.dirname(os.path.abspath(__file__))}/work.c").read()
ROUNDS, PART = 6, 0.1


def run(options):
    """What the program says, and its operations by line."""
    with tempfile.TemporaryDirectory(dir=build) as folder:
        os.mkdir(f"{folder}/files")
        data = f"{folder}/run.profplug"
        done = subprocess.run([program, f"{folder}/files"], env=environment(PROFPLUG=f"output={data}{options}"), capture_output=True, text=True)
        assert done.returncode == 0 and not done.stderr, (done.returncode, done.stderr)
        rows = read(build, data).get("operations", []) if os.path.exists(data) else []
    table = {}
    for row in rows:
        if row["operation"] in ("file", "control", "memory", "start", "yield", "sync"):
            sums = table.setdefault((row.get("line"), row["operation"]), dict.fromkeys(("calls", "errors", "wall_ns", "wait_ns"), 0))
            for key in sums:
                sums[key] += row[key]
    said = [line.split() for line in done.stdout.splitlines()]
    lines = [(int(line), kind, *map(int, rest)) for line, kind, *rest in said if line.isdigit()]
    return lines, {key: int(rest[0]) for key, *rest in said if not key.isdigit()}, table


def judged(said, loops, table):
    """The rows whose time is off. What is counted must be right each time."""
    off = {}
    for line, kind, calls, errors, cpu in said:
        row = table.get((line, kind), {"calls": 0, "errors": 0})
        assert (row["calls"], row["errors"]) == (calls, errors), f"line {line}: {kind}: {row['calls']} calls, {row['errors']} failed; expected {calls}, {errors}"
        working = row["wall_ns"] - row["wait_ns"]
        if cpu and not (1 - PART) * cpu <= working <= (1 + PART) * cpu:
            off[line] = f"{kind}: {working / 1e3:.0f} us in the calls, the loop took {cpu / 1e3:.0f} us of CPU time"
        if cpu and (kind == "memory" or "far" in source.splitlines()[line - 1]) and row["wait_ns"] > PART * row["wall_ns"]:
            off[line] = f"{kind}: {row['wait_ns'] / 1e3:.0f} us waiting of {row['wall_ns'] / 1e3:.0f}"
    line = line_of(source, "/* listed */")
    listed = table[line, "file"]
    assert 20 * 3 <= listed["calls"] <= 20 * 40, listed             # some hundred entries for each time that the kernel is asked
    if not 0.5 * loops["entries"] <= listed["wall_ns"] <= loops["entries"]:
        off[line] = f"readdir: {listed['wall_ns']} ns of {loops['entries']}"
    if "static" not in program:                                     # there threads are made by the C library alone
        assert table[loops["made"], "start"]["calls"] == 50, table[loops["made"], "start"]
    line = line_of(source, "/* threads */")
    assert table[line, "file"]["calls"] == 10000, table[line, "file"]
    return off


said, loops, table = run("")
off = judged(said, loops, table)
for _ in range(ROUNDS - 1):
    if not off:
        break
    print("asked again:", off)
    again = judged(*run(""))
    off = {line: again[line] for line in off if line in again}
assert not off, off
for options in (",off", ",io=off,waits=off"):
    plain, _, none = run(options)
    assert [row[:4] for row in plain] == [row[:4] for row in said] and not none, (options, none)
print(f"{len(said)} lines, {sum(1 for row in said if row[4])} with their time")
