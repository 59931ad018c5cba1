#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""holders.py BUILD PROGRAM: who held the lock that a thread waited for, for how much of the wait, and what the holder itself waited in meanwhile, against the program's own
clocks; and that the parts make up the time that lines waited for locks."""

import os
import re
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from report import profiled

build, program = sys.argv[1:3]


def close(got, want):
    return abs(got - want) <= 0.03 * want + 500e3


def check():
    text, document, shown = profiled(build, [program], text=True)
    rows, wrong = document["locks"], []
    for line, holder, ns, inside, what in (s.split() for s in text.splitlines()):
        found = [r for r in rows if r["line"] == int(line) and r.get("holder_line") == int(holder)]
        inside = min(float(inside), float(ns))
        if len(found) != 1:
            wrong.append((line, holder, "rows", [(r["line"], r.get("holder_line"), r["wait_ns"]) for r in rows if r["line"] == int(line)]))
            continue
        row, = found
        if not (close(row["wait_ns"], float(ns)) and row["waits"] == 1 and row["max_ns"] == row["wait_ns"]):
            wrong.append((line, "wait", ns, row))
        if not close(row["held_io_ns"], inside) or row["held_io_ns"] > row["wait_ns"] or (inside and row["held_io_kind"] != what):
            wrong.append((line, "inside", inside, what, row))
        if {os.path.basename(row["file"]), os.path.basename(row["holder_file"])} != {"holders.c"}:
            wrong.append((line, "file", row))
        if inside and os.path.basename(row["held_io_file"]) != "holders.c":
            wrong.append((line, "file of what it waited in", row))
    line, holder = next(s.split()[:2] for s in text.splitlines() if float(s.split()[3]) > 0.3 * float(s.split()[2]) > 1e7)
    # a static executable that gcc itself linked has no index of its frames, and so no callers of waits
    if not program.endswith("_static") and not re.search(rf"^holders.c:{line} +lock .*\n  holders.c:{holder} +held .* holder, in sleep for [0-9.]+ ms at holders.c:\d+$", shown, re.M):
        wrong.append((line, "text", shown))
    for line in {r["line"] for r in rows}:
        waited = sum(o["wait_ns"] for o in document["operations"] if o["operation"] == "lock" and o.get("line") == line)
        if not close(sum(r["wait_ns"] for r in rows if r["line"] == line), waited):
            wrong.append((line, "sum", waited, [r for r in rows if r["line"] == line]))
    return len(text.splitlines()), wrong


# As in waits.py: the host may take the CPU away unseen, but not at the same row each time.
left = None
for attempt in range(5):
    count, wrong = check()
    assert count == 11, count
    rows = {(row[0], row[1]) for row in wrong}
    left = rows if left is None else left & rows
    print(f"{count} waits", *wrong, sep="\n")
    if not left:
        break
assert not left, left
