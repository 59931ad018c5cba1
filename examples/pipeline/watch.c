/* SPDX-License-Identifier: MIT */
/* watch.c: a stopwatch of the program's own, which check.py holds the report against. Knows no stages but by number. */
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "pipeline.h"

struct reading { uint64_t wall_ns, cpu_ns; };
static struct reading begun, stage[PLACE_COUNT];
static uint64_t nap_ns;
static uint64_t loop_begun, *batch_begun, *batch_ended;
static int batches, room;

static struct reading now(void)
{
    struct timespec wall, cpu;
    clock_gettime(CLOCK_MONOTONIC, &wall);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
    return (struct reading){ (uint64_t)wall.tv_sec * 1000000000u + (uint64_t)wall.tv_nsec, (uint64_t)cpu.tv_sec * 1000000000u + (uint64_t)cpu.tv_nsec };
}

void watch_loop_begin(int count)
{
    room = count;
    batch_begun = calloc((size_t)count, sizeof *batch_begun);
    batch_ended = calloc((size_t)count, sizeof *batch_ended);
    loop_begun = now().wall_ns;
}

void watch_batch_begin(void)
{
    if (batches < room && batch_begun)
        batch_begun[batches] = now().wall_ns;
}

void watch_batch_end(void)
{
    if (batches < room && batch_ended)
        batch_ended[batches++] = now().wall_ns;
}

void watch_stage_begin(void) { begun = now(); }

void watch_stage_end(enum place place)
{
    struct reading ended = now();
    stage[place].wall_ns += ended.wall_ns - begun.wall_ns;
    stage[place].cpu_ns += ended.cpu_ns - begun.cpu_ns;
}

/* A nap of so many milliseconds, and how long it was off the CPU. */
void watch_nap(int ms)
{
    struct reading before = now();
    nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000L }, NULL);
    struct reading after = now();
    nap_ns += (after.wall_ns - before.wall_ns) - (after.cpu_ns - before.cpu_ns);
}

void watch_print(FILE *out)
{
    for (int p = 0; p < PLACE_COUNT; p++)
        fprintf(out, "stage %s %" PRIu64 " %" PRIu64 "\n", place_name[p], stage[p].wall_ns, stage[p].cpu_ns);
    fprintf(out, "nap %" PRIu64 "\n", nap_ns);
    fprintf(out, "loop %" PRIu64 " %" PRIu64 "\n", loop_begun, now().wall_ns);
    for (int b = 0; b < batches; b++)
        fprintf(out, "batch %" PRIu64 " %" PRIu64 "\n", batch_begun[b], batch_ended[b]);
}
