/* SPDX-License-Identifier: MIT */
/* ragged.c: the allocator's state at the boundaries of stages, compared with what the program made of its heap and with
 * mallinfo2 just inside of them: many blocks, every second freed, all freed; small ones, which the allocator caches;
 * next to a thread that allocates; in a fork's child. */
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <profplug.h>
#include "truth.h"

/* PAD: the allocator's own bytes for each block */
enum { BLOCKS = 5000, LARGE = 3000, SMALL = 40, PAD = 8, KIB = 1024 };
static void *block[BLOCKS], *small[BLOCKS];
static struct mallinfo2 begun, ended;
static char *origin, *begun_break, *ended_break;         /* mallinfo2 adds the arenas of threads */
static volatile int stop;

#define SEEN(statement) do { begun = mallinfo2(), begun_break = sbrk(0); statement; ended = mallinfo2(), ended_break = sbrk(0); } while (0)

static void get(void **list, size_t bytes)
{
    for (int i = 0; i < BLOCKS; i++)
        memset(list[i] = malloc(bytes), 1, bytes);
}

static void give(void **list, int first, int step)
{
    for (int i = first; i < BLOCKS; i += step)
        free(list[i]);
}

PROFPLUG_STAGE("dense") static __attribute__((noinline)) void dense(void) { SEEN(get(block, LARGE)); }
PROFPLUG_STAGE("holes") static __attribute__((noinline)) void holes(void) { SEEN(give(block, 0, 2)); }
PROFPLUG_STAGE("empty") static __attribute__((noinline)) void empty(void) { SEEN(give(block, 1, 2)); }
PROFPLUG_STAGE("pebbles") static __attribute__((noinline)) void pebbles(void) { SEEN(get(small, SMALL)); }
PROFPLUG_STAGE("sieve") static __attribute__((noinline)) void sieve(void) { SEEN(give(small, 0, 2)); }
PROFPLUG_STAGE("beside") static __attribute__((noinline)) void beside(void) { SEEN((get(block, LARGE), give(block, 0, 2))); }
PROFPLUG_STAGE("child") static __attribute__((noinline)) void child(void) { SEEN(give(block, 1, 2)); }

static void expect(const char *list, const char *stage, const char *field, size_t value, size_t by)
{
    printf("%s %s %s %zu +-%zu\n", list, stage, field, value, by);
}

/* Of this many blocks of this size, in addition to those that were there at the start. */
static void expect_used(const char *list, const char *stage, const char *field, size_t count, size_t bytes) { expect(list, stage, field, count * (bytes + PAD), 32 * KIB); }

static void *churn(void *unused)
{
    while (!stop) {
        void *volatile at = malloc(4000);
        free(at);
        usleep(100);
    }
    return unused;
}

/* Runs until the budget allows the next look at the heap. */
static HIDDEN_FROM_PROFILER void burn(void)
{
    while (cpu_ns() < 500000000) { }
}

int main(void)
{
    static char output[BUFSIZ];
    pthread_t thread;
    setvbuf(stdout, output, _IOFBF, sizeof output);
    burn();
    free(malloc(1));
    origin = (char *)sbrk(0) - mallinfo2().arena;
    dense();
    expect_used("stages", "dense", "arena_used_bytes", BLOCKS, LARGE);
    expect("stages", "dense", "arena_bytes", (size_t)(ended_break - origin), 0);
    expect("stages", "dense", "arena_gap_bytes", 0, 16 * KIB);
    holes();
    expect("stages", "holes", "entry_arena_bytes", (size_t)(begun_break - origin), 0);
    expect_used("stages", "holes", "entry_arena_used_bytes", BLOCKS, LARGE);
    expect("stages", "holes", "entry_arena_gap_bytes", 0, 16 * KIB);
    expect("stages", "holes", "arena_bytes", (size_t)(ended_break - origin), 0);
    expect_used("stages", "holes", "arena_used_bytes", BLOCKS / 2, LARGE);
    expect("stages", "holes", "arena_gap_bytes", (size_t)BLOCKS / 2 * (LARGE + PAD), 32 * KIB);
    expect("stages", "holes", "arena_gap_bytes", ended.fordblks - ended.keepcost, 32 * KIB);
    printf("stages holes fragmentation_percent %d +-1\n", (int)(100 * (ended.fordblks - ended.keepcost) / ended.arena));
    printf("stages holes entry_fragmentation_percent 0 +-1\n");
    empty();
    expect("stages", "empty", "arena_bytes", (size_t)(ended_break - origin), 0);
    expect_used("stages", "empty", "arena_used_bytes", 0, 0);
    pebbles();
    expect_used("stages", "pebbles", "arena_used_bytes", BLOCKS, SMALL);
    sieve();  /* none has a free neighbour: what the allocator caches is a gap, too */
    expect_used("stages", "sieve", "arena_used_bytes", BLOCKS / 2, SMALL);
    expect("stages", "sieve", "arena_gap_bytes", (size_t)BLOCKS / 2 * (SMALL + PAD), 32 * KIB);
    if (pthread_create(&thread, NULL, churn, NULL))
        return 1;
    usleep(2000);
    beside();
    expect_used("stages", "beside", "arena_used_bytes", BLOCKS / 2, (LARGE + PAD) + (SMALL + PAD) - PAD);
    expect("stages", "beside", "arena_gap_bytes", (size_t)BLOCKS / 2 * (LARGE + PAD + SMALL + PAD), 64 * KIB);
    stop = 1;
    pthread_join(thread, NULL);
    fflush(stdout);
    if (!fork()) {
        burn();
        child();
        expect("child_stages", "child", "arena_bytes", (size_t)(ended_break - origin), 0);
        expect_used("child_stages", "child", "entry_arena_used_bytes", BLOCKS / 2, (LARGE + PAD) + (SMALL + PAD) - PAD);
        expect_used("child_stages", "child", "arena_used_bytes", BLOCKS / 2, SMALL);
        return 0;
    }
    int status;
    return wait(&status) < 0 || status != 0;
}
