/* SPDX-License-Identifier: MIT */
/* Regions begun in one function and ended in another, crossed, never ended, and ended without a beginning. */
#include "expect.h"

KEEP void start(void) { profplug_begin("upload"); __asm__ volatile("" ::: "memory"); }
KEEP void stop(void) { profplug_end("upload"); __asm__ volatile("" ::: "memory"); }
KEEP void work(void) { PROFPLUG_SCOPE("inner"); spin_ns(5000000); }
KEEP void start_two(void) { profplug_begin("one"); profplug_begin("two"); __asm__ volatile("" ::: "memory"); }
KEEP void stop_one(void) { profplug_end("one"); __asm__ volatile("" ::: "memory"); }
KEEP void stop_two(void) { profplug_end("two"); __asm__ volatile("" ::: "memory"); }
KEEP void after(void) { PROFPLUG_SCOPE("outside"); __asm__ volatile("" ::: "memory"); }
PROFPLUG_STAGE("closed", "compute") KEEP int forgetful(void) { profplug_begin("forgotten"); __asm__ volatile("" ::: "memory"); return 1; }

int main(void)
{
    unsigned long long before = wall_ns();
    for (int i = 0; i < 3; i++) {
        start();
        work();
        stop();
        after();
    }
    unsigned long long took = wall_ns() - before;
    expect("stage upload scope 3");
    expect("stage_timed upload 3");
    expect("stage_wall_least upload 15000000");
    expect("stage_wall_most upload %llu", took);
    expect("stage_parent inner upload 3");
    expect("stage_parent outside upload 0");
    expect("stage outside scope 4");
    /* crossed: the first to begin is the first to end */
    start_two();
    spin_ns(2000000);
    stop_one();
    spin_ns(3000000);
    stop_two();
    expect("stage_timed one 1");
    expect("stage_timed two 1");
    expect("stage_wall_least one 2000000");
    expect("stage_wall_least two 5000000");
    /* without a beginning */
    profplug_end("nothing");
    expect("stage nothing scope 0");
    /* a stage that ends takes along what it left open */
    forgetful();
    expect("stage_timed forgotten 1");
    expect("stage closed stage 1");
    after();
    expect("stage_parent outside closed 0");
    expect("losses REGIONS 2");
    expect("losses HEALED 0");
    expect("exit EXIT 0");
    return 0;
}
