#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moments.py BUILD PROGRAM: when stages, iterations, waits and values were, against the program's own clock; that the first, the slowest and the last are kept,
and that what was let go is counted."""

import collections
import glob
import os
import pathlib
import sys

sys.path.insert(0, sys.path[0] + "/../support")
sys.path.insert(0, sys.path[0] + "/../run")
import datafile  # noqa: E402
from program import call, expect, line_of, main  # noqa: E402
from report import read, unlike  # noqa: E402

PROGRAM = os.path.realpath(sys.argv[2])
SOURCE = pathlib.Path(__file__).with_name("moments.c").read_text()
APART_NS = 200000                        # the runtime's clock is off the kernel's by 0.01 % at most
FIRST, LAST = 250, 900                   # activations of a thread that are kept at least, for what was the very first and last


def began_ns(path):
    kind, at, _ = datafile.L["header"].fields["start_ns"]
    return int.from_bytes(open(path, "rb").read()[at:at + 8], "little")


def recorded(build, scratch, mode, **env):
    for old in glob.glob(f"{scratch}/*.profplug"):
        os.remove(old)
    done = call([PROGRAM, mode], cwd=scratch, env={"PROFPLUG": "timeline=on,output=%p.profplug", **env}, timeout=60)
    said = collections.defaultdict(dict)
    for words in map(str.split, done.out.splitlines()):
        if len(words) == 5:
            said[words[0], int(words[1])][int(words[2])] = (int(words[3]), int(words[4]))
        else:
            said[words[0]] = int(words[1])
    return done, said, sorted(glob.glob(f"{scratch}/*.profplug"), key=os.path.getmtime)


def within(row, moment, base):
    start = row["start_offset_ns"] + base
    return moment[0] - APART_NS <= start and start + row["wall_ns"] <= moment[1] + APART_NS


def spans(document, kind, stage, thread=None):
    return [s for s in document["timeline"]["spans"] if s["kind"] == kind and s.get("stage") == stage and thread in (None, s["thread_id"])]


def test_all(build, scratch):
    done, said, (path,) = recorded(build, scratch, "all")
    expect(done.returncode == 0, "the program ends", done)
    document, base = read(build, path), began_ns(path)
    timeline, lines = document["timeline"], (line_of(SOURCE, "/* sleeps */"), line_of(SOURCE, "/* slow */"))
    expect(not unlike(document, "profplug-report-2"), "the schema holds", unlike(document, "profplug-report-2")[:5])
    for (what, thread), own in [item for item in said.items() if item[0][0] == "inner"]:
        got = {s["index"]: s for s in spans(document, "stage", "inner", thread)}
        expect(all(within(s, own[i], base) for i, s in got.items()), "each entry of inner is when it was",
               [(i, s, own[i]) for i, s in got.items() if not within(s, own[i], base)][:2], base)
        expect(set(range(FIRST)) <= set(got), "the first entries are there", thread, len(got))
        expect(set(range(4000 - LAST, 4000)) <= set(got), "so are the last", thread, len(got))
        expect(2345 in got and got[2345]["wall_ns"] >= 3e6, "so is the slow one", thread)
        outer, = spans(document, "stage", "outer", thread)
        expect(all(outer["start_offset_ns"] <= s["start_offset_ns"] and s["start_offset_ns"] + s["wall_ns"] <= outer["start_offset_ns"] + outer["wall_ns"]
                   for s in got.values()), "inner is within outer", thread)
        waits = [s for s in timeline["spans"] if s["kind"] == "wait" and s["operation"] == "sleep" and s["thread_id"] == thread]
        expect([s["line"] for s in waits] == [lines[0]] * 5 + [lines[1]], "each sleep is at its line", waits)
        slept = zip(waits, said["sleep", thread].values())
        expect(all(within(s, moment, base) for s, moment in slept), "each sleep is when it was", waits, said["sleep", thread])
        expect(all(s["wall_ns"] >= 1.9e6 for s in waits), "and takes as long", waits)
    expect(len([key for key in said if key[0] == "inner"]) == 3, "there were three threads")
    rows = spans(document, "iteration", "row")
    expect([s["index"] for s in rows] == list(range(300)) and all(s["wall_ns"] >= 19000 for s in rows), "iterations are there", len(rows), rows[:3])
    calls = {s["name"]: s["calls"] for s in document["stages"]}
    expect(calls["inner"] == 12000 and calls["outer"] == 3, "the report counts them", calls)
    shown = [s for s in timeline["spans"] if not s.get("open")]
    for name, count in (("activations", sum(s["kind"] != "wait" for s in shown)), ("waits", sum(s["kind"] == "wait" for s in shown)), ("values", len(timeline["values"]))):
        expect(timeline["seen"][name] == count + timeline["let_go"][name], f"{name}: what is not there was let go", timeline["seen"], timeline["let_go"], count)
    expect(timeline["seen"]["values"] == 12000 + 20000, "each value was seen", timeline["seen"])
    expect(timeline["seen"]["activations"] >= 12000 + 3 + 3 + 1, "each entry was seen", timeline["seen"])
    (first, last), = said["count", document["runs"][0]["pid"]].values()
    seen = [(v["offset_ns"] + base, v["value"]) for v in timeline["values"] if v["name"] == "seen"]
    expect(all(a <= b for a, b in zip([v for _, v in seen], [v for _, v in seen][1:])), "a count does not fall", seen[:3])
    expect(all(first - APART_NS <= at <= last + APART_NS for at, _ in seen), "its values are when they were")
    thirds = {min(2, 3 * value // said["sum"]) for _, value in seen}  # not of the time: others may have had the CPU for a third of it
    expect(thirds == {0, 1, 2} and len(seen) > 100, "they cover the count", thirds, len(seen))
    expect(0 < seen[-1][1] <= said["sum"], "and end below the sum", seen[-1], said["sum"])
    expect({v["value"] for v in timeline["values"] if v["name"] == "depth"} <= set(range(-4, 5)), "a gauge has its own values")
    picture = call([f"{build}/profplug", "report", "--section", "timeline", path], env={"COLUMNS": "100"})
    expect(picture.returncode == 0 and picture.out.count("|") >= 8 and all(name in picture.out for name in ("outer", "inner", "rows", "waits", "Let go: ")),
           "the picture has them", picture)
    expect(max(map(len, picture.out.splitlines())) <= 100, "and fits", picture.out)


def test_killed(build, scratch):
    done, said, (path,) = recorded(build, scratch, "killed")
    (key, moment), = [(key, value[0]) for key, value in said.items() if key[0] == "open"]
    expect(done.returncode == -9, "it is killed", done.returncode)
    document, base = read(build, path), began_ns(path)
    found, = spans(document, "stage", "open", key[1])
    expect(found.get("open") is True and found["start_offset_ns"] + base <= moment[0] + APART_NS, "the open stage is there", found)
    expect(len(spans(document, "iteration", "row")) == 300, "so is what ended before")


def test_forked(build, scratch):
    done, said, paths = recorded(build, scratch, "forked")
    expect(done.returncode == 0 and len(paths) == 2, "there is a file for the child", done, paths)
    (child, moment), = [(key[1], value[0]) for key, value in said.items() if key[0] == "child"]
    document = read(build, f"{scratch}/{child}.profplug")
    timeline, base = document["timeline"], began_ns(f"{scratch}/{child}.profplug")
    expect({s["stage"] for s in timeline["spans"] if "stage" in s} == {"count"}, "the child has its own alone", timeline["spans"][:3])
    expect(all(v["offset_ns"] + base >= moment[0] - APART_NS for v in timeline["values"]) and timeline["values"], "so are its values")
    parent, = [path for path in paths if not path.endswith(f"/{child}.profplug")]
    expect("count" not in {s.get("stage") for s in read(build, parent)["timeline"]["spans"]}, "the parent has not the child's")


def test(build, scratch):
    test_all(build, scratch)
    test_killed(build, scratch)
    test_forked(build, scratch)
    _, _, (path,) = recorded(build, scratch, "all", PROFPLUG="output=%p.profplug")
    expect("timeline" not in read(build, path), "without the collector there is none")


main(test)
