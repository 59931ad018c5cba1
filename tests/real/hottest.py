#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hottest.py BUILD PROGRAM CACHE [RUNS] [SECONDS]: how certain is the hottest line of ten programs: Lua, zstd, SQLite, cJSON, a tree, and five mixes of
PROGRAM (hottest.c), which say what their lines took. Each runs for some seconds of CPU time with every sample taken.

A line with 8 % of the time or more has a printed error of at most 8 % after 2 s of user time, and more after less, by the square root. Over the runs the
line's shares differ as much as their errors say; of the mixes, from what their clocks say. What the default budget leaves of that is printed: it depends
on what a sample costs on this machine. Programs that cannot be had here are left out, and said."""
import math
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [f"{HERE}/../support", f"{HERE}/../../bench", HERE]
from report import read  # noqa: E402
from workloads import Workload  # noqa: E402

build, program, cache = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
runs, seconds = (float(v) for v in (sys.argv[4:] + ["4", "2"][len(sys.argv) - 4:]))
SIGMAS, PERCENT = 5.4, 8
EVERY, DEFAULT = "budget=100,calltree=off", "budget=2"


def shares(argv, folder, options):
    """The CPU seconds of a run, its report, what it said."""
    data = f"{folder}/run.profplug"
    if os.path.exists(data):
        os.remove(data)
    work = f"{folder}/work"
    subprocess.run(["rm", "-rf", work], check=True)
    os.makedirs(work)
    said = subprocess.run(argv, cwd=work, env={**os.environ, "PROFPLUG": f"output={data},{options}"}, check=True, capture_output=True, text=True).stdout
    return read(build, "--top", "0", "--min-percent", "0", data), said


def hottest(document):
    return max((row for row in document["lines"] if row.get("self_ns")), key=lambda row: row["self_ns"])


def found(document, file, line):
    """Share of the user time, and its error, of a line in all functions that have it."""
    user = document["runs"][0]["user_ns"]
    rows = [row for row in document["lines"] if row.get("line") == line and row.get("file") == file and row.get("self_ns")]
    return sum(row["self_ns"] for row in rows) / user, math.sqrt(sum((row["self_ns"] * row["error_percent"] / 100) ** 2 for row in rows)) / user


def foreign(name, folder):
    """The program with probes and its arguments for that many seconds, or None."""
    done = subprocess.run([sys.executable, "-c", f"import sys; sys.path[:0] = [{HERE + '/../../bench'!r}]; from workloads import Workload; Workload({name!r}, {cache!r})"],
                          capture_output=True, text=True)
    if done.returncode:
        print(f"left out: {name}: {(done.stdout + done.stderr).strip()[-200:]}")
        return None
    work = Workload(name, cache)
    built = work.build(f"{build}/real/{name}-hottest", ["gcc", f"-fplugin={build}/profplug.so"], ["-O2", "-g"], [f"-L{build}", "-l:libprofplug.a", "-pthread"])
    size = 1.0
    while True:
        document, _ = shares([built, *work.arguments(f"{folder}/argument", size)], folder, "samples=off")
        took = document["runs"][0]["cpu_ns"] / 1e9
        if took > seconds / 5:
            return [built, *work.arguments(f"{folder}/argument", size * seconds / took)]
        size *= 3


squares, degrees, wrong = 0.0, 0, []
with tempfile.TemporaryDirectory(prefix="profplug-hottest-") as folder:
    os.makedirs(f"{folder}/argument")
    programs = {name: foreign(name, folder) for name in ("lua", "zstd", "sqlite", "cjson", "tree")}
    programs |= {f"mix {mix}": [program, str(mix), str(seconds * 1000)] for mix in range(5)}
    for name, argv in programs.items():
        if not argv:
            continue
        got, printed, top = [], [], None
        for _ in range(int(runs)):
            document, said = shares(argv, folder, EVERY)
            top = top or hottest(document)
            share, error = found(document, top["file"], top["line"])
            truth = {int(line): float(ns) for line, ns in map(str.split, said.splitlines())} if name.startswith("mix") else None
            got.append((share, error, truth and truth.get(top["line"], 0) / sum(truth.values())))
            allowed = PERCENT * math.sqrt(max(1, 2e9 / document["runs"][0]["user_ns"]))
            printed.append(100 * error / share if share else 0)
            if share >= PERCENT / 100 and printed[-1] > allowed:
                wrong.append(f"{name}: line {top['line']} has {100 * share:.1f} % +- {printed[-1]:.1f} %, allowed {allowed:.1f} %")
        weight = sum(1 / e ** 2 for _, e, _ in got if e)
        mean = sum(s / e ** 2 for s, e, _ in got if e) / weight if weight else 0
        of = [(s - (t if t is not None else mean)) / e for s, e, t in got if e]
        squares += sum(z * z for z in of)
        degrees += len(of) - (not name.startswith("mix"))
        document, _ = shares(argv, folder, DEFAULT)
        run, (share, error) = document["runs"][0], found(document, top["file"], top["line"])
        print(f"{name}: {top.get('function', '?')}:{top['line']} {100 * mean:.1f} %, printed +-{sum(printed) / len(printed):.1f} %, off by {' '.join(f'{z:+.1f}' for z in of)}; "
              f"at {DEFAULT} {run['events_sampled'] / run['cpu_ns'] * 1e9:.0f} samples a second, +-{100 * error / share if share else 0:.1f} %", flush=True)
spread = 2 / (9 * degrees)
low, high = ((1 - spread + side * SIGMAS * math.sqrt(spread)) ** 3 for side in (-1, 1))
print(f"chi-square over {degrees} degrees of freedom {squares / degrees:.2f}, allowed {low:.2f} to {high:.2f}")
print("\n".join(wrong))
sys.exit(0 if not wrong and low <= squares / degrees <= high else 1)
