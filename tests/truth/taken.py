#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""taken.py BUILD: threads that take turns on one CPU are taken off it in the middle of calls (taken.c). What opens and closes are told to take is the CPU time that they had by the threads'
clocks, less what the runtime does beside them; none of it is a wait. A close that works for long is not taken for one that had no CPU. Asked again if it is off, as hosts take time, too."""
import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, must
from report import read

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "taken.c")
ATTEMPTS = 3


def once(build, scratch):
    data = f"{scratch}/run.profplug"
    said = {what: (int(opened), int(closed), int(ns)) for what, opened, closed, ns in map(str.split, must([f"{scratch}/taken", scratch], env={"PROFPLUG": f"output={data}"}).splitlines())}
    opened, closed, pairs_ns = said["pairs"]
    document = read(build, data)
    wall_ns, delays = document["runs"][0]["wall_ns"], [row["run_delay_ns"] for row in document["threads"] if row.get("run_delay_ns")]
    expect(len(delays) >= 8 and max(delays) <= wall_ns and sum(delays) >= wall_ns, "threads were ready without a CPU for as long as others had it", wall_ns, delays)
    rows = [row for row in document["operations"] if (row["operation"], row.get("line")) in (("open", opened), ("close", closed))]
    os.unlink(data)
    much = [row for row in rows if row["operation"] == "close" and not str(row.get("target", "")).endswith("/file") and row["max_ns"] > 1e6]
    short_ns, long_ns = sum(row["wall_ns"] for row in rows if row not in much), sum(row["wall_ns"] for row in much)
    wait_ns = sum(row["wait_ns"] for row in rows)
    expect(sum(row["calls"] for row in rows) == 2 * 8 * 40 * 250 + 5, "each call is counted", rows)
    print(f"open and close {short_ns / 1e6:.1f} ms, {pairs_ns / 1e6:.1f} by the clocks; long ones {long_ns / 1e6:.1f}, {said['long'][2] / 1e6:.1f} by the clock; waiting {wait_ns / 1e6:.1f}")
    return 0.7 * pairs_ns <= short_ns <= pairs_ns and long_ns >= 0.7 * said["long"][2] and wait_ns <= 0.02 * pairs_ns


def test(build, scratch):
    must([f"{build}/profplug-gcc", "-O2", "-g", "-Wall", SOURCE, "-o", f"{scratch}/taken", "-pthread"])
    expect(any(once(build, scratch) for _ in range(ATTEMPTS)), "time without a CPU is no time of a call")


main(test)
