#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bounds.py BUILD: no stage has more user time than CPU time, nor has its function (bounds.c), with perf events and
where the kernel refuses them. The CPU time of one that calls itself is read at all of its outermost entries: it is exact."""
import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
import refused
from program import expect, main, must
from report import named, read

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bounds.c")
COMPUTE = ("first", "second", "third", "fourth")
RUNS, SLACK = 4, 0.005
EXACT = 0.01                             # the clock is read outside of the stage


def test(build, scratch):
    must([f"{build}/profplug-gcc", "-O2", "-g", "-fno-ipa-icf", f"-I{os.path.dirname(SOURCE)}", SOURCE, "-o", f"{scratch}/bounds"])
    for run in range(RUNS):
        data, forbidden = f"{scratch}/{run}.profplug", [refused.PERF_EVENT_OPEN] * (run % 2)
        said = must([f"{scratch}/bounds"], env={"PROFPLUG": f"output={data}"}, preexec_fn=lambda: refused.refuse(forbidden) if forbidden else None)
        document = read(build, data)
        for name in (*COMPUTE, "reads"):
            stage, function = named(document["stages"], name), named(document["functions"], name)
            clock, user, own = stage["cpu_ns"], stage.get("user_ns", 0), function.get("user_ns", 0)
            most = clock * (1 + SLACK + 2 * stage.get("cpu_error_percent", 0) / 100)
            print(f"{name}: {clock / 1e6:.1f} ms on the CPU, {user / 1e6:.1f} +- {stage.get('user_error_percent', 0):.1f} % user, {own / 1e6:.1f} in the function")
            expect(user <= most and own <= most, f"{name} has no more user time than CPU time", stage, function)
        again, took = named(document["stages"], "again"), int(said)
        print(f"again: {again['cpu_ns'] / 1e6:.1f} +- {again.get('cpu_error_percent', 0):.1f} % of {took / 1e6:.1f} ms")
        expect(abs(again["cpu_ns"] - took) <= EXACT * took, "a recursion has its CPU time", again, took)
        expect("cpu_error_percent" not in again, "the CPU time of a recursion is exact", again)


main(test)
