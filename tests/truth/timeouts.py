#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""timeouts.py BUILD: a wait that siglongjmp left (timeouts.c) is of the function that waited and of its callers, not of
one that works afterwards. It ends with the next wait at the latest, so it is no longer than the program's clock and the
work together."""
import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, must
from report import profiled

HERE = os.path.dirname(os.path.abspath(__file__))


def test(build, scratch):
    must([f"{build}/profplug-gcc", "-O2", "-g", "-Wall", f"-I{build}/include", f"{HERE}/timeouts.c",
          "-o", f"{scratch}/timeouts"])
    said, document = profiled(build, [f"{scratch}/timeouts"])
    waited, worked = map(int, said.split())
    waits = {f["name"]: f.get("wait_total_ns", 0) for f in document["functions"]}
    print(f"reads took {waited / 1e6:.1f} ms, work {worked / 1e6:.1f}:", waits)
    expect(waits["work"] == 0, "what works afterwards never waits", waits)
    for name in ("get", "main"):
        expect(0.95 * waited <= waits[name] <= 1.05 * (waited + worked), f"{name} waits as long", waits)
    rows = [row for row in document["waits"] if row["operation"] == "read"]
    expect(len(rows) == 1 and rows[0]["function"] == "get" and abs(rows[0]["wait_ns"] - waits["get"]) < 1e6,
           "one row, in the function that reads", rows)


main(test)
