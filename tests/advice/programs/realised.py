#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""realised.py [--scales] [NAME...]: what each program of programs.json wins when its planted problem is taken away.

Compiles each twice, runs both in turn, and prints medians of wall and CPU time and the saving in percent of the first.
Fails if the outputs differ, if the saving in the main currency is too small to be worth an advice, or if a mark is
missing. --scales runs both at a tenth and at ten times the size, too. No profiler is involved. What two threads win by
running at once shows on a machine alone: the load is printed first."""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROUNDS, SAVING_LEAST, LARGE_MOST_S = 5, 5.0, 20.0


def build(entry, folder, fixed):
    """Path of the executable, with the planted problem or without it."""
    compiler = "g++" if entry["file"].endswith(".cc") else "gcc"
    path = os.path.join(folder, entry["name"] + ("-fixed" if fixed else ""))
    command = [compiler, "-O2", "-g", "-Wall", "-Wextra", "-Werror", *(["-DFIXED"] if fixed else []),
               os.path.join(HERE, entry["file"]), "-o", path, *entry["libs"].split()]
    subprocess.run(command, check=True)
    return path


def run(path, scale, folder):
    """Output, wall seconds and CPU seconds of one run."""
    with tempfile.TemporaryFile() as out:
        start = time.monotonic()
        child = subprocess.Popen([path, str(scale)], stdout=out, env={**os.environ, "TMPDIR": folder})
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        output = out.read() if child.returncode == 0 else f"exit {child.returncode}".encode()
        return output, wall, usage.ru_utime + usage.ru_stime


def marks(entry):
    with open(os.path.join(HERE, entry["file"]), encoding="utf-8") as file:
        return [number for number, line in enumerate(file, 1) if re.search(r"/\* @ \*/$", line.rstrip())]


def measure(entry, folder, scales):
    """One row of the table, and what is wrong with it."""
    wrong = [] if marks(entry) else ["no line is marked"]
    paths = [build(entry, folder, fixed) for fixed in (False, True)]
    times = ([], [])
    outputs = set()
    for _ in range(ROUNDS):
        for path, taken in zip(paths, times):
            output, wall, cpu = run(path, 1, folder)
            outputs.add(output)
            taken.append((wall, cpu))
    if len(outputs) != 1 or any(output.startswith(b"exit") or not output for output in outputs):
        wrong.append(f"outputs differ or fail: {sorted(outputs)}")
    medians = [[statistics.median(column) for column in zip(*taken)] for taken in times]
    saving = [100 * (before - after) / before if before else 0.0 for before, after in zip(*medians)]
    won = saving[("wall", "cpu").index(entry["currency"])]
    if won < SAVING_LEAST:
        wrong.append(f"saves {won:.1f} % of {entry['currency']}; expected {SAVING_LEAST} % at least")
    columns = [f"{first:7.3f} {fixed:7.3f} {saved:6.1f} %" for first, fixed, saved in zip(*medians, saving)]
    print(f"{entry['name']:14} {entry['kind']:30} {entry['currency']:4}", *columns, end="")
    for scale in (0.1, 10) if scales else ():
        results = [run(path, scale, folder) for path in paths]
        if len({output for output, _, _ in results}) != 1 or results[0][0].startswith(b"exit"):
            wrong.append(f"outputs at scale {scale} differ or fail: {[output for output, _, _ in results]}")
        which = 1 if entry["currency"] == "wall" else 2
        if max(result[which] for result in results) > LARGE_MOST_S:
            wrong.append(f"scale {scale} takes more than {LARGE_MOST_S} s of {entry['currency']}")
        saved = 100 * (1 - results[1][which] / results[0][which]) if results[0][which] else 0.0
        print(f"  x{scale}: {results[0][1]:6.2f} s, saves {saved:5.1f} %", end="")
    print(flush=True)
    return wrong


def main():
    names = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    with open(os.path.join(HERE, "programs.json"), encoding="utf-8") as file:
        entries = [entry for entry in json.load(file) if not names or entry["name"] in names]
    known = {entry["name"] for entry in entries} | {"--scales"}
    if not entries or set(sys.argv[1:]) - known:
        sys.exit(f"realised.py: expected --scales or names of programs.json, got {' '.join(sys.argv[1:])}")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"{'name':14} {'kind':30} main", *[f"{unit:>7}   fixed    saved" for unit in ("wall s", "CPU s")])
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for entry in entries:
            for sentence in measure(entry, folder, "--scales" in sys.argv):
                print(f"{entry['name']}: {sentence}")
                failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
