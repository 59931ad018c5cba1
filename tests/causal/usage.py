#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage.py BUILD: `profplug causal` writes what its schema says, computed from its runs as it is said to be; refuses what it cannot do in
one line; leaves the program's behaviour and no files behind."""

import json
import math
import os
import statistics
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../support")
from program import call, expect, main, must
from report import unlike

HERE = os.path.dirname(os.path.abspath(__file__))


def gain_of(document, target, percent):
    """The median of all means of two rounds, again from the single runs."""
    logs = []
    for number in range(1, document["rounds"] + 1):
        runs = [run for run in document["runs"] if run["round"] == number]
        base = [math.log(run["took_ns"]) for run in runs if "target" not in run]
        tried = [run for run in runs if (run.get("target"), run.get("percent")) == (target, percent)]
        expect(len(base) == 2 and len(tried) == 1, "a round has each run once, and two without delays", number, runs)
        logs.append(statistics.mean(base) - math.log(tried[0]["took_ns"] - tried[0]["delay_ns"]))
    means = [(a + b) / 2 for i, a in enumerate(logs) for b in logs[i:]]
    return [100 * math.expm1(value) for value in (statistics.median(means), min(means), max(means))]


def document_of(tool, program, cwd):
    done = call([tool, "causal", "--format", "json", "--rounds", "3", "--percent", "40,80", program, "sleep", "10", "10", "30"], cwd=cwd)
    expect(done.returncode == 0 and done.err.count("\n") == 1 and "3 rounds of 6 runs" in done.err, "runs, and says how long beforehand", done.err)
    document = json.loads(done.out)
    expect(not unlike(document, "profplug-causal-1"), "the JSON follows its schema", *unlike(document, "profplug-causal-1")[:5])
    expect(document["progress"]["kind"] == "run" and {t["name"] for t in document["targets"]} == {"second", "first"}, "runs are the throughput",
           document["progress"], document["targets"])
    least = [target["points"][-1]["throughput_gain_percent"]["low"] for target in document["targets"]]
    expect(least == sorted(least, reverse=True), "the surest gain stands first", least)
    for target in document["targets"]:
        expect(target["calls"] == 10 and target["kind"] == "stage" and target["file"].endswith("row.c"), "the stage", target)
        for point in target["points"]:
            seen, wanted = point["throughput_gain_percent"], gain_of(document, target["name"], point["percent"])
            expect(all(math.isclose(seen[key], value, rel_tol=1e-3, abs_tol=1e-3) for key, value in zip(("median", "low", "high"), wanted)),
                   "the gain is that of the runs", seen, wanted)
            expect(point["saving_kind"] == "simulated" and 0 <= point["saving_low_ns"] <= point["saving_high_ns"] <= document["progress"]["wall_ns"], "its saving", point)
    for run in document["runs"]:
        expect(run["delay_ns"] <= run["took_ns"] and ("target" in run or not run["delay_ns"]), "delays belong to targets", run)
        if "target" in run:                              # one thread: whatever it is in, it is ahead by that share
            expect(math.isclose(run["delay_ns"], run["target_ns"] * run["percent"] / 100, rel_tol=0.01), "the delay is the share of what was seen", run)


def loop(tool, program, cwd):
    done = call([tool, "causal", "--rounds", "2", "--percent", "50", "--stage", "left", program, "sleep", "10", "40", "20"], cwd=cwd)
    expect(done.returncode == 0 and "throughput: 10 iterations of steps in " in done.out and "\nleft " in done.out and "\nright " not in done.out, "a loop's throughput, one stage",
           done.out, done.err)
    for options, what in ((["--stage", "nosuch"], "'nosuch'"), (["--progress", "nosuch"], "'nosuch'")):
        done = call([tool, "causal", *options, program, "sleep", "1", "1", "1"], cwd=cwd)
        expect(done.returncode == 2 and done.err.count("\n") == 1 and what in done.err and "expected" in done.err, f"{options}: one line", done.err)


def refusals(tool, cwd):
    for options in (["--rounds", "1"], ["--percent", "0"], ["--percent", "50,25"], ["--percent", "101"], ["--percent", "5,"], ["--format", "xml"], ["--nosuch"], ["-o", "/nosuch/file", f"{cwd}/balance"], []):
        done = call([tool, "causal", *options], cwd=cwd)
        expect(done.returncode == 2 and done.err.count("\n") == 1 and "expected" in done.err, f"{options}: one line", done.err)
    done = call([tool, "causal", "--rounds", "2", "--progress", "steps", f"{cwd}/balance", "sleep", "1", "0", "0"], cwd=cwd)
    expect(done.returncode == 0 or (done.returncode == 2 and "expected" in done.err), "a run too short for a look, or just long enough", done.err)
    done = call([tool, "causal", "/bin/true"], cwd=cwd)
    expect(done.returncode == 2 and done.err.count("\n") == 1 and "no data file" in done.err, "a program without probes", done.err)
    done = call([tool, "causal", "./nosuch"], cwd=cwd)
    expect(done.returncode == 2 and done.err.count("\n") == 1, "no program", done.err)


def test(build, cwd):
    tool = f"{build}/profplug"
    for name in ("row", "balance"):
        must([f"{build}/profplug-gcc", "-O2", "-pthread", "-o", f"{cwd}/{name}", f"{HERE}/{name}.c"])
    before = sorted(os.listdir(cwd))
    document_of(tool, f"{cwd}/row", cwd)
    loop(tool, f"{cwd}/balance", cwd)
    refusals(tool, cwd)
    expect(sorted(os.listdir(cwd)) == before, "nothing is left behind", os.listdir(cwd))


main(test)
