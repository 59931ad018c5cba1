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
from program import call, expect, main, must

HERE = os.path.dirname(os.path.abspath(__file__))
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")


def skip(reason):
    print(f"left out: {reason}")
    sys.exit(77)


def packages(build):
    """The folder with node_modules: once a build folder, by `npm ci` of exact versions."""
    folder = f"{build}/tests/page/npm"
    wanted = open(f"{HERE}/package-lock.json").read()
    if not os.path.exists(f"{folder}/done") or open(f"{folder}/done").read() != wanted:
        os.makedirs(folder, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(f"{HERE}/{name}", folder)
        done = subprocess.run(["timeout", "120", "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            skip(f"npm does not bring playwright-core and axe-core (offline?): {done.stderr.strip()[-300:]}")
        with open(f"{folder}/done", "w") as file:
            file.write(wanted)
    return folder


def pages_make(build, scratch):
    """A program with something for every view, and one whose names are hostile."""
    gallery, hostile = f"{scratch}/gallery", f"{scratch}/hostile"
    must([f"{build}/profplug-g++", "-O2", "-g", "-o", gallery, f"{HERE}/gallery.cc", "-pthread"])
    must([f"{build}/profplug-gcc", "-O1", "-g", "-w", "-o", hostile, f"{HERE}/hostile.c"])
    with open(f"{scratch}/food", "wb") as file:
        file.write(os.urandom(300_000))
    for name in (gallery, hostile):
        run = call([f"{build}/profplug", "run", f"--output={name}.profplug", "--blocks=on", "--timeline=on", name, "food"], cwd=scratch)
        expect(run.returncode == 0, f"{name} runs", run.err)
        must([f"{build}/profplug", "report", "--format", "html", "-o", f"{name}.html", f"{name}.profplug"])
        with open(f"{name}.json", "w") as file:
            file.write(must([f"{build}/profplug", "report", "--format", "json", f"{name}.profplug"]))
    return gallery, hostile


def test(build, scratch):
    if not os.access(CHROMIUM, os.X_OK):
        skip(f"{CHROMIUM} is missing: apt-get install chromium")
    if not shutil.which("npm"):
        skip("npm is missing: apt-get install npm")
    folder = packages(build)
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
