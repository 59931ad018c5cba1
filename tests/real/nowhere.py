#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""nowhere.py BUILD CACHE PROGRAM [RUNS]: how much CPU time of redis, nginx, CPython or SQLite with its file on a disk is the kernel's and at no line of
theirs, with perf events and where these are refused: in the middle of RUNS runs (5) at most 3 %, and time of the profiler is not it. A server answers
requests of the bench's clients."""
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [f"{HERE}/../support", f"{HERE}/../../bench", HERE]
from project import Verdict  # noqa: E402
from refused import refuse  # noqa: E402
from report import read  # noqa: E402
from workloads import Workload  # noqa: E402

PERF_EVENT_OPEN = 298
MOST = 0.03
SIZE = {"redis": 4, "nginx": 6, "python": 4, "sqlite": 16}     # of a run of half a second or more
build, cache, name = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]
runs = int(sys.argv[4]) if len(sys.argv) > 4 else 5
folder = f"{build}/real/{name}-nowhere"
verdict = Verdict()
workload = Workload(name, cache)
program = workload.build(folder, ["gcc", f"-fplugin={build}/profplug.so"], ["-O2", "-g"], [f"-L{build}", "-l:libprofplug.a", "-pthread"], keep=True)
work, data = f"{folder}/work", f"{folder}/run.profplug"


def report_of_run(refused):
    subprocess.run(["rm", "-rf", work, data], check=True)
    os.makedirs(work)
    arguments = workload.arguments(work, SIZE[name])
    process = subprocess.Popen(workload.command(program, arguments), cwd=work, env={**os.environ, **workload.environment, "PROFPLUG": f"output={data}"}, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, preexec_fn=(lambda: refuse((PERF_EVENT_OPEN,))) if refused else None)
    try:
        workload.attend(process, work)
        verdict.expect(process.wait(120) == 0, f"exit status {process.returncode}")
    finally:
        process.kill()
    return read(build, "--top", "0", "--min-percent", "0", data)


for refused in (False, True):
    shares = []
    for _ in range(runs):
        coverage = report_of_run(refused)["coverage"]
        shares.append((coverage["kernel_ns"] - coverage["kernel_placed_ns"] - coverage["kernel_profiler_ns"]) / coverage["cpu_ns"])
    said = " ".join(f"{100 * share:.1f}" for share in shares)
    verdict.expect(statistics.median(shares) <= MOST, f"{name}, {'timers' if refused else 'events'}: {said} % of {coverage['cpu_ns'] / 1e6:.0f} ms are the kernel's on no line")
verdict.finish()
