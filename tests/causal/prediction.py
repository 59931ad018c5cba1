#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""prediction.py BUILD PROGRAM HOW ITEMS UNITS STAGE [THREADS]: what `profplug causal` predicts for a stage that takes half its time is what the
program gains whose stage does, within a fourth; and a stage that nobody waits for gains nothing, in both.

HOW is sleep (as long on a busy machine) or compute. UNITS is NAME=NUMBER,... of the program's stages in the order of its arguments."""

import json
import os
import statistics
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../support")
from program import call, expect, main, must

HERE = os.path.dirname(os.path.abspath(__file__))
PAIRS, TRIES, NOTHING = 7, 5, 8


def seconds(argv):
    begin = time.monotonic()
    must(argv, env={"PROFPLUG": "off"})
    return time.monotonic() - begin


def gain(slow, fast):
    """How much more throughput the fast twin has, in percent: the median over pairs of runs, in turn."""
    return 100 * (statistics.median(seconds(slow) / seconds(fast) for _ in range(PAIRS)) - 1)


def compare(build, argv_of, units, cwd):
    """By stage: (predicted, its interval, realised)."""
    done = call([f"{build}/profplug", "causal", "--format", "json", "--percent", "50", *argv_of(units)], cwd=cwd, timeout=900)
    expect(done.returncode == 0, "profplug causal runs", done.err)
    document, found = json.loads(done.out), {}
    for target in document["targets"]:
        name, of = target["name"], target["points"][0]["throughput_gain_percent"]
        found[name] = of["median"], of["low"], of["high"], gain(argv_of(units), argv_of({**units, name: units[name] / 2}))
        print(f"{name}: predicted {of['median']:.1f} % ({of['low']:.1f} to {of['high']:.1f}), realised {found[name][3]:.1f} %", flush=True)
    expect(set(found) == set(units), "each stage is tried, and the loop around is not", list(found))
    return found


def middle(tried):
    """By stage, the medians over all tries."""
    return {name: tuple(statistics.median(one[name][i] for one in tried) for i in range(4)) for name in tried[0]}


def holds(found, stage):
    """The stage as it was realised; all others nothing, and said so."""
    predicted, low, high, realised = found[stage]
    others = [of for name, of in found.items() if name != stage]
    return realised > 20 and abs(predicted - realised) <= realised / 4 and low > 0 and \
        all(abs(median) < NOTHING and abs(got) < NOTHING and below < NOTHING / 2 for median, below, _, got in others)


def test(build, cwd):
    program, how, items, given, stage, *threads = sys.argv[2:]
    units = {name: float(number) for name, number in (one.split("=") for one in given.split(","))}
    must([f"{build}/profplug-gcc", "-O2", "-pthread", *(f"-DTHREADS={one}" for one in threads), "-o", f"{cwd}/{program}", f"{HERE}/{program}.c"])
    argv_of = lambda these: [f"{cwd}/{program}", how, items, *map(str, these.values())]
    tried = []
    for _ in range(TRIES):                               # both sides are measured, and other work can disturb either: all tries together are judged
        tried.append(compare(build, argv_of, units, cwd))
        if holds(middle(tried), stage):
            break
    expect(holds(middle(tried), stage), f"{stage}: predicted within a fourth of what was realised; the others gain nothing", middle(tried), *tried)


main(test)
