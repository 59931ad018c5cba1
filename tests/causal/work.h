/* SPDX-License-Identifier: MIT */
/* work.h: work of a length that the arguments give. */
#ifndef CAUSAL_WORK_H
#define CAUSAL_WORK_H
#include <profplug.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool computes; /* else it sleeps: as long, whatever else the machine does */

static void work_choose(const char *word) { computes = !strcmp(word, "compute"); }

/* Units of about 100 us of computation, or of 100 us of sleep. */
__attribute__((no_instrument_function, noinline)) static unsigned work(double units)
{
    struct timespec time = { 0, (long)(units * 1e5) };
    unsigned x = 1;
    if (!computes)
        nanosleep(&time, NULL);
    for (long i = 0, most = computes ? (long)(units * 60000) : 0; i < most; i++) {
        x = x * 1664525u + 1013904223u;
        __asm__ volatile("" : "+r"(x));
    }
    return x;
}
#endif
