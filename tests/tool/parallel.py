#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""parallel.py BUILD: a stage that shares its work by OpenMP is one row, entered as often as it is called. What all threads spend in its regions, as they
say themselves, is its CPU time. That is so also in a snapshot, in a run that was killed inside the region, and in a merged file."""

import os
import signal
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, must, write
from report import read

ENTRIES, THREADS, OFF = 12, 3, 0.1            # OFF: what the entries and ends of regions add, which the threads' own clocks do not see: 3 % and less, also on a busy machine
SOURCE = """#include <profplug.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
static double spent;
static double now(void) { struct timespec t; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return (double)t.tv_sec * 1e9 + (double)t.tv_nsec; }
static volatile int stop;
PROFPLUG_STAGE("sweep", "compute") __attribute__((noinline)) static void sweep(int last)
{
#pragma omp parallel reduction(+ : spent)
    {
        double since = now();
        do
            for (volatile int i = 0; i < 100000; i++) {}
        while (now() - since < 4e6);
        if (last && !stop) raise(SIGKILL);
        spent += now() - since;
    }
}
PROFPLUG_STAGE("phase", "compute") __attribute__((noinline)) static void phase(int n, int last)
{
    for (int i = 0; i < n; i++) sweep(last && i == n - 1);
}
int main(int argc, char **argv)
{
    phase(%d, argc > 1 && argv[1][0] == 'k');
    profplug_snapshot("between");
    if (argc > 1 && argv[1][0] == 't') sweep(0);
    printf("%%.0f\\n", spent);
}
""" % ENTRIES


def sweeps(document):
    return [stage for stage in document["stages"] if stage["name"].endswith("sweep")]


def test(build, scratch):
    write(f"{scratch}/heat.c", SOURCE)
    must([f"{build}/profplug-gcc", "-O1", "-g", "-fopenmp", "heat.c", "-o", "heat"], cwd=scratch)
    environment = {"OMP_NUM_THREADS": str(THREADS), "OMP_WAIT_POLICY": "passive", "PROFPLUG": "output=run.profplug"}
    done = call(["./heat"], cwd=scratch, env=environment)
    expect(done.returncode == 0, "it runs", done.err)
    document, spent = read(build, "run.profplug", cwd=scratch), float(done.out)
    rows = sweeps(document)
    expect(len(rows) == 1, "one row", [(row["name"], row["calls"]) for row in rows])
    row, = rows
    expect(row["calls"] == ENTRIES and row["key"] == "phase/sweep", "entered as often as called", row)
    expect(abs(row["cpu_ns"] - spent) < OFF * spent, "all threads' time is its CPU time", row["cpu_ns"], spent)
    wall, own, away = row["wall_total_ns"], row["wall_self_ns"], row["off_cpu_ns"]
    expect(0.9 * wall < own <= wall, "its own time is that of the region, too", row)
    expect(away <= wall - 0.5 * spent / THREADS, "nor does its thread wait all the time", row)
    outer, = (stage for stage in document["stages"] if stage["name"] == "phase")
    expect(outer["cpu_ns"] >= row["cpu_ns"], "the stage around it has that time, too", outer, row)
    for objective, met in ((f"phase/sweep calls>{ENTRIES}", False), (f"sweep calls>{ENTRIES}", False), (f"sweep calls>{ENTRIES - 1}", True)):
        done = call([f"{build}/profplug", "check", "--slo", objective, "run.profplug"], cwd=scratch)
        expect(done.returncode == (0 if met else 1), objective, done.out, done.err)
    between = call([f"{build}/profplug", "report", "--section", "snapshots", "run.profplug"], cwd=scratch)
    expect(between.returncode == 0 and between.out.count("sweep") <= 3, "one row in a snapshot", between.out)
    must([f"{build}/profplug", "merge", "--as", "repeats", "run.profplug", "-o", "merged.profplug"], cwd=scratch)
    merged = sweeps(read(build, "merged.profplug", cwd=scratch))
    expect(len(merged) == 1 and merged[0]["calls"] == ENTRIES, "merged", merged)
    killed = call(["./heat", "k"], cwd=scratch, env={**environment, "PROFPLUG": "output=killed.profplug"})
    expect(killed.returncode == -signal.SIGKILL, "it is killed", killed.returncode)
    rows = sweeps(read(build, "killed.profplug", cwd=scratch))
    expect(len(rows) == 1 and rows[0]["calls"] == ENTRIES, "a run that was killed inside", rows)
    two = call(["./heat", "two"], cwd=scratch, env={**environment, "PROFPLUG": "output=two.profplug"})
    expect(two.returncode == 0, "it runs", two.err)
    rows = sweeps(read(build, "two.profplug", cwd=scratch))
    expect(sum(row["calls"] for row in rows) == ENTRIES + 1, "of two stages of the name, only entries count", rows)
    print(f"{row['cpu_ns'] / 1e6:.1f} ms of CPU time, by the threads' clocks {spent / 1e6:.1f}")


main(test)
