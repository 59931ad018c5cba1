/* SPDX-License-Identifier: MIT */
/* heights.c: the peak of a thread's heap in a stage beyond what it held at the entry, and the blocks that were freed
 * before the next allocation. Compared with the program's own account of every block: in nested and recursive stages,
 * and in regions that end in another order than they began. */
#include <pthread.h>
#include <stdlib.h>

#include <profplug.h>
#include "truth.h"

#define SLOTS 200
#define PLACES 8

struct place { const char *name; int64_t high, base[64]; int open; uint64_t temporary; };
static struct place place[PLACES];
static int64_t held;
static void *slot[SLOTS], *last;
static size_t size_of[SLOTS];
static uint64_t state = 88172645463325252u;

static unsigned draw(unsigned below)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (unsigned)(state >> 33) % below;
}

static __attribute__((noinline)) void step(void)
{
    unsigned i = draw(SLOTS);
    if (slot[i]) {
        if (slot[i] == last) {
            last = NULL;
            for (int p = 0; p < PLACES; p++)
                place[p].temporary += place[p].open > 0;
        }
        free(slot[i]);
        slot[i] = NULL;
        held -= (int64_t)size_of[i];
    } else {
        size_of[i] = draw(3) ? draw(300) : draw(100000);
        last = slot[i] = draw(4) ? malloc(size_of[i]) : calloc(1, size_of[i]);
        held += (int64_t)size_of[i];
        for (int p = 0; p < PLACES; p++)
            for (int o = 0; o < place[p].open; o++)
                if (held - place[p].base[o] > place[p].high)
                    place[p].high = held - place[p].base[o];
    }
    if (i % 8 == 0) {                                   /* at once again */
        void *block = malloc(i);
        held += i;
        for (int p = 0; p < PLACES; p++) {
            for (int o = 0; o < place[p].open; o++)
                if (held - place[p].base[o] > place[p].high)
                    place[p].high = held - place[p].base[o];
            place[p].temporary += place[p].open > 0;
        }
        __asm__ volatile("" : "+r"(block));
        free(block);
        held -= i;
        last = NULL;
    }
}

static void steps(unsigned most)
{
    for (unsigned i = draw(most); i > 0; i--)
        step();
}

static void enter(int p) { place[p].base[place[p].open++] = held; }
static void leave(int p) { place[p].open--; }

PROFPLUG_STAGE("inner", "memory") static __attribute__((noinline)) void inner(void)
{
    enter(2);
    steps(30);
    leave(2);
}

PROFPLUG_STAGE("again", "memory") static __attribute__((noinline)) void again(int depth)
{
    enter(1);
    steps(20);
    if (depth)
        again(depth - 1);
    if (draw(2))
        inner();
    steps(10);
    leave(1);
}

PROFPLUG_STAGE("outer", "memory") static __attribute__((noinline)) void outer(void)
{
    enter(0);
    for (unsigned i = draw(5); i > 0; i--) {
        steps(40);
        again((int)draw(6));
        inner();
    }
    leave(0);
}

static void region(int p, const char *name)
{
    if (place[p].open) {
        leave(p);
        profplug_end(name);
    } else {
        profplug_begin(name);
        enter(p);
    }
}

static void *other(void *unused)
{
    for (int i = 0; i < SLOTS; i++) {
        free(slot[i]);
        slot[i] = NULL;
    }
    return unused;
}

/* They begin one after the other, and end in any order. */
static void regions(void)
{
    static const char *const names[] = { "east", "west", "north" };
    for (int i = 0; i < 300; i++) {
        unsigned which = draw(3);
        region(3 + (int)which, names[which]);
        steps(12);
    }
    for (int i = 0; i < 3; i++)
        if (place[3 + i].open)
            region(3 + i, names[i]);
}

PROFPLUG_STAGE("all", "memory") static __attribute__((noinline)) void all(void)
{
    enter(6);
    for (int i = 0; i < 200; i++)
        outer();
    leave(6);
}

int main(void)
{
    pthread_t thread;
    static const char *const of[] = { "outer", "again", "inner" };
    all();
    /* A stage has a row for each stage that encloses it. The account above is of all of them. */
    expect_exact("stages", "all", "peak_bytes", (uint64_t)place[6].high);
    expect_exact("stages", "all", "temporary_blocks", place[6].temporary);
    for (int i = 0; i < 3; i++)
        expect_exact("most", of[i], "peak_bytes", (uint64_t)place[i].high);
    if (!pthread_create(&thread, NULL, other, NULL))
        pthread_join(thread, NULL);
    regions();
    expect_exact("most", "east", "peak_bytes", (uint64_t)place[3].high);
    expect_exact("most", "west", "peak_bytes", (uint64_t)place[4].high);
    expect_exact("most", "north", "peak_bytes", (uint64_t)place[5].high);
    return 0;
}
