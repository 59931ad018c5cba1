/* SPDX-License-Identifier: MIT */
/* mapping.c: memory that is mapped and unmapped, by line and by stage, with numbers that follow from the calls. For
 * three lines that map files of their own over each other, it is what /proc/self/maps says of those files at the
 * end. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <profplug.h>
#include "truth.h"

#define PAGE 4096ul
#define ANYWHERE MAP_PRIVATE | MAP_ANONYMOUS, -1, 0
#define BOTH PROT_READ | PROT_WRITE
/* addresses at which the kernel places no other mapping: holes stay holes */
#define APART(place) (void *)(0x100000000000 + ((place) << 30))

static void expect(int line, uint64_t maps, uint64_t pages, uint64_t unmapped)
{
    char name[64];
    snprintf(name, sizeof name, "mapping.c:%d", line);
    expect_exact("mappings", name, "maps", maps);
    expect_exact("mappings", name, "map_bytes", pages * PAGE);
    expect_exact("mappings", name, "unmap_bytes", unmapped * PAGE);
    expect_exact("mappings", name, "live_map_bytes", (pages - unmapped) * PAGE);
}

PROFPLUG_STAGE("entries", "memory") static __attribute__((noinline)) void entries(void)
{
    char *a, *b, *c, *d;
    for (size_t i = 1; i <= 4; i++) {
        a = mmap(NULL, i * PAGE - 1, BOTH, ANYWHERE);
        munmap(a, i * PAGE - 1);
    }
    expect(__LINE__ - 3, 4, 10, 10);
    a = mmap(APART(0ul), 100 * PAGE, BOTH, ANYWHERE);
    expect(__LINE__ - 1, 1, 100, 99);
    munmap(a + 10 * PAGE, 5 * PAGE);                    /* a hole in it */
    munmap(a + 12 * PAGE, 5 * PAGE);                    /* three of these were in the hole */
    b = mmap(a + 20 * PAGE, 8 * PAGE, BOTH, MAP_FIXED | ANYWHERE);
    expect(__LINE__ - 1, 1, 8, 6);
    munmap(a + 18 * PAGE, 4 * PAGE);                    /* two of either */
    munmap(b + 4 * PAGE, 76 * PAGE - PAGE);             /* four of the one, and all but one of the other's end */
    c = mremap(a + 5 * PAGE, 2 * PAGE, 7 * PAGE, MREMAP_MAYMOVE);
    expect(__LINE__ - 1, 1, 7, 7);
    c = mremap(c, 7 * PAGE, 3 * PAGE, 0);
    expect(__LINE__ - 1, 1, 3, 3);
    d = mmap(NULL, 2 * PAGE, BOTH, ANYWHERE);
    expect(__LINE__ - 1, 1, 2, 2);
    c = mremap(c, 3 * PAGE, 2 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, d);
    expect(__LINE__ - 1, 1, 2, 0);
    munmap(a, 5 * PAGE);
    munmap(a + 7 * PAGE, 3 * PAGE);
    munmap(a + 17 * PAGE, PAGE);
    /* what is refused changes nothing */
    if (mmap(c, 2 * PAGE, BOTH, MAP_FIXED | MAP_PRIVATE, -1, 0) != MAP_FAILED || mmap(NULL, 0, BOTH, ANYWHERE) != MAP_FAILED || munmap(c + 1, PAGE) == 0 ||
        mremap(c, 2 * PAGE, (size_t)1 << 60, MREMAP_MAYMOVE) != MAP_FAILED)
        abort();
    d = mmap64(NULL, PAGE, PROT_NONE, ANYWHERE);
    expect(__LINE__ - 1, 1, 1, 1);
    c = mremap(d, PAGE, PAGE, MREMAP_MAYMOVE);          /* neither moved nor resized */
    expect(__LINE__ - 1, 1, 1, 0);
}

/* ---- over and into each other ---- */

#define WINDOW 64ul
static char *window;
static int file[3];
static int line_of[3];
static unsigned maps, unmaps;

static unsigned draw(unsigned below)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (unsigned)(state >> 33) % below;
}

PROFPLUG_STAGE("mixed", "memory") static __attribute__((noinline)) void mixed(void)
{
    for (int i = 0; i < 20000; i++) {
        unsigned at = draw(WINDOW), pages = 1 + draw((unsigned)(WINDOW - at) < 9 ? (unsigned)(WINDOW - at) : 9);
        void *to = window + at * PAGE;
        size_t bytes = pages * PAGE;
        switch (draw(5)) {
        case 0: mmap(to, bytes, BOTH, MAP_SHARED | MAP_FIXED, file[0], 0); line_of[0] = __LINE__; break;
        case 1: mmap(to, bytes, BOTH, MAP_SHARED | MAP_FIXED, file[1], 0); line_of[1] = __LINE__; break;
        case 2: mmap(to, bytes, BOTH, MAP_SHARED | MAP_FIXED, file[2], 0); line_of[2] = __LINE__; break;
        default: munmap(to, bytes); unmaps++; continue;
        }
        maps++;
    }
}

/* Bytes of the file with this name that are mapped. */
static uint64_t mapped(const char *name)
{
    char text[512];
    uint64_t bytes = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(text, sizeof text, maps)) {
        unsigned long low, high;
        if (strstr(text, name) && sscanf(text, "%lx-%lx", &low, &high) == 2)
            bytes += high - low;
    }
    if (maps)
        fclose(maps);
    return bytes;
}

static void windows(void)
{
    static const char *const names[] = { "truth-one", "truth-two", "truth-three" };
    window = mmap(APART(1ul), WINDOW * PAGE, PROT_NONE, ANYWHERE);
    int first = __LINE__ - 1;
    for (int i = 0; i < 3; i++)
        if ((file[i] = memfd_create(names[i], 0)) < 0 || ftruncate(file[i], (off_t)(WINDOW * PAGE)))
            abort();
    mixed();
    uint64_t all = 0;
    for (int i = 0; i < 3; i++) {
        char name[64];
        uint64_t now = mapped(names[i]);
        all += now;
        snprintf(name, sizeof name, "mapping.c:%d", line_of[i]);
        expect_exact("mappings", name, "live_map_bytes", now);
    }
    expect(first, 1, WINDOW, WINDOW);                   /* no page of it was left alone */
    if (!all)
        abort();
}

/* ---- another thread, a handler, a child ---- */

static void *shared[100];

static void *take(void *unused)
{
    for (int i = 0; i < 100; i += 2)
        munmap(shared[i], 2 * PAGE);
    return unused;
}

PROFPLUG_STAGE("threads", "memory") static __attribute__((noinline)) void threads(void)
{
    pthread_t thread;
    for (int i = 0; i < 100; i++)
        shared[i] = mmap(NULL, 2 * PAGE, BOTH, ANYWHERE);
    expect(__LINE__ - 1, 100, 200, 100);
    if (!pthread_create(&thread, NULL, take, NULL))
        pthread_join(thread, NULL);
}

static volatile unsigned handled;
static int handler_line;
static void handler(int number)
{
    (void)number;
    void *p = mmap(NULL, PAGE, BOTH, ANYWHERE);
    handler_line = __LINE__ - 1;
    munmap(p, PAGE);
    handled++;
}

static void signals(void)
{
    struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
    timer_t timer;
    struct itimerspec often = { { 0, 200000 }, { 0, 200000 } };
    sigaction(SIGUSR1, &action, NULL);
    if (timer_create(CLOCK_MONOTONIC, &(struct sigevent){ .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 }, &timer))
        abort();
    timer_settime(timer, 0, &often, NULL);
    unsigned count = 0;
    for (; handled < 300; count++) {
        void *p = mmap(NULL, 3 * PAGE, BOTH, ANYWHERE);
        munmap(p, 3 * PAGE);
    }
    int line = __LINE__ - 3;
    timer_delete(timer);
    expect(line, count, 3 * count, 3 * count);
    expect(handler_line, handled, handled, handled);
}

static void forks(void)
{
    char *before = mmap(NULL, 50 * PAGE, BOTH, ANYWHERE);
    int line = __LINE__ - 1;
    pid_t child = fork();
    if (child == 0) {
        munmap(before + PAGE, 20 * PAGE);
        before = mmap(NULL, 30 * PAGE, BOTH, ANYWHERE);
        _exit(before == MAP_FAILED);
    }
    waitpid(child, NULL, 0);
    munmap(before, 50 * PAGE);
    expect(line, 1, 50, 50);
    char name[2][32];
    snprintf(name[0], sizeof name[0], "mapping.c:%d", line);
    snprintf(name[1], sizeof name[1], "mapping.c:%d", line + 5);
    expect_exact("child_mappings", name[0], "maps", 0);
    expect_exact("child_mappings", name[0], "unmap_bytes", 20 * PAGE);
    expect_exact("child_mappings", name[1], "map_bytes", 30 * PAGE);
    expect_exact("child_mappings", name[1], "live_map_bytes", 30 * PAGE);
}

int main(void)
{
    entries();
    windows();
    threads();
    signals();
    forks();
    expect_exact("stages", "entries", "maps", 4 + 2 + 1 + 2 + 1 + 1 + 1);
    expect_exact("stages", "entries", "unmaps", 4 + 4 + 3);
    expect_exact("stages", "entries", "map_bytes", (10 + 100 + 8 + 7 + 3 + 2 + 2 + 1 + 1) * PAGE);
    expect_exact("stages", "entries", "unmap_bytes", (10 + 99 + 6 + 7 + 3 + 2 + 1) * PAGE);
    expect_exact("stages", "mixed", "maps", maps);
    expect_exact("stages", "mixed", "unmaps", unmaps);
    expect_exact("stages", "threads", "map_bytes", 200 * PAGE);
    expect_exact("stages", "threads", "unmap_bytes", 0);
    return 0;
}
