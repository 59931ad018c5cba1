#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""operations.py BUILD: what each line reads, writes and waits for is what the program is made to, by stage, file and function; and the lines and what
went through no hooked call are together what the kernel accounts for."""

import os
import resource
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, line_of, main, write
from report import at, named, read

PROGRAM = """#define _GNU_SOURCE
#include <profplug.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
PROFPLUG_STAGE("load", "data_loading")
static void load(void)
{
    char to[5000];
    int fd = open("input", O_RDONLY);
    for (int i = 0; i < 10; i++)
        if (read(fd, to, 5000) != 5000) /* ten */
            _exit(3);
    for (int i = 0; i < 7; i++)
        if (pread(fd, to, 100, i * 1000) != 100) /* seven */
            _exit(4);
    close(fd);
    nanosleep(&(struct timespec){ 0, 20000000 }, 0); /* sleep */
}
static void vectors(void)
{
    char to[100];
    int fd = open("parts", O_RDONLY);
    struct iovec parts[2] = { { to, 60 }, { to + 60, 40 } };
    for (int i = 0; i < 6; i++)
        if (preadv(fd, parts, 2, i * 1000) != 100) /* apart */
            _exit(7);
    for (int i = 0; i < 5; i++)
        if (preadv(fd, parts, 2, 2000 + i * 100) != 100) /* joined */
            _exit(8);
    if (fdatasync(fd) || fdatasync(-1) != -1) /* synced */
        _exit(9);
    close(fd);
}
PROFPLUG_STAGE("quiet") static void quiet(void)
{
    for (int i = 0; i < 10; i++)
        profplug_snapshot("here");
}
int main(void)
{
    load();
    vectors();
    quiet();
    FILE *f = fopen("lines", "w");
    for (int i = 0; i < 2000; i++)
        fprintf(f, "%05d\\n", i); /* lines */
    fclose(f); /* last */
    int fd = open("output", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (write(fd, "hello\\n", 6) != 6 || pwrite(fd, "there", 5, 6) != 5) /* out */
        return 5;
    return write(-1, "x", 1) == -1 ? 0 : 6; /* fails */
}
"""


COPIES = """#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/sendfile.h>
#include <unistd.h>
int main(void)
{
    int from = open("input", O_RDONLY), sent = open("sent", O_RDWR | O_CREAT, 0600), ranged = open("ranged", O_RDWR | O_CREAT, 0600);
    off_t at = 0;
    if (sendfile(sent, from, &at, 50000) != 50000)
        return 1;
    for (loff_t in = 0, out = 0; in < 50000;)
        if (copy_file_range(from, &in, ranged, &out, 50000 - in, 0) <= 0)
            return 2;
    return 0;
}
"""


def test(build, scratch):
    marks = "ten seven apart joined synced out fails lines last sleep".split()
    line = {text: line_of(PROGRAM, f"/* {text} */") for text in marks}
    write(f"{scratch}/program.c", PROGRAM)
    write(f"{scratch}/input", "x" * 50000)
    write(f"{scratch}/parts", "x" * 6000)
    done = call([f"{build}/profplug-gcc", "-O1", "-g", "program.c", "-o", "program"], cwd=scratch)
    expect(done.returncode == 0, "it compiles", done.err)
    done = call(["./program"], cwd=scratch, env={"PROFPLUG": "output=run.profplug"})
    expect(done.returncode == 0, "it runs", done.err)
    document = read(build, "run.profplug", cwd=scratch)
    rows = {(o["operation"], text): o for text, number in line.items() for o in at(document["operations"], "program.c", number)}
    ten, pread, sleep, fails = rows["read", "ten"], rows["read", "seven"], rows["sleep", "sleep"], rows["write", "fails"]
    expect((ten["calls"], ten["bytes"], ten["sequential_calls"], ten["stage"]) == (10, 50000, 10, "load"), "read", ten)
    expect((pread["calls"], pread["bytes"], pread["sequential_calls"]) == (7, 700, 0), "pread", pread)
    # The first one, at offset 0, is where a file that was just opened begins.
    for mark, calls, sequential in (("apart", 6, 1), ("joined", 5, 4)):
        row = rows["read", mark]
        expect((row["calls"], row["bytes"], row["sequential_calls"]) == (calls, 100 * calls, sequential), mark, row)
    synced = at(document["operations"], "program.c", line["synced"])
    expect((sum(o["calls"] for o in synced), sum(o["errors"] for o in synced)) == (2, 1), "synced", synced)
    expect(os.path.basename(ten["target"]) == "input" and ten["target_kind"] == "file", "its file", ten)
    expect(sleep["calls"] == 1 and 20e6 <= sleep["wait_ns"] == sleep["wall_ns"], "sleep", sleep)
    expect((fails["calls"], fails["errors"], fails["bytes"]) == (1, 1, 0) and "target" not in fails, "one that fails", fails)
    out = at(document["operations"], "program.c", line["out"])
    expect(sum(o["bytes"] for o in out) == 11 and sum(o["calls"] for o in out) == 2, "written", out)
    lines, last = rows["write", "lines"], rows["write", "last"]
    expect(lines["bytes"] + last["bytes"] == 12000 and lines["calls"] == lines["sequential_calls"] and (last["calls"], last["sequential_calls"]) == (1, 1), "a stream's writes, all in order", lines, last)
    run, = document["runs"]
    for direction in ("read", "write"):
        total = sum(o.get("bytes", 0) for o in document["operations"] if o["operation"] == direction)
        expect(total + run[f"unhooked_{direction}_bytes"] == run[f"{direction}_bytes"] == total, f"{direction}: all of the kernel's account", total, run)
    stage, still = sorted(document["stages"], key=lambda s: s["name"])
    expect(still["name"] == "quiet" and still["read_bytes"] == 0 == still["reads"], "what snapshots read is not the program's", still)
    expect(stage["sleep_wait_ns"] == sleep["wait_ns"] and stage["read_bytes"] == 50700, "the stage", stage)
    one, = at(document["lines"], "program.c", line["ten"])
    expect((one["read_bytes"], one["reads"]) == (50000, 10) and "write_bytes" not in one, "the line", one)
    function = named(document["functions"], "load")
    expect((function["read_bytes"], function["reads"], function["wait_ns"] >= 20e6) == (50700, 17, True), "the function", function)
    files = {os.path.basename(f["path"]): f for f in document["files"]}
    expect((files["input"]["read_bytes"], files["output"]["write_bytes"]) == (50700, 11), "files", files)

    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (20 << 20, 20 << 20))

    done = call(["./program"], cwd=scratch, env={"PROFPLUG": "output=short.profplug"}, preexec_fn=limited)
    expect(done.returncode == 0 and not done.err, "it runs where there is no room", done.err)
    document = read(build, "short.profplug", cwd=scratch)
    run, = document["runs"]
    expect(not document.get("operations") and run["losses"]["memory_failures"] and "I/O, the network and waits are not recorded" in run.get("memory_note", ""), "and says what it lacks", run)

    write(f"{scratch}/copies.c", COPIES)
    done = call([f"{build}/profplug-gcc", "-O1", "-g", "copies.c", "-o", "copies"], cwd=scratch)
    expect(done.returncode == 0, "it compiles", done.err)
    done = call(["./copies"], cwd=scratch, env={"PROFPLUG": "output=copies.profplug"})
    expect(done.returncode == 0 and not done.err, "it copies", done.err)
    document = read(build, "copies.profplug", cwd=scratch)
    copied = {os.path.basename(f["path"]): f.get("copied_bytes") for f in document["files"]}
    expect(copied.get("sent") == 50000 and copied.get("ranged") == 50000 and not copied.get("input"), "a file has what was copied to it", copied)
    text = call([f"{build}/profplug", "report", "--all", "copies.profplug"], cwd=scratch, env={"COLUMNS": "200"}).out.split("\nFILES")[1].split("\n\n")[0]
    for name in ("sent", "ranged"):
        row, = [row for row in text.splitlines() if row.split()[0].endswith("/" + name)]
        expect("48.8 KiB" in row, f"FILES: {name} was written", text)


main(test)
