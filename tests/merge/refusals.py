#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""refusals.py BUILD: another build of the program is merged by the names of its functions and stages, another program is refused. Whatever is refused has one line
and status 2, and leaves no file and no other file than there was."""

import os
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, must, write
from report import named, read

PROGRAM = r"""#include <profplug.h>
static volatile int sum;
#ifdef NEWER
static __attribute__((noinline)) void added(void) { sum += 3; }
#endif
static __attribute__((noinline)) void one(void) { sum++; }
static __attribute__((noinline)) void two(void) { sum += 2; }
PROFPLUG_STAGE("work") static __attribute__((noinline)) void work(void) { for (int i = 0; i < 10; i++) one(), two(); }
int main(void)
{
#ifdef NEWER
    added();
#endif
    work();
    return 0;
}
"""
OTHER = r"""#include <profplug.h>
static volatile int sum;
static __attribute__((noinline)) void first(void) { sum++; }
static __attribute__((noinline)) void second(void) { sum++; }
static __attribute__((noinline)) void third(void) { first(); second(); }
int main(void) { third(); return 0; }
"""


def made(build, scratch, name, source, *flags, program=None):
    program = program or name
    write(f"{scratch}/{program}.c", source)
    must([f"{build}/profplug-gcc", "-O2", "-g", "-o", program, *flags, f"{program}.c"], cwd=scratch)
    done = call([f"./{program}"], cwd=scratch, env={"PROFPLUG": f"output={scratch}/{name}.profplug"})
    if done.returncode:
        sys.exit(f"refusals.py: {name}: {done.err}")


def test(build, scratch):
    tool = f"{build}/profplug"
    made(build, scratch, "old", PROGRAM, program="prog")
    made(build, scratch, "new", "\n\n" + PROGRAM, "-DNEWER", program="prog")             # all lines moved
    made(build, scratch, "other", OTHER)
    write(f"{scratch}/text.profplug", "no data file\n")
    with open(f"{scratch}/old.profplug", "rb") as file:
        whole = file.read()
    with open(f"{scratch}/cut.profplug", "wb") as file:
        file.write(whole[:len(whole) // 2])

    must([tool, "merge", "--as", "repeats", "-o", "both.profplug", "old.profplug", "new.profplug", "old.profplug"], cwd=scratch)
    merged = read(build, "both.profplug", cwd=scratch)
    calls = {row["name"]: row.get("calls") for row in merged["functions"]}
    expect((calls["one"], calls["two"], calls["added"], calls["main"]) == (30, 30, 1, 3), "calls in two builds", calls)
    expect(named(merged["stages"], "work")["calls"] == 3, "a stage in two builds")
    spread = [row for row in merged["merged"]["spread"] if (row["of"], row["value"], row.get("name")) == ("function", "calls", "added")]
    expect([(row["files"], row["min"], row["max"], row["max_file"]) for row in spread] == [(1, 0, 1, "new.profplug")], "what one build has alone", spread)

    os.mkfifo(f"{scratch}/pipe")
    before = sorted(os.listdir(scratch))
    there = open(f"{scratch}/both.profplug", "rb").read()
    for options, said in ((["--as", "repeats", "-o", "out.profplug", "old.profplug", "other.profplug"], "another program, other: "),
                          (["--as", "repeats", "-o", "both.profplug", "old.profplug", "cut.profplug"], "cut.profplug"),
                          (["--as", "ranks", "-o", "out.profplug", "old.profplug", "text.profplug"], "text.profplug"),
                          (["--as", "ranks", "-o", "out.profplug", "old.profplug", "nowhere.profplug"], "nowhere.profplug"),
                          (["--as", "ranks", "-o", "nowhere/out.profplug", "old.profplug"], "nowhere/out.profplug: "),
                          (["--as", "ranks", "-o", "/dev/full/out", "old.profplug"], "/dev/full/out: "),
                          (["--as", "ranks", "-o", "pipe", "old.profplug", "new.profplug"], "pipe: not a regular file"),  # nor replaced by one
                          (["--as", "ranks", "-o", "old.profplug", "new.profplug", "old.profplug"], "one of the files to merge"),
                          (["--as", "range", "-o", "out.profplug", "old.profplug"], "did you mean ranks"),
                          (["-o", "out.profplug", "old.profplug"], "expected --as"),
                          (["--as", "ranks", "old.profplug"], "expected -o"),
                          (["--as", "ranks", "-o", "out.profplug"], "expected data files")):
        done = call([tool, "merge", *options], cwd=scratch)
        expect(done.returncode == 2 and not done.out and len(done.err.splitlines()) == 1 and said in done.err, f"merge {' '.join(options)}", done.returncode, done.err)
    expect(sorted(os.listdir(scratch)) == before and open(f"{scratch}/both.profplug", "rb").read() == there, "files that a refusal leaves", os.listdir(scratch))
    must([tool, "merge", "--as", "processes", "-o", "mixed.profplug", "old.profplug", "other.profplug"], cwd=scratch)      # a run may have several programs
    names = {row["name"] for row in read(build, "mixed.profplug", cwd=scratch)["functions"]}
    expect({"one", "third"} <= names, "processes of two programs", names)


main(test)
