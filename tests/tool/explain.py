#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""explain.py BUILD: with -fplugin-arg-profplug-explain the wrapper names the loops that GCC vectorizes without the plugin alone, those and no
others, by GCC's record of two compilations made here; and compiles as without the argument."""

import os
import re
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, write

EXPLAIN = "-fplugin-arg-profplug-explain"
SOURCE = r"""
#include <profplug.h>
#include <stdio.h>
float a[4096], b[4096];
int n[4096];
__attribute__((noinline)) void untouched(void)
{
    for (int i = 0; i < 4096; i++)
        a[i] += b[i];
}
static int small(int x) { return x * 3 + 1; }
__attribute__((noinline)) void annotated(void)
{
    PROFPLUG_LOOP("slow")
    for (int i = 0; i < 4096; i++)
        a[i] *= b[i];
}
__attribute__((noinline)) int condition(int most)
{
    int sum = 0;
    for (int i = 0; i < 4096; i++)
        sum += n[i] > most ? n[i] : 0;
    return sum;
}
int main(int argc, char **argv)
{
    untouched();
    annotated();
    printf("%d\n", small(argc) + condition(2));
    return 0;
}
"""


def vectorized(argv, cwd):
    record = cwd + "/record"
    done = call([*argv, "-O3", "-g", "-c", "loops.c", "-o", "/dev/null", f"-fopt-info-vec-optimized={record}"], cwd=cwd)
    expect(done.returncode == 0, "compiles for the comparison", done.err)
    found = {m[1] for m in re.finditer(r"^(\S+:\d+:\d+): optimized:\s+loop vectorized", open(record).read(), re.M)}
    os.remove(record)
    return found


def differences(build, compiler, cwd):
    include = call([build + "/profplug", "config", "--include"]).out.strip()
    plain = vectorized(["gcc", "-I" + include], cwd)
    number = {word: next(i for i, line in enumerate(SOURCE.split("\n"), 1) if word in line) for word in ("a[i] += b[i]", "a[i] *= b[i]")}
    for arguments in ([], ["-fplugin-arg-profplug-lines=all"]):
        ours = vectorized([compiler, *arguments], cwd)
        done = call([compiler, "-O3", "-g", "-c", "loops.c", *arguments, EXPLAIN], cwd=cwd)
        for where, wanted in (("without", plain - ours), ("with", ours - plain)):
            said = set(re.findall(rf"^(\S+:\d+:\d+): note: profplug: only {where} the plugin: loop vectorized", done.err, re.M))
            expect(done.returncode == 0 and said == wanted, f"{arguments}: loops that are vectorized only {where} the plugin", said, wanted)
        expect(re.search(rf"^loops.c:{number['a[i] *= b[i]'] - 1}:\d+: note: profplug: only without", done.err, re.M), f"{arguments}: the annotated loop is one", done.err)
        expect(not re.search(rf"^loops.c:{number['a[i] += b[i]'] - 1}:", done.err, re.M), f"{arguments}: the loop beside it is none", done.err)
        last = re.fullmatch(r"profplug: loops\.c: (\d+) calls inlined and loops transformed as without the plugin, (\d+) not", done.err.rstrip("\n").split("\n")[-1])
        expect(last and int(last[1]) > 0 and int(last[2]) == len(re.findall("^.*: note: profplug: only with", done.err, re.M)), f"{arguments}: the sum", done.err)
        expect("small" not in done.err, f"{arguments}: a call that is inlined in both is not named", done.err)


def same_output(compiler, cwd):
    """With and without it: instructions, dependencies, program, messages of a source that is wrong."""
    for argument, name in ((EXPLAIN, "with"), (EXPLAIN + "=off", "off")):
        done = call([compiler, "-O2", "-g0", "-MD", "-MF", name + ".d", "-MT", "target", argument, "-S", "-o", name + ".s", "loops.c"], cwd=cwd)
        expect(done.returncode == 0 and (name == "with") == ("calls inlined" in done.err) and (name == "with" or not done.err), f"{name}: compiles", done.err)
    expect(open(cwd + "/with.s").read() == open(cwd + "/off.s").read(), "the same instructions")
    expect(open(cwd + "/with.d").read() == open(cwd + "/off.d").read() and open(cwd + "/with.d").read().startswith("target:"), "the same dependencies")
    done = call([compiler, "-O2", EXPLAIN, "loops.c", "-o", "loops", "-lm"], cwd=cwd)
    expect(done.returncode == 0 and "calls inlined" in done.err and call([cwd + "/loops"], cwd=cwd, env={"PROFPLUG": "off"}).out == "4\n", "a call that links", done.err)
    write(cwd + "/wrong.c", "int f(void) { return nothing; }\n")
    done = call([compiler, "-c", EXPLAIN, "wrong.c"], cwd=cwd)
    expect(done.returncode == 1 and done.err.count("error:") == 1 and "profplug:" not in done.err, "an error is said once", done.returncode, done.err)
    write(cwd + "/other.c", "int other(int x) { return x + 1; }\n")
    for more, word in ((["other.c"], "several inputs"), (["-flto"], "-flto"), (["-save-temps=obj"], "further files")):
        done = call([compiler, "-O2", EXPLAIN, "loops.c", "-o", "several", *more], cwd=cwd)
        own = [line for line in done.err.splitlines() if line.startswith("profplug:")]
        expect(done.returncode == 0 and len(own) == 1 and word in own[0], f"{more}: one line, and compiled", done.err)
        expect(re.search(r"note: profplug: .untouched. is counted.*: its probe adds \d+ instructions( and the counters of its lines about [\d.]+)?, to about", done.err), f"{more}: what a probe adds", done.err)
        expect(call([cwd + "/several"], cwd=cwd, env={"PROFPLUG": "off"}).out == "4\n", f"{more}: and it runs")
        os.remove(cwd + "/several")
    done = call([compiler, "-E", EXPLAIN, "other.c"], cwd=cwd)
    expect(done.returncode == 0 and not done.err and "return x + 1" in done.out, "the preprocessor alone is silent", done.err)


def test(build, scratch):
    os.mkdir(scratch + "/tmp")
    os.environ["TMPDIR"] = scratch + "/tmp"
    cwd = scratch + "/here"
    write(cwd + "/loops.c", SOURCE)
    differences(build, build + "/profplug-gcc", cwd)
    same_output(build + "/profplug-gcc", cwd)
    expect(not os.listdir(scratch + "/tmp"), "nothing is left behind", os.listdir(scratch + "/tmp"))


main(test)
