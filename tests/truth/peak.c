/* SPDX-License-Identifier: MIT */
/* peak.c: what lives when the heap is largest, by the line that allocated it: neither at the first maximum, nor later,
 * with a thread that frees what main allocated. */
#include <pthread.h>
#include <stdlib.h>

#include "truth.h"

static void *early[1000], *middle[500], *late[300], *after[100];

static void *drop(void *unused)
{
    for (int i = 0; i < 1000; i++)
        free(early[i]);
    return unused;
}

static void expect(int line, const char *field, uint64_t value, double percent)
{
    char name[64];
    snprintf(name, sizeof name, "peak.c:%d", line);
    expect_near("allocations", name, field, value, percent);
}

int main(void)
{
    pthread_t thread;
    for (int i = 0; i < 1000; i++)
        early[i] = malloc(4096);
    int first = __LINE__ - 1;
    for (int i = 0; i < 500; i++)
        middle[i] = malloc(8192);
    int second = __LINE__ - 1;
    if (pthread_create(&thread, NULL, drop, NULL))
        return 1;
    pthread_join(thread, NULL);
    for (int i = 0; i < 300; i++)
        late[i] = malloc(20000);
    int third = __LINE__ - 1;
    for (int i = 0; i < 500; i++)
        free(middle[i]);
    for (int i = 0; i < 100; i++)
        after[i] = malloc(1000);
    int fourth = __LINE__ - 1;
    expect(first, "peak_bytes", 0, 0);
    expect(first, "live_bytes", 0, 0);
    expect(second, "peak_bytes", 500 * 8192, 0);
    expect(second, "peak_blocks", 500, 0);
    expect(second, "live_bytes", 0, 0);
    expect(third, "peak_bytes", 300 * 20000, 3.4);          /* 2 % of all 10.1 MB */
    expect(third, "live_bytes", 300 * 20000, 0);
    expect(fourth, "peak_bytes", 0, 0);
    expect(fourth, "live_bytes", 100 * 1000, 0);
    return late[0] == after[0];
}
