#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""abandoned.py BUILD PROGRAM: of the waits that a program began, those that were left without returning do not show as open at its end, in its own file nor in a forked child's, and
those of handlers within waits do, both. Those that were left are calls that failed, at their line and in their function, and took as long as they did."""

import collections
import glob
import json
import os
import subprocess
import sys
import tempfile

build, program = sys.argv[1:3]

with tempfile.TemporaryDirectory(dir=build) as folder:
    done = subprocess.run([program], env={**os.environ, "PROFPLUG": f"output={folder}/run.%p.profplug"}, stdout=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 0, done
    documents = [json.loads(subprocess.run([f"{build}/profplug", "report", "--format", "json", path], capture_output=True, text=True, check=True).stdout)
                 for path in glob.glob(f"{folder}/*.profplug")]
said = [line.split() for line in done.stdout.splitlines()]
want = collections.Counter((kind, int(line)) for what, kind, line in said if what == "open")
left = {int(line) for what, _, line in said if what == "gone"}
assert len(documents) == 2 and len(want) == 5 and len(left) == 1, (len(documents), want, left)
documents.sort(key=lambda d: len(d["threads"]))
got = [collections.Counter(), collections.Counter()]
for document, sums in zip(documents, got):
    for row in document.get("waits", []):
        if row["unfinished_calls"]:
            sums[row["operation"], row.get("line")] += row["unfinished_calls"]
assert not got[0], got[0]                # the child has ended in no wait
assert got[1] == want, (got[1] - want, want - got[1])
lost = [document["runs"][0]["losses"]["operations"] for document in documents]
assert lost == [0, 0], lost
(line,), gone = left, [what for what, _, _ in said].count("gone")
(least, most), = [(int(least), int(most)) for what, least, most in said if what == "took"]
(row,) = [row for row in documents[1]["operations"] if row.get("line") == line]
assert (row["calls"], row["errors"], row["function"]) == (gone, gone, "left"), row      # left by two handlers, by three cancellations, and by the thread that ended the process
assert least <= row["wait_ns"] == row["wall_ns"] <= most, (least, row, most)
(row,) = [row for row in documents[1]["waits"] if row.get("line") == line]
assert row["function"] == "left" and least <= row["wait_ns"] <= most, (least, row, most)
assert not left & {line for _, line in got[1]}, got[1]
print(f"{sum(want.values())} waits are open, and none of those that were left")
