/* SPDX-License-Identifier: MIT */
/* rule: windows */
/* sizes: 0.5 1 2 */
/* wide: 0.5 1 3 */
/* says: start */
/* least: 80 */
/* balances.c: what is in a purse after each payment, by adding up all payments until then. */
#include <stdio.h>
#include <stdlib.h>

#define MOST 100000

static int payment[MOST];
static long balance[MOST];

__attribute__((noinline)) static void balances_make(int payments)
{
#ifdef FIXED
    long sum = 0;
    for (int i = 0; i < payments; i++)
        balance[i] = sum += payment[i];
#else
    for (int i = 0; i < payments; i++) {
        long sum = 0;
        for (int k = 0; k <= i; k++)
            sum += payment[k]; /* @ */
        balance[i] = sum;
    }
#endif
}

int main(int argc, char **argv)
{
    int payments = (int)(25000 * (argc > 1 ? atof(argv[1]) : 1));
    unsigned state = 3;
    long least = 0;
    for (int i = 0; i < payments; i++) {
        state = state * 1664525u + 1013904223u;
        payment[i] = (int)((state >> 8) % 2001) - 1000;
    }
    balances_make(payments);
    for (int i = 0; i < payments; i++)
        least = balance[i] < least ? balance[i] : least;
    printf("%ld\n", least);
    return 0;
}
