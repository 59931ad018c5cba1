#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""judge.py BUILD [NAME... | --set N]: how good the advice is on programs/, which were written without sight of the rules. Each has one planted
problem, and none with -DFIXED. For each: does a finding of the right kind stand at a marked line, and first? Is the twin silent? Did the fix save
what was predicted, by runs without profiler (of wall time, or of CPU time where a program does nothing but compute)? Is the interval at most half
of its upper end wide, or called a bound? Prints a row for each, and the sums of each set: both were written without sight of
the rules, and rules were mended on what either showed, so that only the first figures of a set are those of a blind test."""

import json
import os
import resource
import statistics
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{HERE}/../support")
import advice  # noqa: E402
import program  # noqa: E402
import report  # noqa: E402

# Which rules name a kind of problem rightly.
RULES = {
    "lock-contention": "locks", "lock-held-across-io": "locks", "sleep-loop": "sleeps", "poll-loop": "polls spins", "fsync-per-record": "syncs",
    "statement-without-transaction": "transactions syncs", "query-per-row": "queries", "serialised-threads": "serialthreads",
    "thread-imbalance": "imbalance", "small-packets": "requests", "tiny-reads": "smallreads", "tiny-writes": "smallwrites flushes", "flush-per-line": "flushes smallwrites",
    "reopen-same-file": "reopens", "reparse-same-input": "rereads reopens reparses", "same-call-same-arguments": "repeatedcalls",
    "growing-strcat": "growingstrings lengths", "strlen-in-loop-condition": "lengths growingstrings", "allocation-in-loop": "allocations", "realloc-by-one": "reallocs",
    "large-blocks-faulted": "largeblocks pagefaults", "leak": "leaks pagefaults", "struct-copy-by-value": "copies structures allocations", "copy-upon-copy": "copies",
    "memset-large-small-use": "memsets", "linear-search": "searches", "long-hash-chains": "searches", "superlinear-cost": "growths searches sorting slowsorts copies",
    "column-walk": "strides", "not-vectorized-alias": "scalars", "division-by-invariant": "divisions", "virtual-call-in-loop": "indirections",
    "exceptions-as-control-flow": "exceptions", "formatting-in-hot-loop": "formatting repeatedcalls", "float-double-conversions": "conversions",
    "false-sharing": "sharing", "page-faults-first-touch": "pagefaults largeblocks", "oversubscribed-threads": "oversubscribed",
    "cold-first-entry": "firstentries", "periodic-stall": "pauses", "slow-peer": "slowpeers roundtrips", "denormals": "denormals",
    "indirect-calls": "indirections", "temporaries": "allocations", "not-inlined-call": "smallcalls",
}


def timed(argv, cwd):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()  # times() counts ticks of 10 ms
    program.must(argv, cwd=cwd)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def realised(plain, fixed, cwd, currency, rounds=5):
    """The part of the run's wall or CPU time that the fix saves: median of runs in turn."""
    which = {"wall": 0, "cpu": 1}[currency]
    times = [(timed([plain, "1"], cwd)[which], timed([fixed, "1"], cwd)[which]) for _ in range(rounds)]
    return 100 * (1 - statistics.median(fast for _, fast in times) / statistics.median(slow for slow, _ in times))


def judged(build, scratch, case):
    path, libraries = f"{HERE}/programs/{case['file']}", case["libs"].split()
    with open(path) as file:
        lines = advice.marked(file.read())
    plus = "++" if path.endswith(".cc") else "cc"
    for compiler, name, flags in ((f"{build}/profplug-g{plus}", "planted", []), (f"{build}/profplug-g{plus}", "twin", ["-DFIXED"]),
                                  (f"g{plus}", "slow", []), (f"g{plus}", "fast", ["-DFIXED"])):
        program.must([compiler, "-O2", "-g", *flags, "-o", f"{scratch}/{name}", path, *libraries])
    rules, seen = RULES[case["kind"]].split(), {}
    for name in ("planted", "twin"):
        _, document, text = report.profiled(build, [f"{scratch}/{name}", "1"], text=True, cwd=scratch)
        seen[name] = document["recommendations"]
        if name == "planted":
            screen = program.must([f"{build}/profplug", "--version"]) and text
    right = [row for row in seen["planted"] if row["rule"] in rules]
    placed = [row for row in right if row.get("line") in lines and os.path.basename(row["file"]) == case["file"]]
    saved = realised(f"{scratch}/slow", f"{scratch}/fast", scratch, case["currency"])
    best = (placed or right or [None])[0]
    return {"name": case["name"], "kind": case["kind"], "found": bool(right), "placed": bool(placed), "first": bool(placed) and seen["planted"][0] is placed[0],
            "silent": not any(row["rule"] in rules for row in seen["twin"]), "saved": saved,
            "inside": bool(best) and best["saving_percent"] - 2 <= saved <= best["saving_high_percent"] + 2,
            "narrow": bool(best) and (best["saving_kind"] == "bound" or best["saving_high_percent"] - best["saving_percent"] <= best["saving_high_percent"] / 2 + 0.5), "set": case.get("set", 1),
            "interval": f"{best['saving_percent']:.0f}-{best['saving_high_percent']:.0f}" if best else "", "lines": len(screen.splitlines()),
            "said": [f"{row['rule']}:{row.get('line')}" for row in seen["planted"]], "twin": [f"{row['rule']}:{row.get('line')}" for row in seen["twin"]], "marked": lines}


def main(build, scratch):
    with open(f"{HERE}/programs/programs.json") as file:
        cases = [case for case in json.load(file) if not sys.argv[2:] or case["name"] in sys.argv[2:] or f"--set {case.get('set', 1)}" == " ".join(sys.argv[2:])]
    rows = []
    for case in cases:
        rows.append(row := judged(build, scratch, case))
        marks = " ".join(word if row[word] else "-" * len(word) for word in ("found", "placed", "first", "silent", "inside", "narrow"))
        print(f"{row['name']:12} {row['kind']:26} {marks}  {row['interval']:>7} saved {row['saved']:3.0f} %  at {row['marked']} {row['said']} twin {row['twin']}", flush=True)
    for number in sorted({row["set"] for row in rows}):
        of_set = [row for row in rows if row["set"] == number]
        for word in ("found", "placed", "first", "silent", "inside", "narrow"):
            print(f"set {number} {word}: {sum(row[word] for row in of_set)} of {len(of_set)}")
        if len(of_set) >= 10:  # of single programs a loaded machine may miss one
            missed = [row["name"] for row in of_set if not row["found"]]
            program.expect(len(missed) <= 0.3 * len(of_set), f"set {number}: seven in ten are found", missed)
            loud = [row["name"] for row in of_set if not row["silent"]]
            program.expect(len(loud) <= 0.1 * len(of_set), f"set {number}: twins are silent", loud)
    program.expect(rows, "a program is judged")


if __name__ == "__main__":
    program.main(main)
