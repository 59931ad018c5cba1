#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""told.py BUILD: what a user is told of a process that was killed while it exited, of two findings of one rule in one function, of runs that are too few
to decide anything, of a file without room,
and of functions with long names."""

import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, line_of, main, must, write
from report import read

STRICT = """#include <profplug.h>
#include <sys/prctl.h>
#include <unistd.h>
PROFPLUG_STAGE("busy", "compute") static void busy(void) { for (volatile int i = 0; i < 1000000; i++) {} }
int main(void) { busy(); return prctl(PR_SET_SECCOMP, 1) ? 1 : (_exit(0), 2); }
"""
TWICE = """#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
static unsigned sum;
__attribute__((noinline)) static void record(const char *path, int few, int many)
{
    char c;
    int fd = open(path, O_RDONLY), other = open("twice.c", O_RDONLY); // what two lines read of one file is one finding
    for (int i = 0; i < few; i++)
        sum += (unsigned)pread(fd, &c, 1, i); // FEW
    for (int i = 0; i < many; i++)
        sum += 3 * (unsigned)pread(other, &c, 1, i % 500); // MANY
    close(fd);
    close(other);
}
int main(int argc, char **argv) { record(argv[0], 60000, 240000); printf("%u %d\\n", sum, argc); }
"""
PHASES = """#include <profplug.h>
#include <stdio.h>
static volatile unsigned sink;
__attribute__((noinline)) static void work(unsigned n) { for (unsigned i = 0; i < n; i++) sink += i; }
PROFPLUG_STAGE("chunk", "compute") static void chunk(void) { for (int i = 0; i < 100; i++) work(1000); }
int main(void) { PROFPLUG_LOOP("main loop") for (int i = 0; i < 20; i++) chunk(); printf("%u\\n", sink); }
"""
NAMES = """#include <cstdio>
#include <fcntl.h>
#include <map>
#include <string>
#include <unistd.h>
__attribute__((noinline)) static long take(const std::map<std::string, std::string> &all, const std::string &path)
{
    char c;
    long sum = long(all.size());
    int fd = open(path.c_str(), O_RDONLY);
    for (int i = 0; i < 20000; i++)
        sum += pread(fd, &c, 1, i);
    close(fd);
    return sum;
}
int main(int, char **argv)
{
    std::map<std::string, std::string> all = { { "a", "b" } };
    long sum = 0;
    for (int i = 0; i < 10; i++)
        sum += take(all, argv[0]);
    std::printf("%ld\\n", sum * 0);
}
"""
SLOWER = """#include <stdio.h>
static volatile unsigned sink;
__attribute__((noinline)) static void same(int n) { for (int i = 0; i < n; i++) sink += (unsigned)i; }
__attribute__((noinline)) static void slow(int n) { for (int i = 0; i < n; i++) sink ^= (unsigned)i; }
int main(void) { for (int i = 0; i < 50; i++) { same(200000); slow(N); } printf("%u\\n", sink); }
"""


def killed(build, scratch):
    write(f"{scratch}/strict.c", STRICT)
    must([f"{build}/profplug-gcc", "-O1", "-g", "strict.c", "-o", "strict"], cwd=scratch)
    done = call([f"{build}/profplug", "run", "-o", "strict.profplug", "./strict"], cwd=scratch)
    expect("signal 9" in done.err, "profplug run says so", done.err)
    run, = read(build, "strict.profplug", cwd=scratch)["runs"]
    text = call([f"{build}/profplug", "report", "strict.profplug"], cwd=scratch).out
    expect(text.splitlines()[0].endswith("killed") and run["exit_kind"] == "killed", "and so does the report", text, run["exit_kind"])


def twice(build, scratch):
    write(f"{scratch}/twice.c", TWICE)
    must([f"{build}/profplug-gcc", "-O1", "-g", "twice.c", "-o", "twice"], cwd=scratch)
    done = call(["./twice"], cwd=scratch, env={"PROFPLUG": "output=twice.profplug"})
    expect(done.returncode == 0, "it runs", done.err)

    def findings():
        return read(build, "twice.profplug", cwd=scratch)["recommendations"]
    small = [row for row in findings() if row["rule"] == "smallreads"]
    few, many, first = (line_of(TWICE, mark) for mark in ("FEW", "MANY", "record(const"))
    expect({row["line"] for row in small} == {few, many}, "both places are told", small)
    expect({row["id"] for row in small} == {f"smallreads@record+{line - first}" for line in (few, many)}, "by IDs of their own", [row["id"] for row in small])
    done = call([f"{build}/profplug", "accept", f"smallreads@record+{few - first}", "it is short"], cwd=scratch)
    expect(done.returncode == 0, "one is accepted", done.out, done.err)
    accepted = {row["line"]: row.get("accepted") for row in findings() if row["rule"] == "smallreads"}
    expect(accepted.get(few) == "it is short" and accepted.get(many) is None, "and not the other", accepted)


def undecided(build, scratch):
    write(f"{scratch}/slower.c", SLOWER)
    for name, n in (("old", 400000), ("new", 6000000)):
        must([f"{build}/profplug-gcc", "-O1", "-g", f"-DN={n}", "slower.c", "-o", name], cwd=scratch)
        done = call([f"./{name}"], cwd=scratch, env={"PROFPLUG": f"output={name}.profplug"})
        expect(done.returncode == 0, "it runs", done.err)
    done = call([f"{build}/profplug", "check", "--baseline", "old.profplug", "--", "new.profplug"], cwd=scratch)
    text = " ".join(done.out.split())
    expect("nothing is decided" in text and "0 of" not in text, "one run of each decides nothing", done.out)
    expect("Not decided: " in text and "slow took" in text and "times as long in these runs" in text, "what seems slower is named", done.out)


def roomless(build, scratch):
    write(f"{scratch}/phases.c", PHASES)
    must([f"{build}/profplug-gcc", "-O1", "-g", "phases.c", "-o", "phases"], cwd=scratch)
    told = 0
    for size in (96, 128, 160, 1000):
        done = call(["./phases"], cwd=scratch, env={"PROFPLUG": f"output={size}.profplug,max-file={size}k"})
        expect(done.returncode == 0, "it runs", done.err)
        document = read(build, f"{size}.profplug", cwd=scratch)
        missing = {"chunk", "main loop"} - {row["name"] for row in document["stages"]}
        notices = [notice for notice in document["runs"][0]["notices"] if "found no room and are lost" in notice]
        text = " ".join(call([f"{build}/profplug", "report", f"{size}.profplug"], cwd=scratch).out.split())
        if "chunk" in missing:                                   # its calls are known
            told += 1
            expect(len(notices) == 1 and "chunk" in notices[0] and "chunk" in text.split("note:")[1].split("FINDINGS")[0], f"{size}k: lost stages are named", notices, text)
        expect(missing or not notices, f"{size}k: no stage is said to be lost that is there", notices)
    expect(told, "some size has no room for stages")
    for width in (50, 60, 80):
        table = call([f"{build}/profplug", "report", "1000.profplug"], cwd=scratch, env={"COLUMNS": str(width)}).out.split("STAGES")[1].split("\n\n")[0].splitlines()
        expect("chunk" in "".join(table) and all(len(line) <= width for line in table[1:]), f"stages in {width} columns", table)
    done = call([f"{build}/profplug", "run", "--max-file", "3", "./phases"], cwd=scratch)
    expect(done.returncode and "64k or more" in done.err and not done.out, "a size that holds nothing is refused before the program starts", done.err)


def long_names(build, scratch):
    """What lists functions of C++ or findings in them has their short names, by which they may be asked for."""
    write(f"{scratch}/names.cc", NAMES)
    must([f"{build}/profplug-g++", "-O1", "-g", "names.cc", "-o", "names"], cwd=scratch)
    for run in "12":
        must(["./names"], cwd=scratch, env={"PROFPLUG": f"output=names{run}.profplug"})
    must([f"{build}/profplug", "history", "add", "-i", "all.sqlite", "names1.profplug", "names2.profplug"], cwd=scratch)
    text = must([f"{build}/profplug", "history", "trend", "-i", "all.sqlite"], cwd=scratch, env={"COLUMNS": "80"})
    expect("function take" in text and "basic_string" not in text and all(len(line) <= 80 for line in text.splitlines()), "the history", text)
    text = must([f"{build}/profplug", "history", "trend", "take", "-i", "all.sqlite"], cwd=scratch, env={"COLUMNS": "80"})
    expect("function take" in text and "basic_string" not in text, "one of it", text)
    text = must([f"{build}/profplug", "try", "-n", "2", "begin", "--", "./names"], cwd=scratch)
    expect("finding smallreads@take," in text and "basic_string" not in text, "an attempt", text)
    write(f"{scratch}/names.cc", NAMES.replace("20000", "10"))
    must([f"{build}/profplug-g++", "-O1", "-g", "names.cc", "-o", "names"], cwd=scratch)
    text = must([f"{build}/profplug", "try", "-n", "2", "--finding", "smallreads@take", "read less", "--", "./names"], cwd=scratch)
    expect("finding smallreads@take, promised" in text, "the finding by its short name", text)


def test(build, scratch):
    os.makedirs(f"{scratch}/.git")                 # the findings that are accepted are a project's
    for part in (killed, twice, undecided, roomless, long_names):
        part(build, scratch)


main(test)
