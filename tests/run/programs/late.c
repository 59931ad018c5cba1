/* SPDX-License-Identifier: MIT */
/* Probes in a thread's last moments (destructors of thread-specific data, in every round of them), in constructors, atexit
 * handlers and destructors of the program, and exit from within a stage. */
#include "expect.h"
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int early, late;

KEEP void count_me(int *x) { ++*x; }
static void at_thread_end(void *value)
{
    int *rounds = value;
    count_me(&late);
    if (--*rounds > 0)
        pthread_setspecific(key, rounds);
}
static void *run(void *arg)
{
    static __thread int rounds;
    rounds = 3;
    count_me(&late);
    pthread_setspecific(key, &rounds);
    return arg;
}
__attribute__((constructor)) static void before(void) { count_me(&early); }
static void after_all(void);
__attribute__((destructor)) static void after(void) { count_me(&early); after_all(); }
static void at_end(void) { count_me(&early); }
PROFPLUG_STAGE("last", "compute") KEEP void last(void)
{
    spin_ns(2000000);
    exit(7);
}
static QUIET void after_all(void)
{
    expect("calls count_me %d", early + late);
    expect("stage last stage 1");
    expect("stage_wall_least last 2000000");
    expect("lossless");
    expect("exit EXIT 7");
}
int main(void)
{
    pthread_key_create(&key, at_thread_end);
    atexit(at_end);
    for (int i = 0; i < 50; i++) {
        pthread_t t;
        pthread_create(&t, 0, run, 0);
        pthread_join(t, 0);
    }
    last();
}
