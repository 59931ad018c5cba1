# SPDX-License-Identifier: MIT
"""overhead.py BUILD [CACHE [KIND...]]: holds the report's account of the profiler's cost to what `profplug overhead` measures, for programs of many kinds.
Nine of ten intervals must meet that of the measurement, and three of four contain the measured value itself, which has an error, too. Prints the table of docs/decisions/overhead.md. Against the same program with recording off, as
`profplug overhead` does; OVERHEAD_BASE=plain: against one without the profiler. OVERHEAD_REALTIME=1, for a machine with other work: at real-time priority, programs of
one thread on one processor."""

import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [f"{HERE}/../support", f"{HERE}/../real"]
from program import environment  # noqa: E402
from project import Project  # noqa: E402

ROUNDS = int(os.environ.get("OVERHEAD_ROUNDS", "31"))
# kind: size, of 0.1 to 0.4 s of CPU time but for the last two. The machine changes within a second, so of as much time many short pairs tell more than few
# long ones. With less, samples do not tell what allocations cost
SIZES = {
    "loader": 90, "opens": 40, "lines": 150, "writes": 30, "tree": 420, "blocks": 1000, "reallocs": 540, "pingpong": 6, "accepts": 10, "locks": 360,
    "threads": 80, "forks": 30, "interpreter": 500, "parser": 1500, "compressor": 240, "matching": 1800, "sorting": 120, "matrix": 800, "idle": 300,
    "empty": 1,
}
# likewise, of the programs of fresh.c and of mishaps.cc, by which no price was chosen but those of a process's first samples and a switch
FRESH = {
    "slurp": 60, "walk": 600, "names": 480, "churn": 9000, "tcp": 18, "pages": 90, "handover": 450, "ledger": 1500, "crews": 24, "ticker": 300, "children": 12,
    "evaluator": 300, "json": 300, "lzw": 14, "sum": 500,
}
THROWN = {"thrown": 400, "mishaps": 3600}
REAL = {"lua": 1.2, "sqlite": 3, "zstd": 2.4, "bzip2": 0.8}
SEVERAL = {"pingpong", "locks", "threads", "forks", "tcp", "pages", "handover", "ledger", "crews", "children"}    # threads or processes
EXPECTED_INSIDE, EXPECTED_NEAR = 0.75, 0.9


def build(build, scratch, work, cache, kind):
    """The program plain and profiled, and its arguments."""
    pair = []
    for way in ("plain", "profiled"):
        c, cxx = ("gcc", "g++") if way == "plain" else (f"{build}/profplug-gcc", f"{build}/profplug-g++")
        folder = f"{scratch}/{way}"
        os.makedirs(folder, exist_ok=True)
        if kind in REAL:
            project = Project(kind, cache)
            pair.append(project.build(f"{folder}/{kind}", [c], ["-O2", "-g"]))
        else:
            name = kind if kind in THROWN else "fresh" if kind in FRESH else "costs"
            program = f"{folder}/{name}"
            source = [cxx, f"{HERE}/{name}.cc"] if kind in THROWN else [c, f"{HERE}/{name}.c"]
            if not os.path.exists(program):
                subprocess.run([*source, "-O2", "-g", "-pthread", "-o", program], check=True)
            pair.append(program)
    if kind in REAL:
        return pair, project.arguments(f"{work}/work", REAL[kind])
    return pair, [str(THROWN[kind])] if kind in THROWN else [kind, str({**SIZES, **FRESH}[kind]), f"{work}/work"]


def prefer(kind):
    if kind not in SEVERAL:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


def measure(tool, scratch, kind, plain, profiled, arguments):
    work = f"{scratch}/work"
    subprocess.run(["rm", "-rf", work], check=True)
    os.makedirs(work)
    against = ["--plain", plain] if os.environ.get("OVERHEAD_BASE") == "plain" else []
    done = subprocess.run([f"{tool}/profplug", "overhead", "--format", "json", "--rounds", str(ROUNDS), *against, "--", profiled, *arguments],
                          cwd=work, env=environment(), capture_output=True, text=True,
                          preexec_fn=(lambda: prefer(kind)) if os.environ.get("OVERHEAD_REALTIME") else None)
    if done.returncode:
        sys.exit(f"overhead.py: {done.stderr}")
    document = json.loads(done.stdout)
    failed = [run for run in document["runs"] if run.get("exit_status") != 0]
    if failed:
        sys.exit(f"overhead.py: {plain} {' '.join(arguments)} failed: {failed[0]}")
    return document


def percent(ratio):
    return 100 * (ratio - 1)


def main():
    tool, cache = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2]) if len(sys.argv) > 2 and sys.argv[2] else None
    kinds = sys.argv[3:] or [*SIZES, *FRESH, *THROWN, *(REAL if cache else ())]
    inside = near = said = 0
    with tempfile.TemporaryDirectory(prefix="profplug-overhead-") as scratch:
        print("| program | plain ms | measured % | its interval | report said | |\n|---|---|---|---|---|---|")
        for kind in kinds:
            (plain, profiled), arguments = build(tool, os.environ.get("OVERHEAD_KEEP", scratch), scratch, cache, kind)
            document = measure(tool, scratch, kind, plain, profiled, arguments)
            ratio, low, high = document["cpu"]["ratio"], document.get("reported_least"), document.get("reported_most")
            verdict, own = "not measured", "-"
            if low and high:
                said += 1
                own = f"{100 * low['median']:.1f} to {100 * high['median']:.1f}"
                hit = 100 * low["median"] <= percent(ratio["median"]) <= 100 * high["median"]
                meets = 100 * low["median"] <= percent(ratio["high"]) and percent(ratio["low"]) <= 100 * high["median"]
                inside, near = inside + hit, near + meets
                verdict = "inside" if hit else "near" if meets else "MISSED"
            print(f"| {kind} | {document['cpu']['plain_ns'] / 1e6:.1f} | {percent(ratio['median']):.1f} | {percent(ratio['low']):.1f} to {percent(ratio['high']):.1f}"
                  f" | {own} | {verdict} |", flush=True)
    print(f"{inside} of {said} intervals hold what was measured, {near} meet its interval; {len(kinds) - said} runs say that they do not know")
    sys.exit(inside < EXPECTED_INSIDE * said or near < EXPECTED_NEAR * said)


main()
