#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""polls.py BUILD PROGRAM: how often calls that look whether there is something found nothing, against the program's own counts."""

import sys

sys.path.insert(0, sys.path[0] + "/../support")
from report import at, profiled

build, program = sys.argv[1:3]
text, document = profiled(build, [program])
said = [line.split() for line in text.splitlines()]
assert len(said) == 6 and all(int(s[3]) > 0 for s in said), said
for line, what, calls, nothing in said:
    rows = [o for o in at(document["operations"], "polls.c", int(line)) if o["operation"] == what]
    found = sum(o["calls"] for o in rows), sum(o["found_nothing_calls"] for o in rows), sum(o["errors"] for o in rows)
    assert found == (int(calls), int(nothing), 0), (line, what, calls, nothing, rows)
