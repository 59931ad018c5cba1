#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""meanwhile.py BUILD: while a fork's child gets its data file, its parent's threads go on and get memory for what they
record, which the child does not have. All share one CPU, and the child comes last. It runs as without us, and so do
threads that it starts."""

import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, must, write  # noqa: E402

ROUNDS, THREADS, BLOCKS = 40, 6, 300
PROGRAM = r"""#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
static sem_t ready, go;
static pthread_t made[THREADS];
__attribute__((noinline)) static void work(void)
{
    for (int i = 0; i < BLOCKS; i++) {
        char *block = malloc(3000 + (size_t)i);
        int fd = open("/dev/null", O_WRONLY);
        if (!block || write(fd, block, 1) != 1 || close(fd))
            abort();
        free(block);
        if (i % 10 == 0)
            usleep(1);
    }
}
static int turn;
static void *thread(void *first)
{
    if (first) {
        sem_post(&ready);
        sem_wait(&go);
        usleep((useconds_t)(40 + 60 * ((pthread_t *)first - made) + 11 * turn));
    }
    work();
    return NULL;
}
static void start(void *first)
{
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&made[i], NULL, thread, first ? &made[i] : NULL))
            abort();
}
static void end(void)
{
    for (int i = 0; i < THREADS; i++)
        pthread_join(made[i], NULL);
}
int main(int count, char **argument)
{
    cpu_set_t one;
    int status = 0;
    turn = count > 1 ? atoi(argument[1]) : 0;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    sem_init(&ready, 0, 0);
    sem_init(&go, 0, 0);
    start(made);
    for (int i = 0; i < THREADS; i++)
        sem_wait(&ready);
    setpriority(PRIO_PROCESS, (id_t)gettid(), 19);
    for (int i = 0; i < THREADS; i++)
        sem_post(&go);
    pid_t child = fork();
    if (!child) {
        work();
        start(NULL);
        end();
        exit(7);
    }
    end();
    waitpid(child, &status, 0);
    printf("%x\n", status);
    return 0;
}
"""


def test(build, scratch):
    write(f"{scratch}/program.c", PROGRAM)
    must([f"{build}/profplug-gcc", "-O2", "-g", f"-DTHREADS={THREADS}", f"-DBLOCKS={BLOCKS}", "program.c", "-o",
          "program"], cwd=scratch)
    for options in ("", ",blocks=exact"):
        for turn in range(ROUNDS):
            given = {"PROFPLUG": f"output=%p.profplug{options}"}
            done = call(["./program", str(turn)], cwd=scratch, env=given)
            expect((done.returncode, done.out, done.err) == (0, "700\n", ""), f"{turn}{options}: the child ends well",
                   done)


main(test)
