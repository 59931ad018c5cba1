#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""starts.py BUILD PROGRAM: which line started each thread and which joined it, from when to when it lived, what it used and waited; and the same by the line that
started them, against the program's own clocks."""

import collections
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from report import profiled

build, program = sys.argv[1:3]


def close(got, want, slack=2e6):
    return abs(got - want) <= 0.02 * want + slack


def check():
    text, document = profiled(build, [program])
    wrong, groups = [], collections.defaultdict(list)
    rows = {}
    for row in document["threads"]:                         # the kernel may give a number twice
        rows.setdefault(row["id"] & 0xffffffff, []).append(row)
    main = min(document["threads"], key=lambda r: r["start_offset_ns"])
    if "started_line" in main or "joined_line" in main:
        wrong.append(("main", main))
    zero = None
    for id_, started, joined, begin, end, cpu, waited in ([int(w) for w in line.split()] for line in text.splitlines()):
        row = rows[id_].pop(0)
        zero = row["start_offset_ns"] - begin if zero is None else zero
        if (row.get("started_line"), row.get("joined_line"), row.get("started_function")) != (started, joined, "main"):
            wrong.append((started, "lines", row))
        if not (close(row["start_offset_ns"], begin + zero) and close(row["end_offset_ns"], end + zero)):
            wrong.append((started, "lifetime", begin + zero, end + zero, row))
        if not (close(row["cpu_ns"], cpu) and close(row["wait_ns"], waited)):
            wrong.append((started, "times", cpu, waited, row))
        groups[started].append((begin, end, cpu, waited))
    found = {g["started_line"]: g for g in document["thread_groups"]}
    if set(found) != set(groups):
        wrong.append(("groups", sorted(found), sorted(groups)))
        return wrong
    for line, threads in groups.items():
        group, union, at = found[line], 0, 0
        for begin, end, _, _ in sorted(threads):
            union += max(0, end - max(begin, at))
            at = max(at, end)
        lived = sum(end - begin for begin, end, _, _ in threads)
        most = max(sum(b <= begin < e for b, e, _, _ in threads) for begin, _, _, _ in threads)
        want = {"lifetime_ns": lived, "union_ns": union, "cpu_ns": sum(t[2] for t in threads), "max_cpu_ns": max(t[2] for t in threads), "wait_ns": sum(t[3] for t in threads)}
        if group["threads"] != len(threads) or group["most_at_once"] != most:
            wrong.append((line, "count", len(threads), most, group))
        for name, value in want.items():
            if not close(group[name], value, 2e6 * len(threads)):
                wrong.append((line, name, value, group))
        if abs(group["overlap"] - lived / union) > 0.1 or abs(group["mean_cpu_ns"] - group["cpu_ns"] / len(threads)) > 1:
            wrong.append((line, "overlap", lived / union, group))
    return wrong


for attempt in range(5):                                    # as in waits.py
    wrong = check()
    print(*wrong, sep="\n")
    if not wrong:
        break
assert not wrong
