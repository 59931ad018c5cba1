# SPDX-License-Identifier: MIT
"""overhead.py BUILD [CACHE [KIND...]]: holds the report's account of the profiler's cost to what `profplug overhead` measures, for programs of many kinds.
Nine of ten intervals must meet that of the measurement, and three of four contain the measured value itself, which has an error, too. Prints the table of docs/decisions/overhead.md. Against the same program with recording off, as
`profplug overhead` does; OVERHEAD_BASE=plain: against one without the profiler."""

import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [f"{HERE}/../support", f"{HERE}/../real"]
from program import environment  # noqa: E402
from project import Project  # noqa: E402

ROUNDS = int(os.environ.get("OVERHEAD_ROUNDS", "15"))
# kind: size, of 0.2 to 0.6 s of CPU time but for the last two; with less, samples do not tell where there is no price
SIZES = {
    "loader": 300, "opens": 80, "lines": 500, "writes": 100, "tree": 700, "blocks": 2500, "reallocs": 1800, "pingpong": 20, "accepts": 20, "locks": 1800,
    "threads": 400, "forks": 100, "interpreter": 2500, "parser": 5000, "compressor": 1200, "matching": 6000, "sorting": 600, "matrix": 4000, "idle": 300,
    "empty": 1,
}
# likewise, of the programs of fresh.c and of mishaps.cc, by which no price was chosen but those of a process's first samples and a switch
FRESH = {
    "slurp": 200, "walk": 1200, "names": 800, "churn": 15000, "tcp": 60, "pages": 300, "handover": 1500, "crews": 120, "ticker": 300, "children": 40,
    "evaluator": 1000, "json": 500, "lzw": 70, "sum": 2500,
}
THROWN = {"thrown": 400, "mishaps": 6000}
REAL = {"lua": 3, "sqlite": 8, "zstd": 8, "bzip2": 2}
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


def measure(tool, scratch, plain, profiled, arguments):
    work = f"{scratch}/work"
    subprocess.run(["rm", "-rf", work], check=True)
    os.makedirs(work)
    against = ["--plain", plain] if os.environ.get("OVERHEAD_BASE") == "plain" else []
    done = subprocess.run([f"{tool}/profplug", "overhead", "--format", "json", "--rounds", str(ROUNDS), *against, "--", profiled, *arguments],
                          cwd=work, env=environment(), capture_output=True, text=True)
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
            document = measure(tool, scratch, plain, profiled, arguments)
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
