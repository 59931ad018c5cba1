#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""firefox.py BUILD [FOLDER]: the page in a second engine, Debian's Firefox ESR, driven by puppeteer-core: see foxdrive.js. Status 77, with the
reason, where Firefox or npm's packages are missing. In FOLDER pictures of every view are left."""

import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main
from ready import HERE, packages, pages_make, skip

FIREFOX = os.environ.get("FIREFOX", "/usr/bin/firefox-esr")


def test(build, scratch):
    if not os.access(FIREFOX, os.X_OK):
        skip(f"{FIREFOX} is missing: apt-get install firefox-esr")
    folder = f"{build}/tests/page/npm"
    packages(folder)
    shutil.copy(f"{HERE}/foxdrive.js", folder)
    gallery, _ = pages_make(build, scratch)
    done = subprocess.run(["timeout", "500", "node", "foxdrive.js", FIREFOX, gallery, *sys.argv[2:3]], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "HOME": scratch, "MOZ_HEADLESS": "1"})
    print(done.stdout, end="")
    found = re.search(r"^(\d+) checks, 0 failed$", done.stdout, re.M)
    expect(done.returncode == 0 and found and int(found[1]) > 40, "the page does in Firefox what it should", done.stdout[-2000:], done.stderr[-2000:])


main(test)
