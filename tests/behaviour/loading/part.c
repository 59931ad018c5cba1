/* SPDX-License-Identifier: MIT */
/* part.c: a library that opener.c opens. NUMBER tells its twins apart; NEXT is a library that its constructor opens. Its variables show whether it
 * came anew, its lines when it came and went. With PRIORITY it has constructors and destructors of every rank. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define KEEP __attribute__((noinline))

static int runs, ups;

KEEP int PASTE(work_, NUMBER)(int x);
KEEP int PASTE(work_, NUMBER)(int x) { __asm__ volatile(""); return x + NUMBER; }

#ifndef BARE
__attribute__((constructor)) KEEP void PASTE(up_, NUMBER)(void)
{
    ups++;
    printf("part %d up %d\n", NUMBER, ups);
#ifdef NEXT
    if (!dlopen(NEXT, RTLD_NOW | RTLD_LOCAL))
        printf("cannot open: %s\n", dlerror());
#endif
}
__attribute__((destructor)) KEEP void PASTE(down_, NUMBER)(void) { printf("part %d down after %d\n", NUMBER, runs); }
#endif
#ifdef PRIORITY
#pragma GCC diagnostic ignored "-Wprio-ctor-dtor"
__attribute__((constructor(1))) KEEP static void up_first(void) { ups += PASTE(work_, NUMBER)(1); }
__attribute__((constructor(50))) KEEP static void up_early(void) { ups += PASTE(work_, NUMBER)(2); }
__attribute__((constructor(101))) KEEP static void up_with_us(void) { ups += PASTE(work_, NUMBER)(3); }
__attribute__((constructor(65000))) KEEP static void up_late(void) { ups += PASTE(work_, NUMBER)(4); }
__attribute__((destructor(1))) KEEP static void down_first(void) { runs += PASTE(work_, NUMBER)(1); printf("last of all %d\n", runs); }
__attribute__((destructor(50))) KEEP static void down_early(void) { runs += PASTE(work_, NUMBER)(2); }
__attribute__((destructor(101))) KEEP static void down_with_us(void) { runs += PASTE(work_, NUMBER)(3); }
#endif

#ifdef RESOLVER
KEEP static int plain_way(int x) { return x + 1; }
KEEP static int other_way(int x) { return x + 2; }
KEEP static int choose(void) { return 1; }
static int (*resolve_way(void))(int) { return choose() ? plain_way : other_way; }
KEEP int PASTE(way_, NUMBER)(int x) __attribute__((ifunc("resolve_way")));
__attribute__((target_clones("avx2", "default"))) KEEP int PASTE(cloned_, NUMBER)(int x);
__attribute__((target_clones("avx2", "default"))) KEEP int PASTE(cloned_, NUMBER)(int x) { int s = 0; for (int i = 0; i < x; i++) s += i ^ x; return s; }
#endif

int part_run(int n);
KEEP int part_run(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += PASTE(work_, NUMBER)(i);
#ifdef RESOLVER
    sum += PASTE(way_, NUMBER)(n) + PASTE(cloned_, NUMBER)(n);
#endif
    return sum + ++runs * 1000000;
}

int part_spin(int ms);
KEEP int PASTE(spin_, NUMBER)(int ms);
KEEP int PASTE(spin_, NUMBER)(int ms)
{
    struct timespec t;
    volatile long turns = 0;
    for (long end = 0; ; ) {
        for (int i = 0; i < 20000; i++)
            turns++;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        long now = t.tv_sec * 1000 + t.tv_nsec / 1000000;
        if (!end)
            end = now + ms;
        if (now >= end)
            return (int)turns;
    }
}
int part_spin(int ms) { return PASTE(spin_, NUMBER)(ms); }

#ifdef MAIN
int main(void)
{
    setvbuf(stdout, 0, _IOLBF, 0);
    printf("main %d\n", part_run(5));
    part_spin(60);
    return 7;
}
#endif
