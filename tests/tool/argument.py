#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""argument.py BUILD: each argument of the plugin alone, with each value of its row in argument.def, at -O0, -O2 and
with -flto, with and without -MD, by each wrapper and by gcc -fplugin. It compiles silently, the program does what it
does plain, and the data shows the effect. A row that has no values to try and no effect here fails."""

import os
import re
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, write
from row import COMPILERS, LEVELS, Maker, hits, mode, rows, together

FILTER = "function:small=skip\n"
# Of rows whose values are no words.
TRY = {"min-size": ["0", "1", "60", "100000"], "filter": ["list"], "wrapper": ["small", "asid?,marked"],
       "third-party": [".", "elsewhere"]}


def functions(r, value):
    small, aside, marked = {"auto": ("counted", "framed", "timed"), "all": ("framed", "framed", "timed"),
                            "stages": (None, None, "timed"), "none": (None, None, None)}[value]
    return (mode(r, "small"), mode(r, "aside"), mode(r, "marked")) == (small, aside, marked)


def lines(r, value):
    counted = {"all": (147, 151, 12), "stages": (147, None, None), "auto": (147, 151, None),
               "none": (None, None, None)}[value]
    return (hits(r, "int marked("), hits(r, "int small("), hits(r, "int aside(")) == counted


def stages(r):
    return {stage["name"] for stage in r["stages"]}


def table(r, key):
    return sum(row[f"{'copy' if key == 'copies' else 'pool'}_bytes"] for row in r.get(key, []))


# What a value shows in the report. None: it shows elsewhere, or nowhere (`seen` below).
EFFECT = {
    "functions": functions,
    "lines": lines,
    "min-size": lambda r, value: (mode(r, "small"), mode(r, "large")) == (
        "framed" if int(value) < 2 else "counted", "framed" if int(value) < 1000 else "counted"),
    "loops": lambda r, value: stages(r) == ({"looped", "marked"} if value != "none" else {"marked"}),
    "segment": None,
    "copies": lambda r, value: table(r, "copies") == (100 if value == "on" else 0),
    "allocators": lambda r, value: table(r, "pools") == (100 if value == "on" else 0),
    "filter": lambda r, value: mode(r, "small") is None and mode(r, "copy") == "counted",
    "default": None,
    "explain": None,
    "remarks": None,
    "warn": None,
    "wrapper": lambda r, value: {f["name"] for f in r["functions"] if f.get("wrapper")} == (
        {"small"} if value == "small" else {"aside"}),
    "third-party": lambda r, value: ({"small", "aside", "marked"} & {f["name"] for f in r["functions"] if f.get("wrapper")}) == (
        {"small", "aside"} if value == "." else set()),
}


def seen(maker, row, value, compiler, level, name, said):
    """Effects outside the report."""
    if row.key == "explain":
        expect(("note: profplug: " in said) == (value != "off"), f"{name}: explains", said)
    elif row.key == "default":
        expect(bool(maker.run(name + " without PROFPLUG", [f"{maker.scratch}/{name}"]).files) == (value == "on"),
               f"{name}: records without PROFPLUG")
        expect(maker.run(name + " with profplug run", [maker.tool, "run", "-q", f"{maker.scratch}/{name}"]).files,
               f"{name}: profplug run records")
    elif row.key == "segment" and os.uname().machine == "x86_64":
        code = re.search(r"<small>:\n((?:.+\n)+)", call(["objdump", "-d", f"{maker.scratch}/{name}"]).out).group(1)
        # A link of -flto by gcc alone is not told that it makes an executable.
        if value == "off" or compiler != "gcc" or level != "-flto":
            expect(("%gs:" in code) == (value == "on"), f"{name}: counts through the segment", code)


def one(maker, number, row, value, compiler, level):
    words = [*LEVELS[level], "-fplugin-arg-profplug-" + row.key + ("" if value is None else "=" + value)]
    name = f"{compiler}{level}-{row.key}-{value}".replace(".", "here")
    silent = row.key != "explain" or value == "off"
    # In one step or in two, with -MD or without; each value has all four, though not with each compiler and level.
    turn = number // 9 + list(LEVELS).index(level) + COMPILERS.index(compiler)
    steps = 1 + turn % 3 // 2
    said = maker.compile(compiler, words, name, dependencies=number % 2 == 0, link=steps == 1, silent=silent)
    if steps == 2 and said is not None:
        linked = maker.link(compiler, words, name, silent=silent)
        said = None if linked is None else said + linked
    if said is None:
        return
    if turn % 3 == 0:
        maker.compile(compiler, words, name + "-again", dependencies=number % 2 == 1, link=False, silent=silent)
    digest = maker.digest(name)
    if digest not in maker.runs:
        maker.runs[digest] = maker.run(name, [f"{maker.scratch}/{name}"], env={"PROFPLUG": "on"})
    run = maker.runs[digest]
    effect = EFFECT[row.key]
    expect(run.report and run.report["schema"] == "profplug-report/2", f"{name}: its data can be read")
    if effect and run.report:
        expect(effect(run.report, value), f"{name}: shows in the report",
               {f["name"]: f.get("mode") for f in run.report["functions"]}, stages(run.report))
    seen(maker, row, value, compiler, level, name, said)


def test(build, scratch):
    maker = Maker(build, scratch)
    write(scratch + "/list", FILTER)
    os.mkdir(scratch + "/elsewhere")
    table = rows("argument.def", "PP_ARGUMENT")
    jobs = []
    for number, row in enumerate(table):
        expect(row.key in EFFECT, f"{row.key}: argument.py knows what it does")
        expect(row.kind in ("CHOICE", "FLAG") or TRY.get(row.key), f"{row.key}: argument.py has values to try")
        values = TRY.get(row.key) or row.values.split("|")
        for value in values + ([None] if row.kind == "FLAG" else []):
            if row.key in EFFECT:
                jobs += [(one, maker, len(jobs), row, value, compiler, level) for compiler in COMPILERS
                         for level in LEVELS]
    together(jobs)
    print(f"{len(jobs)} builds, {len(maker.runs)} programs")


main(test)
