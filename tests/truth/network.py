#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""network.py BUILD PROGRAM: bytes, calls and failures by line of every entry point of sockets, as the program was made to move them; answers and connects
between what its own clock says they took at least and at most; endpoints by name; and the kernel's account of reads and writes, which has what read and write move on sockets, and nothing of send and recv."""

import collections
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from report import read, read_by_runtime

build, program = sys.argv[1:3]
CLOCK = 1e-3                             # two clocks: ours goes by a counter whose rate is measured, the program's is the kernel's, which may be slewed by half of that
BUCKET = 1 / 128                         # a percentile is its bucket's middle


def between(got, bounds, error=CLOCK):
    """Whether the time lies where the program's own readings say that it must."""
    least, most = map(float, bounds.split(":"))
    return least * (1 - error) <= got <= most * (1 + error)


def check():
    with tempfile.TemporaryDirectory() as folder:
        data, files = f"{folder}/run.profplug", f"{folder}/files"
        os.mkdir(files)
        # What threads waited for a CPU is read from /proc as they end, and that is in the program's own account of what it read.
        done = subprocess.run([program, files], env={**os.environ, "PROFPLUG": f"output={data},cpu=off"}, capture_output=True, text=True)
        assert done.returncode == 0 and not done.stderr, (done.returncode, done.stderr)
        data_of_other = f"{folder}/other.profplug"
        for way in ("off", f"output={data_of_other},network=off"):
            other = subprocess.run([program, files], env={**os.environ, "PROFPLUG": way}, capture_output=True, text=True)
            assert other.returncode == 0 and not other.stderr, (way, other)
            same = [[line.split() for line in text.splitlines() if line[0].isdigit()] for text in (other.stdout, done.stdout)]
            assert collections.Counter(map(tuple, same[0])) == collections.Counter(map(tuple, same[1])), "the program does the same without it"
        document, without = read(build, data), read(build, data_of_other)
    assert not [o for o in without["operations"] if o["operation"] in ("send", "receive", "connect", "accept", "response", "establish")], "network=off"
    said = [line.split() for line in done.stdout.splitlines()]
    rows = collections.defaultdict(lambda: collections.Counter())
    for o in document["operations"]:
        row = rows[o.get("line"), o["operation"]]
        for key in ("calls", "errors", "bytes", "wall_ns", "in_progress_calls"):
            row[key] += o.get(key, 0)
        row["max_ns"] = max(row["max_ns"], o["max_ns"])
        if o.get("target_kind") == "socket":
            assert o["wait"] == "network", o
    ends = {e["endpoint"]: e for e in document["endpoints"]}
    checked = 0
    for line, what, count, calls, failed in (s for s in said if s[0].isdigit()):
        row = rows[int(line), what]
        assert (row["bytes"], row["calls"], row["errors"]) == (int(count), int(calls), int(failed)), f"line {line}, {what}: {dict(row)}, expected {count} {calls} {failed}"
        checked += 1
    source = {found[1]: number for number, text in enumerate(open(f"{os.path.dirname(os.path.abspath(__file__))}/network.c"), 1)
              for found in [re.search(r"/\* (\w+)(?:: .*)? \*/$", text.rstrip())] if found}
    for name, what, count, calls in (("served", "receive", 4000, 40), ("replied", "send", 8000, 40), ("written", "write", 2000, 20), ("first", "read", 1000, 20),
                                     ("rest", "receive", 3000, 20), ("asks", "send", 1000, 100), ("gets", "receive", 3000, 100), ("clients", "connect", 0, 4)):
        row = rows[source[name], what]
        assert (row["bytes"], row["calls"], row["errors"]) == (count, calls, 0), (name, dict(row))
        checked += 1
    assert not rows[source["rest"], "response"]["calls"] and not rows[source["served"], "response"]["calls"], "only what answers"
    for name, sent, received in ((s[1].replace("_", " "), int(s[2]), int(s[3])) for s in said if s[0] == "end"):
        end = ends[name]
        assert (end.get("send_bytes", 0) + end.get("write_bytes", 0), end.get("receive_bytes", 0) + end.get("read_bytes", 0)) == (sent, received), (name, sent, received, end)
        checked += 1
    for name, count, total, *ranks in ((s[1].replace("_", " "), int(s[2]), *s[3:]) for s in said if s[0] == "answers"):
        end = ends[name]
        assert end["response_calls"] == count, (name, count, end)
        assert between(end["response_ns"], total), (name, total, end)
        for key, bounds in zip(("max", "p50", "p95", "p99"), ranks):
            assert between(end[f"response_{key}_ns"], bounds, CLOCK if key == "max" else CLOCK + BUCKET), (name, key, bounds, end)
            checked += 1
        checked += 1
    (name, count, total), = ((s[1].replace("_", " "), int(s[2]), s[3]) for s in said if s[0] == "serves")
    end = ends[name]
    assert end["served_calls"] == count and between(end["served_ns"], total), (name, count, total, end)
    assert 1e6 * (1 - CLOCK - BUCKET) <= end["served_p50_ns"] <= end["served_p99_ns"] <= end["served_max_ns"], end
    assert not [e for e in ends.values() if "served_calls" in e and "response_calls" in e and not e["endpoint"].startswith("unix pair")], "one side asks, the other serves"
    for what, line, bounds in (s for s in said if s[0] in ("connect", "establish")):
        row = rows[int(line), what]
        assert row["calls"] == 1 and row["errors"] == 0, (what, line, dict(row))
        assert rows[int(line), "connect"]["in_progress_calls"] == (what == "establish"), (what, line)
        assert between(row["wall_ns"], bounds), (what, line, bounds, dict(row))
        checked += 1
    assert not [e for e in ends.values() if e["endpoint"].startswith(("tcp at", "udp at", "unix at")) and "response_calls" in e], "who answers has no answers"
    run, = document["runs"]
    account = dict(s for s in said if s[0] in ("in", "out"))
    for direction, at in (("in", "read"), ("out", "write")):
        last = sum(o["bytes"] for o in document["operations"] if o["operation"] == "last_write") if at == "write" else 0
        others = int(account[direction]) + last - run[f"{at}_bytes"]
        assert others in (read_by_runtime() if at == "read" else (0,)) and run[f"unhooked_{at}_bytes"] == 0, (direction, account, run)
    assert run["losses"]["operations"] == 0
    return checked


print(f"{check()} checks")
