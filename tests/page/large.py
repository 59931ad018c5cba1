#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""large.py BUILD: the page of a run with 100,000 lines and 1,000,000 nodes of the call tree has 8 MB at most, every view of it opens, and its heap
stays below 120 MB. Times are printed; they are not judged, as the machine may do other things."""

import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, must
from ready import HERE, packages, skip
from sheets import Page, sheets_of

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
LINES, NODES = 100_000, 1_000_000


def test(build, scratch):
    seed, page = f"{scratch}/workshop.profplug", f"{scratch}/crowd.html"
    must([f"{build}/profplug-gcc", "-O1", "-g", "-o", f"{scratch}/workshop", f"{HERE}/workshop.c", "-lpthread"])
    must([f"{build}/profplug", "run", "--quiet", f"--output={seed}", f"{scratch}/workshop", "2", "20"], cwd=scratch)
    print(must([f"{build}/page_crowd", seed, scratch, str(LINES), str(NODES)]), end="")
    size = os.path.getsize(page)
    expect(size <= 8 << 20, "8 MB at most", size)
    with open(page) as file:
        sheets = sheets_of(Page(file.read()))
    expect(sheets["lines"]["count"] == LINES and NODES * 0.99 <= sheets["calls"]["count"] <= NODES, "all is in it", sheets["lines"]["count"], sheets["calls"]["count"])
    if not os.access(CHROMIUM, os.X_OK):
        skip(f"{CHROMIUM} is missing: apt-get install chromium")
    folder = f"{build}/tests/page/npm"
    packages(folder)
    shutil.copy(f"{HERE}/large.js", folder)
    done = subprocess.run(["timeout", "500", "node", "large.js", CHROMIUM, page], cwd=folder, capture_output=True, text=True)
    expect(done.returncode == 0, "it opens in Chromium", done.stderr[-2000:])
    got = json.loads(done.stdout)
    print(f"{size} bytes; heap {got['heap'] / 1e6:.0f} MB; milliseconds: " + ", ".join(f"{name} {ms}" for name, ms in got["best"].items()))
    expect(got["heap"] <= 120e6, "the heap has 120 MB at most", got["heap"])
    expect(not got["said"] and len(got["best"]) >= 12, "each view opens without a message", got["said"], got["best"])


main(test)
