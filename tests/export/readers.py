#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""readers.py BUILD: exports are read by the tools that they are for, as far as this machine has them, and say there what the JSON report says. Tools that
are missing are named; with none of them the test is skipped."""

import json
import os
import re
import shutil
import sys

import made
from made import program

expect = program.expect
SKIPPED = 77


def seconds(text):
    number, unit = re.fullmatch(r"([\d.]+)(ns|us|ms|s|min|mins)", text).groups()
    return float(number) * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "mins": 60}[unit]


def pprof(run, path, totals):
    top = program.must(["go", "tool", "pprof", "-top", "-nodecount=1000", "-nodefraction=0", path], env={"HOME": run.scratch}, cwd=run.scratch)
    all_of = re.search(r"Total samples = (\S+)|of (\S+) total", top)
    expect(abs(seconds(all_of[1] or all_of[2]) * 1e9 / totals["cpu"] - 1) < 0.01, "pprof's total", top[:600], totals["cpu"])
    expect("grind<int>" in top and "steps(int)" in top, "pprof's functions", top[:2000])
    listed = program.must(["go", "tool", "pprof", "-list", "^steps", path], env={"HOME": run.scratch}, cwd=run.scratch)
    expect("return n < 2 ? n" in listed, "pprof shows the source", listed[:600])
    tags = program.must(["go", "tool", "pprof", "-tags", path], env={"HOME": run.scratch}, cwd=run.scratch)
    expect("<script>" in tags and "stage" in tags, "stages as tags", tags)
    tree = program.must(["go", "tool", "pprof", "-sample_index=wait", "-tree", path], env={"HOME": run.scratch}, cwd=run.scratch)
    expect("waits: " in tree, "another cost", tree[:600])


def annotate(run, path, totals):
    said = program.call(["callgrind_annotate", "--inclusive=yes", "--threshold=100", path], cwd=run.scratch)
    whole = re.search(r"^([\d,]+) \(100.0%\).*PROGRAM TOTALS", said.out, re.M)
    expect(said.returncode == 0 and whole and abs(int(whole[1].replace(",", "")) - totals["cpu"]) < 1000, "callgrind_annotate's total", said.out[:900], totals["cpu"])
    main = re.search(r"^ *[\d,]+ \(([\d.]+)%\).*:main", said.out, re.M)
    expect(main and float(main[1]) > 20, "main, with what it calls", said.out[:3000])


def genhtml(run, path, _):
    # ours is the source's path with odd bytes made visible: genhtml looks for a file of that name
    done = program.call(["genhtml", "--ignore-errors", "source", "-o", f"{run.scratch}/html", path], cwd=run.scratch)
    expect(done.returncode == 0 and os.path.exists(f"{run.scratch}/html/index.html"), "genhtml", done.out[-500:], done.err[-500:])
    rate = re.search(r"lines\.+: [\d.]+% \((\d+) of (\d+)", done.out)
    expect(rate and 0 < int(rate[1]) <= int(rate[2]), "genhtml's lines", done.out[-500:])


def promtool(run, path, _):
    with open(path, "rb") as file:
        done = program.call(["promtool", "check", "metrics"], stdin=file.read())
    expect(done.returncode == 0 and not done.err.strip(), "promtool", done.out, done.err)


def protoc(run, path, _):
    with open(path, "rb") as file:
        done = program.call(["protoc", "--decode_raw"], stdin=file.read())
    expect(done.returncode == 0 and done.out.count("\n6: ") > 20, "protoc", done.err[-500:])


READERS = (("go", "pprof", pprof), ("callgrind_annotate", "callgrind", annotate), ("genhtml", "lcov", genhtml), ("promtool", "prometheus", promtool),
           ("protoc", "pprof", protoc))


def test(build, scratch):
    there = [row for row in READERS if shutil.which(row[0])]
    for tool, form, _ in READERS:
        if not shutil.which(tool):
            print(f"not here: {tool}, for {form}")
    if not there:
        sys.exit(SKIPPED)
    run = made.Made(build, scratch, odd="")
    totals = run.totals()
    for tool, form, read in there:
        path = f"{scratch}/export.{form}"
        with open(path, "wb") as file:
            file.write(run.export(form))
        read(run, path, totals)
        print(f"read by {tool}: {form}")
    print(json.dumps(totals))


program.main(test)
