#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""kernel.py BUILD: CPU time, page faults and context switches of stages are between what the program reads of the kernel's account inside of an entry and around it."""

import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, must, write
from report import named, profiled

PROGRAM = r"""#define _GNU_SOURCE
#include <profplug.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
enum { PAGES = 2000, TURNS = 20 };
static struct rusage from[2], to[2];     /* inside of the entry, around it */
static struct timespec cpu_from[2], cpu_to[2];
static volatile int stop;
#define READ(which, place) getrusage(RUSAGE_THREAD, &which[place]), clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu_##which[place])
#define BEGIN READ(from, 0)
#define END READ(to, 0)
static void touched(char *pages)
{
    for (int i = 0; pages != MAP_FAILED && i < PAGES; i++)
        ((volatile char *)pages)[i * 4096]++;
}
PROFPLUG_STAGE("touch", "memory") static __attribute__((noinline)) void touch(int fd)
{
    BEGIN;
    touched(mmap(0, PAGES * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | (fd < 0 ? MAP_ANONYMOUS : 0), fd, 0));
    END;
}
PROFPLUG_STAGE("disk", "data_loading") static __attribute__((noinline)) void disk(int fd)
{
    BEGIN;
    touched(mmap(0, PAGES * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
    END;
}
PROFPLUG_STAGE("sleep", "compute") static __attribute__((noinline)) void doze(int unused)
{
    (void)unused;
    BEGIN;
    for (int i = 0; i < TURNS; i++)
        nanosleep(&(struct timespec){ 0, 100000 }, 0);
    END;
}
PROFPLUG_STAGE("yield", "compute") static __attribute__((noinline)) void yield(int unused)
{
    (void)unused;
    BEGIN;
    do {                                 /* the other thread has the same CPU */
        sched_yield();
        END;
    } while (to[0].ru_nivcsw - from[0].ru_nivcsw < TURNS);
}
static void *spin(void *unused)
{
    while (!stop)
        ;
    return unused;
}
static void say(const char *name, void (*stage)(int), int argument)
{
    READ(from, 1);
    stage(argument);
    READ(to, 1);
#define SAY(field, kernel) printf("%s " field " %ld %ld\n", name, to[0].kernel - from[0].kernel, to[1].kernel - from[1].kernel)
    SAY("faults_minor", ru_minflt);
    SAY("faults_major", ru_majflt);
    SAY("switches_voluntary", ru_nvcsw);
    SAY("switches_involuntary", ru_nivcsw);
#define CPU(place) (cpu_to[place].tv_sec - cpu_from[place].tv_sec) * 1000000000 + cpu_to[place].tv_nsec - cpu_from[place].tv_nsec
    printf("%s cpu_ns %ld %ld\n", name, CPU(0), CPU(1));
}
int main(int argc, char **argv)
{
    static char page[4096];
    int fd = open(argv[argc - 1], O_CREAT | O_RDWR, 0666);
    cpu_set_t cpus;
    pthread_t other;
    for (int i = 0; i < PAGES; i++)
        if (write(fd, page, sizeof page) != sizeof page)
            return 2;
    fsync(fd);
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    CPU_ZERO(&cpus);
    CPU_SET(sched_getcpu(), &cpus);
    sched_setaffinity(0, sizeof cpus, &cpus);
    say("touch", touch, -1);
    say("disk", disk, fd);
    say("sleep", doze, 0);
    pthread_create(&other, 0, spin, 0);
    say("yield", yield, 0);
    stop = 1;
    pthread_join(other, 0);
    return 0;
}
"""
LEAST = {("touch", "faults_minor"): 1, ("sleep", "switches_voluntary"): 20, ("yield", "switches_involuntary"): 20}


def test(build, scratch):
    write(f"{scratch}/kernel.c", PROGRAM)
    must([f"{build}/profplug-gcc", "-O1", "-g", "-pthread", "kernel.c", "-o", "kernel"], cwd=scratch)
    said, document = profiled(build, [f"{scratch}/kernel", "@/file"])
    for name, field, inside, around in map(str.split, said.splitlines()):
        value = named(document["stages"], name)[field]
        cost_ns = 10000 if field == "cpu_ns" else 0              # what is taken off for the reading itself was measured at the start
        expect(int(inside) - cost_ns <= value <= int(around), f"{name}: {field} is {value}, by the kernel {inside} inside and {around} around")
        expect(int(inside) >= LEAST.get((name, field), 0), f"{name}: the program does what it must", field, inside)
    if "disk faults_major 0" in said:
        print("left out: faults that read a disk, since this file system has none")


main(test)
