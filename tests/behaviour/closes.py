#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""closes.py BUILD: closes that are short are timed by turns, as reads and writes are; opens and accepts each time.
Calls by line and file stay exact, and so do those that fail. What the rows say they took is what the program's own
clock says of them. An open that blocks among short ones is a wait. A pair of open and close executes few instructions
of ours (callgrind)."""
import re
import shutil
import subprocess
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import environment, expect, line_of, main, must, write
from report import profiled

FILES, ROUNDS = 16, 2000
CALLS = 500
MOST_INSTRUCTIONS = 1400    # of a pair; with all closes timed it was 1,690
PROGRAM = """#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
static char name[64];
static double took[3];
static double ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}
static double now(void) { return ns(CLOCK_THREAD_CPUTIME_ID); } /* another process may have the CPU */
static int opened(void)
{
    double from = now();
    int fd = open(name, O_RDONLY); /* opens */
    took[0] += now() - from;
    return fd;
}
static void closed(int fd)
{
    double from = now();
    close(fd); /* closes */
    took[1] += now() - from;
}
static void *fed(void *unused)
{
    struct timespec pause = { 0, 300000000 };
    nanosleep(&pause, NULL);
    close(open("fifo", O_WRONLY));
    return unused;
}
static void files(int rounds)
{
    for (int i = 0; i < rounds; i++) {
        snprintf(name, sizeof name, "%d.file", i % FILES);
        closed(opened());
    }
}
static void sockets(int rounds)
{
    struct sockaddr_un at = { .sun_family = AF_UNIX, .sun_path = "socket" };
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    unlink(at.sun_path);
    if (bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 8))
        exit(2);
    for (int i = 0; i < rounds; i++) {
        int client = socket(AF_UNIX, SOCK_STREAM, 0);
        if (connect(client, (struct sockaddr *)&at, sizeof at))
            exit(3);
        double from = now();
        int one = accept(listener, NULL, NULL); /* accepts */
        took[2] += now() - from;
        close(one);
        close(client);
    }
}
int main(int argc, char **argv)
{
    int rounds = atoi(argv[1]);
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "%d.file", i);
        close(open(name, O_CREAT | O_WRONLY, 0600));
    }
    files(rounds);
    if (argc > 2)
        return 0;
    strcpy(name, "missing.file");
    for (int i = 0; i < rounds / 8; i++)
        if (opened() >= 0 || errno != ENOENT)
            return 4;
    sockets(rounds / 8);
    printf("%.0f %.0f %.0f\\n", took[0], took[1], took[2]);
    pthread_t thread;
    mkfifo("fifo", 0600);
    if (pthread_create(&thread, NULL, fed, NULL))
        return 5;
    strcpy(name, "fifo");
    double from = ns(CLOCK_MONOTONIC);
    int fd = opened();
    printf("%.0f\\n", ns(CLOCK_MONOTONIC) - from);
    close(fd);
    pthread_join(thread, NULL);
    unlink("fifo");
    return 0;
}
"""


def compiled(scratch, name, *more):
    must(["gcc", "-O2", "-g", "-pthread", f"-DFILES={FILES}", "closes.c", "-o", name, *more], cwd=scratch)


def rows_at(document, kind, line):
    return [row for row in document["operations"] if row["operation"] == kind and row.get("line") == line]


def counted(build, scratch):
    rounds = FILES * ROUNDS
    said, document = profiled(build, [f"{scratch}/closes", str(rounds)], "budget=0.1", cwd=scratch)
    clocks = [float(word) for word in said.split()]
    missing = rounds // 8
    expected = (("open", "/* opens */", rounds + missing + 1, missing, clocks[0]),
                ("close", "/* closes */", rounds, 0, clocks[1]),
                ("accept", "/* accepts */", rounds // 8, 0, clocks[2]))
    for kind, mark, calls, errors, clock in expected:
        rows = rows_at(document, kind, line_of(PROGRAM, mark))
        expect(sum(row["calls"] for row in rows) == calls, f"{kind}: {calls} calls", rows)
        expect(sum(row["errors"] for row in rows) == errors, f"{kind}: {errors} of them fail", rows)
        timed = sum(row.get("timed_calls", row["calls"]) for row in rows)
        expect(timed < calls / 4 if kind == "close" else timed == calls,
               f"{kind}: each of {calls} is timed, or less than a fourth of the closes", timed)
        rows = [row for row in rows if not row.get("target", "").endswith("/fifo")]
        wall = sum(row["wall_ns"] for row in rows)
        error = sum((row["wall_ns"] * row.get("wall_error_percent", 0) / 100) ** 2 for row in rows) ** 0.5
        print(f"{kind}: {calls} calls, {timed} timed: {wall / 1e6:.2f} +-{error / 1e6:.2f} ms, "
              f"by the program's clock {clock / 1e6:.2f}")
        # The program's clock also sees what we do beside the call, which the rows leave out.
        expect(wall - 4 * error < clock, f"{kind}: no more than the program's clock has", wall, error, clock)
        expect(wall + 4 * error > clock / 3, f"{kind}: a third of what the program's clock has, at least", wall, error,
               clock)
    opens = rows_at(document, "open", line_of(PROGRAM, "/* opens */"))
    for i in range(FILES):
        rows = [row for row in opens if row.get("target", "").endswith(f"/{i}.file")]
        expect(len(rows) == 1 and rows[0]["calls"] == ROUNDS, f"{i}.file: {ROUNDS} opens", rows)
    fifo = [row for row in opens if row.get("target", "").endswith("/fifo")]
    expect(len(fifo) == 1 and fifo[0]["calls"] == 1, "one open of the FIFO", fifo)
    expect(abs(fifo[0]["wait_ns"] - clocks[3]) < 15e6, "which is a wait of as long, to some ticks", fifo, clocks[3])


def instructions(scratch, program, calls):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"{scratch}/{program}"]
    done = subprocess.run([*command, str(calls), "files"], cwd=scratch, capture_output=True, text=True, timeout=100,
                          env=environment(PROFPLUG="budget=0.1,samples=off,output=cost.profplug"))
    found = re.search(r"Collected : (\d+)", done.stderr)
    expect(not done.returncode and found, f"{program} runs under callgrind", done.stderr[-2000:])
    return int(found[1])


def test(build, scratch):
    write(f"{scratch}/closes.c", PROGRAM)
    compiled(scratch, "plain")
    compiled(scratch, "closes", f"-fplugin={build}/profplug.so", f"-L{build}", "-lprofplug", "-lm")
    counted(build, scratch)
    if not shutil.which("valgrind"):
        print("no valgrind on this machine: instructions are not counted")
        return
    least, most = ([instructions(scratch, program, calls) for program in ("plain", "closes")]
                   for calls in (CALLS, 3 * CALLS))
    plain, ours = ((most[i] - least[i]) / (2 * CALLS) for i in range(2))
    print(f"a pair of open and close: {plain:.0f} instructions, {ours - plain:.0f} more recorded")
    expect(ours - plain <= MOST_INSTRUCTIONS, f"{MOST_INSTRUCTIONS} more at most", ours - plain)


main(test)
