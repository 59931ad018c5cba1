/* SPDX-License-Identifier: MIT */
/* Thousands of short threads, eight at a time: every call is counted, and blocks are handed on. */
#include "expect.h"
#include <pthread.h>
#include <sys/prctl.h>

enum { ROUNDS = 625, AT_ONCE = 8, CALLS = 37 };

KEEP void leaf(int *x) { *x += 1; }
KEEP int branch(int *x) { for (int i = 0; i < 3; i++) leaf(x); return *x; }    /* not void: its last call must not become a jump */
PROFPLUG_STAGE("shift", "compute") KEEP void shift(int *x) { for (int i = 0; i < CALLS; i++) branch(x); }

static void *run(void *arg)
{
    int x = 0;
    prctl(PR_SET_NAME, "shifter");
    shift(&x);
    return x == CALLS * 3 ? arg : 0;
}

int main(void)
{
    int bad = 0;
    for (int r = 0; r < ROUNDS; r++) {
        pthread_t t[AT_ONCE];
        for (int i = 0; i < AT_ONCE; i++)
            bad |= pthread_create(&t[i], 0, run, &bad);
        for (int i = 0; i < AT_ONCE; i++) {
            void *result;
            pthread_join(t[i], &result);
            bad |= result != &bad;
        }
    }
    int threads = ROUNDS * AT_ONCE;
    expect("calls run %d", threads);
    expect("calls branch %d", threads * CALLS);
    expect("calls leaf %d", threads * CALLS * 3);
    expect("stage shift stage %d", threads);
    expect("path run shift branch leaf %d", threads * CALLS * 3);
    expect("threads %d", threads + 1);
    expect("thread_name shifter %d", threads);
    expect("blocks_most %d", AT_ONCE * 2 + 2);
    expect("lossless");
    expect("exit EXIT 0");
    return bad;
}
