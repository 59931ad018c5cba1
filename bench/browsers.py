#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""browsers.py BUILD [--firefox FOLDER] [--turns N]: the page beside those of speedscope and Firefox profiler, with one run of 100,000 lines and 1,000,000 nodes.

Each page opens it in Debian's Chromium; browsers.mjs says what is timed. The exports hold CPU time alone; our page has every cost, the lines and their sources
as well. FOLDER is a built page of Firefox profiler (`dist/` after `yarn build-prod` in its sources), as npm has none; without it that page is left out."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, f"{ROOT}/tests/support")
import npm  # noqa: E402
from program import must  # noqa: E402

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FILES = {"profplug": "crowd.html", "speedscope": "crowd.speedscope", "firefox": "crowd.firefox"}


def crowd_make(build, folder):
    """The run of page_large, as each page wants it."""
    seed = f"{folder}/workshop.profplug"
    must([f"{build}/profplug-gcc", "-O1", "-g", "-o", f"{folder}/workshop", f"{ROOT}/tests/page/workshop.c", "-lpthread"])
    must([f"{build}/profplug", "run", "--quiet", "--timeline=on", f"--output={seed}", f"{folder}/workshop", "2", "20"], cwd=folder)
    must([f"{build}/page_crowd", seed, folder, "100000", "1000000", "speedscope", "firefox"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build")
    parser.add_argument("--firefox", metavar="FOLDER", help="a built page of Firefox profiler")
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    build, packages = os.path.abspath(options.build), f"{os.path.abspath(options.build)}/tests/export/npm"
    missing = npm.packages(f"{ROOT}/tests/export", packages) or ("" if os.access(CHROMIUM, os.X_OK) else f"{CHROMIUM} is missing: apt-get install chromium")
    if missing:
        sys.exit(f"bench/browsers.py: {missing}")
    shutil.copy(f"{ROOT}/bench/browsers.mjs", packages)
    with tempfile.TemporaryDirectory() as folder:
        crowd_make(build, folder)
        more = [os.path.abspath(options.firefox)] if options.firefox else []
        done = subprocess.run(["node", "browsers.mjs", CHROMIUM, folder, str(options.turns), *more], cwd=packages, stdout=subprocess.PIPE, text=True, check=True)
        print("| page | file | first paint | from the file to a view | to its flame graph | heap |\n|---|---|---|---|---|---|")
        for row in map(json.loads, done.stdout.splitlines()):
            size = os.path.getsize(f"{folder}/{FILES[row['name']]}")
            print(f"| {row['name']} | {size / 1e6:.1f} MB | {row['paint']} ms | {row['usable']} ms | {row['graph']} ms | {row['heap'] / 1e6:.0f} MB |", row.get("error") or "")


main()
