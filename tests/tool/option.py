#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""option.py BUILD: each run-time option alone, with each value of its row in options.def, through the environment, a
flag of profplug run and a JSON file, in programs built at -O0, -O2 and with -flto, by each wrapper and by gcc -fplugin.
The program does what it does plain and says nothing, and the data shows the effect. A row that has no values to try and
no effect here fails."""

import json
import os
import re
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, write
from row import COMPILERS, LEVELS, Maker, hits, mode, options, rows, together

# Of rows whose values are no words, and what is recorded of them.
SIZES = {"1048576": 1 << 20, "1048576B": 1 << 20, "900k": 900 << 10, "900K": 900 << 10, "900kB": 900 << 10,
         "900KiB": 900 << 10, "2m": 2 << 20, "2M": 2 << 20, "2MB": 2 << 20,
         "2MiB": 2 << 20, "1g": 1 << 30, "1G": 1 << 30, "1GB": 1 << 30, "1GiB": 1 << 30}
TRY = {
    "budget": {"0": "0.0", "0.5": "0.5", "10": "10.0", "100": "100.0"},
    "sample-hz": {"1": "1", "250": "250", "20000": "20000"},
    "max-file": {text: str(size) for text, size in SIZES.items()},
    "max-total": {text: str(size) for text, size in SIZES.items()},
    "min-free": {text: str(size) for text, size in SIZES.items()},
    "output": {text: text for text in ("here", "%e-%p.profplug", "%e-%%-%q{WHO}.x")},
    "label": {text: text for text in ("key:value", "of:two words")},
}


def stage(r, key):
    return any(key in one for one in r["stages"])


def operations(r, *names):
    return {one["operation"] for one in r.get("operations", [])} & set(names)


# Whether a collector's numbers are in the report. None: they come by chance, or not at all in this version.
COLLECTED = {
    "samples": None,
    "hits": lambda r: hits(r, "int marked(") == 147,
    "calltree": lambda r: any(one["name"] == "large" for one in r["call_tree"]),
    "memory": lambda r: stage(r, "alloc_bytes"),
    "io": lambda r: any(one["path"] == "/dev/zero" for one in r.get("files", [])),
    "cpu": lambda r: stage(r, "cpu_ns"),
    "network": lambda r: bool(r.get("endpoints")),
    "gpu": None,
    "timeline": lambda r: "timeline" in r,
    "blocks": lambda r: any(one["line"] for one in r.get("allocations", [])),
    "waits": lambda r: bool(operations(r, "sleep")),
}
EFFECT = {
    "level": lambda r, value: options(r)["level"] == value and (mode(r, "small") is None) == (value == "basic"),
    "preset": lambda r, value: {key: options(r)[key] for key in ("level", "timing", "samples", "sample-hz")} == {
        "development": {"level": "detailed", "timing": "adaptive", "samples": "on", "sample-hz": "1000"},
        "analysis": {"level": "comprehensive", "timing": "exact", "samples": "on", "sample-hz": "1000"},
        "production": {"level": "basic", "timing": "adaptive", "samples": "on", "sample-hz": "100"}}[value],
    "budget": None, "sample-hz": None, "timing": None, "max-file": None, "max-total": None, "min-free": None, "output": None,
    "label": lambda r, value: r["runs"][0]["labels"] == [value],
}


def said_so(maker, row, value, name, run):
    """The effect of an option that is no collector, and of nothing else."""
    if (row.key, value) == ("level", "off"):
        expect(not run.files, f"{name}: leaves no file", run.files)
        return
    if not run.report:
        expect(False, f"{name}: leaves a file", run.files)
        return
    recorded = options(run.report)
    if row.key not in ("label", "preset"):
        expect(recorded[row.key] == TRY.get(row.key, {}).get(value, value), f"{name}: is recorded", recorded)
    if row.key == "output":
        program, pid = os.path.basename(run.report["runs"][0]["program"]), run.report["runs"][0]["pid"]
        wanted = value.replace("%%", "%").replace("%e", program).replace("%p", str(pid)).replace("%q{WHO}", "me")
        expect(run.files == [wanted], f"{name}: is the file's name", run.files, wanted)
    if EFFECT[row.key]:
        expect(EFFECT[row.key](run.report, value), f"{name}: shows in the report", recorded,
               run.report["runs"][0]["labels"])
    if row.key not in ("level", "preset"):
        usual = {key: maker.usual[key] for key in recorded if key != row.key}
        expect({key: recorded[key] for key in usual} == usual, f"{name}: leaves the other options alone", recorded)


def collected(row, value, name, run):
    here = value != "off" and row.values != "0"
    recorded = options(run.report)
    full = row.values.split("|")[-1] if "|" in row.values else "on"
    expect(recorded[row.key] == (full if here and value == "on" else value if here else "off"), f"{name}: is recorded", recorded)
    if COLLECTED[row.key]:
        expect(COLLECTED[row.key](run.report) == here, f"{name}: shows in the report", recorded)
    elif row.key == "samples" and not here:
        expect(run.report["coverage"]["samples"] == 0, f"{name}: takes no samples", run.report["coverage"])


def native(row, value):
    """The value as a JSON file has it: true and false, numbers, lists."""
    if row.kind == "COLLECTOR" and value in ("on", "off"):
        return value == "on"
    if row.kind == "NUMBER" or (row.kind == "SIZE" and value.isdigit()):
        return json.loads(value)
    return [value] if row.kind == "LIST" else value


def one(maker, row, value, program, way):
    name = f"{os.path.basename(program)} {way} {row.key}={value}"
    path = f"{maker.scratch}/{re.sub('[^a-zA-Z0-9]', '-', name)}.json"
    run, env = [maker.tool, "run", "-q"], {"WHO": "me"}
    if way == "environment":
        argv, env = [program], {**env, "PROFPLUG": f"{row.key}={value}"}
    elif way == "PROFPLUG_CONFIG":
        write(path, json.dumps({row.key: value}))
        argv, env = [program], {**env, "PROFPLUG_CONFIG": path}
    elif way == "run --config":
        write(path, json.dumps({row.key: native(row, value)}))
        argv = [*run, "--config", path, program]
    elif way == "run --KEY=VALUE":
        argv = [*run, f"--{row.key}={value}", program]
    elif way == "run --KEY" and row.kind == "COLLECTOR" and value == "on":
        argv = [*run, f"--{row.key}", program]
    else:
        argv = [*run, f"--{row.key}", value, program]
    lacks = row.kind == "COLLECTOR" and row.values == "0" and value == "on"
    done = maker.run(name, argv, env=env, says="not available in this version" if lacks else None)
    if row.kind != "COLLECTOR":
        said_so(maker, row, value, name, done)
    elif done.report:
        collected(row, value, name, done)
    else:
        expect(False, f"{name}: leaves a file", done.files)


WAYS = ("environment", "PROFPLUG_CONFIG", "run --config", "run --KEY=VALUE", "run --KEY")


def build_all(maker):
    def build(compiler, level, dependencies):
        name = f"{compiler}{level}{'-MD' if dependencies else ''}"
        maker.compile(compiler, LEVELS[level], name, dependencies)
        return f"{maker.scratch}/{name}"
    made = {}
    def keep(place, *what):
        made[place] = build(*what)
    together([(keep, (level, i), compiler, level, (i + j) % 2 == 1) for i, compiler in enumerate(COMPILERS) for j,
              level in enumerate(LEVELS)])
    return made


def test(build, scratch):
    maker = Maker(build, scratch)
    table = rows("options.def", "PP_OPTION") + rows("options.def", "PP_COLLECTOR") + rows("options.def", "PP_GRADED")
    made = build_all(maker)
    maker.usual = {row.key: row.fallback for row in table if row.kind not in ("LIST", "COLLECTOR")
                   and row.key not in ("preset", "max-total", "min-free")}
    maker.usual["max-file"] = str(1 << 30)
    maker.usual.update({row.key: "on" if row.values == "1" and row.fallback in ("PP_LEVEL_BASIC", "PP_LEVEL_DETAILED")
                        else "off" for row in table if row.kind == "COLLECTOR"})
    maker.usual.update({row.key: row.values.split("|")[1] for row in rows("options.def", "PP_GRADED") if row.fallback == "PP_LEVEL_DETAILED"})
    jobs = []
    for row in table:
        expect(row.key in (COLLECTED if row.kind == "COLLECTOR" else EFFECT),
               f"{row.key}: option.py knows what it does")
        expect(row.kind in ("CHOICE", "COLLECTOR") or TRY.get(row.key), f"{row.key}: option.py has values to try")
        if row.key not in {**COLLECTED, **EFFECT}:
            continue
        for value in ("on", *(row.values.split("|") if "|" in row.values else ("off",))) if row.kind == "COLLECTOR" else TRY.get(row.key) or row.values.split("|"):
            for i, level in enumerate(LEVELS):
                for j, way in enumerate(WAYS):
                    jobs.append((one, maker, row, value, made[(level, (len(jobs) + i + j) % 3)], way))
    together(jobs)
    print(f"{len(jobs)} runs")


main(test)
