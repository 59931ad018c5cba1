#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""transfer.py BUILD PROGRAM: bytes by line of every entry point, as its lines were made to move them and as the kernel accounts for them."""

import collections
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from report import read, read_by_runtime

build, program = sys.argv[1:3]
with tempfile.TemporaryDirectory() as folder:
    data, files = f"{folder}/run.profplug", f"{folder}/files"
    os.mkdir(files)
    done = subprocess.run([program, files], env={**os.environ, "PROFPLUG": f"output={data}"}, capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, (done.returncode, done.stderr)
    plain = subprocess.run([program, files], env={**os.environ, "PROFPLUG": "off"}, capture_output=True, text=True)
    off = subprocess.run([program, files], env={**os.environ, "PROFPLUG": f"output={folder}/other.profplug,io=off,waits=off"}, capture_output=True, text=True)
    document = read(build, data)
said = dict((line.split()[0], line.split()[1:]) for line in done.stdout.splitlines())
for other in (plain, off):
    assert other.returncode == 0 and len(other.stdout.splitlines()) == len(done.stdout.splitlines()), other
    same = {line.split()[0]: line.split()[1:] for line in other.stdout.splitlines() if line[0].isdigit()}
    assert same == {key: value for key, value in said.items() if key[0].isdigit()}, "the program moves the same without it"
moved, rows = collections.defaultdict(lambda: [0, 0]), collections.Counter()
for row in document["operations"]:
    moved[row.get("line")][0] += row["bytes"] if row["operation"] in ("read", "copy") else 0
    moved[row.get("line")][1] += row["bytes"] if row["operation"] in ("write", "copy", "last_write") else 0
    rows[row["operation"]] += row["calls"]
checked, unseen = 0, [0, 0]
static = "static" in program                 # there some names are the C library's own: __overflow and __uflow, which putc_unlocked and getc_unlocked become, and vfprintf
source = open(f"{os.path.dirname(__file__)}/transfer.c").read().splitlines()
for line, (read, written) in ((int(key), map(int, value)) for key, value in said.items() if key.isdigit()):
    if static and "_unlocked(" in source[line - 1]:
        unseen = [unseen[0] + read - moved[line][0], unseen[1] + written - moved[line][1]]
        continue
    assert moved[line] == [read, written], f"line {line}: {moved[line]}, expected {[read, written]}"
    checked += 1
if static:
    unseen[1] += 4096 - sum(moved[1 + i][1] for i, text in enumerate(source) if "/* vfprintf */" in text)
run, = document["runs"]
for direction, at in (("in", 0), ("out", 1)):
    kernel, known = run[("read", "write")[at] + "_bytes"], sum(m[at] for m in moved.values())
    last = sum(row["bytes"] for row in document["operations"] if row["operation"] == "last_write") if at else 0
    own = int(said[direction][0]) + last - kernel
    assert own in ((0,) if at else read_by_runtime()), f"{direction}: {kernel} accounted for, the program read {said[direction][0]} and {last} came last"
    assert known + unseen[at] == kernel and run[("unhooked_read", "unhooked_write")[at] + "_bytes"] == unseen[at], (direction, known, unseen, kernel)
    assert not at or last == len(done.stdout), (last, len(done.stdout))
files = {os.path.basename(f["path"]): f for f in document["files"]}
assert (files["r"]["write_bytes"], files["r2"]["write_bytes"], files["r2"]["read_bytes"]) == (7, 7, 7), files
assert rows["open"] >= 10 and rows["close"] >= 10 and rows["sync"] == 2 and rows["splice"] == 1, rows
assert run["losses"]["operations"] == 0
print(f"{checked} lines, {run['read_bytes']} bytes read and {run['write_bytes']} written")
