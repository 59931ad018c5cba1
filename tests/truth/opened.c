/* SPDX-License-Identifier: MIT */
/* opened.c: two parts in one source. With LIBRARY it is a shared library, whose lines compute, call the C library and
 * the mathematical one, and read. Else it is the program, which opens the library of its first argument, runs it, closes
 * it if there is a third, and opens it again. The library reads the file of the second. It prints "LINE nanoseconds" by
 * the thread's CPU clock, and 0 for short reads: what the runtime does beside each is much of what the clock says. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 2
#define LINES 5     /* of the library */
#define AT_ONCE (1 << 18)

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

#ifdef LIBRARY
static unsigned char from[AT_ONCE], to[AT_ONCE];
static volatile double sink;
static volatile unsigned work;
static int file;

#define LINE(name, ...) \
    __attribute__((noinline)) static int name(void) { for (int i = 0; i < 2400; i++) { __VA_ARGS__; } return __LINE__; }
LINE(computes, for (int k = 0; k < 4000; k++) work += work * 3 + 1)
LINE(copies, for (int k = 0; k < 4; k++) { memcpy(to, from, sizeof to / 4); __asm__ volatile("" ::"r"(to) : "memory"); })
LINE(powers, for (int k = 0; k < 120; k++) sink = sink + pow(1.0 + k * 1e-3, 3.3))
LINE(fills, work += (unsigned)pread(file, from, sizeof from, 0))
LINE(reads, for (int k = 0; k < 24; k++) work += (unsigned)pread(file, from, 512, 0))

void opened_run(double *ns, int *line, int to_read)
{
    file = to_read;
    static int (*const all[])(void) = { computes, copies, powers, fills, reads };
    for (int i = 0; i < LINES; i++) {
        double begun = now();
        line[i] = all[i]();
        ns[i] += all[i] == reads ? 0 : now() - begun;
    }
}
#else
static volatile unsigned own;
__attribute__((noinline)) static int own_line(void)
{
    for (int k = 0; k < 9600000; k++) own += own * 3 + 1; return __LINE__;
}

int main(int argc, char **argv)
{
    double ns[LINES + 1] = { 0 };
    int line[LINES + 1] = { 0 }, to_read = open(argv[2], O_RDONLY);
    for (int round = 0; round < ROUNDS; round++) {
        void *library = dlopen(argv[1], RTLD_NOW);
        void (*run)(double *, int *, int);
        *(void **)&run = library ? dlsym(library, "opened_run") : NULL;
        if (!run)
            return fprintf(stderr, "%s\n", dlerror()), 1;
        for (int i = 0; i < LINES - 1; i++)
            run(ns, line, to_read);
        if (argc > 3)
            dlclose(library);
        double begun = now();
        line[LINES] = own_line();
        ns[LINES] += now() - begun;
    }
    for (int i = 0; i <= LINES; i++)
        printf("%d %.0f\n", line[i], ns[i]);
    return 0;
}
#endif
