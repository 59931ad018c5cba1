#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""readme.py BUILD: README.md shows what happens. Its program compiles without a warning, with and without the plugin.
Its two commands work, and the report has the rows that README.md prints. The links of README.md, HACKING.md and docs/
lead to files, and README.md and HACKING.md keep their size. readme.py BUILD --update puts in what the commands print now."""

import os
import re
import subprocess
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, write


SHOWN = ("FINDINGS", "STAGES", "HOTTEST")                # parts of the first screen that README.md prints
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
LINES, COLUMNS, CELL, SCREEN = 120, 120, 160, 100
GENERATED = ("docs/format.md", "docs/options.md")       # as wide as the rows that they are made of


def excerpt(report):
    """The first screen without its commands, with one finding and three lines at most; `...` stands for the rest."""
    parts = []
    for part in report.split("\n\n"):
        lines, kept, findings, hot = part.split("\n"), [], 0, 0
        for line in lines:
            findings += bool(re.match(r"\d  ", line))
            hot += lines[0].startswith("HOTTEST") and bool(re.match(r"\S+:\d+ ", line))
            kept.append("..." if findings > 1 or (hot > 3 and re.match(r"\S+:\d+ ", line)) else line)
        parts.append("\n".join(line for at, line in enumerate(kept) if line != "..." or kept[at - 1] != "..."))
    return "\n\n".join(part for part in parts if not part.startswith("more:")) + "\n"


def pages():
    """README.md, HACKING.md and every page of docs/, as names relative to the root."""
    found = ["README.md", "HACKING.md"]
    for folder, _, files in os.walk(os.path.join(ROOT, "docs")):
        found += [os.path.relpath(os.path.join(folder, name), ROOT) for name in files if name.endswith(".md")]
    return sorted(found)


def check_pages():
    for page in pages():
        with open(os.path.join(ROOT, page)) as file:
            text = file.read()
        for number, line in enumerate(text.splitlines() if page not in GENERATED else [], 1):
            cells = line.strip("|").split("|") if line.startswith("|") else []
            expect(len(line) <= COLUMNS or cells, f"{page}:{number} has at most {COLUMNS} columns", len(line))
            expect(all(len(cell.strip()) <= CELL for cell in cells), f"{page}:{number} has cells of at most {CELL} columns", line)
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
            if not target.startswith("http"):
                expect(os.path.exists(os.path.join(ROOT, os.path.dirname(page), target)), f"{page} links to what is there", target)
        for path in re.findall(r"`((?:rt|report|plugin|include|tests|cmake|bench|examples|docs)/[\w/.-]+)`", text):
            expect("NAME" in path or os.path.exists(os.path.join(ROOT, path)), f"{page} names a file that is there", path)
    with open(os.path.join(ROOT, "report/section/sections.def")) as file:
        sections = set(re.findall(r"^SECTION\((\w+),", file.read(), re.M))
    for page in pages():
        with open(os.path.join(ROOT, page)) as file:
            for names in re.findall(r"--section[ =]([a-z,]+)", file.read()):
                expect(set(names.split(",")) <= sections, f"{page} names a section that is there", names)
    with open(os.path.join(ROOT, "docs/decisions/flow.md")) as file:
        flow = file.read()
    hops = re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", flow, re.M)
    sources = "".join(open(os.path.join(folder, name), encoding="utf-8").read() for part in ("plugin", "rt", "report")
                      for folder, _, names in os.walk(os.path.join(ROOT, part)) for name in names if name.endswith((".c", ".cc", ".h")))
    for name in re.findall(r"`([a-z]\w*_\w+)`", flow):
        expect(name in sources, "docs/decisions/flow.md names what the sources name", name)
    for function, path in hops:
        with open(os.path.join(ROOT, path)) as file:
            expect(re.search(rf"\b{function} ?\(", file.read()), "docs/decisions/flow.md names functions that are there", function, path)
    expect(len(hops) > 40, "docs/decisions/flow.md lists the functions of three ways", len(hops))
    titles = set()
    for name in os.listdir(os.path.join(ROOT, "report/section")):
        if name.startswith("section-"):
            with open(os.path.join(ROOT, "report/section", name)) as file:
                titles |= set(re.findall(r'\{ "([^"]+)", (?:true|false), \d+ \}', file.read()))
    with open(os.path.join(ROOT, "docs/report.md")) as file:
        words = " ".join(file.read().split())
    for title in sorted(titles):
        expect(re.search(rf"(?<!\w){re.escape(title)}(?!\w)", words), "docs/report.md explains every column", title)
    expect(len(titles) > 60, "the columns were found", len(titles))
    for page in ("README.md", "HACKING.md"):
        with open(os.path.join(ROOT, page)) as file:
            expect(file.read().count("\n") <= LINES, f"{page} has at most {LINES} lines")


def test(build, scratch):
    check_pages()
    readme = os.path.join(ROOT, "README.md")
    text = open(readme).read()
    source = re.search(r"^```c\n(.*?)^```", text, re.S | re.M).group(1)
    printed = re.search(r"^```text\n(.*?)^```", text, re.S | re.M).group(1)
    commands = re.search(r"## Two commands\n\n((?:    .*\n)+)", text).group(1)
    write(scratch + "/photos.c", source)
    done = call(["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-I" + build + "/include", "photos.c", "-o", "plain"], cwd=scratch)
    expect(done.returncode == 0 and "profplug_" not in call(["nm", scratch + "/plain"]).out, "without the plugin nothing is left of the annotations", done.err)
    done = subprocess.run(["sh", "-ec", commands], cwd=scratch, capture_output=True, text=True, timeout=100, check=False,
                          env={**os.environ, "COLUMNS": str(SCREEN), "PATH": build + ":" + os.environ["PATH"]})
    expect(done.returncode == 0, "the two commands work", done.stdout, done.stderr)
    if "--update" in sys.argv and done.returncode == 0:
        first, report = done.stdout.split("\n", 1)
        printed = f"{first}\n{done.stderr}\n{excerpt(report)}"
        write(readme, re.sub(r"(?sm)(^```text\n).*?(^```)", lambda found: found.group(1) + printed + found.group(2), text))

    def names(report, heading):
        part = re.search(rf"^{heading} .*\n((?:.+\n)+)", report, re.M)
        return {line.split()[0] for line in part.group(1).splitlines()} if part else set()
    for heading, wanted in (("STAGES", {"batches", "load", "preprocess"}),):
        expect(wanted <= names(printed, heading), f"README.md prints {wanted}", names(printed, heading))
        expect(wanted <= names(done.stdout, heading), f"the report has {wanted}", names(done.stdout, heading), done.stdout)
    slow = source[:source.index("sum += pixels")].count("\n") + 1
    expect(f"photos.c:{slow}" in names(done.stdout, "HOTTEST") and f"photos.c:{slow}" in printed, "the slow line is among the hottest", done.stdout)
    headings = re.findall(r"^[A-Z]{4,}(?= |$)", printed, re.M)
    expect(printed.count("\n") <= 43, "the sample is one screen", printed.count("\n"))
    expect(tuple(headings) == SHOWN, f"README.md prints {SHOWN}", headings)
    there = set(re.findall(r"^[A-Z]{4,}(?= |$)", done.stdout, re.M))
    expect(set(headings) <= there, "the report has the parts that README.md prints", headings, there)


main(test)
