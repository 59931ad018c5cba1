/* SPDX-License-Identifier: MIT */
/* Needs room: many threads that each keep stages and call paths. */
#include "expect.h"
#include <pthread.h>

KEEP int tree(int depth, unsigned bits);
#define BRANCH(n) KEEP int branch_##n(int depth, unsigned bits) { int r = depth ? tree(depth - 1, bits >> 1) : 1; __asm__ volatile("" : "+r"(r)); return r; }
BRANCH(0) BRANCH(1)
KEEP int tree(int depth, unsigned bits) { int r = bits & 1 ? branch_1(depth, bits) : branch_0(depth, bits); __asm__ volatile("" : "+r"(r)); return r; }
PROFPLUG_STAGE("many", "compute") KEEP void many(void) { for (unsigned b = 0; b < 64; b++) tree(6, b); }
static pthread_barrier_t barrier;
static void *run(void *arg) { for (int i = 0; i < 10; i++) many(); pthread_barrier_wait(&barrier); return arg; }
int main(void)
{
    pthread_t t[40];
    many();                                              /* with all the room that there is: stages are among what is kept */
    pthread_barrier_init(&barrier, 0, 40);
    for (int i = 0; i < 40; i++) pthread_create(&t[i], 0, run, 0);
    for (int i = 0; i < 40; i++) pthread_join(t[i], 0);
    expect("alive");
    return 0;
}
