#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""succession.py BUILD: of more threads than there are rows for, one after the other, all are counted and nothing that they do is lost. The report says how
many are listed one by one, and not that threads were lost."""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from program import environment
from report import read

HERE = pathlib.Path(__file__).resolve().parent
build = pathlib.Path(sys.argv[1]).resolve()
COUNT, ROWS = 66000, 65720        # rows: the limit, rounded up to what an extent holds

with tempfile.TemporaryDirectory(dir=build) as scratch:
    scratch = pathlib.Path(scratch).resolve()
    subprocess.run([build / "profplug-gcc", "-O1", "-g", "-pthread", HERE / "programs/succession.c", "-o", scratch / "succession"], check=True)
    done = subprocess.run([scratch / "succession", str(COUNT)], capture_output=True, text=True, check=True, env=environment(PROFPLUG=f"output={scratch}/run.profplug"))
    document = read(build, scratch / "run.profplug", settled=False)
    run, = document["runs"]
    little = sum(f["calls"] for f in document["functions"] if f["name"] == "little")
    told = [notice for notice in run["notices"] if "listed one by one" in notice]
    bad = [text for ok, text in (
        (int(done.stdout) == little == COUNT, f"little() ran {done.stdout.strip()} times, the report has {little}"),
        (run["thread_count"] == COUNT + 1, f"{run['thread_count']} threads, expected {COUNT + 1}"),
        (not any(run["losses"].values()), f"lost: {run['losses']}"),
        (len(document["threads"]) == ROWS, f"{len(document['threads'])} threads are listed, expected {ROWS}"),
        (len(told) == 1 and f"{COUNT + 1 - ROWS} of {COUNT + 1} threads" in told[0] and str(ROWS) in told[0], f"the report does not say how many: {run['notices']}")) if not ok]
    print("\n".join(bad) or f"{COUNT} threads")
    sys.exit(bool(bad))
