#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""split.py BUILD PROGRAM: which lines send requests in several small writes before they read the answer, how often, how long these answers took, and whether the socket
has TCP_NODELAY."""

import sys

sys.path.insert(0, sys.path[0] + "/../support")
from report import at, profiled

build, program = sys.argv[1:3]
text, document = profiled(build, [program])
said = [[int(word) for word in line.split()] for line in text.splitlines()]
assert len(said) == 3, said
rows = [o for o in document["operations"] if o["operation"] == "split"]
assert {o["line"] for o in rows} == {last for _, last, _, split, _ in said if split}, (said, rows)
for reads, last, answers, split, nodelay in said:
    responses = [o for o in at(document["operations"], "split.c", reads) if o["operation"] == "response"]
    assert sum(o["calls"] for o in responses) == answers, (answers, responses)
    own = [o for o in rows if o["line"] == last]
    assert (sum(o["calls"] for o in own), sum(o["nodelay_calls"] for o in own)) == (split, nodelay), (split, nodelay, own)
    if split:                                   # the same answers; which of them are timed is the same, too
        want, got = (sum(o["wall_ns"] for o in list_) for list_ in (responses, own))
        assert abs(got - want) <= 0.01 * want, (want, got)
