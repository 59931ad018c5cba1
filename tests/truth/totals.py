#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""totals.py BUILD PROGRAM [RUNS [WAY:LOOPS...]]: 30 runs of inclusive.c alone, beside one and beside three busy loops on its
CPU, sampled by perf events and by timers. Of all times of functions, own and with what they call, WITHIN are at most SIGMAS
of their printed errors off; none with a PART of the run's CPU time is off by more than FACTOR. Calls, waits and shares are exact."""
import collections
import os
import statistics
import sys
import tempfile

import inclusive
from refused import PERF_EVENT_OPEN

SIGMAS, WITHIN, PART, FACTOR = 3, 0.99, 0.05, 1.5
TIMES = 3                                # 6.5 s of CPU time; in 2 s such a function has 40 samples, and chance makes that 1.5
# What the program's clock sees and samples cannot: the kernel's part of a sample and of a page's first touch.
UNSEEN = 0.02
WAYS = {"events": (), "timers": (PERF_EVENT_OPEN,)}
DEFAULT = ["events:0", "events:1", "events:3", "timers:0", "timers:1", "timers:3"]


def times_of(known, report):
    """Each time of a run: of what, how many errors off, by which factor, its part of the run, the error, in words."""
    got = {f["name"]: f for f in report["functions"]}
    whole = known["main"][4]
    for name, (_, own_least, own_most, least, most, _, _) in known.items():
        for what, low, high in (("self", own_least * (1 - inclusive.PROBES), own_most), ("cpu_total", least, most)):
            if (name, what) == ("main", "self"):
                continue                 # the program does not know it
            low -= UNSEEN * high
            ns, error = got[name].get(f"{what}_ns", 0), got[name].get(f"{what}_error_percent", 100)
            off = max(low - ns, ns - high, 0) / max(ns * error / 100, 1)
            yield (f"{name}.{what}", off, max(low / max(ns, 1), ns / high), high / whole, error,
                   f"{ns / 1e6:.0f} ms +-{error:.0f} % of {high / 1e6:.0f}")


def judge(build, program, folder, runs, way, loops):
    rows, wrong, samples = [], [], []
    cpu = min(os.sched_getaffinity(0)) if loops else None
    with inclusive.beside(loops, cpu):
        for _ in range(runs):
            known, report, text = inclusive.once(build, program, folder, TIMES, cpu, WAYS[way])
            wrong += inclusive.exact(known, report, text)
            rows += (this := list(times_of(known, report)))
            print(f"{way}, beside {loops}: {sum(row[1] > SIGMAS for row in this)} of {len(this)} beyond {SIGMAS} errors", flush=True)
            samples.append(report["coverage"]["samples"])
    within = statistics.mean(off <= SIGMAS for _, off, *_ in rows)
    large = [row for row in rows if row[3] >= PART]
    beyond = collections.Counter(row[0] for row in rows if row[1] > SIGMAS)
    name, _, factor, _, _, said = max(large, key=lambda row: row[2])
    print(f"{way}, beside {loops} busy loops, {runs} runs of {statistics.median(samples):.0f} samples: {len(rows)} times,"
          f" {100 * statistics.mean(off <= 1 for _, off, *_ in rows):.1f} % within one error,"
          f" {100 * within:.2f} % within {SIGMAS}, the worst {max(off for _, off, *_ in rows):.1f} off;"
          f" +-{statistics.median(row[4] for row in large):.1f} % is printed for those with {100 * PART:.0f} %,"
          f" the worst of them is off by {factor:.2f}: {name} {said};"
          f" beyond {SIGMAS}: {', '.join(f'{name} {times}' for name, times in beyond.most_common()) or 'none'}", flush=True)
    for what in wrong + [f"{name} is off by {factor:.2f}: {said}" for name, _, factor, _, _, said in large if factor > FACTOR]:
        print("WRONG", what, flush=True)
        within = 0
    return within >= WITHIN


def main():
    build, program = sys.argv[1:3]
    runs, ways = int((sys.argv[3:] or ["30"])[0]), sys.argv[4:] or DEFAULT
    with tempfile.TemporaryDirectory() as folder:
        held = [judge(build, program, folder, runs, *way.split(":")[:1], int(way.split(":")[1])) for way in ways]
    sys.exit(0 if all(held) else 1)


if __name__ == "__main__":
    main()
