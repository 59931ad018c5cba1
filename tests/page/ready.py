# SPDX-License-Identifier: MIT
"""ready.py: what tests in a browser share: a reason to be left out, packages of npm, and the two pages that are opened."""

import os
import sys

import npm
from program import call, expect, must

HERE = os.path.dirname(os.path.abspath(__file__))


def skip(reason):
    print(f"left out: {reason}")
    sys.exit(77)


def packages(folder, source=HERE):
    """Puts node_modules into the folder. A test is left out where that cannot be done."""
    reason = npm.packages(source, folder)
    if reason:
        skip(reason)


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
