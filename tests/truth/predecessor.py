#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""predecessor.py BUILD PROGRAM: a process that used CPU time becomes PROGRAM by exec; only what PROGRAM used is its run's, as the kernel's
accounts of both say."""
import os
import resource
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from report import read

build, program = sys.argv[1:]
with tempfile.TemporaryDirectory() as work:
    data, output = f"{work}/run.profplug", os.open(f"{work}/out", os.O_CREAT | os.O_WRONLY)
    pipe, end = os.pipe()
    child = os.fork()
    if child == 0:
        def used():
            now = resource.getrusage(resource.RUSAGE_SELF)
            return now.ru_utime + now.ru_stime
        while used() < 0.5:
            pass
        os.write(end, str(used()).encode())
        os.dup2(output, 1)
        os.execve(program, [program], dict(os.environ, PROFPLUG=f"output={data}"))
    _, status, usage = os.wait4(child, 0)
    before = float(os.read(pipe, 99))
    run = read(build, data)["runs"][0]
expected, got = usage.ru_utime + usage.ru_stime - before, run["cpu_ns"] / 1e9
print(f"exit {status}; {before:.3f} s before exec, {expected:.3f} s after it; the report says {got:.3f} s")
sys.exit(status != 0 or abs(got - expected) > 0.03 + 0.05 * expected)
