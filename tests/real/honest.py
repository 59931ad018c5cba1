#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""honest.py BUILD CACHE [RUNS [SECONDS [PROGRAM...]]]: are the printed errors of times honest, on other people's programs? Each runs RUNS times by perf events,
and as often by CPU timers. Over the runs, the shares of the CPU time that a function's and a line's own time have must differ as much as their errors say:
squares of what they are off their mean, over the variances that were printed, as a mean over all rows with PART of the time. Of a row with few samples
the printed error follows their number, so squares and variances are added up before they are divided. Judged is the mean of the programs: of one, the kernel's
share may really differ from run to run, and phases that are longer than an interval make samples more certain than their number says."""
import math
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [f"{HERE}/../support", f"{HERE}/../../bench", HERE]
from refused import PERF_EVENT_OPEN, refuse  # noqa: E402
from report import read  # noqa: E402
from workloads import Workload  # noqa: E402

build, cache = map(os.path.abspath, sys.argv[1:3])
runs, seconds = (float(v) for v in (sys.argv[3:5] + ["20", "1"][len(sys.argv[3:5]):]))
PROGRAMS = sys.argv[5:] or ["sqlite", "lua", "cjson", "bzip2", "nasm", "mawk"]
WAYS = {"events": (), "timers": (PERF_EVENT_OPEN,)}
PART = 0.01                              # of the CPU time
LEAST, MOST = 0.8, 1.25                  # squares over variances


def once(argv, folder, refused, options=""):
    data, work = f"{folder}/run.profplug", f"{folder}/work"
    subprocess.run(["rm", "-rf", data, work], check=True)
    os.makedirs(work)
    subprocess.run(argv, cwd=work, env={**os.environ, "PROFPLUG": f"output={data}{options}"}, check=True, stdout=subprocess.DEVNULL,
                   preexec_fn=(lambda: refuse(refused)) if refused else None)
    return read(build, "--top", "0", "--min-percent", "0", data)


def rows_of(document):
    """Share of the CPU time and its error, by what has it."""
    cpu, rows = document["runs"][0]["cpu_ns"], {}
    for function in document["functions"]:
        if function.get("self_ns"):
            key = "functions", function["name"], function.get("file"), function.get("line")
            rows[key] = function["self_ns"] / cpu, function["self_ns"] * function["self_error_percent"] / 100 / cpu
    for line in document["lines"]:
        if line.get("self_ns"):
            key = "lines", line["file"], line["line"], line.get("function")
            share, error = rows.get(key, (0, 0))
            rows[key] = share + line["self_ns"] / cpu, math.hypot(error, line["self_ns"] * line["error_percent"] / 100 / cpu)
    return rows


def ratio(series):
    """Squares over variances; the mean is taken from the same runs."""
    mean = statistics.fmean(share for share, _ in series)
    squares = sum((share - mean) ** 2 for share, _ in series) * len(series) / (len(series) - 1)
    return squares / max(sum(error ** 2 for _, error in series), 1e-30)


def judge(name, argv, folder, way):
    every, samples = [], []
    for _ in range(int(runs)):
        document = once(argv, folder, WAYS[way])
        every.append(rows_of(document))
        samples.append(document["coverage"]["samples"])
    said, means = [], []
    for kind in ("functions", "lines"):
        keys = sorted({key for rows in every for key in rows if key[0] == kind}, key=str)
        series = {key: [rows.get(key, (0, 0)) for rows in every] for key in keys}
        series = {key: of for key, of in series.items() if statistics.fmean(share for share, _ in of) >= PART}
        ratios = {key: ratio(of) for key, of in series.items()}
        mean = statistics.fmean(ratios.values())
        means.append(mean)
        worst = sorted(ratios, key=lambda key: -ratios[key])[:3]
        said.append(f"{len(ratios)} {kind} {mean:.2f}")
        print("   ", kind, ", ".join(f"{os.path.basename(key[1])}{f':{key[2]}' if kind == 'lines' else ''} "
                                     f"{100 * statistics.fmean(share for share, _ in series[key]):.1f} % {ratios[key]:.2f}" for key in worst))
    print(f"{name}, {way}: {int(runs)} runs of {statistics.median(samples):.0f} samples: {', '.join(said)}", flush=True)
    return means


def test(name, folder):
    work = Workload(name, cache)
    program = work.build(f"{build}/real/{name}-honest", ["gcc", f"-fplugin={build}/profplug.so"], ["-O2", "-g"], [f"-L{build}", "-l:libprofplug.a", "-pthread"])
    size = 1.0
    while (took := once([program, *work.arguments(f"{folder}/work", size)], folder, (), ",samples=off")["runs"][0]["cpu_ns"] / 1e9) < seconds / 5:
        size *= 3
    argv = [program, *work.arguments(f"{folder}/work", size * seconds / took)]
    return {way: judge(name, argv, folder, way) for way in WAYS}


with tempfile.TemporaryDirectory(prefix="profplug-honest-") as folder:
    got = [test(name, folder) for name in PROGRAMS]
held = True
for way in WAYS:
    functions, lines = (statistics.fmean(means[way][kind] for means in got) for kind in (0, 1))
    print(f"{way}: functions {functions:.2f}, lines {lines:.2f}, allowed {LEAST} to {MOST}")
    held = held and LEAST <= functions <= MOST and LEAST <= lines <= MOST
sys.exit(0 if held else 1)
