#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare.py BUILD: `profplug compare` runs two builds in turn, in alternating order, each with the same input, and leaves nothing behind but what
--keep asks for; it makes as many runs as show what is asked for; it finds that one iterates more, exactly; programs that fail, write nothing or are missing are one line and status 2."""

import json
import os
import shutil
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, must, write
from report import unlike

PROGRAM = r"""#include <profplug.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
PROFPLUG_STAGE("work", "compute") static __attribute__((noinline)) unsigned work(unsigned n)
{
    unsigned sum = n;
    PROFPLUG_LOOP("turns")
    for (unsigned i = 0; i < n; i++)
        sum = sum * 31 + i;
    return sum;
}
int main(int argc, char **argv)
{
    char word[32] = "";
    FILE *log = fopen(argv[1], "a");
    fprintf(log, "%c%s%s ", *(strrchr(argv[0], '/') + 1), argc > 2 ? argv[2] : "", fgets(word, sizeof word, stdin) ? word : "-");
    fclose(log);
    if (argc > 2 && !strcmp(argv[2], "fail") && access(argv[3], F_OK) == 0)
        return 3;
    printf("%u\n", work(TURNS));
    return 0;
}
"""
HALVES = r"""#include <stdlib.h>
static __attribute__((noinline)) unsigned one(unsigned n)
{
    for (unsigned i = 0; i < 6000000; i++)
        n = n * 31 + i;
    return n;
}
static __attribute__((noinline)) unsigned other(unsigned n)
{
    for (unsigned i = 0; i < 6000000; i++)
        n = n * 33 + i / 3;
    return n;
}
int main(void)
{
    unsigned sum = 1;
    for (int turn = 0; turn < 4; turn++)
        sum = other(one(sum));
    return sum == 12345;
}
"""

COSTLY = r"""
static __attribute__((noinline)) unsigned long costly(void)
{
    unsigned long left = STEPS, value = 3;
    __asm__ volatile(MORE "1: imul %1, %1\n dec %0\n jnz 1b" : "+r"(left), "+r"(value));
    return value;
}
int main(void)
{
    unsigned long sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += costly();
    return sum == 12345;
}
"""


def same_code(build, scratch, tool):
    """A function that takes twice as long: with one number changed in its code, and with code that is longer. A
    machine that lends its CPUs to others may be half as fast for half of the runs, so there are many."""
    write(f"{scratch}/costly.c", COSTLY)
    for name, steps, more in (("before", 20000, ""), ("number", 40000, ""), ("longer", 40000, "nop; nop;")):
        must([build + "/profplug-gcc", "-O2", f"-DSTEPS={steps}", f'-DMORE="{more}"', "-o", f"{scratch}/{name}", f"{scratch}/costly.c"])
    for name, said in (("number", True), ("longer", False)):
        text = must([tool, "compare", "-n", "15", f"{scratch}/before", f"{scratch}/{name}", "--"])
        rows = [line for line in text.splitlines() if line.strip().startswith("costly ") and "each costs more" in line]
        expect(len(rows) == 1 and rows[0].rstrip().endswith("same code") == said and ("same code: as large" in text) == said,
               f"{name}: it costs more, and whether its code is as before", text)


def test(build, scratch):
    tool, log, temporary = build + "/profplug", scratch + "/log", scratch + "/temporary"
    os.mkdir(temporary)
    for name, turns in (("a", 100), ("b", 101)):
        write(f"{scratch}/{name}.c", PROGRAM.replace("TURNS", str(turns)))
        must([build + "/profplug-gcc", "-O2", "-o", f"{scratch}/{name}", f"{scratch}/{name}.c"])
    plain = scratch + "/plain"
    must(["gcc", "-O2", "-I", os.path.dirname(os.path.abspath(__file__)) + "/../../include", "-DTURNS=1", "-w", "-o", plain, scratch + "/a.c"])
    a, b = scratch + "/a", scratch + "/b"
    env = {"TMPDIR": temporary}

    def compare(*options, programs=(a, b), arguments=(log,), **more):
        return call([tool, "compare", *options, *programs, "--", *arguments], env=env, cwd=scratch, **more)

    done = compare("-n", "3", "--format", "json", "--keep", scratch + "/runs")
    document = json.loads(done.out) if done.out else {}
    expect(done.returncode == 0 and not done.err and not unlike(document, "profplug-diff-1"), "JSON follows its schema", done.err, document and unlike(document, "profplug-diff-1")[:3])
    turns = [row for row in document.get("sites", ()) if row["kind"] == "stage" and row["name"] == "turns"]
    expect(len(turns) == 1 and (turns[0]["counts"]["trips"]["old_low"], turns[0]["counts"]["trips"]["new_high"], turns[0]["counts"]["trips"]["changed"]) == (100, 101, True),
           "an iteration more is told, exactly", turns)
    expect(open(log).read().split() == ["a-", "b-", "a-", "b-", "b-", "a-", "a-", "b-"], "warmed, then in turn, in alternating order", open(log).read())
    expect(sorted(os.listdir(scratch + "/runs")) == sorted(f"{arm}-{n}.profplug" for arm in ("old", "new") for n in (1, 2, 3)), "the runs are kept", os.listdir(scratch + "/runs"))
    expect(not os.listdir(temporary), "the temporary folder is empty again", os.listdir(temporary))
    def options_of(run):
        return [o for o in json.loads(must([tool, "report", "--format", "json", run]))["runs"][0]["options"] if o.startswith(("budget", "sample-hz"))]
    expect(options_of(f"{scratch}/runs/old-1.profplug") == ["budget=25.0", "sample-hz=10000"], "it samples more than by default", options_of(f"{scratch}/runs/old-1.profplug"))
    must([tool, "compare", "-n", "2", "--keep", scratch + "/slow", a, b, "--", log + "2"], env={**env, "PROFPLUG": "sample-hz=77"})
    expect(options_of(f"{scratch}/slow/new-2.profplug") == ["budget=25.0", "sample-hz=77"], "but PROFPLUG says how", options_of(f"{scratch}/slow/new-2.profplug"))
    again = json.loads(must([tool, "diff", "--format", "json", *[f"{scratch}/runs/old-{n}.profplug" for n in (1, 2, 3)], "--",
                             *[f"{scratch}/runs/new-{n}.profplug" for n in (1, 2, 3)]]))
    expect([row["counts"] for row in again["sites"]] == [row["counts"] for row in document["sites"]], "diff of what was kept says the same")

    write(scratch + "/halves.c", HALVES)
    must([build + "/profplug-gcc", "-O2", "-o", f"{scratch}/halves", f"{scratch}/halves.c"])
    halves = dict(programs=(scratch + "/halves", scratch + "/halves"), arguments=())

    def made_by(name, *options):
        """How many runs of each were made, and the least change that they are said to show; from the JSON."""
        done = compare("--format", "json", "--keep", f"{scratch}/{name}", *options, **halves)
        told = json.loads(done.out) if done.out else {"machine": {}}
        return len(os.listdir(f"{scratch}/{name}")) // 2, told["machine"].get("seen_ratio", 0), done.err
    runs, seen, said = made_by("itself")
    expect(not said and 5 <= runs <= 20 and (runs == 20 or 1 < seen <= 1.1), "by itself it makes 5 to 20 runs, until they show 10 % of a function with a tenth of the time", runs, seen, said)
    more, finer, said = made_by("until", "-n", "2", "--until", "30")
    expect(not said and more >= 2 and (more == 100 or 1 < finer <= 1.3), "--until says what they shall show", more, finer, said)
    exact, seen, said = made_by("exact", "-n", "3")
    expect(not said and exact == 3 and seen > 1, "a number of runs that is given is kept", exact, seen, said)
    done = compare("-n", "3", **halves)
    expect("these runs show in 19 of 20 cases if a function with a tenth of the CPU time takes" in " ".join(done.out.split()), "and it says what so many show", done.out[-500:])
    expect(not os.listdir(temporary), "nothing stays in the temporary folder", os.listdir(temporary))

    same_code(build, scratch, tool)

    os.remove(log)
    write(scratch + "/word", "yes\n")
    with open(scratch + "/word") as word:
        done = call_with(word, [tool, "compare", "-n", "2", a, b, "--", log], env)
    expect(done == 0 and open(log).read().split() == ["ayes", "byes", "ayes", "byes", "byes", "ayes"], "a file on standard input is read by each run", open(log).read())

    for what, given in (("one program", dict(programs=(a,))), ("no such program", dict(programs=(a, "/nosuch"))), ("not instrumented", dict(programs=(a, plain))),
                        ("one run", dict(options=("-n", "1"))), ("no change", dict(options=("--until", "0.5"))), ("a half", dict(options=("-n", "2.5"))), ("a format", dict(options=("--format", "xml"))),
                        ("a folder that cannot be", dict(options=("--keep", "/nosuch/folder"))), ("a file that cannot be", dict(options=("-o", "/nosuch/file")))):
        options = given.pop("options", ())
        done = compare(*options, **given)
        expect(done.returncode == 2 and done.err.count("\n") == 1 and "expected" in done.err and not done.out, f"{what}: one line", done.err, done.out)
    done = call([tool, "compare", a, b, log], env=env)
    expect(done.returncode == 2 and "expected --" in done.err, "arguments without --", done.err)
    done = call([tool, "compare", os.path.basename(a), b, "--", log], env=env, cwd=os.path.dirname(a))
    expect(done.returncode == 2 and f"expected ./{os.path.basename(a)} " in done.err and done.err.count("\n") == 1, "a program in this directory that is not on PATH", done.err)
    done = call([tool, "compare", a, b, "-n", "2", "--format", "json", "--", log], env=env)
    expect(done.returncode == 0 and len(json.loads(done.out)["runs"]) == 4, "options may stand behind the programs", done.err)
    # a program that ends before it could write: what it is told of is the folder that it was to write in, not this one
    write(scratch + "/early.c", "#include <sys/syscall.h>\n#include <unistd.h>\nstatic void early(void) { syscall(SYS_exit_group, 0); }\n"
          "__attribute__((section(\".preinit_array\"), used)) static void (*const begin)(void) = early;\nint main(void) { return 0; }\n")
    must([build + "/profplug-gcc", "-O2", "-o", f"{scratch}/early", f"{scratch}/early.c"])
    for verb in (["compare", scratch + "/early", b, "--"], ["try", "note", "--", scratch + "/early"], ["overhead", "--", scratch + "/early"]):
        done = call([tool, *verb], env=env, cwd=scratch)
        where = f"{temporary}/profplug-" if verb[0] == "compare" else f"profplug-{verb[0]}-"
        expect(done.returncode == 2 and f"could not write in {where}" in done.err and done.err.count("\n") == 1, f"{verb[0]}: the folder of its runs", done.err)
    shutil.copy(a, f"{scratch}/true")
    done = call([tool, "compare", "true", b, "--"], env=env, cwd=scratch)
    expect(done.returncode == 2 and "expected ./true " in done.err and done.err.count("\n") == 1, "a program of the system that has the name of one in this directory", done.err)
    expect(not os.listdir(temporary), "nothing is left behind after a refusal", os.listdir(temporary))


def call_with(stdin, argv, env):
    import subprocess
    from program import environment
    return subprocess.run(argv, stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment(**env), check=False).returncode


main(test)
