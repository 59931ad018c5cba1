#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""first.py BUILD: what a short process pays for being profiled is in the report's interval: start and end, and what is done for each place that is met for the
first time. The program's own CPU clock says what that is, in runs with recording on and off in turn. It does not see how the kernel takes memory back after the
end, which the account has, too: so the interval may begin a little above what is measured."""

import os
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, environment
from report import read

build, = sys.argv[1:2]
ROUNDS = 11
BEYOND = 1.25                            # what the kernel does after the end, and rounding


def clocks(program, options, folder):
    done = call([program], env=environment(PROFPLUG=options), cwd=folder)
    assert done.returncode == 0, done
    return tuple(map(int, done.stdout.split()))


with tempfile.TemporaryDirectory(prefix="profplug-first-") as folder:
    program = f"{folder}/first"
    subprocess.run([f"{build}/profplug-gcc", "-O2", "-g", os.path.dirname(os.path.abspath(__file__)) + "/first.c", "-o", program], check=True)
    on, off, said = [], [], []
    for i in range(ROUNDS):
        off.append(clocks(program, "off", folder)[0])
        ns, whole_ns = clocks(program, f"output={folder}/{i}.profplug", folder)
        on.append(ns)
        run, = read(build, f"{folder}/{i}.profplug")["runs"]
        assert "overhead_least_percent" in run, run["overhead_reason"]
        said.append([whole_ns * share / (100 + share) for share in (run["overhead_least_percent"], run["overhead_most_percent"])])
    cost = statistics.median(on) - statistics.median(off)
    least, most = (statistics.median(side) for side in zip(*said))
    print(f"{cost / 1e3:.0f} us by the program's clock, {least / 1e3:.0f} to {most / 1e3:.0f} in the report")
    assert cost > 100e3, "nothing was recorded"
    assert least < BEYOND * cost and cost < most, f"{cost / 1e3:.0f} us measured, {least / 1e3:.0f} to {most / 1e3:.0f} told"
