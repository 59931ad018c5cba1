/* SPDX-License-Identifier: MIT */
/* Recursion a hundred thousand deep, alone and mutual, and of a stage: counted once on its path, exact in calls. */
#include "expect.h"
#include <sys/resource.h>
#include <pthread.h>

enum { DEPTH = 100000 };

KEEP int alone(int n) { int r = n ? alone(n - 1) : 0; __asm__ volatile("" : "+r"(r)); return r + 1; }
KEEP int odd(int n);
KEEP int even(int n) { int r = n ? odd(n - 1) : 0; __asm__ volatile("" : "+r"(r)); return r + 1; }
KEEP int odd(int n) { int r = n ? even(n - 1) : 0; __asm__ volatile("" : "+r"(r)); return r + 1; }
PROFPLUG_STAGE("down", "compute") KEEP int down(int n) { if (!n) spin_ns(20000000); int r = n ? down(n - 1) : 0; __asm__ volatile("" : "+r"(r)); return r + 1; }
/* A stage between two visits of the same function. */
PROFPLUG_STAGE("between", "compute") KEEP int between(int n);
KEEP int visit(int n) { int r = n ? between(n - 1) : 0; __asm__ volatile("" : "+r"(r)); return r + 1; }
KEEP int between(int n) { int r = visit(n); __asm__ volatile("" : "+r"(r)); return r + 1; }

/* first, second, third, first again, and third from there: third has two nodes, and is open in both at once. */
KEEP int first(int n);
KEEP int third(int n) { if (!n) spin_ns(20000000); int r = n ? first(n - 1) : 0; __asm__ volatile("" : "+r"(r)); return r + 1; }
KEEP int second(int n) { int r = third(n); __asm__ volatile("" : "+r"(r)); return r + 1; }
KEEP int first(int n) { int r = n ? second(n) : third(n); __asm__ volatile("" : "+r"(r)); return r + 1; }

static void *run(void *arg)
{
    unsigned long long before = wall_ns();
    int sum = alone(DEPTH) + even(DEPTH) + down(DEPTH);
    unsigned long long took = wall_ns() - before;
    visit(50);
    before = wall_ns();
    first(1);
    unsigned long long tangled = wall_ns() - before;
    expect("calls alone %d", DEPTH + 1);
    expect("calls even %d", DEPTH / 2 + 1);
    expect("calls odd %d", DEPTH / 2);
    expect("path run alone %d", DEPTH + 1);
    expect("path run even %d", DEPTH / 2 + 1);
    expect("path run even odd %d", DEPTH / 2);
    expect("stage down stage %d", DEPTH + 1);
    expect("stage_wall_least down 20000000");
    expect("stage_wall_most down %llu", took);
    expect("stage between stage 50");
    expect("path run visit 1");
    expect("path run visit between visit 50");
    expect("nodes_most 24");
    expect("path run first third 1");
    expect("path run first second third 1");
    expect("function_least third 20000000");
    expect("function_most third %llu", tangled);
    expect("function_most first %llu", tangled);
    expect("lossless");
    expect("exit EXIT 0");
    return sum == 3 * (DEPTH + 1) ? arg : 0;
}
int main(void)
{
    pthread_attr_t a;
    pthread_t t;
    void *result;
    int ok;
    pthread_attr_init(&a);
    pthread_attr_setstacksize(&a, 512u << 20);
    pthread_create(&t, &a, run, &ok);
    pthread_join(t, &result);
    return result != &ok;
}
