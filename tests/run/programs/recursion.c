/* SPDX-License-Identifier: MIT */
/* Stages that call themselves, in ways that optimizers turn into loops: every activation counts. */
#include "expect.h"

PROFPLUG_STAGE("last", "compute") static unsigned last(unsigned n, unsigned sum) { return n ? last(n - 1, sum + n) : sum; }
PROFPLUG_STAGE("sum", "compute") static unsigned sum(unsigned n) { return n ? n + sum(n - 1) : 0; }
PROFPLUG_STAGE("fib", "compute") static unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static unsigned other(unsigned n);
PROFPLUG_STAGE("mutual", "compute") static unsigned mutual(unsigned n) { return n ? other(n - 1) : 0; }
static unsigned other(unsigned n) { return n ? mutual(n - 1) : 1; }

int main(int argc, char **argv)
{
    unsigned n = 9 + (argc < 0);
    if (last(n, 0) != 45 || sum(n) != 45 || fib(n + 1) != 55 || mutual(20 + (argc < 0)))
        return 1;
    expect("stage last stage 10");
    expect("stage sum stage 10");
    expect("stage fib stage 177");
    expect("stage mutual stage 11");
    expect("exit EXIT 0");
    return 0;
}
