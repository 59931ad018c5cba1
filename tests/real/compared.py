#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compared.py BUILD CACHE PROJECT [RUNS [PAIRS]]: PROJECT against itself, and against a build whose one function does a little more at each call, by
`profplug diff`. RUNS of each are made in turn, with a busy loop beside the second half. Of PAIRS random halves of one build's runs hardly any may show
a change; all runs against all of the other must show the planted one, in its function, with its cause. Mann-Whitney at 0.05 for each line, benchstat's
rule, gets the same runs."""
import itertools
import json
import os
import random
import shutil
import subprocess
import sys

from project import Profiler, Project, Verdict

# where a function's body begins, in which file, how many empty steps it does more, and how long a run is
PLANTED = {
    "lua": ("luaM_malloc_", "void *luaM_malloc_ (lua_State *L, size_t size, int tag) {", "lmem.c", 2, 10),
    "sqlite": ("sqlite3VdbeSerialGet", "SQLITE_PRIVATE void sqlite3VdbeSerialGet(\n  const unsigned char *buf,     /* Buffer to deserialize from */\n"
               "  u32 serial_type,              /* Serial type to deserialize */\n  Mem *pMem                     /* Memory cell to write value into */\n){", "sqlite3.c", 2, 6),
}
build, cache, name = sys.argv[1:4]
runs, pairs = int(sys.argv[4]) if len(sys.argv) > 4 else 10, int(sys.argv[5]) if len(sys.argv) > 5 else 20
function, head, file, steps, size = PLANTED[name]
profiler, verdict = Profiler(build), Verdict()


def planted_sources(project, folder):
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(os.path.dirname(project.sources[0]), folder)
    text = open(f"{folder}/{file}").read()
    assert text.count(head) == 1, f"{head} stands {text.count(head)} times in {file}"
    with open(f"{folder}/{file}", "w") as out:
        out.write(text.replace(head, head + f" for (volatile int planted = 0; planted < {steps}; planted++) {{}}"))
    inside = os.path.dirname(project.sources[0])
    project.sources = [source.replace(inside, folder) for source in project.sources]
    return project


def program_of(arm, project):
    folder = f"{build}/real/{name}-compared-{arm}"
    return folder, project.build(folder, [*profiler.compiler, "-fplugin-arg-profplug-lines=all"], ["-O2", "-g"], profiler.libraries)


def mann_whitney(one, two):
    """Two-sided p, exact: how many ways to part the values give a rank sum as far from the middle."""
    values = sorted(one + two)
    rank = {v: (values.index(v) + len(values) - 1 - values[::-1].index(v)) / 2 for v in values}
    ranks, middle = [rank[v] for v in one + two], len(one) * (len(values) - 1) / 2
    seen = abs(sum(ranks[:len(one)]) - middle)
    sums = [abs(sum(part) - middle) >= seen - 1e-9 for part in itertools.combinations(ranks, len(one))] if len(values) <= 12 else [True]
    return sum(sums) / len(sums)


def diff(old, new):
    return json.loads(subprocess.run([f"{build}/profplug", "diff", "--format", "json", *old, "--", *new], check=True, capture_output=True, text=True).stdout)


def told(document):
    return [(row["kind"], row["name"], row["verdict"], row["cause"], round(row["ratio"], 3)) for row in document["sites"] if row["verdict"] in ("slower", "faster")]


project = Project(name, cache)
arguments = project.arguments(f"{build}/real/{name}-compared/work", size)
arms = {"old": program_of("old", project), "new": program_of("new", planted_sources(Project(name, cache), f"{build}/real/{name}-planted"))}
data, busy = {"old": [], "new": []}, None
for turn in range(runs):
    if turn == runs // 2:
        busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    for arm in ("old", "new")[::1 if turn % 2 else -1]:
        folder, program = arms[arm]
        data[arm].append(f"{folder}/{turn}.profplug")
        if os.path.exists(data[arm][-1]):
            os.remove(data[arm][-1])
        project.run(program, arguments, f"{folder}/work", {"PROFPLUG": f"output={data[arm][-1]},budget=50,sample-hz=4000"})
busy.kill()

random.seed(1)
loud = ranked = 0
for _ in range(pairs):
    some = random.sample(data["old"], runs)
    document = diff(some[:runs // 2], some[runs // 2:])
    loud += bool(told(document))
    if told(document):
        print("      a change where there is none:", told(document)[:4], document["machine"])
    verdict.expect(document["count_changes"] == 0, f"{name}: no count changed from run to run: {document['count_changes']} did")
lines = {}
for path in data["old"]:
    report = json.loads(subprocess.run([f"{build}/profplug", "report", "--format", "json", path], check=True, capture_output=True, text=True).stdout)
    for row in report["lines"]:
        if row.get("samples", 0) >= 5:
            lines.setdefault((row["file"], row["line"]), {})[path] = row["self_ns"]
for _ in range(pairs):
    some = random.sample(data["old"], min(runs, 10))
    half = len(some) // 2
    ranked += any(mann_whitney([line[p] for p in some[:half]], [line[p] for p in some[half:]]) < 0.05 for line in lines.values() if len(line) == runs)
verdict.expect(loud <= max(1, pairs // 50), f"{name} against itself: a change in {loud} of {pairs} pairs of {runs // 2} + {runs // 2} runs; by Mann-Whitney for each line in {ranked}")
document = diff(data["old"], data["new"])
found = [row for row in told(document) if row[1] == function and row[2:4] == ("slower", "cost")]
verdict.expect(found, f"{name}, {steps} empty steps more at each call of {function}: {told(document)[:6]}")
others = [row for row in told(document) if row[1] != function]
print(f"      besides: {others}\n      machine {document['machine']}\n      matched {document['matched']}")
verdict.finish()
