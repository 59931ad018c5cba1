#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rates.py BUILD CACHE PROGRAM [PAIRS [PART]]: how often `profplug diff` tells a change where there is none, and finds one that was planted, on lua, sqlite,
jq, bzip2 or the pipeline of examples/. In the new build, a function with a tenth of the CPU time takes a tenth more, and a stage that is timed at each entry 3 %.

A pool of runs is made once, old and new by turns: 40 with the machine as it is, 40 beside a loop that takes a CPU. Pairs are drawn from the pool, so they share
runs: the rates are those of these runs, less certain than of as many pairs of their own. 5 + 5 runs of the old build are a pair for silence, 10 + 10 of both one for
what is found. Mann-Whitney at 0.05 for each line, benchstat's rule, gets the same runs and the same ns a hit. PART is build, idle or busy (makes those runs),
collect (all three), judge, or both."""
import functools
import json
import math
import os
import random
import shutil
import subprocess
import sys

from project import HERE, Profiler, Project, Verdict, fetch, skip

# where planted_work is called, before which a declaration is put; how often the stage is entered; size of a run of some tenths of a second
CALLS = {
    "lua": ("lmem.c", "void *luaM_malloc_ (lua_State *L, size_t size, int tag) {", 5000, 1.5, 500),
    "sqlite": ("sqlite3.c", "SQLITE_PRIVATE void sqlite3VdbeSerialGet(\n  const unsigned char *buf,     /* Buffer to deserialize from */\n"
               "  u32 serial_type,              /* Serial type to deserialize */\n  Mem *pMem                     /* Memory cell to write value into */\n){", 2000, 2.5, 500),
    "jq": ("jv.c", "static struct object_slot* jvp_object_find_slot(jv object, jv keystr, int* bucket) {", 1000, 1, 500),
    "bzip2": ("huffman.c", "void BZ2_hbMakeCodeLengths ( UChar *len, \n                             Int32 *freq,\n"
              "                             Int32 alphaSize,\n                             Int32 maxLen )\n{", 4, 1, 200000),
    "pipeline": ("stage.c", "static int picture_begin(struct job *job, struct image *image, enum place place)\n{", 4, 1, 500000),
}
SETTING = "budget=25,sample-hz=10000"    # what `profplug compare` sets
SECONDS = 2                # of CPU time that a run takes, about
SHARE, STAGE_SHARE, MORE, STAGE_MORE = 0.10, 0.05, 1.10, 1.03
OLD, NEW = 20, 20          # runs of each build with the machine as it is, and as many beside a busy loop
build, cache, name = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
pairs = int(sys.argv[4]) if len(sys.argv) > 4 else 6
part = sys.argv[5] if len(sys.argv) > 5 else "both"
profiler, verdict = Profiler(build), Verdict()
folder = f"{build}/real/{name}-rates"


class Program(Project):
    """The programs: sources, flags, what they are made to do."""
    def __init__(self, name, cache):
        if name in ("lua", "sqlite", "bzip2"):
            super().__init__(name, cache)
            self.sources = [source for source in self.sources if not source.startswith(HERE)]
            self.own = [f"{HERE}/work/sqlite.c"] if name == "sqlite" else []
            return
        self.name, self.own, self.libraries = name, [], ["-lm"]
        if name == "pipeline":
            self.root = f"{HERE}/../../examples/pipeline"
            self.sources = [f"{self.root}/{one}.c" for one in ("main", "plan", "stage", "habit", "watch")]
            self.flags, self.libraries = [f"-I{self.root}", f"-I{build}/include"], ["-lstb", "-lm"]
            if not os.path.exists(f"{build}/examples/pipeline/generate"):
                skip("examples/pipeline is not built: libstb-dev is missing")
        else:
            self.root = fetch(name, cache, "jq", "src/jv.c") + "/src"    # copied to a folder of that name: they include "src/version.h"
            self.sources = [f"{self.root}/{one}.c" for one in ("builtin bytecode compile execute jv jv_alloc jv_aux jv_dtoa jv_file jv_parse "
                                                                "jq_test jv_print jv_unicode lexer linker locfile main parser util").split()]
            self.flags = [f"-I{folder}", "-D_GNU_SOURCE", "-DHAVE_MEMMEM", "-DHAVE_STRPTIME", "-DHAVE_TIMEGM", "-DHAVE_GMTIME_R", "-DHAVE_ISATTY", "-DIEEE_8087", "-w"]

    def with_call(self, to):
        """A copy of the sources where planted_work is called."""
        file, head, *_ = CALLS[self.name]
        shutil.rmtree(to, ignore_errors=True)
        shutil.copytree(self.root if self.name != "lua" else f"{self.root}/src", to, ignore=shutil.ignore_patterns(".git", "t", "doc"))
        if self.name == "jq":
            with open(f"{to}/version.h", "w") as out:
                out.write('#define JQ_VERSION "1.6"\n')
            with open(f"{to}/builtin.inc", "w") as out:
                out.write("".join(json.dumps(line) + "\n" for line in open(f"{to}/builtin.jq").read().splitlines(True)))
        text = open(f"{to}/{file}").read()
        assert text.count(head) == 1, f"{head} stands {text.count(head)} times in {file}"
        begin = text.index(head)
        with open(f"{to}/{file}", "w") as out:
            out.write(text[:begin] + "void planted_work(void);\n" + head + " planted_work();" + text[begin + len(head):])
        inside = os.path.dirname(self.sources[0])
        self.sources = [source.replace(inside, to) for source in self.sources] + self.own
        self.flags = [flag.replace(f"-I{inside}", f"-I{to}") for flag in self.flags]

    def linked(self, steps, stage_steps, to):
        os.makedirs(to, exist_ok=True)
        sizes = [f"-DSTEPS={steps}", f"-DSTAGE_STEPS={stage_steps}", f"-DEVERY={CALLS[self.name][2]}"]
        compiler = [*profiler.compiler, "-fplugin-arg-profplug-lines=all", "-O2", "-g", "-w", f"-I{build}/include"]
        subprocess.run([*compiler, *sizes, "-c", f"{HERE}/work/planted.c", "-o", f"{to}/planted.o"], check=True)
        objects = [f"{folder}/objects/{os.path.basename(source)[:-2]}.o" for source in self.sources]
        subprocess.run([*compiler, *objects, f"{to}/planted.o", "-o", f"{to}/{self.name}", *profiler.libraries, *self.libraries], check=True)
        return f"{to}/{self.name}"

    def compiled(self):
        os.makedirs(f"{folder}/objects", exist_ok=True)
        compiler = [*profiler.compiler, "-fplugin-arg-profplug-lines=all", "-O2", "-g", *self.flags]
        for source in self.sources:
            subprocess.run([*compiler, "-c", source, "-o", f"{folder}/objects/{os.path.basename(source)[:-2]}.o"], check=True)

    def arguments_of(self, larger):
        size = CALLS[self.name][3] * larger
        if self.name == "pipeline":
            shutil.rmtree(f"{folder}/photos", ignore_errors=True)
            subprocess.run([f"{build}/examples/pipeline/generate", f"{folder}/photos", str(round(24 * larger))], check=True, stdout=subprocess.DEVNULL)
            return [f"{folder}/photos", f"{folder}/small"]
        if self.name == "jq":
            chance = random.Random(3)
            with open(f"{folder}/input.json", "w") as out:
                json.dump([{"id": i, "name": f"n{chance.randrange(999)}", "tags": [f"t{chance.randrange(50)}" for _ in range(4)],
                            "at": {"x": chance.random(), "y": chance.randrange(9999)}} for i in range(int(9000 * size))], out)
            return ["-c", "[.[] | select(.at.x > 0.2) | {id, name, k: (.tags | sort | join(\",\")), y: .at.y}] | group_by(.name) | map({n: .[0].name, c: length, y: (map(.y) | add)})",
                    f"{folder}/input.json"]
        return Project.arguments(self, f"{folder}/work", size)


def run(program, arguments, to):
    if os.path.exists(to):
        os.remove(to)
    for old in (f"{folder}/work", f"{folder}/small"):
        shutil.rmtree(old, ignore_errors=True)
        os.makedirs(old)
    subprocess.run([program, *arguments], cwd=f"{folder}/work", check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   env={**os.environ, "PROFPLUG": f"output={to},{SETTING}"})


def report_of(path):
    return json.loads(subprocess.run([f"{build}/profplug", "report", "--format", "json", path], check=True, capture_output=True, text=True).stdout)


def arms_build():
    """Old and new: the steps are those with which the function has its share, measured by a run with other steps. Returns what both are started with."""
    program, calibrating, seen = Program(name, cache), CALLS[name][4], []
    program.with_call(f"{folder}/src")
    program.compiled()
    first = program.linked(calibrating, calibrating, f"{folder}/first")

    def calibrated(arguments):
        run(first, arguments, f"{folder}/first.profplug")
        document = report_of(f"{folder}/first.profplug")
        own = next(row for row in document["functions"] if row["name"] == "planted_work")
        return own["self_ns"] / own["calls"] / calibrating, own["calls"], document["runs"][0]["cpu_ns"] - own["self_ns"]
    arguments = program.arguments_of(2 * SECONDS * 1e9 * (1 - SHARE - STAGE_SHARE) / calibrated(program.arguments_of(2))[2])
    for _ in range(3):
        seen.append(calibrated(arguments))
    step_ns, calls, rest = sorted(seen)[1]
    steps = max(1, round(rest / (1 - SHARE - STAGE_SHARE) * SHARE / calls / step_ns / 10)) * 10
    stage = round(rest / (1 - SHARE - STAGE_SHARE) * STAGE_SHARE / (calls // CALLS[name][2]) / step_ns)
    print(f"      {calls} calls of {steps} steps of {step_ns:.2f} ns, {calls // CALLS[name][2]} entries of {stage} steps, in {rest / 1e6:.0f} ms", flush=True)
    program.linked(steps, stage, f"{folder}/old")
    program.linked(round(steps * MORE), round(stage * STAGE_MORE), f"{folder}/new")
    with open(f"{folder}/arguments.json", "w") as out:
        json.dump(arguments, out)


def collect(phase):
    """A pool of runs: old and new by turns, with the machine as it is, or beside a loop that takes a CPU."""
    arguments, made, count = json.load(open(f"{folder}/arguments.json")), {}, {"old": 0, "new": 0}
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"]) if phase == "busy" else None
    try:
        for arm in count:
            run(f"{folder}/{arm}/{name}", arguments, f"{folder}/warm.profplug")
        for turn in range(OLD + NEW):
            arm = "new" if count["new"] * OLD < count["old"] * NEW else "old"
            made.setdefault(f"{phase}-{arm}", []).append((turn, f"{folder}/{phase}-{arm}-{count[arm]:02}.profplug"))
            run(f"{folder}/{arm}/{name}", arguments, made[f"{phase}-{arm}"][-1][1])
            count[arm] += 1
    finally:
        if busy:
            busy.kill()
            busy.wait()
    with open(f"{folder}/made-{phase}.json", "w") as out:
        json.dump(made, out)


@functools.cache
def ways(ranks, size):
    """How many parts of that size of the doubled ranks have each sum."""
    sums = [{0: 1}] + [{} for _ in range(size)]
    for rank in ranks:
        for count in range(size - 1, -1, -1):
            for total, number in sums[count].items():
                sums[count + 1][total + rank] = sums[count + 1].get(total + rank, 0) + number
    return sums[size]


def mann_whitney(one, two):
    """Two-sided p, exact, also with ties."""
    values = sorted(one + two)
    rank = {v: values.index(v) + len(values) + 1 - values[::-1].index(v) for v in values}
    ranks = tuple(rank[v] for v in values)
    middle = len(one) * (len(values) + 1)
    seen = abs(sum(rank[v] for v in one) - middle)
    parts = ways(ranks, len(one))
    return sum(number for total, number in parts.items() if abs(total - middle) >= seen) / math.comb(len(values), len(one))


class Judge:
    def __init__(self):
        self.costs = {}

    def lines(self, path):
        """ns a hit of each line with five samples or more; and how much CPU time the run took."""
        if path not in self.costs:
            rows = report_of(path)["lines"]
            self.costs[path] = {(row["function"], os.path.basename(row["file"]), row["line"]): row["self_ns"] / (row.get("hits") or 1) for row in rows if row.get("samples", 0) >= 5}
        return self.costs[path]

    def ranked(self, old, new):
        """Functions that have a line which Mann-Whitney takes for slower or faster."""
        one, two = [self.lines(p) for p in old], [self.lines(p) for p in new]
        both = set.intersection(*map(set, one + two))
        return {key[0]: True for key in both if mann_whitney([r[key] for r in one], [r[key] for r in two]) < 0.05}


def diff(old, new):
    done = subprocess.run([f"{build}/profplug", "diff", "--format", "json", *old, "--", *new], check=True, capture_output=True, text=True)
    document = json.loads(done.stdout)
    told = [(row["kind"], row["name"], row["verdict"], row["cause"], round(row["ratio"], 3), row["clock"]) for row in document["sites"] if row["verdict"] in ("slower", "faster")]
    return document, told


def around_planted(path):
    """Functions that call a planted one, directly or not: their elapsed times and waits contain its change."""
    rows = {row["id"]: row for row in report_of(path)["call_tree"]}
    above = set()
    for row in rows.values():
        inside = row["name"].startswith("planted")
        while inside and "parent_id" in row:
            row = rows[row["parent_id"]]
            above.add(row["name"])
    return above


def is_beside(row, around):
    """Whether what is told is neither the planted change nor contains it."""
    kind, name, *_, clock = row
    return not (name.startswith("planted") or kind == "stage" or (kind == "function" and clock != "cpu" and name in around))


def in_turn(pool, each, chance):
    """That many runs for either side, drawn from the pool: of each two neighbours in time one is old and the other is new."""
    some, sides = sorted(chance.sample(pool, 2 * each)), ([], [])
    for i in range(0, 2 * each, 2):
        first = chance.randrange(2)
        sides[first].append(some[i][1])
        sides[1 - first].append(some[i + 1][1])
    return sides


def some_of(pool, each, chance):
    return [path for _, path in sorted(chance.sample(pool, each))]


def silence(what, draw, judged):
    """How many of PAIRS comparisons of a build with itself tell a time, a count; and what Mann-Whitney does."""
    loud = counted = ranked = 0
    for _ in range(pairs):
        old, new = draw()
        document, told = diff(old, new)
        loud += bool(told)
        counted += bool(document["count_changes"])
        ranked += bool(judged.ranked(old, new))
        if told or document["count_changes"]:
            print(f"      of nothing: {told[:4]}, {document['count_changes']} counts of {[r['name'] for r in document['sites'] if any(c['changed'] for c in r['counts'].values())][:4]}", flush=True)
    print(f"{name}, 5 + 5 runs of one build, {what}: a time told in {loud} of {pairs} pairs, a count in {counted}; Mann-Whitney tells a line in {ranked}", flush=True)
    verdict.expect(loud <= max(1, pairs // 50) and counted <= max(1, pairs // 50), f"{name} against itself, {what}, is silent")


def detection(phase, pools, chance, judged):
    found, causes, false, false_lines, by_rank = {"planted_work": 0, "planted_stage": 0}, {}, 0, 0, 0
    errors, around = {"planted_work": [], "planted_stage": []}, around_planted(pools[f"{phase}-new"][0][1])
    for _ in range(pairs):
        turns = sorted(chance.sample(range(min(OLD, NEW)), 10))      # as `profplug compare` makes them: each old run beside a new one
        old, new = [[pools[f"{phase}-{arm}"][turn][1] for turn in turns] for arm in ("old", "new")]
        document, told = diff(old, new)
        for who in found:
            rows = [row for row in told if row[1] == who or (who == "planted_stage" and row[1] == "planted")]
            found[who] += any(row[2] == "slower" for row in rows)
            for row in rows:
                causes[who, row[2], row[3]] = causes.get((who, row[2], row[3]), 0) + 1
            errors[who] += [t["error"] for row in document["sites"] if row["name"] == who and row["kind"] == "function" for c, t in row["times"].items() if c == "cpu" and t["tested"]]
        others = [row for row in told if is_beside(row, around)]
        false += bool(others)
        if others:
            print("      besides:", others[:4], flush=True)
        rows = judged.ranked(old, new)
        by_rank += "planted_work" in rows
        false_lines += any(not row.startswith("planted") for row in rows)
    middle = {who: round(100 * sorted(those)[len(those) // 2], 1) for who, those in errors.items() if those}
    print(f"{name}, 10 + 10 runs, {phase}, {pairs} draws: +10 % of a tenth found in {found['planted_work']}, +3 % of a timed stage in {found['planted_stage']}, "
          f"one sigma in % {middle}; causes {causes}; something else in {false}; Mann-Whitney finds the first in {by_rank}, and tells something else in {false_lines}", flush=True)
    verdict.expect(all(cause == "cost" and way == "slower" for _, way, cause in causes), f"{name}: what is told of the planted ones is a higher cost: {causes}")
    verdict.expect(false <= max(1, pairs // 50), f"{name}, {phase}: nothing else is told")
    if middle.get("planted_work", 99) < 1.8:      # then 19 of 20 are expected; what is less certain is told as too small to see
        verdict.expect(found["planted_work"] >= 0.8 * pairs, f"{name}, {phase}: the planted tenth is found in {found['planted_work']} of {pairs}")


def judge():
    pools, judged, chance = {}, Judge(), random.Random(5)
    for phase in ("idle", "busy"):
        pools.update(json.load(open(f"{folder}/made-{phase}.json")))
    for one in pools.values():
        one[:] = [tuple(run) for run in one]
    for phase in ("idle", "busy"):
        silence(phase, lambda: in_turn(pools[f"{phase}-old"], 5, chance), judged)
    # a busy loop begins half-way, once in the middle of both, and once between them
    mixed = lambda: [a + b for a, b in zip(in_turn(pools["idle-old"], 3, chance), in_turn(pools["busy-old"], 2, chance))]
    silence("the loop from half-way on", mixed, judged)
    silence("the loop beside the new ones", lambda: [some_of(pools[f"{phase}-old"], 5, chance) for phase in ("idle", "busy")], judged)
    for phase in ("idle", "busy"):
        detection(phase, pools, chance, judged)
    verdict.finish()


if part in ("build", "both", "collect"):
    arms_build()
for one in ("idle", "busy"):
    if part in (one, "both", "collect"):
        collect(one)
if part in ("both", "judge"):
    judge()
