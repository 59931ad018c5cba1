/* SPDX-License-Identifier: MIT */
/* growing.c SECONDS: a program whose data file grows as long as it runs: new threads, new paths of calls, new regions, new records. */
#include <profplug.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int left(unsigned path);
static int right(unsigned path);
static int middle(unsigned path);
#define WALK(name, a, b, c) \
    static __attribute__((noinline)) int name(unsigned path) { return !path ? 1 : (path % 3 == 0 ? a(path / 3) : path % 3 == 1 ? b(path / 3) : c(path / 3)) + 1; }
WALK(left, middle, right, left)
WALK(right, left, middle, right)
WALK(middle, right, left, middle)

PROFPLUG_STAGE("walk", "compute")
static int walk(unsigned from)
{
    int sum = 0;
    for (unsigned i = 0; i < 300; i++)
        sum += left(from + i);
    return sum;
}

static void *thread(void *argument)
{
    char name[32];
    snprintf(name, sizeof name, "region %u", *(unsigned *)argument % 500);
    profplug_begin(name);
    walk(*(unsigned *)argument * 1000);
    profplug_end(name);
    return NULL;
}

int main(int argc, char **argv)
{
    double until = seconds() + (argc > 1 ? atof(argv[1]) : 2);
    unsigned number = 0;
    while (seconds() < until) {
        pthread_t four[4];
        unsigned of[4];
        for (int i = 0; i < 4; i++) {
            of[i] = number++;
            pthread_create(&four[i], NULL, thread, &of[i]);
        }
        for (int i = 0; i < 4; i++)
            pthread_join(four[i], NULL);
    }
    printf("%u\n", number);
    return 0;
}
