#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""history.py BUILD: `profplug history` against what is known from outside: the commit from git, runs as they ended, series with planted
steps, spikes and growth. The file is whole, by SQLite's own check, after writers were killed at any moment and beside other writers."""

import glob
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, environment, expect, main, must, write

PROGRAM = r"""#include <profplug.h>
#include <stdlib.h>
PROFPLUG_STAGE("work") static __attribute__((noinline)) int work(int i) { volatile int k = i; return k; }
int main(int argc, char **argv)
{
    int sum = 0;
    for (int i = 0; i < 100; i++)
        sum += work(i);
    return argc > 2 ? atoi(argv[2]) : sum != 4950;
}
"""
RUNS = 24
DAY_NS = 86400 * 10**9


def counted(base, question):
    connection = sqlite3.connect(base, timeout=30)
    try:
        return connection.execute(question).fetchone()[0]
    finally:
        connection.close()


def adding(tool, scratch, files):
    """What is added, by whom, once; and what is no run."""
    base = f"{scratch}/profplug-history.sqlite"
    head = must(["git", "rev-parse", "HEAD"], cwd=scratch).strip()
    must(["git", "pack-refs", "--all"], cwd=scratch)
    done = call([tool, "history", "add", *files[:3]], cwd=f"{scratch}/sub")
    expect(done.returncode == 0 and "3 runs added" in done.out, "three runs are added beside .git", done.out, done.err)
    done = call([tool, "history", "add", *files[:4]], cwd=scratch)
    expect("1 run added" in done.out and "3 were there before" in done.out, "a run is added once", done.out)
    runs = json.loads(must([tool, "history", "show", "--format", "json"], cwd=scratch))["runs"]
    reports = [json.loads(must([tool, "report", path, "--format", "json"], cwd=scratch))["runs"][0] for path in files[:4]]
    for one in reports:
        found = [run for run in runs if run["pid"] == one["pid"]]
        expect(len(found) == 1 and found[0]["wall_ns"] == one["wall_ns"] and found[0]["cpu_ns"] == one["cpu_ns"], "a run's times are the report's", found, one)
        expect(found[0]["commit"] == head, "the commit is what git says", found[0]["commit"], head)
        expect(found[0]["arguments"] == "7" and found[0]["end"] == "exit 0" and not found[0]["failed"], "its arguments and its end", found)
        expect(found[0]["input_bytes"] == 123456, "the size of its label", found)
    expect(counted(base, "SELECT count FROM figure WHERE kind = 'stage' AND name = 'work'") == 100, "entries of the stage")
    for bad, why in ((["show", "x"], "takes nothing"), ([], "nothing to do"), (["nosuch"], "is no command"), (["trend", "nosuch"], "no such series"),
                     (["show", "-i", "/nosuch/base"], "no history"), (["show", "-i", files[0]], "database"), (["add", "/nosuch.profplug"], "nosuch"),
                     (["report", "/nosuch"], "folder"), (["report", "--day", "today"], "not a day"), (["show", "--program", "nosuch"], "no such run")):
        done = call([tool, "history", *bad], cwd=scratch)
        expect(done.returncode == 2 and why in done.err and done.err.count("\n") == 1 and not done.out, f"{bad} is one line", done.err, done.out)
    write(f"{scratch}/torn.profplug", "no data file")
    done = call([tool, "history", "add", "-i", f"{scratch}/some.sqlite", files[0], f"{scratch}/torn.profplug", files[1], "/nosuch.profplug", files[2]])
    expect(done.returncode == 2 and "3 runs added" in done.out and done.err.count("\n") == 2 and "torn" in done.err and "nosuch" in done.err,
           "files that are no runs are said, and the runs among them are added", done.out, done.err)
    other = sqlite3.connect(f"{scratch}/other.sqlite")
    other.execute("CREATE TABLE mine(x)")
    other.close()
    done = call([tool, "history", "add", "-i", f"{scratch}/other.sqlite", files[0]])
    expect(done.returncode == 2 and "another program's" in done.err, "another program's database is left alone", done.err)
    return base


def planted(base, copy, series, size=None):
    """Runs like the newest one, the values of series as its wall time and as its stage's."""
    shutil.copy(base, copy)
    connection = sqlite3.connect(copy)
    connection.execute("DELETE FROM figure")
    row = dict(zip([c[1] for c in connection.execute("PRAGMA table_info(run)")], connection.execute("SELECT * FROM run").fetchone()))
    connection.execute("DELETE FROM run")
    for i, value in enumerate(series):
        made = {**row, "id": i + 1, "start_ns": 1700000000 * 10**9 + i * DAY_NS // 4, "wall_ns": int(value), "commit_id": f"{i:040x}",
                "input_bytes": size[i] if size else 1000}
        connection.execute(f"INSERT INTO run({','.join(made)}) VALUES({','.join('?' * len(made))})", list(made.values()))
        connection.execute("INSERT INTO figure VALUES(?, 'stage', 'work', ?, ?)", (i + 1, value / 2, 100 if i < 25 else 200))
    connection.commit()
    connection.close()


def trends(tool, scratch, base):
    chance, copy = random.Random(4), f"{scratch}/planted.sqlite"

    def trend(values, *more, size=None):
        planted(base, copy, values, size)
        return {(s["kind"], s["name"]): s for s in json.loads(must([tool, "history", "trend", "-i", copy, "--format", "json", *more]))["series"]}
    values = [1e9 * (1.10 if i >= 25 else 1) * chance.gauss(1, 0.01) for i in range(40)]
    values[7] *= 2.5
    values[33] *= 3
    found = trend(values)
    for name in (("run", "wall time"), ("stage", "work")):
        changes = found[name]["changes"]
        expect(len(changes) == 1 and abs(changes[0]["at"] - 25) <= 1, "the step is found where it is", name, changes)
        expect(changes and changes[0]["ratio_low"] < 1.10 < changes[0]["ratio_high"], "its interval holds it", changes)
        expect(changes and changes[0]["commit"] == f"{changes[0]['at']:040x}" and changes[0]["commit_before"] == f"{changes[0]['at'] - 1:040x}", "its commits", changes)
        expect(found[name]["unlike"] == [7, 33], "the two spikes are told, and nothing else", found[name]["unlike"])
    expect(found["stage", "work"]["changes"][0]["calls_before"] == 100 and found["stage", "work"]["changes"][0]["calls_after"] == 200, "the calls beside it", found["stage", "work"])
    quiet = trend([1e9 * chance.gauss(1, 0.02) * (2 if i == 15 else 1) for i in range(40)])
    expect(all(not s["changes"] for s in quiet.values()), "a series with a spike and no step is silent", quiet)
    planted(base, copy, values)
    text = must([tool, "history", "trend", "work", "-i", copy], env={"COLUMNS": "90"})
    expect("from run 2" in text and "calls 100 to 200" in text and "^" in text and text.count("o") > 2, "the text has the change and the chart", text)
    expect(all(len(line) <= 90 for line in text.splitlines()), "the chart fits", text)
    size = [1000 * 2 ** (i % 8) for i in range(40)]
    grown = trend([size[i] ** 2 * chance.gauss(1, 0.02) for i in range(40)], size=size)
    growth = grown["run", "wall time"].get("growth", {})
    expect(growth.get("sizes") == 8 and growth["low"] <= 2 <= growth["high"] and growth["high"] - growth["low"] < 0.05, "cost grows with the square of the input", growth)
    expect("growth" not in found["run", "wall time"], "no growth is told from one size")


def killed(tool, scratch, files):
    """Killed at any moment, the file is whole: a run is there with all its figures, or not at all."""
    base, chance, kills = f"{scratch}/killed.sqlite", random.Random(2), 0
    begun = time.monotonic()
    must([tool, "history", "add", "-i", f"{scratch}/whole.sqlite", *files])
    took = time.monotonic() - begun
    figures = counted(f"{scratch}/whole.sqlite", "SELECT count(*) FROM figure")
    for tries in range(100):
        if kills == 6:
            break
        if os.path.exists(base) and chance.random() < 0.3:
            for name in glob.glob(base + "*"):
                os.remove(name)
        process = subprocess.Popen([tool, "history", "add", "-i", base, *files], stdout=subprocess.DEVNULL, env=environment())
        begun = time.monotonic()
        try:
            process.wait(chance.random() * took * 0.8)
            took = min(took, time.monotonic() - begun)         # the machine is less busy now
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            kills += process.wait() == -signal.SIGKILL
        if not os.path.exists(base):
            continue
        expect(counted(base, "PRAGMA integrity_check") == "ok", "whole after a kill")
        if counted(base, "SELECT count(*) FROM sqlite_master WHERE name = 'figure'"):
            expect(counted(base, "SELECT count(*) FROM run WHERE (SELECT count(*) FROM figure WHERE run = id) = 0") == 0, "no run without its figures")
    done = call([tool, "history", "add", "-i", base, *files])
    expect(done.returncode == 0 and counted(base, "SELECT count(*) FROM run") == len(files), "after kills the rest is added", done.out, done.err)
    expect(counted(base, "SELECT count(*) FROM figure") == figures, "and all figures are there")
    print(f"{kills} of {tries} writers were killed while they wrote")
    expect(kills == 6, "writers were killed", kills, tries)


def together(tool, scratch, files):
    """Writers of the same and of other runs at the same time, on a file that none of them has made yet."""
    base = f"{scratch}/together.sqlite"
    given = [files[:16], files[8:], files[::-1], files[::2]]
    writers = [subprocess.Popen([tool, "history", "add", "-i", base, *names], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()) for names in given]
    added = 0
    for writer in writers:
        out, err = writer.communicate(timeout=120)
        expect(writer.returncode == 0 and not err, "a writer beside others", err)
        added += int(out.split()[0])
    expect(added == len(files) == counted(base, "SELECT count(*) FROM run"), "each run is there once, and one writer added it", added)
    expect(counted(base, "PRAGMA integrity_check") == "ok", "whole after four writers")


def summary(tool, scratch, files):
    folder = f"{scratch}/day"
    os.makedirs(folder)
    for i in range(99):
        shutil.copy(files[i % len(files)], f"{folder}/{i}.profplug")
    failing = call([tool, "run", "-q", "-o", f"{folder}/failing.profplug", "--", f"{scratch}/work", "7", "3"])
    expect(failing.returncode == 3, "a run that fails", failing.err)
    write(f"{folder}/torn.profplug", "no data file")
    begun, before = time.monotonic(), os.times()
    done = call([tool, "history", "report", folder, "--format", "json"])
    after = os.times()
    print(f"summary of 100 runs: {time.monotonic() - begun:.2f} s, {after.children_user + after.children_system - before.children_user - before.children_system:.2f} s CPU")
    found = json.loads(done.out)
    expect(done.returncode == 0 and done.err.count("\n") == 1 and "torn" in done.err, "what cannot be read is said", done.err)
    expect(found["run_count"] == 100 and [p["failed"] for p in found["programs"]] == [1], "all runs, one failed", found["programs"])
    wall = [run["wall_ns"] for run in found.get("runs", [])] or [json.loads(must([tool, "report", f"{folder}/{i}.profplug", "--format", "json"]))["runs"][0]["wall_ns"] for i in range(len(files))]
    times = [wall[i % len(files)] for i in range(99)]
    own = json.loads(must([tool, "report", f"{folder}/failing.profplug", "--format", "json"]))["runs"][0]["wall_ns"]
    expect(abs(found["programs"][0]["total_ns"] - sum(times) - own) < 1000, "the total is the sum of the reports'", found["programs"], sum(times) + own)
    expect(found["stages"][0]["name"] == "work" and found["stages"][0]["entries"] == 100 * 100, "the stage's entries", found["stages"])
    text = must([tool, "history", "report", "-i", f"{scratch}/whole.sqlite"])
    expect(f"{len(files)} runs of 1 program" in text and "work" in text, "the newest day of a history", text)
    text = call([tool, "history", "report", folder])
    expect("failing.profplug: exit 3" in text.out, "the run that failed is named", text.out)


def test(build, scratch):
    tool = f"{build}/profplug"
    os.makedirs(f"{scratch}/sub")
    write(f"{scratch}/work.c", PROGRAM)
    must([f"{build}/profplug-gcc", "-O2", "-g", "work.c", "-o", "work"], cwd=scratch)
    for argv in (["init", "-q"], ["add", "work.c"], ["-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "x"]):
        must(["git", *argv], cwd=scratch)
    files = [f"{scratch}/{i}.profplug" for i in range(RUNS)]
    for path in files:
        done = call([f"{scratch}/work", "7"], env={"PROFPLUG": f"output={path},label=size:123456"})
        expect(done.returncode == 0 and os.path.exists(path), "the program ran", done.err)
    base = adding(tool, scratch, files)
    trends(tool, scratch, base)
    killed(tool, scratch, files)
    together(tool, scratch, files)
    summary(tool, scratch, files)


main(test)
