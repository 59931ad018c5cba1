#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench/worst.py [BUILD] [--rounds N] [--only CASE,...] [-o FILE]: what the default costs in the worst cases that are known: loops of nothing but what is
dear to profile. CPU time against the plain program, in rounds in which plain, plain once more, off and default take turns; instructions (callgrind) and
system calls (strace) of a step, from the difference of two sizes; and what the report says that profiling cost. The table goes to bench/WORST.md."""
import argparse
import datetime
import json
import math
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TRUTH = f"{ROOT}/tests/truth"
# case: source, arguments before the size, what a step is, steps in a unit of size, size of a timed run, two sizes for counting
CASES = {
    "opens": ("costs.c", ["opens"], "open and close", 1000, 150, (1, 3)),
    "accepts": ("costs.c", ["accepts"], "socket to close, with 4 transfers", 1000, 20, (1, 3)),
    "malloc": ("rounds.c", ["m"], "malloc and free", 1, 40000000, (2000, 22000)),
    "regcomp": ("rounds.c", ["x"], "regcomp and regfree", 1, 80000, (20, 120)),
    "turns": ("costs.c", ["pingpong"], "byte to another thread and back", 1000, 20, (1, 3)),
    "threads": ("costs.c", ["threads"], "thread of 0.5 to 1 ms", 4, 250, (5, 25)),
    "exceptions": ("thrown.cc", [], "four parses, one throws", 250, 1500, (2, 6)),
    "empty": ("costs.c", ["empty"], "process", 1, 1, None),
}
PROCESSES = 100                # of the case "empty", in a round


def median_interval(values):
    """Distribution-free: the order statistics that hold the median with 95 %; with fewer than six values their range."""
    values, n = sorted(values), len(values)
    most, below = n // 2, 0.0
    for k in range(n // 2):
        below += math.comb(n, k) / 2 ** n
        if below > 0.025:
            most = k
            break
    k = max(most - 1, 0)
    return values[k], values[n - 1 - k]


def build(tool, folder, source):
    pair = {}
    plus = source.endswith(".cc")
    for way in ("plain", "profiled"):
        compiler = ("g++" if plus else "gcc") if way == "plain" else f"{tool}/profplug-{'g++' if plus else 'gcc'}"
        pair[way] = f"{folder}/{source.split('.')[0]}-{way}"
        if not os.path.exists(pair[way]):
            subprocess.run([compiler, "-O2", "-g", "-pthread", *([] if plus else ["-fno-builtin-malloc"]), f"{TRUTH}/{source}", "-o", pair[way]], check=True)
    return pair


def environment(way, folder):
    env = {key: value for key, value in os.environ.items() if not key.startswith("PROFPLUG")}
    env["PROFPLUG"] = "off" if way == "off" else f"output={folder}/run/%p.profplug"
    return env


def fresh(folder):
    shutil.rmtree(f"{folder}/run", ignore_errors=True)
    os.makedirs(f"{folder}/run")


def run(way, pair, arguments, folder, prefix=()):
    program = pair["plain" if way in ("plain", "copy") else "profiled"]
    return [*prefix, program, *arguments, f"{folder}/run"], environment(way, folder)


def cpu_seconds(way, pair, arguments, folder, times):
    fresh(folder)
    command, env = run(way, pair, arguments, folder)
    total = 0.0
    for _ in range(times):
        process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"worst.py: {' '.join(command)}: exit status {process.returncode}")
        total += usage.ru_utime + usage.ru_stime
    return total / times


def instructions(way, pair, arguments, folder):
    fresh(folder)
    command, env = run(way, pair, arguments, folder, ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"])
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    return int(found[1]) if found else None


def system_calls(way, pair, arguments, folder):
    fresh(folder)
    command, env = run(way, pair, arguments, folder, ["strace", "-f", "-c", "-o", f"{folder}/calls"])
    subprocess.run(command, env=env, stdout=subprocess.DEVNULL, check=True)
    return int(re.search(r"^100\.00.*?(\d+)(?: +\d+)? total$", open(f"{folder}/calls").read(), re.M)[1])


def per_step(count, way, pair, words, sizes, steps, folder):
    if not sizes:
        return count(way, pair, [*words, "1"], folder)
    few, many = (count(way, pair, [*words, str(size)], folder) for size in sizes)
    return None if few is None or many is None else (many - few) / (sizes[1] - sizes[0]) / steps


def told(tool, folder):
    """What the report of the last run says."""
    files = sorted(os.listdir(f"{folder}/run"))
    files = [name for name in files if name.endswith(".profplug")]
    document = json.loads(subprocess.run([f"{tool}/profplug", "report", "--format", "json", f"{folder}/run/{files[-1]}"], capture_output=True, text=True).stdout)
    one = document["runs"][0]
    if one.get("overhead_percent") is None:
        return "not measured"
    least, most = (f"{one[key]:.1f}" for key in ("overhead_least_percent", "overhead_most_percent"))
    return least if least == most else f"{least} to {most}"


def measure(tool, folder, case, rounds, counted):
    source, words, step, steps, size, sizes = CASES[case]
    pair = build(tool, folder, source)
    arguments, times = [*words, str(size)], PROCESSES if case == "empty" else 1
    taken = {way: [] for way in ("plain", "copy", "off", "default")}
    for _ in range(rounds):
        for way in random.sample(list(taken), len(taken)):
            taken[way].append(cpu_seconds(way, pair, arguments, folder, times))
    cpu_seconds("default", pair, arguments, folder, 1)
    row = {"step": step, "plain_ms": 1000 * statistics.median(taken["plain"]), "told": told(tool, folder), "when": datetime.date.today().isoformat()}
    for way in ("copy", "off", "default"):
        ratios = [a / b for a, b in zip(taken[way], taken["plain"])]
        row[way] = [statistics.median(ratios), *median_interval(ratios), min(taken[way]) / min(taken["plain"])]
        if case == "empty":
            row[f"{way}_ms"] = 1000 * (statistics.median(taken[way]) - statistics.median(taken["plain"]))
    if counted:
        counted_ways = [way for way in taken if way != "copy"]
        row["instructions"] = {way: per_step(instructions, way, pair, words, sizes, steps, folder) for way in counted_ways}
        row["calls"] = {way: per_step(system_calls, way, pair, words, sizes, steps, folder) for way in counted_ways}
    return row


def figure(value):
    return "-" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.2f}".rstrip("0").rstrip(".")


def table(record):
    lines = ["# The worst cases", "",
             "Loops of nothing but what is dear to profile, by `bench/worst.py`. CPU time by default against the plain program:",
             "median of the rounds' ratios, its 95 % interval, and the least of each. The column \"plain once more\" has the interval of",
             "a second plain run's ratio. Instructions and system calls are those of one step. \"Told\" is what the report says that",
             "profiling cost, in %.", "",
             "| case | a step is | plain ms | CPU ratio | its interval | least | plain once more | off "
             "| instructions: plain, off, default | system calls: plain, default | told |",
             "|---|---|---|---|---|---|---|---|---|---|---|"]
    for case in CASES:
        if case not in record:
            continue
        r = record[case]
        more = f" (+{r['default_ms']:.2f} ms)" if "default_ms" in r else ""
        counts = ", ".join(figure(r["instructions"][way]) for way in ("plain", "off", "default"))
        calls = ", ".join(figure(r["calls"][way]) for way in ("plain", "default"))
        lines.append(f"| {case} | {r['step']} | {r['plain_ms']:.1f} | {r['default'][0]:.3f}{more} | {r['default'][1]:.3f} to {r['default'][2]:.3f} | "
                     f"{r['default'][3]:.3f} | {r['copy'][1]:.3f} to {r['copy'][2]:.3f} | {r['off'][0]:.3f} | {counts} | {calls} | {r['told']} |")
    dates = sorted({r["when"] for r in record.values()})
    return "\n".join([*lines, "", f"Measured {' and '.join(dict.fromkeys((dates[0], dates[-1])))}.", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", nargs="?", default=f"{ROOT}/build")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", help=f"some of {', '.join(CASES)}, by commas; the others' rows stay")
    parser.add_argument("--no-counts", action="store_true", help="without instructions and system calls: those of the record stay")
    parser.add_argument("-o", "--output", default=f"{ROOT}/bench/WORST.md", help="the table; the record lies beside it, as .json")
    options = parser.parse_args()
    tool, path = os.path.abspath(options.build), os.path.splitext(options.output)[0] + ".json"
    record = json.load(open(path)) if os.path.exists(path) else {}
    chosen = [case for case in CASES if not options.only or case in options.only.split(",")]
    with tempfile.TemporaryDirectory(prefix="profplug-worst-") as folder:
        for case in chosen:
            row = measure(tool, folder, case, options.rounds, not options.no_counts)
            if options.no_counts:
                row |= {key: record.get(case, {}).get(key) or dict.fromkeys(("plain", "off", "default")) for key in ("instructions", "calls")}
            record[case] = row
            print(case, json.dumps(row), flush=True)
            with open(path, "w") as to:
                json.dump(record, to, indent=1)
            with open(options.output, "w") as to:
                to.write(table(record))


main()
