#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pager.py BUILD: a report on a terminal goes through the pager that git would take, and nothing else does; a long work of the tool shows how far
it is, on a terminal alone."""

import os
import re
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, must, write
from terminal import terminal

PROGRAM = "static volatile double sink;\nint main(void) { for (int i = 1; i < 3000000; i++) sink += 1.0 / i; return 0; }\n"
# A clock on which a work of the tool takes long.
CLOCK = r"""#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *to)
{
    static int (*real)(clockid_t, struct timespec *);
    static long calls;
    if (!real)
        real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int status = real(clock, to);
    to->tv_sec += calls++;
    return status;
}
"""
MARK = "sed 's/^/PAGED /'"
PLAIN = {"PAGER": None, "TERM": "xterm", "LC_ALL": "C"}


def pages(build, scratch):
    tool, data = f"{build}/profplug", "work.profplug"
    for variables, paged in (({"PROFPLUG_PAGER": MARK}, True), ({"PAGER": MARK}, True), ({"PROFPLUG_PAGER": MARK, "PAGER": "false"}, True),
                             ({"PROFPLUG_PAGER": "", "PAGER": MARK}, False), ({"PROFPLUG_PAGER": "cat", "PAGER": MARK}, False), ({"PAGER": ""}, False)):
        for words in (["report", data], ["annotate", data, "main"], ["diff", data, data], ["report", "--format", "json", data]):
            status, said = terminal([tool, *words], cwd=scratch, env={**PLAIN, **variables}, stderr=False)
            expect(status == 0 and said and ("PAGED" in said) == paged, f"{words[0]} with {variables}", status, said[-500:])
            if paged:
                expect(all(line.startswith("PAGED ") for line in said.splitlines()), f"all of {words[0]} is paged", said)
    for words in (["--no-pager", "report", data], ["report", "--no-pager", data], ["annotate", "--no-pager", data, "main"], ["diff", "--no-pager", data, data],
                  ["report", "-o", "there", data], ["report", "--xyzzy"], ["help", "report"]):
        status, said = terminal([tool, *words], cwd=scratch, env={**PLAIN, "PAGER": MARK})
        expect("PAGED" not in said and status == (2 if "--xyzzy" in words else 0), f"no pager: {words}", status, said[:300])
    status, said = terminal([tool, "report", data], cwd=scratch, env={**PLAIN, "PAGER": MARK}, stdout=False)
    expect(status == 0 and not said, "no pager where standard output is no terminal", said)
    piped = call([tool, "report", data], cwd=scratch, env={"PAGER": MARK})
    expect(piped.returncode == 0 and piped.out and "PAGED" not in piped.out, "no pager in a pipe")
    coloured = terminal([tool, "report", data], cwd=scratch, columns=67, env={**PLAIN, "PAGER": "cat | cat", "COLUMNS": None})[1]
    plain = re.sub(r"\033\[[\d;]*m", "", coloured)
    expect("\033[" in coloured and max(len(line) for line in plain.splitlines() if "profplug " not in line) <= 67, "colours and width are the terminal's", coloured)


def refusals(build, scratch):
    tool, data = f"{build}/profplug", "work.profplug"
    status, said = terminal([tool, "report", data], cwd=scratch, env={**PLAIN, "PAGER": "no-such-pager -x"})
    expect(status == 0 and said.startswith("profplug: PAGER: warning: 'no-such-pager -x' is not there; expected a program that shows pages, or nothing\n") and "HOTTEST" in said,
           "a pager that is not there", said)
    status, said = terminal([tool, "report", "--format", "json", data], cwd=scratch, env={**PLAIN, "PAGER": "head -n 1 >/dev/null"})
    expect(status == 0 and not said, "who leaves the pager early has seen enough", status, said[:300])
    done = call([tool, "--no-pager"], cwd=scratch)
    expect(done.returncode == 2 and done.err.count("\n") == 1 and not done.out, "--no-pager alone", done.err)
    status, said = terminal([tool, "report", data], cwd=scratch, env={**PLAIN, "PAGER": "cat; exit 9"})
    expect(status == 0 and "HOTTEST" in said, "the status is the report's", status)


def less(build, scratch):
    """The real one: what is longer than the screen stays there until q is typed."""
    if call(["sh", "-c", "command -v less"]).returncode:
        print("left out: less is not installed")
        return
    words, variables = [f"{build}/profplug", "report", "--all", "work.profplug"], {**PLAIN, "LESS": None, "COLUMNS": None}
    status, said = terminal(words, cwd=scratch, rows=12, env=variables, keys=b"q")
    expect(status == 0 and len(said) < len(terminal(words, cwd=scratch, env={**variables, "PAGER": "cat"})[1]), "q leaves less", status, said)
    status, said = terminal([*words[:2], "--section", "coverage", "work.profplug"], cwd=scratch, rows=50, env=variables)
    expect(status == 0 and said, "one screen needs no key", status, said)


def progress(build, scratch):
    tool, clock = f"{build}/profplug", f"{scratch}/clock.so"
    write(f"{scratch}/clock.c", CLOCK)
    must(["gcc", "-shared", "-fPIC", "-O1", "-o", clock, "clock.c"], cwd=scratch)
    slow = {"LD_PRELOAD": f"{os.environ.get('LD_PRELOAD', '')}:{clock}".strip(":"), "TERM": "xterm"}
    words = [tool, "merge", "--as", "repeats", "-o", "all.profplug", *["work.profplug"] * 9]
    status, said = terminal(words, cwd=scratch, env=slow, stdout=False)
    shown = [int(part) for part in re.findall(r"\rprofplug: merging files [#.]* +(\d+) %\033\[K", said)]
    expect(status == 0 and len(shown) >= 5 and shown == sorted(shown) and max(shown) <= 100, "how far a merge is", said)
    expect(said.endswith("\r\033[K") and "\n" not in said, "the line goes away", said)
    for what, more in (("a work that is short", {**slow, "LD_PRELOAD": os.environ.get("LD_PRELOAD")}), ("a terminal without codes", {**slow, "TERM": "dumb"})):
        status, said = terminal(words[:7] + words[-1:], cwd=scratch, env=more, stdout=False)
        expect(status == 0 and not said, f"no line: {what}", said)
    done = call(words, cwd=scratch, env=slow)
    expect(done.returncode == 0 and not done.err and not done.out, "no line in a file", done.err)
    status, said = terminal([*words, "nowhere.profplug"], cwd=scratch, env=slow, stdout=False)
    expect(status == 2 and said.count("\n") == 1, "an error has a line of its own", said)
    status, said = terminal([tool, "compare", "-n", "3", "./work", "./work"], cwd=scratch, env=slow, stdout=False)
    expect(status == 0 and re.search(r"\rprofplug: running both programs [#.]* +\d+ %", said), "how far compare is", said)


def test(build, scratch):
    write(f"{scratch}/work.c", PROGRAM)
    must([f"{build}/profplug-gcc", "-O1", "-g", "-o", "work", "work.c"], cwd=scratch)
    expect(call([f"{scratch}/work"], cwd=scratch, env={"PROFPLUG": "output=work.profplug"}).returncode == 0, "it runs")
    pages(build, scratch)
    refusals(build, scratch)
    less(build, scratch)
    progress(build, scratch)


main(test)
