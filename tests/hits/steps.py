#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""steps.py BUILD SOURCE: with loops=auto, entries and steps of innermost loops are those that steps.c works out itself, at every level of optimization,
with and without -flto, and when several threads or units are there; without it nothing is counted. What cannot be counted says why."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from program import expect, line_of, main, must, write  # noqa: E402
from report import read  # noqa: E402

FLAGS = [["-O2"], ["-O3"], ["-Os"], ["-O1"], ["-O2", "-flto"], ["-O2", "-fsanitize=thread"]]


def loops_of(build, scratch, flags, loops):
    must([f"{build}/profplug-gcc", *flags, "-g", f"-fplugin-arg-profplug-loops={loops}", sys.argv[2], "-o", "steps"], cwd=scratch)
    run = f"{'-'.join(flags)}{loops}.profplug"
    out = must(["./steps"], cwd=scratch, env={"PROFPLUG": f"output={run}"})
    rows = read(build, f"./{run}", cwd=scratch).get("remarks", [])
    return out.splitlines(), rows


def compare(said, rows, source, flags):
    for text in said:
        mark, entries, fewest, most = text.split()
        line = line_of(source, f"/* {mark} */")
        here = [row for row in rows if row["line"] <= line <= row.get("loop_last_line", 0) and row["kind"] in ("loop", "uncounted")]
        counted = [row for row in here if "steps" in row]
        if mark == "chain" or (mark == "search" and "-fsanitize=thread" in flags):  # calls of the sanitizer might change the list
            expect(not counted, "nothing in a list goes by equal steps, and a register of ours is added to searches alone", flags, here)
            continue
        expect(len(counted) == 1, "the loop is counted", mark, flags, here)
        expect(counted[0]["entries"] == int(entries), "entries are those of the program", mark, flags, counted, text)
        last = int(entries) if flags == ["-Os"] else 0        # its conditions stay in front of the body: the last look at them is a step
        expect(int(fewest) <= counted[0]["steps"] <= int(most) + last, "steps are those of the program", mark, flags, counted, text)


SPIN = """static double a[1000];
__attribute__ ((noinline)) double spin (int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) /* spin */
        s += a[i];
    return s;
}
int main (void)
{
    for (int i = 0; i < 400000; i++)
        a[i % 1000] = spin (1000) + i;
    return a[0] < 0;
}
"""


def shown(build, scratch):
    """The section has the loop's entries, steps, and what a step took."""
    write(f"{scratch}/spin.c", SPIN)
    must([f"{build}/profplug-gcc", "-O2", "-g", "-fplugin-arg-profplug-loops=auto", "spin.c", "-o", "spin"], cwd=scratch)
    must(["./spin"], cwd=scratch, env={"PROFPLUG": "output=spin.profplug"})
    text = must([f"{build}/profplug", "report", "--section", "steps", "./spin.profplug"], cwd=scratch)
    row = next((line for line in text.splitlines() if f"spin.c:{line_of(SPIN, '/* spin */')}" in line), "")
    expect(re.search(r"400 k .*400 M .*1 000 .* (ns|ps) ", row), "the section has the loop", text)


def test(build, scratch):
    shown(build, scratch)
    with open(sys.argv[2], encoding="ascii") as file:
        source = file.read()
    for flags in FLAGS:
        compare(*loops_of(build, scratch, flags, "all"), source, flags)
    rows = loops_of(build, scratch, ["-O2"], "auto")[1]
    marks = [line_of(source, f"/* {mark} */") for mark in ("sum", "text", "class", "last", "insertion")]
    there = [any(row["line"] <= mark <= row.get("loop_last_line", 0) and "steps" in row for row in rows) for mark in marks]
    expect(there == [True, False, False, True, False],
           "auto counts loops in loops by a formula alone, and none that only walks text", there, rows)
    rows = loops_of(build, scratch, ["-O2"], "annotated")[1]
    expect(not any("steps" in row for row in rows), "nothing is counted unless it is asked for", rows)


main(test)
