#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""further.py BUILD: a program that opens a thousand small files asks the kernel what the first ones are called, and no more than that; its data file has a row for
each of these. Calls and bytes of all others are in one row, to the byte. A file that moves much has its name wherever it comes in the row, and so does one
that is opened a second time, up to a number of names: files beyond it leave room for rows by line. A child's first files have names, too. Files that are opened again and again are found by the advice, however many they are."""
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, environment, expect, line_of, main, must, write
from report import read

SMALL, BYTES, LARGE = 1024, 3000, 1 << 20
FOLDER = 512                # all these find room where is kept what the kernel said
NAMED = 128                 # PP_NAMED_FILES of further.h
REOPENED = 1024             # PP_REOPENED_FILES
FURTHER = "(further files)"
MOST_FILE = 400 << 10       # 1.8 MB with rows for all
PROGRAM = """#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static char room[4096];
static void file_read(const char *folder, int number)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%d", folder, number);
    int fd = open(path, O_RDONLY); /* opened */
    if (fd < 0)
        exit(2);
    while (read(fd, room, sizeof room) > 0)
        continue;
    if (close(fd))
        exit(3);
}
int main(int argc, char **argv)
{
    for (int round = 0; round < atoi(argv[3]); round++)
        for (int i = 0; i < atoi(argv[2]); i++)
            file_read(argv[1], i);
    for (int i = 4; i < argc; i++)
        if (strcmp(argv[i], "child") != 0)
            file_read(argv[1], atoi(argv[i]));
        else if (fork() > 0)
            return wait(NULL) < 0;
    return 0;
}
"""


LINES = """#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static char room[16];
int main(int argc, char **argv)
{
    for (int i = 0; i < 3 * atoi(argv[2]); i++) {
        char path[64];
        snprintf(path, sizeof path, "%s/%d", argv[1], i % atoi(argv[2]));
        int fd = open(path, O_RDONLY);
        int moved = 0;
""" + "        moved += (int)pread(fd, room, sizeof room, 0);\n" * 12 + """        if (moved != 12 * sizeof room || close(fd))
            return 2;
    }
    return argc != 3;
}
"""

FOLDERS = """#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
static void file_open(int folder, const char *name)
{
    int fd = openat(folder, name, O_RDWR | O_CREAT, 0600);
    if (fd < 0 || close(fd))
        exit(2);
}
int main(int argc, char **argv)
{
    int folder = -1;
    for (int i = 0; i < atoi(argv[1]); i++) {
        char path[64];
        snprintf(path, sizeof path, "%s/%d", argv[2], i);
        mkdir(path, 0700);
        close(folder);
        folder = open(path, O_RDONLY | O_DIRECTORY);
        if (argc == 4) { /* as fts does: the duplicate stays */
            int other = fcntl(folder, F_DUPFD_CLOEXEC, 3);
            close(folder);
            folder = other;
        }
        file_open(folder, "same");
    }
    for (int i = 0; i < 4 * atoi(argv[1]); i++)
        file_open(folder, "last");
    return 0;
}
"""


def of(document, operation, target=None):
    rows = [o for o in document["operations"] if o["operation"] == operation and (target is None or os.path.basename(o.get("target", "")) == target)]
    return sum(o["calls"] for o in rows), sum(o.get("bytes", 0) for o in rows)


def looks(scratch, *arguments):
    """How often the kernel is asked for a path; None where strace may not trace. By a filter: a call that strace stops at is long, and gives its file a name."""
    done = subprocess.run(["strace", "-f", "--seccomp-bpf", "-c", "-o", "calls", "-e", "trace=readlinkat", "./ours", *arguments], cwd=scratch,
                          env=environment(PROFPLUG="output=traced.profplug"), capture_output=True, timeout=120) if shutil.which("strace") else None
    found = re.search(r"^100\.00 +\S+ +\d+ +(\d+)", open(f"{scratch}/calls").read(), re.M) if done and not done.returncode else None
    return found and int(found[1])


def folders_test(build, scratch):
    """Files of one name, each opened once below a folder of its own: none stands for the others. And one that is opened
    again and again below a folder that has no name of its own yet."""
    write(f"{scratch}/folders.c", FOLDERS)
    must([f"{build}/profplug-gcc", "-O2", "-g", "folders.c", "-o", "folders"], cwd=scratch)
    for how in ((), ("duplicate",)):
        name = f"folders{len(how)}"
        os.mkdir(f"{scratch}/{name}")
        must(["./folders", str(FOLDER), name, *how], cwd=scratch, env={"PROFPLUG": f"output={name}.profplug"})
        document = read(build, f"{name}.profplug", cwd=scratch)
        opens = {}
        for row in document["operations"]:
            if row["operation"] == "open":
                opens[row["target"]] = opens.get(row["target"], 0) + row["calls"]
        same = {target: calls for target, calls in opens.items() if target.endswith("/same")}
        last = sum(calls for target, calls in opens.items() if target.endswith("/last"))
        print(f"{FOLDER} folders{', duplicated' * len(how)}: {len(opens)} names, {len(same)} of them of files of "
              f"one name, {last} of {4 * FOLDER} opens of the last file at its name")
        expect(sum(opens.values()) == 6 * FOLDER, "each open is counted", sum(opens.values()))
        expect(max(same.values()) == 1, "no file has the opens of others of its name",
               sorted(same.items(), key=lambda row: -row[1])[:3])
        expect(len(opens) < 3 * NAMED, f"{NAMED} files and folders have names, and those that were long", len(opens))
        expect(last > 2 * FOLDER, "a file that is opened again and again has its name", last)


def test(build, scratch):
    write(f"{scratch}/ours.c", PROGRAM)
    must([f"{build}/profplug-gcc", "-O2", "-g", "ours.c", "-o", "ours"], cwd=scratch)
    for i in range(SMALL):
        write(f"{scratch}/files/{i}", "x" * BYTES)
    write(f"{scratch}/files/{SMALL}", "y" * LARGE)

    asked = looks(scratch, "files", str(SMALL), "1")
    print(f"{SMALL} files, opened once each: the kernel was asked for {asked} paths")
    if asked is not None:               # a busy machine makes a call long, and then its file has a name
        expect(asked < 3 * NAMED, f"of {SMALL} files the first {NAMED} are looked at", asked)

    done = call(["./ours", "files", str(SMALL), "1", str(SMALL), "1000", "1000"], cwd=scratch, env={"PROFPLUG": "output=once.profplug"})
    expect(done.returncode == 0 and done.err == "", "the program runs as without us", done)
    size = os.stat(f"{scratch}/once.profplug").st_size
    document = read(build, "once.profplug", cwd=scratch)
    names = {o["target"] for o in document["operations"] if o.get("target", "").startswith("/")}
    opens, moved, shared = of(document, "open"), of(document, "read"), of(document, "open", FURTHER)
    print(f"{opens[0]} opens of {len(names)} files with names, {shared[0]} of further ones; {moved[1]} bytes read; data file of {size} bytes")
    expect(opens[0] == SMALL + 3, "each open is counted", opens)
    expect(moved[1] == (SMALL + 2) * BYTES + LARGE, "each byte is counted", moved)
    expect(of(document, "close")[0] == SMALL + 3, "each close is counted", of(document, "close"))
    expect(NAMED <= len(names) < 3 * NAMED, f"{NAMED} files have names, and those that were long", len(names))
    expect(shared[0] + len(names) >= SMALL, "the others share a row", shared)
    expect(size <= MOST_FILE, f"the data file has {MOST_FILE} bytes at most", size)
    large = of(document, "read", str(SMALL))[1]
    expect(large >= LARGE // 2, "a file that moves much has its name, for most of its bytes", large)
    expect(of(document, "open", "1000")[0] >= 1, "and so does one that is opened again", of(document, "open", "1000"))

    for i in range(SMALL, 3 * SMALL):
        write(f"{scratch}/files/{i}", "x" * BYTES)
    must(["./ours", "files", str(3 * SMALL), "4"], cwd=scratch, env={"PROFPLUG": "output=often.profplug"})
    document = read(build, "often.profplug", cwd=scratch)
    names = {o["target"] for o in document["operations"] if o.get("target", "").startswith("/")}
    lineless = [o for o in document["operations"] if o["operation"] in ("open", "read", "close") and not o.get("line")]
    losses = document["runs"][0]["losses"]["operations"]
    print(f"{3 * SMALL} files, read four times each: {len(names)} names, {losses} operations without a row of their own")
    expect(of(document, "open")[0] == 12 * SMALL and of(document, "read")[1] == 12 * SMALL * BYTES, "each call is counted", of(document, "open"))
    expect(len(names) < REOPENED + REOPENED // 2, f"a second open gives a name while there are fewer than {REOPENED}, and a long call does", len(names))
    text = must([f"{build}/profplug", "report", "--section", "operations", "often.profplug"], cwd=scratch, env={"COLUMNS": "120"}).splitlines()
    at, opened = line_of(PROGRAM, "/* opened */"), {o["target"] for o in document["operations"] if o["operation"] == "open"}
    row = next((i for i, line in enumerate(text) if line.startswith(f"ours.c:{at} ")), -2)
    parts = [line for line in text[row + 1:row + 5] if line.startswith(" ")]
    expect(re.search(rf" open +{12 * SMALL // 1000} {12 * SMALL % 1000:03} .* {len(opened)}\+, among them:", text[row]) and len(parts) == 3,
           "the line has a sum over all files, and below it three of them", text[:8])
    expect(not losses and not lineless, "each keeps its line", losses, lineless[:2])

    write(f"{scratch}/lines.c", LINES)
    must([f"{build}/profplug-gcc", "-O2", "-g", "lines.c", "-o", "lines"], cwd=scratch)
    must(["./lines", "files", str(SMALL)], cwd=scratch, env={"PROFPLUG": "output=lines.profplug"})
    document = read(build, "lines.profplug", cwd=scratch)
    reads = {}
    for row in document["operations"]:
        if row["operation"] == "read":
            reads[row.get("line")] = reads.get(row.get("line"), 0) + row["calls"]
    losses = document["runs"][0]["losses"]["operations"]
    print(f"{SMALL} files by {len(reads)} lines: {losses} operations without a row of their own")
    expect(losses and list(reads.values()) == [3 * SMALL] * 12, "where rows run out the file is dropped, and the line stays", reads)

    folders_test(build, scratch)
    os.mkdir(f"{scratch}/forked")
    must(["./ours", "files", "200", "1", "child", "300", "301"], cwd=scratch, env={"PROFPLUG": "output=forked/%p.profplug"})
    told = [read(build, f"forked/{name}", cwd=scratch) for name in os.listdir(f"{scratch}/forked")]
    child = [[of(document, "open", number)[0] for number in ("300", "301")] for document in told]
    expect(sorted(child) == [[0, 0], [1, 1]], "the first files of a child have names, however many its parent opened", child)

    must(["./ours", "files", "600", "60"], cwd=scratch, env={"PROFPLUG": "output=again.profplug"})
    advice = read(build, "again.profplug", cwd=scratch)["recommendations"]
    found = [a for a in advice if a["id"].split("@")[0] in ("rereads", "reopens", "reparses")]
    print("advice:", json.dumps([(a["id"], a.get("figures")) for a in found]))
    expect(found and 57 <= found[0]["figures"]["calls"] <= 61, "600 files that are read 60 times are found, and how often each is", [a["id"] for a in advice])


main(test)
