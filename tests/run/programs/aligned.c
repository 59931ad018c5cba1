/* SPDX-License-Identifier: MIT */
/* aligned.c: GCC calls a function that needs no aligned stack without aligning it, and never sees the call of its probe. The first one here starts the
 * runtime, and that calls the C library, which stores whole vectors. */
#include "expect.h"

static volatile unsigned long sink;

__attribute__((noinline)) static void leaf(unsigned long a, unsigned long b) { sink = a * b; }
QUIET __attribute__((noinline)) static void shallow(unsigned long a)
{
    leaf(a, sink);
    leaf(sink, a);
    sink++;
}
QUIET __attribute__((noinline)) static void deeper(unsigned long a)
{
    shallow(a);
    shallow(sink);
    sink++;
}

QUIET static void early(int count, char **arguments, char **environment)
{
    (void)arguments, (void)environment;
    if (count > 1)
        deeper((unsigned long)count);
    shallow((unsigned long)count);
}
__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **, char **) = early;

QUIET int main(int count, char **arguments)
{
    (void)arguments;
    expect("calls leaf %d", count > 1 ? 6 : 2);
    return 0;
}
