/* SPDX-License-Identifier: MIT */
/* refused.c ROUNDS: many call paths in a stage, round after round, with a heap and a loop. The numbers need more memory than a narrow
 * limit leaves. */
#include <profplug.h>
#include <stdio.h>
#include <stdlib.h>

#define PLAIN __attribute__((noinline)) static void
static volatile unsigned sink;
#define LEAF(n) PLAIN leaf##n(unsigned i) { for (unsigned k = 0; k < i % 5; k++) sink += k; }
LEAF(0) LEAF(1) LEAF(2) LEAF(3) LEAF(4) LEAF(5) LEAF(6) LEAF(7)
#define INNER(n) PLAIN inner##n(unsigned i) { leaf0(i), leaf1(i), leaf2(i), leaf3(i), leaf4(i), leaf5(i), leaf6(i), leaf7(i); }
INNER(0) INNER(1) INNER(2) INNER(3) INNER(4) INNER(5) INNER(6) INNER(7)
#define OUTER(n) PLAIN outer##n(unsigned i) { inner0(i), inner1(i), inner2(i), inner3(i), inner4(i), inner5(i), inner6(i), inner7(i); }
OUTER(0) OUTER(1) OUTER(2) OUTER(3) OUTER(4) OUTER(5) OUTER(6) OUTER(7)

PROFPLUG_STAGE("part", "compute")
static void part(unsigned i)
{
    outer0(i), outer1(i), outer2(i), outer3(i), outer4(i), outer5(i), outer6(i), outer7(i);
    free(malloc(100 + i % 7));
}

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 10;
    for (unsigned i = 0; i < rounds; i++) {
        part(i);
        PROFPLUG_LOOP("again")
        for (unsigned k = 0; k < 2; k++)
            outer1(i);
    }
    printf("%u\n", sink);
}
