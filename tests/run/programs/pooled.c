/* SPDX-License-Identifier: MIT */
/* pooled.c: makes no thread itself; a library's (pool.c) call its functions. */
#include "expect.h"

void pool_run(void (*function)(int, int));
static volatile int sink;
KEEP static void two(int a, int b) { sink = a + b; }

QUIET int main(void)
{
    pool_run(two);
    expect("calls two 300000");
    expect("lossless");
    expect("exit EXIT 0");
    return 0;
}
