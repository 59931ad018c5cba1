# SPDX-License-Identifier: MIT
"""speed.py TOOL FOLDER [sqlite CACHE]: what 100,000 addresses cost, in CPU seconds and megabytes, beside llvm-symbolizer where there is one:
ours is less, by the median of three pairs.

The other bounds are far above what was measured, for slow machines; the figures are printed."""
import os
import random
import resource
import shutil
import subprocess
import sys
import time

from specimen import HERE, SKIPPED, build, instructions, lines_of, run

COUNT = 100000


def cost(command, given):
    """CPU seconds, peak memory in MB, rows."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(["/usr/bin/env", "time", "-f", "%M", *command] if shutil.which("time") else command, input=given, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stderr
    peak = int(done.stderr.split()[-1]) / 1024 if shutil.which("time") else 0
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, peak, done.stdout.count("\n")


def sqlite(folder, cache):
    """The amalgamation as a shared object: one unit of 240,000 lines."""
    fetched = subprocess.run(["sh", f"{HERE}/../real/fetch.sh", "sqlite", cache], capture_output=True, text=True)
    if fetched.returncode:
        print(fetched.stdout.strip() or "skipped: SQLite's source cannot be had")
        sys.exit(SKIPPED)
    os.makedirs(folder, exist_ok=True)
    program = os.path.join(folder, "libsqlite3.so")
    run(["gcc", "-O2", "-g", "-fPIC", "-shared", f"{cache}/sqlite/sqlite3.c", "-o", program])
    return program


def main(tool, folder, which="", cache=""):
    folder = os.path.join(folder, "speed" + which)
    program = sqlite(folder, cache) if which else build("cplusplus5", folder)
    every = instructions(program)
    given = lines_of(random.Random(1).choices(every, k=COUNT))
    print(f"{program}: {len(every)} instructions, {COUNT} addresses")
    ours = cost([tool, "symbolize", program], given)
    print(f"profplug         {ours[0]:.2f} s CPU, {ours[1]:.0f} MB, {ours[2]} rows")
    if shutil.which("llvm-symbolizer"):
        pairs = []
        for _ in range(3):
            theirs = cost(["llvm-symbolizer", "--no-demangle", "-e", program], given)
            pairs.append(cost([tool, "symbolize", program], given)[0] / theirs[0])
        print(f"llvm-symbolizer  {theirs[0]:.2f} s CPU, {theirs[1]:.0f} MB; ours to theirs {sorted(pairs)}")
        assert sorted(pairs)[1] < 1, "slower than llvm-symbolizer"
    assert ours[2] >= COUNT
    assert ours[0] < 5 and ours[1] < 300


main(*sys.argv[1:])
