#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""namesake.py BUILD: functions whose short names are the same stand apart in the report, each with its own line, and one function is one row; one that was
inlined everywhere has no number of calls, also if it only waits. Regions of OpenMP are told from the function around them, by their lines and their calls."""

import os
import re
import shutil
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main
from report import read

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "program", "namesake.cc")


def test(build, scratch):
    shutil.copy(PROGRAM, scratch)
    with open(PROGRAM, encoding="utf-8") as source:
        line = {match[1]: number for number, text in enumerate(source, 1) if (match := re.search(r"auto (\w+) = \[\]", text))}
    done = call([build + "/profplug-g++", "-O2", "-g", "namesake.cc", "-o", "namesake"], cwd=scratch)
    expect(done.returncode == 0, "it compiles", done.err)
    done = call(["./namesake"], cwd=scratch, env={"PROFPLUG": "output=run.profplug"})
    expect(done.returncode == 0, "it runs", done.err)
    text = call([build + "/profplug", "report", "--all", "run.profplug"], cwd=scratch).out.split("\nFUNCTIONS")[1].split("\n\n")[0]
    rows = {row.split()[0]: row for row in text.splitlines()[1:] if row}
    for name, calls in (("work<int>", "10"), ("work<double>", "10"), ("work<float>", "10"), ("tiny", "inlined"), ("rest", "inlined"), ("both<...>", "10+"), (f"main::{{lambda:{line['first']}}}::operator()", "10"),
                        (f"main::{{lambda:{line['second']}}}::operator()", "10"), (f"main::{{lambda:{line['inlined']}}}::operator()", "inlined")):
        expect(name in rows and rows[name].split()[1] == calls, f"{name} with {calls}", text)
    expect(not any(row.split()[1] in ("0", "0+") for row in rows.values()), "no function that ran has 0 calls", text)
    functions = read(build, "run.profplug", cwd=scratch)["functions"]
    sampled = {f.get("line") for f in functions if "lambda" in f["name"] and f["samples"]}
    expect(sampled == set(line.values()), "samples stand at the lambdas' own lines", sampled, line)
    both = [f for f in functions if "both<" in f["name"]]
    expect(len(both) == 1 and both[0]["samples"] and both[0]["calls"] == 10 and both[0]["inlined"], "an instance and its inlined copies are one row", both)
    expect(all("calls" not in f for f in functions if f["name"] == "tiny"), "nor is there a number of calls in JSON", functions)
    shared(build, scratch)
    regions(build, scratch)


SHARED = """#include <cstdio>
#define APART __attribute__((noinline))
#define IN __attribute__((always_inline))
#define LONG(N) { volatile long s = N; for (int i = 0; i < 10000000; i++) s = s + N * n; return (long)s; }
#define BRIEF(N) { volatile long s = N; s = s + n; return (long)s; }
int main()
{
    auto a = [](int n) APART LONG(1); auto b = [](int n) APART LONG(3);
    auto c = [](int n) IN LONG(1); auto d = [](int n) IN LONG(3);
    auto e = [](int n) APART LONG(5); auto f = [](int n) IN LONG(7);
    auto g = [](int n) APART BRIEF(1); auto h = [](int n) APART BRIEF(3);
    long all = 0;
    for (int i = 0; i < 10; i++) all += a(i) + b(i) + b(i) + c(i) + d(i) + e(i) + f(i) + g(i) + h(i) + h(i);
    std::printf("%ld\\n", all);
}
"""


def shared(build, scratch):
    """Lambdas of one line: their columns tell them apart, and their numbers where no sample hit them."""
    with open(os.path.join(scratch, "shared.cc"), "w", encoding="utf-8") as file:
        file.write(SHARED)
    done = call([build + "/profplug-g++", "-O2", "-g", "shared.cc", "-o", "shared"], cwd=scratch)
    expect(done.returncode == 0, "it compiles", done.err)
    done = call(["./shared"], cwd=scratch, env={"PROFPLUG": "output=shared.profplug"})
    expect(done.returncode == 0, "it runs", done.err)
    text = call([build + "/profplug", "report", "--section", "functions", "shared.profplug"], cwd=scratch).out
    rows = {row.split()[0]: row.split()[1] for row in text.splitlines()[1:] if row.startswith("main::{lambda:")}
    lines = SHARED.splitlines()
    for line, names, calls in ((8, "ab", ("10", "20")), (9, "cd", ("inlined",) * 2), (10, "ef", ("10", "inlined"))):
        for name, count in zip(names, calls):
            column = lines[line - 1].index(f"auto {name} = []") + len(f"auto {name} = []")    # GCC's is that of the second bracket
            row = f"main::{{lambda:{line}:{column}}}::operator()"
            expect(rows.get(row) == count, f"{row} with {count}", text)
    expect([rows.get(f"main::{{lambda:11#{number}}}::operator()") for number in (7, 8)] == ["10", "20"], "those without samples have their numbers", text)
    expect(len(rows) == 8, "and there are no others", text)


REGIONS = """#include <math.h>
#include <stdio.h>
SCOPE
double work(int n)
{
    double sum = 0;
#pragma omp parallel for reduction(+:sum) num_threads(2)
    for (int i = 0; i < n; i++)
        sum += sin(i);
#pragma omp parallel for reduction(+:sum) num_threads(2)
    for (int i = 0; i < n; i++)
        sum += sqrt(i) / sin(i + 1);
    return sum;
}
END
int main(void)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += CALL(1000000 + k);
    printf("%g\\n", sum);
    return 0;
}
"""


def regions(build, scratch):
    for suffix, compiler, scope, end, called, name in ((".c", "profplug-gcc", "", "", "work", "work"), (".cc", "profplug-g++", "struct Box {", "} box;", "box.work", "Box::work")):
        source = os.path.join(scratch, "regions" + suffix)
        with open(source, "w", encoding="utf-8") as file:
            file.write(REGIONS.replace("SCOPE", scope).replace("END", end).replace("CALL", called))
        done = call([f"{build}/{compiler}", "-O2", "-g", "-fopenmp", source, "-o", "regions", "-lm"], cwd=scratch)
        expect(done.returncode == 0, "it compiles", done.err)
        done = call(["./regions"], cwd=scratch, env={"PROFPLUG": "output=regions.profplug"})
        expect(done.returncode == 0, "it runs", done.err)
        text = call([build + "/profplug", "report", "--section", "functions", "regions.profplug"], cwd=scratch).out
        rows = {row.split()[0]: row.split()[1:] for row in text.splitlines()[1:] if len(row.split()) > 1}
        for row, line in ((f"{name}{{omp:7}}", 7), (f"{name}{{omp:10}}", 10)):
            expect(row in rows and rows[row][0] == "6" and rows[row][-1] == f"regions{suffix}:{line}", f"{row} with 6 calls at its pragma", text)
        expect(name not in rows or rows[name][0] in ("3", "inlined"), "the regions' calls are not the function's", text)
        tree = call([build + "/profplug", "report", "--tree", "regions.profplug"], cwd=scratch).out
        expect(f"{name}{{omp:7}}" in tree and f"{name}{{omp:10}}" in tree, "the call tree has the regions", tree)
        os.remove(os.path.join(scratch, "regions.profplug"))


main(test)
