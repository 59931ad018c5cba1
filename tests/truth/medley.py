#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""medley.py BUILD PROGRAM: of transfers that change what they are from call to call, each is counted where it belongs, timed or not."""

import glob
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from report import at, read

build, program = sys.argv[1:3]
here, = (i for i, text in enumerate(open(f"{os.path.dirname(__file__)}/medley.c"), 1) if "/* here */" in text)


def once(timing, *way):
    """What it said, and the main process's document before its children's."""
    with tempfile.TemporaryDirectory(dir=build) as folder:
        os.mkdir(f"{folder}/files")
        done = subprocess.run([program, f"{folder}/files", *way], env={**os.environ, "PROFPLUG": f"output={folder}/%p.profplug,budget=0.01,timing={timing}"}, capture_output=True, text=True)
        assert done.returncode == 0 and not done.stderr, (done.returncode, done.stderr)
        documents = [read(build, path)
                     for path in glob.glob(f"{folder}/*.profplug")]
    lines = [line.split() for line in done.stdout.splitlines()]
    documents.sort(key=lambda d: d["runs"][0]["pid"] != d["runs"][0]["root_pid"])
    # where a handler forks amid them, the waits for the children are reads, too: on a busy machine the mean one is so long that all are timed
    counted(lines, documents[0], timing, 1 if way else 0.8)
    return lines, documents


def counted(lines, document, timing, most):
    wanted = {tuple(line[:3]): list(map(int, line[3:])) for line in lines if line[0] in ("odd", "even", "-")}
    found, timed = {}, 0
    for o in at(document["operations"], "medley.c", here):
        key = o.get("stage", "-"), o["operation"], os.path.basename(o["target"])
        assert key not in found or key[2] == "own", key
        if key[2] == "own":              # the handler's, whatever stage it came amid
            key = "-", *key[1:]
        found[key] = [sum(pair) for pair in zip(found.get(key, [0] * 5), (o["calls"], o["bytes"], o["sequential_calls"], o["errors"], o["sizes"][0]))]
        assert sum(o["sizes"]) == o["calls"] - o["errors"] and o.get("timed_calls", 0) <= o["calls"], o
        timed += o.get("timed_calls", o["calls"])
    assert found.keys() == wanted.keys(), found.keys() ^ wanted.keys()
    for key, want in wanted.items():
        if want[2] < 0:                  # two threads at once, or a place that is none
            want[2] = found[key][2]
        assert found[key] == want, f"{key}: {found[key]}, expected {want}"
    calls, run = sum(want[0] for want in wanted.values()), document["runs"][0]
    assert timed <= calls * most if timing == "adaptive" else timed == calls, (timing, timed, calls)
    given = run["given_up"].get("operation_times", {"count": 0})["count"]
    assert given == sum(o["calls"] - o["timed_calls"] for o in document["operations"] if "timed_calls" in o), given
    assert not run["losses"]["operations"], run
    print(f"{timing}: {calls} calls, {timed} of them timed")


for timing in ("exact", "adaptive"):
    lines, (document,) = once(timing)
    run = document["runs"][0]
    assert run["unhooked_read_bytes"] == 0 and run["unhooked_write_bytes"] == 0, run          # of the kernel's account nothing is left over
    lines, (document, *children) = once(timing, "divided")
    assert ["children", "30"] in lines and lines.count(["child", "1", "c"]) == len(children) == 30, (lines, len(children))
    for child in children:               # what a handler interrupted, and both processes ended, is a call of both
        found = [(o["operation"], o.get("line"), os.path.basename(o.get("target", "")), o["calls"], o["bytes"]) for o in child["operations"] if o["operation"] == "read"]
        assert found == [("read", here, "fifo", 1, 1)], found
