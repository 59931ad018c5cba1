#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pool.py BUILD: threads of a pool that wait for work until the program ends stand below lines with CPU time in LINES, and a wait that holds the program up above."""

import re
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, must, write

PROGRAM = r"""#include <pthread.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static volatile unsigned jobs, sum;
static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!jobs) pthread_cond_wait(&work, &lock); /* idle */
        jobs--;
    }
    return unused;
}
int main(void)
{
    struct timespec t;
    pthread_t thread;
    for (int i = 0; i < 3; i++) pthread_create(&thread, 0, worker, 0);
    for (int i = 0; i < 6; i++) {
        usleep(50000); /* held up */
        pthread_mutex_lock(&lock); jobs++; pthread_cond_signal(&work); pthread_mutex_unlock(&lock);
    }
    do {
        for (int i = 0; i < 100000; i++) sum += sum * 3 + 1; /* busy */
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    } while (!t.tv_sec && t.tv_nsec < 150000000);
    return 0;
}
"""


def test(build, scratch):
    write(f"{scratch}/pool.c", PROGRAM)
    must([f"{build}/profplug-gcc", "-O1", "-g", "-pthread", "pool.c", "-o", "pool"], cwd=scratch)
    must(["./pool"], cwd=scratch, env={"PROFPLUG": "output=run.profplug"})
    text = must([f"{build}/profplug", "report", "--all", "run.profplug"], cwd=scratch, env={"COLUMNS": "160"})
    table = text[text.index("\nLINES"):]
    order = [int(line) for line in re.findall(r"^pool\.c:(\d+) ", table[:table.index("\n\n")], re.M)]
    idle, held, busy = (1 + PROGRAM[:PROGRAM.index(f"/* {word} */")].count("\n") for word in ("idle", "held up", "busy"))
    expect(order[:2] == [held, busy] and idle in order, "first the wait that holds up, then the loop that computes; the pool's waits are there", order, text)


main(test)
