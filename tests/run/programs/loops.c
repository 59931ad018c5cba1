/* SPDX-License-Identifier: MIT */
/* Loops, scopes and regions begun by name: bodies exact, iterations measured with their index, all ways out. */
#include "expect.h"
#include <stdlib.h>

KEEP void slow(int i, int special) { spin_ns(i == special ? 3000000 : 100000); }
KEEP int breaks(int n) { int i; PROFPLUG_LOOP("breaking") for (i = 0; i < 100; i++) { if (i == n) break; spin_ns(1000); } return i; }
KEEP int returns(int n) { PROFPLUG_LOOP("returning") for (int i = 0; i < 100; i++) { if (i == n) return i; spin_ns(1000); } return -1; }
KEEP void nested(void) { PROFPLUG_LOOP("rows") for (int i = 0; i < 20; i++) { PROFPLUG_LOOP("columns") for (int j = 0; j < 30; j++) { PROFPLUG_SCOPE("cell"); spin_ns(1000); } } }
KEEP long tiny(long n) { volatile long s = 0; PROFPLUG_LOOP("tiny") for (long i = 0; i < n; i++) s += i; return s; }
KEEP void none(void) { PROFPLUG_LOOP("none") for (volatile int i = 0; i < 0; i++) { } }
KEEP void unbalanced(void) { profplug_end("never"); profplug_begin("forgotten"); profplug_begin("inner"); profplug_end("forgotten"); profplug_end("forgotten"); }
KEEP void region(void) { profplug_begin("region"); spin_ns(500000); profplug_end("region"); }
KEEP int scope_out(int i) { PROFPLUG_SCOPE("scope"); if (i % 2) return 1; spin_ns(1000); return 0; }

int main(void)
{
    PROFPLUG_LOOP("batches")
    for (int i = 0; i < 50; i++) slow(i, 33);
    for (int i = 0; i < 10; i++) { breaks(i); returns(i); region(); }
    nested();
    tiny(3000000);
    none();
    for (int i = 0; i < 10; i++) scope_out(i);
    unbalanced();
    expect("stage batches loop 1");
    expect("stage batches iteration 50");
    expect("slowest batches 33 3000000");
    expect("stage_timed_kind batches iteration 50");
    expect("stage breaking loop 10");
    expect("stage breaking iteration 55");
    expect("stage returning iteration 55");
    expect("trips breaking 1 10");
    expect("stage rows iteration 20");
    expect("stage columns loop 20");
    expect("stage columns iteration 600");
    expect("trips columns 30 30");
    expect("stage cell scope 600");
    expect("stage_parent cell columns 600");
    expect("stage tiny iteration 3000000");
    expect("stage_timed_most tiny iteration 300000");
    expect("stage none loop 1");
    expect("stage none iteration 0");
    expect("stage scope scope 10");
    expect("stage region scope 10");
    expect("stage_wall_least region 5000000");
    expect("stage forgotten scope 1");
    expect("stage inner scope 1");
    expect("losses REGIONS 3");
    expect("closed");
    expect("exit EXIT 0");
    return 0;
}
