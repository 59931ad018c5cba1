#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""children.py BUILD: a child that is forked late costs no more than an early one, however many siblings it has. Its data file is larger by no more than its parent's
own records may have grown, and it makes no more system calls (strace counts them), also where files are numbered because they have one name. The parent's file knows all its children, and a child's its own child alone.
Children whose files have no folder any more are not recorded, of which one line tells."""
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import environment, expect, main, must

MANY, EARLY, GROWN, NAMED, MOST_CALLS = 150, 10, 65536, 4, 110      # 200 KB more with the siblings' records; by strace, with the parent's fork and wait: 94; 165 when each extent asked for its own disk blocks
PROGRAM = """#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int count, char **word)
{
    if (count > 1 && !strcmp(word[1], "late")) { /* when its data file's folder has another name */
        sleep(1);
        for (int i = 0; i < 5 && fork(); i++)
            ;
        while (wait(NULL) > 0)
            ;
        return 0;
    }
    for (int i = count > 1 ? atoi(word[1]) : 0; i > 0; i--) {
        if (!fork()) {
            if (i > 1 || count < 3)
                return 0;
            if (!fork())
                return 0;
        }
        wait(NULL);
    }
    return 0;
}
"""


def calls(program, scratch, name="%p", more=""):
    """System calls of a child, from runs with few and with many."""
    table, seen = f"{scratch}/calls", []
    for count, called in ((MANY // 3, name.replace("one", "few")), (MANY, name)):
        must(["strace", "-f", "-c", "-o", table, program, str(count)],
             env={"PROFPLUG": f"output={scratch}/traced/{called}.profplug{more}"}, cwd=scratch)
        with open(table) as text:
            seen.append(int(re.search(r"^100\.00 +\S+ +\d+ +(\d+) .*total$", text.read(), re.M)[1]))
    return (seen[1] - seen[0]) / (MANY - MANY // 3)


def test(build, scratch):
    with open(f"{scratch}/forks.c", "w") as source:
        source.write(PROGRAM)
    program = f"{scratch}/forks"
    must([f"{build}/profplug-gcc", "-O2", "-g", f"{scratch}/forks.c", "-o", program])
    os.mkdir(f"{scratch}/data")
    os.mkdir(f"{scratch}/traced")
    must([program, str(MANY), "grandchild"], env={"PROFPLUG": f"output={scratch}/data/%p.profplug"}, cwd=scratch)
    runs = {}
    for name in os.listdir(f"{scratch}/data"):
        path = f"{scratch}/data/{name}"
        runs[int(name.split(".")[0])] = json.loads(must([f"{build}/profplug", "report", "--format", "json", path]))["runs"][0], os.path.getsize(path)
    parent = next(pid for pid, (run, _) in runs.items() if run["pid"] == run["root_pid"])
    descendants = [one["pid"] for one in runs[parent][0]["files"]]
    expect(len(runs) == MANY + 2 and sorted(descendants) == sorted(set(runs) - {parent}),
           "the parent knows its children, and theirs", len(runs), descendants)
    longer = [run for run, _ in runs.values() if run["cpu_ns"] > run["wall_ns"] + 5000]  # the kernel tells whole microseconds
    expect(not longer, "one thread has no more CPU time than its process had wall time", longer)
    families = {pid: [one["pid"] for one in run.get("files", [])] for pid, (run, _) in runs.items() if pid != parent}
    (grandchild,) = [pid for own in families.values() for pid in own]
    children = [pid for pid in descendants if pid != grandchild]
    expect(families == {pid: [grandchild] if pid == children[-1] else [] for pid in families}, "a child knows its own child alone", families)
    early, late = runs[children[EARLY]][1], runs[children[-2]][1]
    expect(late <= early + GROWN, f"a late child's file has {late} bytes, an early one's {early}")
    os.mkdir(f"{scratch}/gone")
    moved = subprocess.run(["sh", "-c", f"(sleep 0.2; mv {scratch}/gone {scratch}/moved) & exec {program} late"], env=environment(PROFPLUG=f"output={scratch}/gone/%p.profplug"),
                           capture_output=True, text=True, timeout=60)
    said = moved.stderr.splitlines()
    expect(moved.returncode == 0 and len(os.listdir(f"{scratch}/moved")) == 1, "the program ends as by itself, with its own file", moved)
    expect(len(said) == 1 and "forked" in said[0], "one line tells that children are not recorded", said)
    if not shutil.which("strace"):
        print("system calls: strace is missing")
        return
    each = calls(program, scratch)
    expect(each <= MOST_CALLS, f"a child takes {each:.0f} system calls")
    # Without samples, whose number varies.
    named, numbered = calls(program, scratch, more=",samples=off"), calls(program, scratch, "one", ",samples=off")
    names = {"one.profplug", *(f"one.{i + 1}.profplug" for i in range(MANY))}
    expect(names <= set(os.listdir(f"{scratch}/traced")), "children of one name are numbered", sorted(os.listdir(f"{scratch}/traced"))[:9])
    print(f"a child takes {each:.1f} system calls; without samples {named:.1f}, with a number {numbered:.1f}")
    expect(numbered <= named + NAMED, "the next number is found at once", named, numbered)


main(test)
