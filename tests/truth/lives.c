/* SPDX-License-Identifier: MIT */
/* lives.c THREADS MICROSECONDS WAY: threads, one after the other, that live for so long. Each has three parts, or with
 * the way `kinds` one of them, threefold. Prints "FUNCTION ns" for each, by the threads' CPU clocks around it. */
#include "truth.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static long batch;
static uint64_t own_ns[3];

static __attribute__((noinline)) void first_part(long times) { BURN(2 * times * batch); }
static __attribute__((noinline)) void second_part(long times) { BURN(3 * times * batch); }
static __attribute__((noinline)) void third_part(long times) { BURN(5 * times * batch); }
static void (*const part[])(long) = { first_part, second_part, third_part };

static void *live(void *kind)
{
    for (intptr_t i = 0; i < 3; i++) {
        uint64_t begun = cpu_ns();
        if (!kind || (intptr_t)kind == i + 1)
            part[i](kind ? 3 : 1);
        own_ns[i] += cpu_ns() - begun;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    static const char *const name[] = { "first_part", "second_part", "third_part" };
    if (argc != 4)
        return 2;
    bool kinds = !strcmp(argv[3], "kinds");
    batch = burn_calibrate() * atol(argv[2]) / 10000;
    for (intptr_t i = 0; i < atoi(argv[1]); i++) {
        pthread_t id;
        if (pthread_create(&id, NULL, live, (void *)(kinds ? i % 3 + 1 : 0)) || pthread_join(id, NULL))
            return 1;
    }
    for (int i = 0; i < 3; i++)
        printf("%s %" PRIu64 "\n", name[i], own_ns[i]);
    return 0;
}
