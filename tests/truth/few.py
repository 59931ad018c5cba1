#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""few.py BUILD PROGRAM: lines that wait twice or twelve times have in WAITS, over all ways that led there, what they have in OPERATIONS, in JSON and in text; and that
is what the program's own clocks say (bracket.h). Whether a call has its callers found is drawn by chance where many short waits came before it."""

import re
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from program import must
from report import at, read

build, program = sys.argv[1:3]
ATTEMPTS, SLACK_NS = 5, 200e3            # a call: what the host takes between a clock and the call
CLOCK = 1e-3                             # two clocks
UNIT = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def shown(text, title, line, what):
    """The sum of the times that a table of the text has for a line, and how far its rounding may be off."""
    table = re.search(rf"^{title} .*?(?=\n\n|\Z)", text, re.M | re.S)[0]
    rows = [re.search(r" ([0-9.]+) (ns|us|ms|s)\b", row) for row in table.splitlines() if re.match(rf"few\.c:{line} .*\b{what}\b", row)]
    digits = [10.0 ** -len(row[1].partition(".")[2]) * UNIT[row[2]] for row in rows]
    return sum(float(row[1]) * UNIT[row[2]] for row in rows), sum(digits)


def once():
    with tempfile.TemporaryDirectory() as folder:
        said = must([program], env={"PROFPLUG": f"output={folder}/run.profplug"})
        document, text = read(build, f"{folder}/run.profplug"), must([f"{build}/profplug", "report", "--section", "waits", "--top", "0", f"{folder}/run.profplug"], env={"COLUMNS": "200"})
    wrong = {}
    for line, what, calls, wall, cpu, taken_off in map(str.split, said.splitlines()):
        line, calls, wall, cpu = int(line), int(calls), float(wall), float(cpu)
        done = [row for row in at(document["operations"], "few.c", line) if row["operation"] == what]
        assert sum(row["calls"] for row in done) == calls, (line, what, calls, done)
        waits = [row for row in at(document["waits"], "few.c", line) if row["operation"] == what]
        least = 0 if int(taken_off) else wall - cpu - SLACK_NS * calls
        waited, listed = sum(row["wait_ns"] for row in done), sum(row["wait_ns"] for row in waits)
        assert abs(waited - listed) <= len(waits) + len(done), (line, what, waited, waits)
        first, one = shown(text, "WAITS", line, what)
        assert abs(first - listed) <= one, (line, what, first, listed, text)
        if not least * (1 - CLOCK) <= listed <= wall * (1 + CLOCK):
            wrong[line] = f"line {line}: {what} waits {listed / 1e6:.2f} ms, expected {least / 1e6:.2f} to {wall / 1e6:.2f}"
    return wrong


left = None
for attempt in range(ATTEMPTS):
    wrong = once()
    left = set(wrong) if left is None else left & set(wrong)
    print(*wrong.values(), sep="\n")
    if not left:
        break
sys.exit(1 if left else 0)
