#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""try.py BUILD: `profplug try` on a program whose time is a sleep, so that what a change saves is known: a baseline, a change that helps, one
that does not, one that makes it slower, one that breaks it; each in turn and against earlier runs. The rule's hit rate is in reports."""

import json
import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, must, write

# `waits TURNS`: sleeps 8 ms so often. WAIT_MS is another time, ENDS another exit status.
PROGRAM = r"""#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifndef WAIT_MS
#define WAIT_MS 8
#endif
#ifndef ENDS
#define ENDS 0
#endif
static __attribute__((noinline)) void settle(void) { nanosleep(&(struct timespec){ 0, WAIT_MS * 1000000 }, NULL); }
int main(int argc, char **argv)
{
    for (int i = 0; i < atoi(argv[1]); i++)
        settle();
    printf("done\n");
    return ENDS;
}
"""
TURNS = 8


def test(build, scratch):
    tool, git = f"{build}/profplug", ["git", "-c", "user.name=x", "-c", "user.email=x@x"]
    os.makedirs(f"{scratch}/sub")
    write(f"{scratch}/waits.c", PROGRAM)

    def make(name, *flags):
        must([f"{build}/profplug-gcc", "-O2", "-g", *flags, "waits.c", "-o", name], cwd=scratch)
    for argv in (["init", "-q"], ["add", "waits.c"], ["commit", "-qm", "x"]):
        must([*git, *argv], cwd=scratch)
    make("waits")
    make("old")
    make("short", "-DWAIT_MS=1")
    make("longer", "-DWAIT_MS=30")
    make("broken", "-DENDS=3")

    def attempt(note, *options, status=0):
        done = call([tool, "try", "-n", "4", "--format", "json", *options, note, "--", "./waits", str(TURNS)], cwd=scratch)
        expect(done.returncode == status and not done.err, f"try {note}", done.returncode, done.out, done.err)
        return json.loads(done.out)["attempts"][0]
    def decided(*how, **more):             # on a busy machine four runs may not tell
        for _ in range(6):
            made.append(attempt(*how, **more))
            if made[-1]["verdict"] != "unclear":
                break
        return made[-1]
    made = [attempt("begin")]
    first = made[0]
    expect(first["number"] == 1 and first["verdict"] == "begin" and "saved_percent" not in first and len(first["wall_ns"]) == 4, "the first has nothing to compare with", first)
    expect(min(first["wall_ns"]) >= TURNS * 8e6, "its time is at least its sleeps'", first)
    expect(first["commit"] == must([*git, "rev-parse", "HEAD"], cwd=scratch).strip(), "the commit is what git says", first)
    finding = next((one for one in first["findings"] if one.startswith("sleeps@")), None)
    expect(finding, "the sleep is a finding", first)
    with tempfile.TemporaryDirectory() as elsewhere:      # a ledger of its own
        said = " ".join(must([tool, "try", "-n", "2", "not begun", "--", f"{scratch}/waits", "2"], cwd=elsewhere).split())
    expect("no earlier attempt of this program and its arguments" in said, "a note of a program that was not begun", said)
    listed = must([tool, "try", "list"], cwd=f"{scratch}/sub")
    expect(re.search(r"^1 .* begin .*begin$", listed, re.M), "the list, from a folder inside", listed)

    # what is saved, from the program's own sleeps: at most the sleeps, and the rest of the run stays
    shutil.copy(f"{scratch}/short", f"{scratch}/waits")
    for options in ([], ["--before", f"{scratch}/old"]):
        helped = decided("sleep 1 ms", *options, "--finding", finding, *(["--against", "1"] if not options else []))
        expect(helped["verdict"] == "helped" and helped["saved_low_percent"] > 0 and helped["saved_high_percent"] < 100, "a change that helps", helped)
        expect(helped["saved_low_percent"] <= helped["saved_percent"] <= helped["saved_high_percent"], "the saving is in its interval", helped)
        expect(helped["finding"] == finding and helped["promised_high_percent"] > 0 and helped["against"] == (0 if options else 1), "its finding, and what it promised", helped)
    shutil.copy(f"{scratch}/longer", f"{scratch}/waits")
    slower = decided("sleep 30 ms", "--before", f"{scratch}/old", "--finding", finding)
    expect(slower["verdict"] == "slower" and slower["saved_high_percent"] < 0, "a change that makes it slower", slower)
    shutil.copy(f"{scratch}/broken", f"{scratch}/waits")
    broken = attempt("ends otherwise", "-n", "2", "--before", f"{scratch}/old")
    made.append(broken)
    expect(broken["verdict"] == "broken" and broken["exit_status"] == 3, "a change that breaks it", broken)
    shutil.copy(f"{scratch}/old", f"{scratch}/waits")
    all_of = json.loads(must([tool, "try", "--format", "json", "list"], cwd=scratch))["attempts"]
    expect([a["number"] for a in all_of] == list(range(1, len(made) + 1)), "all are listed", all_of)
    text = must([tool, "try", "list"], cwd=scratch)
    expect(re.search(r"  slower .*  takes [0-9.]+ % longer \([0-9.]+ to [0-9.]+\)", text), "what is slower takes longer", text)
    expect("findings of the rule sleeps helped in 2 of 3 tries" in text, "the rule's hit rate: two helped, one was slower, the broken one does not count", text)
    must([tool, "run", "-q", "-o", "last.profplug", "--", "./old", str(TURNS)], cwd=scratch)
    report = json.loads(must([tool, "report", "last.profplug", "--format", "json"], cwd=scratch))
    row = next(row for row in report["recommendations"] if row["rule"] == "sleeps")
    expect(row["tries"] == 3 and abs(row["hit_rate"] - 2 / 3) < 1e-4, "reports have it", row)
    for arguments in ([], ["--section", "findings"]):
        text = " ".join(must([tool, "report", "last.profplug", *arguments], cwd=scratch).split())
        expect("elped in 2 of 3 tries" in text, "and show it with the finding", text)
    with open(f"{scratch}/.profplug-tries", "a") as file:
        file.write(f"{len(made) + 1}\tcut short")
    expect(attempt("after a cut line", "-n", "2")["number"] == len(made) + 2, "a line that is cut short is no attempt, and the next stands on its own")
    for _ in range(6):                     # the interval of four rounds misses 0 in one of 8 attempts
        same = attempt("nothing", "--before", f"{scratch}/old")
        if same["verdict"] in ("no help", "unclear"):
            break
    expect(same["verdict"] in ("no help", "unclear") and "finding" not in same, "no change is no saving, and no finding is gone", same)
    expect(not [name for name in os.listdir(scratch) if name.startswith("profplug-try")], "nothing else is left behind")
    behind = json.loads(must([tool, "try", "options behind the note", "-n", "2", "--format=json", "--", "./waits", str(TURNS)], cwd=scratch))["attempts"][0]
    expect(len(behind["wall_ns"]) == 2 and behind["note"] == "options behind the note" and behind["command"] == f"./waits {TURNS}", "options may stand behind the note, too", behind)
    later = json.loads(must([tool, "try", "list", "--format", "json"], cwd=scratch))["attempts"]
    expect(later == json.loads(must([tool, "try", "--format", "json", "list"], cwd=scratch))["attempts"], "options may stand behind list", later)
    ledger = f"{scratch}/.profplug-tries"
    with open(ledger, "a") as file:
        file.write("<<<<<<< HEAD\n")
    expect(re.search("2 lines of .* hold no attempt", must([tool, "try", "list"], cwd=scratch)), "what was cut off and what a merge left is told")
    os.rename(ledger, f"{scratch}/kept")
    for wrong, why in ((lambda: write(ledger, "hello\n"), "none of its lines"), (lambda: os.mkdir(ledger), "not a regular file"), (lambda: os.symlink("/dev/full", ledger), "not a regular file")):
        wrong()
        done = call([tool, "try", "list"], cwd=scratch)
        expect(done.returncode == 2 and why in done.err and done.err.count("\n") == 1 and not done.out, f"a ledger that is none: {why}", done.err, done.out)
        (os.rmdir if os.path.isdir(ledger) and not os.path.islink(ledger) else os.remove)(ledger)
    os.rename(f"{scratch}/kept", ledger)
    for bad, why in ((["x"], "no program"), ([], "no note"), (["-n", "1", "x", "--", "./waits"], "not such a number"), (["x", "--", "/nosuch"], "No such file"),
                     (["x", "--", "/bin/true"], "instrumented"), (["--against", "99", "x", "--", "./waits", "1"], "no attempt 99"),
                     (["--finding", "a@b", "x", "--", "./waits", str(TURNS)], "no finding of the program"), (["list", "x"], "lists all attempts"), (["x", "-z", "--", "./waits"], "-z: "),
                     (["x", "-n", "--", "./waits"], "not such a number"), (["x", "-n", "2"], "no program"), (["-n", "2", "--", "./waits", "1"], "no note")):
        done = call([tool, "try", *bad], cwd=scratch)
        expect(done.returncode == 2 and why in done.err and done.err.count("\n") == 1 and not done.out, f"try {bad} is one line", done.err, done.out)


main(test)
