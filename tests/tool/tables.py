#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tables.py BUILD: `report --by --sort --top --filter`: each table is ordered by what was asked for, as the JSON report has it, is cut where asked, has the
rows that match and no others, and files add up to functions. What a table does not have is refused."""

import fnmatch
import os
import re
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, must, write
from report import read

PROGRAM = r"""#define _GNU_SOURCE
#include <profplug.h>
#include <pthread.h>
#include <unistd.h>
#include "part.h"
static volatile double sink;
__attribute__((noinline)) static void leaf(long n)
{
    for (long i = 1; i < n; i++)
        sink += 1.0 / (double)i;
}
PROFPLUG_STAGE("read") __attribute__((noinline)) static void read_one(int i) { leaf(30000 + i); usleep(1000); }
PROFPLUG_STAGE("write") __attribute__((noinline)) static void write_one(int i) { leaf(300000 + i); part(200000); }
static void *worker(void *unused) { PROFPLUG_LOOP("inner") for (int i = 0; i < 30; i++) write_one(i); return unused; }
int main(void)
{
    pthread_t other;
    PROFPLUG_LOOP("outer") for (int i = 0; i < 40; i++) { read_one(i); write_one(i); }
    pthread_create(&other, 0, worker, 0);
    pthread_setname_np(other, "helper");
    pthread_join(other, 0);
    return 0;
}
"""
PART = "static volatile double parts;\nstatic __attribute__((noinline)) void part(long n)\n{\n    for (long i = 1; i < n; i++)\n        parts += 1.0 / (double)i;\n}\n"


def wait(row):
    return row.get("wait_ns", 0)


# For each kind of rows: the list of JSON, how the text begins a row, and what each key orders by. None: by name.
KINDS = {
    "function": ("functions", lambda row: row["name"],
                 {"self": lambda r: r.get("self_ns", 0), "total": lambda r: r.get("cpu_total_ns", 0), "calls": lambda r: r.get("calls", 0), "samples": lambda r: r.get("samples", 0),
                  "wait": lambda r: r.get("wait_total_ns", 0), "name": None}),
    "line": ("lines", lambda row: f"{os.path.basename(row['file'])}:{row['line']}",
             {"self": None, "total": lambda r: r.get("total_ns", 0), "calls": lambda r: r.get("hits", 0), "samples": lambda r: r.get("samples", 0), "wait": wait,
              "mean": lambda r: r.get("self_ns", 0) / r["hits"] if r.get("hits") else 0}),
    "stage": ("stages", lambda row: row["key"],
              {"self": lambda r: r["wall_self_ns"], "total": lambda r: r["wall_total_ns"], "calls": lambda r: r["calls"], "mean": lambda r: r["wall_mean_ns"], "samples": lambda r: r.get("samples", 0)}),
    "loop": ("loops", lambda row: row["key"], {"total": lambda r: r["wall_total_ns"], "calls": lambda r: r["calls"], "mean": lambda r: r["iteration_wall_mean_ns"], "name": None}),
    "thread": ("threads", lambda row: row["name"], {"self": lambda r: r["cpu_ns"], "total": lambda r: r["wall_ns"], "name": None}),
}


def rows_of(text, names):
    """Which of the names begin a line of the table, in order."""
    found = []
    for line in text.splitlines()[1:]:
        match = next((name for name in sorted(names, key=len, reverse=True) if re.match(re.escape(name) + r"(\s|$)", line)), None)
        found += [match] if match else []
    return found


def orders(ask, document):
    for kind, (rows, name, keys) in KINDS.items():
        known = {name(row): row for row in document[rows]}
        for key, value in keys.items():
            shown = rows_of(ask("--by", kind, "--sort", key), known)
            expect(len(shown) >= (1 if kind == "line" else 2) and len(set(shown)) == len(shown), f"--by {kind} --sort {key} has rows", shown)
            if value:
                values = [value(known[row]) for row in shown]
                expect(values == sorted(values, reverse=True), f"--by {kind} --sort {key}", list(zip(shown, values)))
            elif key == "name":
                expect(shown == sorted(shown), f"--by {kind} --sort {key}", shown)
            expect(rows_of(ask("--by", kind, "--sort", key, "--top", "1"), known) == shown[:1], f"--top cuts --by {kind} --sort {key}")
            if key == next(iter(keys)):
                part = rows_of(ask("--by", kind, "--sort", key, "--filter", "r*" if kind != "line" else "*:9"), known)
                wanted = [row for row in shown if any(fnmatch.fnmatchcase(text, "r*" if kind != "line" else "*:9") for text in (row, known[row]["name"] if kind != "line" else row))]
                expect(part == wanted, f"--by {kind} --filter", part, wanted)


def places(ask, document, scratch):
    text = ask("--by", "file")
    found = dict(re.findall(r"^(\S+) +([\d.]+ [mun]?s) ", text, re.M))
    units = {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1}
    cpu = {os.path.basename(path): float(figure.split()[0]) * units[figure.split()[1]] for path, figure in found.items()}
    whole = sum(row.get("self_ns", 0) for row in document["functions"])
    expect(set(cpu) >= {"work.c", "part.h"} and abs(sum(cpu.values()) - whole) <= 0.01 * whole, "files have what functions have", cpu, whole)
    lines = sum(row.get("self_ns", 0) for row in document["lines"] if row["file"].endswith("part.h"))
    expect(abs(cpu["part.h"] - lines) <= 0.01 * lines + 1e5, "a file has what its lines have", cpu, lines)
    expect(list(cpu.values()) == sorted(cpu.values(), reverse=True), "the largest first", cpu)
    only = ask("--by", "file", "--filter", "part.h")
    expect("part.h" in only and "work.c" not in only, "--filter of files", only)
    modules = ask("--by", "module")
    expect(re.search(rf"^{re.escape(scratch)}/work +[\d.]+ [mun]?s", modules, re.M), "the program is a module", modules)
    expect(ask("--section", "sources") == text and ask("--section", "modules") == modules, "sections of the same")
    for whole, named in (("memory", "memory,allocations"), ("memory", "allocations,memory"), ("io", "io,operations,io")):
        asked = ask("--section", named)
        expect(asked == ask("--section", whole), f"--section {named}: no table is printed twice", asked)


def refusals(build, scratch):
    for words, said in ((["--by", "lines"], "--by: 'lines' is not known; expected one of: function line stage loop thread file module"),
                        (["--by", "line", "--sort", "p99"], "--sort: 'p99' is nothing that a line has; expected one of self, total, calls, samples, name, mean, wait"),
                        (["--sort", "size"], "--sort: 'size' is not known; expected one of self, total, calls, samples, name, mean, p99, wait"),
                        (["--filter", ""], "--filter: nothing to look for; expected a part of a name, or a pattern such as 'read_*'"), (["--by"], "--by: a value is missing; expected one after it")):
        done = call([f"{build}/profplug", "report", *words, "work.profplug"] if words != ["--by"] else [f"{build}/profplug", "report", "--by"], cwd=scratch)
        expect(done.returncode == 2 and done.err == f"profplug: {said}\n" and not done.out, f"refused: {words}", done.err)


def test(build, scratch):
    write(f"{scratch}/work.c", PROGRAM)
    write(f"{scratch}/part.h", PART)
    must([f"{build}/profplug-gcc", "-O1", "-g", "-o", "work", "work.c", "-lpthread"], cwd=scratch)
    expect(call([f"{scratch}/work"], cwd=scratch, env={"PROFPLUG": "output=work.profplug"}).returncode == 0, "it runs")
    document = read(build, "work.profplug", cwd=scratch)

    def ask(*words):
        return must([f"{build}/profplug", "report", *words, "work.profplug"], cwd=scratch, env={"COLUMNS": "200"})

    orders(ask, document)
    places(ask, document, scratch)
    refusals(build, scratch)
    expect("and --filter xyzzy" in ask("--by", "stage", "--filter", "xyzzy"), "nothing matches")
    cut = read(build, "--filter", "write*", "work.profplug", cwd=scratch)
    expect({row["name"] for row in cut["functions"]} == {"write_one"} and {row["name"] for row in cut["stages"]} == {"write", "outer", "inner"} and
           {"functions", "lines", "stages"} <= set(cut["truncated"]), "--filter in JSON", [row["name"] for row in cut["stages"]])


main(test)
