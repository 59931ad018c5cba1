#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""refused.py BUILD: under a limit of memory that leaves too little, or nothing, for the numbers of a thread, more calls make no more system calls than
without a limit, as strace counts them. The report says that a limit refused memory, and does not speak of the disk. Where a limit leaves just enough, it
does so for a file that is full, too: what has no room there takes as much memory as it would in the file."""
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from program import environment
from report import read

HERE = pathlib.Path(__file__).resolve().parent
build = pathlib.Path(sys.argv[1]).resolve()
FEW, MANY = 20, 60
LIMITS = [3000, 6000, 32000]      # KB: no room at all, some for the first, some for most
EXTRA = 40                        # asked again after 1, 2, 4 ... refusals


def ran(command, data, limit, options=""):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment(PROFPLUG=f"samples=off,output={data}{options}"),
                          preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit << 10, limit << 10))) if limit else None)
    assert done.returncode == 0 and not done.stderr, (limit, done.stderr)


def calls(scratch, limit, rounds):
    """System calls of a run, and its data file."""
    table, data = scratch / "table", scratch / f"{limit}-{rounds}.profplug"
    ran(["strace", "-f", "-c", "-o", table, scratch / "refused", str(rounds)], data, limit)
    return int(re.search(r"^100\.00 +\S+ +\d+ +(\d+) .*total$", table.read_text(), re.M)[1]), data


def losses(scratch, limit, options=""):
    data = scratch / "losses.profplug"
    data.unlink(missing_ok=True)
    ran([scratch / "refused", str(MANY)], data, limit, options)
    return read(build, str(data))["runs"][0]["losses"]


def enough(scratch):
    """KB: a limit under which no memory is refused, as less refuses some."""
    low, high = LIMITS[0], 1 << 20
    while high - low > 100:
        middle = (low + high) // 2
        low, high = (middle, high) if losses(scratch, middle)["memory_failures"] else (low, middle)
    return high


if not shutil.which("strace") or subprocess.run(["strace", "-f", "-c", "-o", os.devnull, "true"], capture_output=True).returncode:
    print("strace is missing, or may not trace")
    sys.exit(77)
with tempfile.TemporaryDirectory(dir=build) as scratch:
    scratch = pathlib.Path(scratch).resolve()
    subprocess.run([build / "profplug-gcc", "-O1", "-g", HERE / "programs/refused.c", "-o", scratch / "refused"], check=True)
    bad = []
    free = calls(scratch, 0, MANY)[0] - calls(scratch, 0, FEW)[0]
    for limit in LIMITS:
        (few, _), (many, data) = calls(scratch, limit, FEW), calls(scratch, limit, MANY)
        if many - few > free + EXTRA:
            bad.append(f"{limit} KB: {many - few} system calls more, without a limit {free}")
        report = subprocess.run([build / "profplug", "report", "--all", data], capture_output=True, text=True, check=True).stdout
        text = " ".join(report.split())
        if "of memory" not in text or "a limit" not in text or "the disk" in text:
            bad.append(f"{limit} KB: the report does not name the limit: {text[:600]}")
    least = enough(scratch)
    for options in (",max-file=64k", ",max-file=200k"):
        full = losses(scratch, least, options)
        if not full["disk_extents"] or full["memory_failures"]:
            bad.append(f"{least} KB suffice, but not with {options[1:]}: {full}")
    done = subprocess.run([build / "profplug", "run", "-o", scratch / "run.profplug", scratch / "refused", "9"], capture_output=True, text=True, timeout=120,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (LIMITS[0] << 10, LIMITS[0] << 10)))
    if done.returncode or "of memory were refused" not in done.stderr or "disk" in done.stderr:
        bad.append(f"profplug run does not name the limit: {done.stderr}")
    print("\n".join(bad) or f"{free} system calls more in {MANY - FEW} rounds, at every limit")
    sys.exit(bool(bad))
