#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bundle.py BUILD: the script and the style of the page that are checked in are what report/web/build.js makes of their sources, byte by byte.
Status 77, with the reason, where npm's packages are missing."""

import os
import shutil
import subprocess
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main
from ready import HERE, packages

WEB = os.path.normpath(f"{HERE}/../../report/web")


def test(build, scratch):
    folder = f"{build}/tests/page/npmweb"
    packages(folder, WEB)
    for name in os.listdir(WEB):
        if name in ("node_modules", "package.json", "package-lock.json"):
            continue
        if os.path.isdir(f"{WEB}/{name}"):
            shutil.rmtree(f"{folder}/{name}", ignore_errors=True)
            shutil.copytree(f"{WEB}/{name}", f"{folder}/{name}")
        else:
            shutil.copy(f"{WEB}/{name}", folder)
    done = subprocess.run(["timeout", "60", "node", "build.js", scratch], cwd=folder, capture_output=True, text=True)
    expect(done.returncode == 0, "build.js makes a bundle", done.stderr)
    for name in ("bundle.js", "bundle.css"):
        with open(f"{scratch}/{name}", "rb") as made, open(f"{WEB}/{name}", "rb") as kept:
            expect(made.read() == kept.read(), f"{name} is what its sources make: cd report/web && npm ci && node build.js")


main(test)
