#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""readme.py BUILD: what README.md shows is what happens: its program compiles without a warning, with and without the plugin, its two commands
work, and the report has the rows that README.md prints. readme.py BUILD --update puts in what they print now."""

import os
import re
import subprocess
import sys

from expect import call, expect, main, write


def test(build, scratch):
    readme = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../README.md")
    text = open(readme).read()
    source = re.search(r"^```c\n(.*?)^```", text, re.S | re.M).group(1)
    printed = re.search(r"^```text\n(.*?)^```", text, re.S | re.M).group(1)
    commands = re.search(r"## Two commands\n\n((?:    .*\n)+)", text).group(1)
    write(scratch + "/photos.c", source)
    done = call(["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-I" + build + "/include", "photos.c", "-o", "plain"], cwd=scratch)
    expect(done.returncode == 0 and "profplug_" not in call(["nm", scratch + "/plain"]).out, "without the plugin nothing is left of the annotations", done.err)
    done = subprocess.run(["sh", "-ec", commands], cwd=scratch, capture_output=True, text=True, timeout=100, check=False,
                          env={**os.environ, "COLUMNS": "140", "PATH": build + ":" + os.environ["PATH"]})
    expect(done.returncode == 0, "the two commands work", done.stdout, done.stderr)
    if "--update" in sys.argv and done.returncode == 0:
        first, report = done.stdout.split("\n", 1)
        printed = f"{first}\n{done.stderr}\n{report}"
        write(readme, re.sub(r"(?sm)(^```text\n).*?(^```)", lambda found: found.group(1) + printed + found.group(2), text))

    def names(report, heading):
        part = re.search(rf"^{heading} .*\n((?:.+\n)+)", report, re.M)
        return {line.split()[0] for line in part.group(1).splitlines()} if part else set()
    for heading, wanted in (("STAGES", {"batches", "load", "preprocess"}), ("FUNCTIONS", {"load", "preprocess", "main"})):
        expect(wanted <= names(printed, heading), f"README.md prints {wanted}", names(printed, heading))
        expect(wanted <= names(done.stdout, heading), f"the report has {wanted}", names(done.stdout, heading), done.stdout)
    slow = source[:source.index("sum += pixels")].count("\n") + 1
    expect(f"photos.c:{slow}" in names(done.stdout, "LINES") and f"photos.c:{slow}" in printed, "the slow line is among the hottest", done.stdout)
    # What was waited comes and goes with what else the machine does.
    headings, there = ([h for h in re.findall(r"^[A-Z]{4,}", of, re.M) if h != "WAITS"] for of in (printed, done.stdout))
    expect(headings == there, "README.md prints the parts that the report has", headings, there)


main(test)
