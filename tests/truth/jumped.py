#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""jumped.py BUILD: of a loop that longjmp leaves together with its function, the report says in how many runs that was, and that its iterations are so many at least; of
another loop it says neither."""
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, must, write
from report import named, read

RUNS, LAST, PROGRAM = 700, 7, """#include <setjmp.h>
static jmp_buf outside;
static volatile int sum;
__attribute__((noinline)) static void step(int i, int last)
{
    sum += i;
    if (i == last)
        longjmp(outside, 1);
}
__attribute__((noinline)) static void leave(void)
{
#pragma profplug loop("left")
    for (int i = 0; i < 100; i++)
        step(i, %d);
}
__attribute__((noinline)) static void stay(void)
{
#pragma profplug loop("ended")
    for (int i = 0; i < 10; i++)
        step(i, -1);
}
int main(void)
{
    for (volatile int i = 0; i < %d; i++) {
        stay();
        if (!setjmp(outside))
            leave();
    }
    return 0;
}
"""


def test(build, scratch):
    write(f"{scratch}/jumped.c", PROGRAM % (LAST, RUNS))
    for level in ("-O0", "-O2"):
        must([f"{build}/profplug-gcc", level, "-g", "jumped.c", "-o", "jumped"], cwd=scratch)
        must(["./jumped"], cwd=scratch, env={"PROFPLUG": f"output=jumped{level}.profplug"})
        loops = read(build, f"jumped{level}.profplug", cwd=scratch)["loops"]
        left, ended = named(loops, "left"), named(loops, "ended")
        text = must([f"{build}/profplug", "report", "--section", "loops", f"jumped{level}.profplug"], cwd=scratch)
        row, other = ([line for line in text.splitlines() if line.startswith(name)][0] for name in ("left", "ended"))
        expect(left["calls"] == left["left_runs"] == RUNS and left["iterations"] <= RUNS * (LAST + 1), f"runs that were left ({level})", left["calls"], left.get("left_runs"), left["iterations"])
        expect(ended["calls"] == RUNS and ended["left_runs"] == 0 and ended["iterations"] == 10 * RUNS, f"runs that ended ({level})", ended)
        expect(">=" in row and ">=" not in other and "may be missing" in text, f"the text says so ({level})", text)


main(test)
