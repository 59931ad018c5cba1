#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""browser.py BUILD [FOLDER]: the page in Debian's Chromium, driven by playwright-core: see drive.js. Status 77, with the reason, where Chromium
or npm's packages are missing. In FOLDER pictures of every view are left."""

import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main
from ready import HERE, packages, pages_make, skip

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")


def test(build, scratch):
    if not os.access(CHROMIUM, os.X_OK):
        skip(f"{CHROMIUM} is missing: apt-get install chromium")
    folder = f"{build}/tests/page/npm"
    packages(folder)
    shutil.copy(f"{HERE}/drive.js", folder)
    running = {}
    for name, whole in zip(pages_make(build, scratch), "10"):               # both at once: one waits where the other computes
        running[name] = subprocess.Popen(["timeout", "700", "node", "drive.js", CHROMIUM, name, whole, *sys.argv[2:3]], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    for name, one in running.items():
        said = one.communicate()[0]
        print(said, end="")
        found = re.search(r"^(\d+) checks, 0 failed$", said, re.M)
        expect(one.returncode == 0 and found and int(found[1]) > 100, f"{os.path.basename(name)}.html does in Chromium what it should", said[-2000:])


main(test)
