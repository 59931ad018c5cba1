#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sums.py BUILD: a merged file has what its files have together, as the JSON reports of both say it: calls, hits, times of stages and their percentiles, numbers,
operations, allocations, threads. Spreads are those that follow from the files' reports. Every command reads it."""

import os
import statistics
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, must, write
from report import named, read, unlike

PROGRAM = r"""#include <profplug.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void *volatile kept;
static volatile unsigned long sum;
static __attribute__((noinline)) void turn(unsigned long times) { for (unsigned long i = 0; i < times; i++) sum += i % 7; }
PROFPLUG_STAGE("rare") static __attribute__((noinline)) void rare(void) { turn(1000); }
PROFPLUG_STAGE("step") static __attribute__((noinline)) void step(unsigned long times)
{
    turn(times);
    kept = malloc(100);
    profplug_count("items", (long)times);
    profplug_gauge("level", (double)times);
}
static void *worker(void *times)
{
    for (int i = 0; i < 5; i++)
        step(*(unsigned long *)times);
    return 0;
}
int main(int argc, char **argv)
{
    unsigned long times = strtoul(argv[1], 0, 10);
    char name[4096];
    pthread_t thread;
    (void)argc;
    turn(times);
    if (times % 2)
        rare();
    pthread_create(&thread, 0, worker, &times);
    pthread_join(thread, 0);
    PROFPLUG_LOOP("rounds") for (unsigned long i = 0; i < times / 100; i++)
        turn(3);
    snprintf(name, sizeof name, "%s.out", argv[0]);
    FILE *file = fopen(name, "w");
    for (unsigned long i = 0; i < times; i++)
        fprintf(file, "%lu\n", i);
    fclose(file);
    if (argc > 2)
        _exit(3);
    return 0;
}
"""
AGAIN = r"""#include <fcntl.h>
#include <unistd.h>
static volatile unsigned long sum;
int main(void)
{
    static char part[4096];
    for (int i = 0; i < 60; i++) {
        int file = open("blob", O_RDONLY);
        for (long n; (n = read(file, part, sizeof part)) > 0;)
            for (long k = 0; k < n; k++)
                sum += (unsigned char)part[k];
        close(file);
    }
    return 0;
}
"""
TIMES = (2000, 3001, 500, 7001, 900)


def total(documents, rows, name, field):
    return sum(row.get(field, 0) for document in documents for row in document[rows] if row["name"] == name)


def sums(merged, files):
    for name in ("turn", "step", "rare", "worker", "main"):
        expect(named(merged["functions"], name)["calls"] == total(files, "functions", name, "calls"), f"calls of {name}")
    lines = {}
    for document in files:
        for line in document["lines"]:
            key = line["file"], line["line"]
            lines[key] = lines.get(key, 0) + line.get("hits", 0)
    for line in merged["lines"]:
        expect(line.get("hits", 0) == lines.get((line["file"], line["line"]), 0), f"hits of line {line['line']}", line.get("hits"))
    expect({(line["file"], line["line"]) for line in merged["lines"] if line.get("hits")} == {key for key, hits in lines.items() if hits}, "lines that have hits")
    for name in ("step", "rare"):
        stage = named(merged["stages"], name)
        for field in ("calls", "timed_calls", "wall_total_ns", "wall_self_ns", "alloc_bytes", "alloc_blocks"):
            expect(stage[field] == total(files, "stages", name, field), f"{field} of {name}", stage[field])
        own = [row for document in files for row in document["stages"] if row["name"] == name]
        expect(stage["wall_min_ns"] == min(row["wall_min_ns"] for row in own) and stage["wall_max_ns"] == max(row["wall_max_ns"] for row in own), f"extremes of {name}")
        entries = sorted(slow["wall_ns"] for row in own for slow in row["slowest"])                  # all of them: a file has 5 and a merged one 25
        least = entries[-min(16, len(entries))]
        expect([slow["wall_ns"] for slow in stage["slowest"]] == [wall for wall in reversed(entries) if wall >= least][:16], f"slowest of {name}")
        if len(entries) > 1:
            middle = stage["wall_p50_ns"]
            expect(0.98 * statistics.median_low(entries) <= middle <= 1.02 * statistics.median_high(entries), f"median of {name}", middle, entries)
            expect(abs(stage["wall_stddev_ns"] - statistics.pstdev(entries)) <= 1 + 0.001 * statistics.pstdev(entries), f"deviation of {name}", stage["wall_stddev_ns"])
    counters = named(merged["stages"], "step")["counters"]
    expect(counters["items"]["sum"] == 5 * sum(TIMES) and counters["level"]["min"] == min(TIMES) and counters["level"]["max"] == max(TIMES), "counts and gauges", counters)
    loop = named(merged["loops"], "rounds")
    expect(loop["iterations"] == sum(times // 100 for times in TIMES), "iterations", loop["iterations"])
    for field in ("calls", "bytes"):
        written = [sum(row.get(field, 0) for row in document["operations"] if row["operation"] == "write") for document in (merged, *files)]
        expect(written[0] == sum(written[1:]), f"{field} of writes", written)
    for field in ("user_ns", "system_ns", "thread_count", "events_sampled", "events_counted", "write_bytes"):
        expect(merged["runs"][0][field] == sum(document["runs"][0][field] for document in files), f"{field} of the run")
    expect(merged["runs"][0]["peak_rss_bytes"] == max(document["runs"][0]["peak_rss_bytes"] for document in files), "peak memory")
    expect(len(merged["threads"]) == 2 * len(files), "threads", len(merged["threads"]))
    expect(sum(line["samples"] for line in merged["lines"]) == sum(line["samples"] for document in files for line in document["lines"]), "samples of lines")


def spreads(merged, files, names):
    rows = {(row["of"], row["value"], row.get("name")): row for row in merged["merged"]["spread"]}
    wanted = {("run", "wall_ns", None): [document["runs"][0]["wall_ns"] for document in files],
              ("run", "cpu_ns", None): [document["runs"][0]["user_ns"] + document["runs"][0]["system_ns"] for document in files]}
    for name in ("step", "rare"):
        for value, field in (("wall_ns", "wall_total_ns"), ("calls", "calls")):
            wanted["stage", value, name] = [total([document], "stages", name, field) for document in files]
    for name in ("turn", "step", "rare"):
        wanted["function", "calls", name] = [total([document], "functions", name, "calls") for document in files]
    wanted["function", "calls", "step"] = wanted["function", "calls", "rare"] = None                  # timed, so stages have them
    for key, values in wanted.items():
        if values is None:
            continue
        row = rows.get(key, {})
        seen = [row.get(field) for field in ("files", "min", "median", "max", "total")]
        ordered = sorted(values)
        expect(seen == [sum(map(bool, values)), ordered[0], ordered[2], ordered[4], sum(values)], f"spread of {key}", seen, values)
        expect(row.get("max_file") == names[values.index(ordered[4])] and row.get("min_file") == names[values.index(ordered[0])], f"files of the spread of {key}", row)
    cpu = rows.get(("function", "cpu_ns", "turn"))
    if cpu:
        expect(cpu["min"] <= cpu["median"] <= cpu["max"] and 0 < cpu["max_error_percent"] and "by_chance" in cpu, "spread of samples", cpu)


# What is a run's first finding is that of its merged file, and of three runs that follow each other.
def findings(build, scratch):
    write(f"{scratch}/again.c", AGAIN)
    write(f"{scratch}/blob", "profplug" * 60000)
    must([f"{build}/profplug-gcc", "-O2", "-g", "-o", "again", "again.c"], cwd=scratch)
    names = [f"again{at}.profplug" for at in range(3)]
    for name in names:
        must([f"{scratch}/again"], cwd=scratch, env={"PROFPLUG": f"output={name}"})
    told = [[(row["id"], row["saving_percent"], row["saving_high_percent"]) for row in read(build, name, cwd=scratch)["recommendations"]] for name in names]
    expect(told[0] and told[0][0][1] > 0, "a file that is read again and again", told[0])
    for kind in ("repeats", "shards", "ranks", "processes", "threads"):
        must([f"{build}/profplug", "merge", "--as", kind, "-o", "single.profplug", names[0]], cwd=scratch)
        alone = [(row["id"], row["saving_percent"], row["saving_high_percent"]) for row in read(build, "single.profplug", cwd=scratch)["recommendations"]]
        expect([row[0] for row in alone] == [row[0] for row in told[0]] and all(abs(a - b) < 1 for x, y in zip(alone, told[0]) for a, b in zip(x[1:], y[1:])),
               f"findings of one file, merged as {kind}", alone, told[0])
    must([f"{build}/profplug", "merge", "--as", "repeats", "-o", "three.profplug", *names], cwd=scratch)
    three = read(build, "three.profplug", cwd=scratch)["recommendations"]
    expect(three and three[0]["id"] == told[0][0][0] and min(rows[0][1] for rows in told) - 5 < three[0]["saving_percent"] < three[0]["saving_high_percent"] <
           max(rows[0][2] for rows in told) + 5, "findings of three runs", three[:1], told)


def test(build, scratch):
    findings(build, scratch)
    tool = f"{build}/profplug"
    write(f"{scratch}/work.c", PROGRAM)
    must([f"{build}/profplug-gcc", "-O2", "-g", "-o", "work", "work.c", "-lpthread"], cwd=scratch)
    names = []
    for at, times in enumerate(TIMES):
        os.makedirs(f"{scratch}/{at}")
        names.append(f"{at}/run.profplug")
        done = call([f"{scratch}/work", str(times)], cwd=scratch,
                    env={"PROFPLUG": f"output={names[-1]},level=comprehensive,blocks=on,budget=off,counts=on"})
        if done.returncode:
            sys.exit(f"sums.py: {done.err}")
    files = [read(build, name, cwd=scratch) for name in names]
    walls = [document["runs"][0]["wall_ns"] for document in files]
    for kind in ("ranks", "repeats", "shards", "processes", "threads"):
        must([tool, "merge", "--as", kind, "-o", f"{kind}.profplug", *names], cwd=scratch)
        merged = read(build, f"{kind}.profplug", cwd=scratch)
        sums(merged, files)
        spreads(merged, files, names)
        expect(merged["merged"]["as"] == kind and [row["file"] for row in merged["merged"]["files"]] == names, f"files of {kind}")
        wall, longest = merged["runs"][0]["wall_ns"], max(walls)
        expect(wall == longest if kind == "ranks" else wall == sum(walls) if kind in ("repeats", "shards") else longest <= wall, f"wall time of {kind}", wall, walls)
        expect(not unlike(merged, "profplug-report-2"), "the schema", unlike(merged, "profplug-report-2"))
        threads = merged["runs"][0]["thread_count"]
        crew = f"{threads} threads" if kind == "threads" else f"{len(names)} {kind}, {threads} threads"
        for words in ([], ["--all"]):
            text = must([tool, "report", *words, f"{kind}.profplug"], cwd=scratch, env={"COLUMNS": "200"}).splitlines()[0]
            expect(f", {crew}, " in text, f"the first line tells {kind}", text, crew)
    for command in (["annotate", "ranks.profplug"], ["report", "--section", "spread", "ranks.profplug"], ["report", "--all", "--stage", "step", "ranks.profplug"],
                    ["report", "--thread", "work", "ranks.profplug"], ["check", "--slo", "step mean<100s", "ranks.profplug"], ["diff", "ranks.profplug", "repeats.profplug"],
                    *(["export", "--format", kind, "-o", "out", "ranks.profplug"] for kind in ("pprof", "callgrind", "folded", "speedscope", "lcov", "dhat"))):
        done = call([tool, *command], cwd=scratch)
        expect(done.returncode == 0 and all(" warning: " in line for line in done.err.splitlines()), f"profplug {' '.join(command)}", done.err)
    # How processes end together is how the one ends that started the others.
    write(f"{scratch}/family.c", "#include <sys/wait.h>\n#include <unistd.h>\nint main(void) { for (int i = 0; i < 3; i++) if (!fork()) return i == 1 ? 4 : 0; while (wait(0) > 0); return 0; }\n")
    must([f"{build}/profplug-gcc", "-O2", "-o", "family", "family.c"], cwd=scratch)
    must([f"{scratch}/family"], cwd=scratch, env={"PROFPLUG": "output=family-%p.profplug"})
    family = sorted(name for name in os.listdir(scratch) if name.startswith("family-"))
    for order in (family, family[::-1]):
        must([tool, "merge", "--as", "processes", "-o", "one.profplug", *order], cwd=scratch)
        run = read(build, "one.profplug", cwd=scratch)["runs"][0]
        text = must([tool, "report", "one.profplug"], cwd=scratch).splitlines()[0]
        expect(", 4 processes, " in text, "processes of one thread each are no threads of one", text)
        expect(len(order) == 4 and (run["exit_kind"], run["exit_status"]) == ("exit", 0), "the first process's end", run)
    # A process that became another program did not fail: among processes of several runs it hides no end, be it good or bad.
    write(f"{scratch}/become.c", "#include <stdlib.h>\n#include <unistd.h>\nint main(int c, char **v) { if (c > 1) return atoi(v[1]); execl(\"/bin/true\", \"true\", (char *)0); return 9; }\n")
    must([f"{build}/profplug-gcc", "-O2", "-o", "become", "become.c"], cwd=scratch)
    for name, words in (("became", []), ("good", ["0"]), ("bad", ["4"])):
        done = call([f"{scratch}/become", *words], cwd=scratch, env={"PROFPLUG": f"output={name}.profplug"})
        expect(done.returncode == (4 if name == "bad" else 0), f"the exit of {name}", done.returncode)
    for order, kind, status in ((("became", "good"), "exit", 0), (("good", "became"), "exit", 0), (("became", "good", "bad"), "exit", 4),
                                (("bad", "became"), "exit", 4), (("became",), "exec", 0)):
        must([tool, "merge", "--as", "processes", "-o", "one.profplug", *(f"{name}.profplug" for name in order)], cwd=scratch)
        run = read(build, "one.profplug", cwd=scratch)["runs"][0]
        expect((run["exit_kind"], run.get("exit_status", 0)) == (kind, status), f"the end of {order}", run)
    text = must([tool, "report", "--section", "spread", "ranks.profplug"], cwd=scratch)
    expect("SPREAD OF 5 FILES (ranks)" in text and "rare" in text and "3/run.profplug" in text, "the section", text)
    expect("nothing in this run" in must([tool, "report", "--section", "spread", names[0]], cwd=scratch), "the section of a file that is not merged")
    # A merged file is a file as any other: what was merged may be merged again.
    must([tool, "merge", "--as", "shards", "-o", "again.profplug", "ranks.profplug", names[0]], cwd=scratch)
    sums_again = read(build, "again.profplug", cwd=scratch)
    expect(named(sums_again["functions"], "turn")["calls"] == total(files + files[:1], "functions", "turn", "calls"), "a merged file, merged again")


main(test)
