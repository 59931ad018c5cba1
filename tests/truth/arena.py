#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""arena.py BUILD PROGRAM PLAIN: how the allocator stands at the end is what it says itself; and wherever the end comes, the program ends as without us."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from report import read

build, program, plain = sys.argv[1:]
wrong = 0


def ran(which, way, data, budget=100):
    """100: so that short runs of large heaps are asked, too."""
    done = subprocess.run([which, way], env=dict(os.environ, PROFPLUG=f"output={data},budget={budget}"), capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def judge(good, text):
    global wrong
    wrong += not good
    print("ok   " if good else "WRONG", text)


with tempfile.TemporaryDirectory() as work:
    data = f"{work}/run.profplug"
    for way, times in (("holes", 1), ("broken", 1), ("hidden", 1), ("amid", 20), ("threads", 10)):
        answers = 0
        for _ in range(times):
            if os.path.exists(data):
                os.unlink(data)
            want, got = ran(plain, way, data), ran(program, way, data)
            rows = [line.split() for line in got[1].splitlines()]
            same = got == want if way != "holes" else (got[0], got[2], len(rows)) == (want[0], want[2], 5)
            if not same:
                judge(False, f"{way}: {got}, without us {want}")
            run = read(build, data)["runs"][0]
            answers += "arena_bytes" in run
        judge(True, f"{way}: {times} times as without us, {answers} with an answer")
        if way in ("holes", "threads"):
            judge(answers == times or way == "threads" and answers, f"{way}: answered {answers} times")
        if way == "broken":
            judge(got[0] == 0, f"broken: exit {got[0]}")
            text = subprocess.run([f"{build}/profplug", "report", "--all", data], check=True, capture_output=True, text=True).stdout
            judge(answers == 1 or "lists are damaged" in " ".join(text.split()), "broken: answered, or said that it was not")
        if way == "hidden":
            stage = read(build, data)["stages"][0]
            judge(got[0] == 0 and stage["calls"] == 2, f"hidden: exit {got[0]}, {stage['calls']} entries")
        if way == "holes":
            for name, value in rows[1:]:
                judge(abs(run[name] - int(value)) <= 65536, f"{name}: {run[name]}, by itself {value}")
            blocks = int(rows[0][0])
            judge(abs(run["arena_used_bytes"] - blocks // 2 * 3008) < 500000, f"in use {run['arena_used_bytes']}: half of {blocks} blocks of 3008 bytes")
            judge(45 < run["fragmentation_percent"] < 50.5, f"fragmentation {run['fragmentation_percent']} %")
    os.unlink(data)
    ran(program, "holes", data, 0.1)
    told = subprocess.run([f"{build}/profplug", "report", "--all", data], check=True, capture_output=True, text=True).stdout
    judge("arena_bytes" not in read(build, data)["runs"][0] and "exceeded the budget" in " ".join(told.split()), "where the budget is used up it is left, and said so")
sys.exit(wrong > 0)
