/* SPDX-License-Identifier: MIT */
/* nests.c: loops in loops, of which GCC vectorizes some outer ones. With -DCOUNTS it counts entries and steps of the
 * inner ones itself, and prints them. nests.py holds the profiler's against these. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 300, NESTS = 7 };
#ifdef COUNTS
static unsigned long entries[NESTS], steps[NESTS];
#define ENTRY(n) (entries[n]++)
#define STEP(n) (steps[n]++)
#else
#define ENTRY(n) ((void)0)
#define STEP(n) ((void)0)
#endif
#define APART __attribute__((noinline, noclone))

static float plate[MOST][MOST], sums[MOST];
static unsigned short shade[MOST];
static jmp_buf out;

APART static void columns(int n, int m)
{
    for (int j = 0; j < m; j++) {
        float sum = 0;
        if (n > 0) /* a loop without a step is not entered */
            ENTRY(0);
        for (int i = 0; i < n; i++) { /* INNER 0 */
            STEP(0);
            sum += plate[i][j];
        }
        sums[j] = sum;
    }
}

APART static void powers(unsigned seed, int m)
{
    for (int j = 0; j < m; j++) { /* OUTER */
        unsigned z = 0, v = (unsigned)j * seed;
        ENTRY(1);
        for (int k = 0; k < 120; k++) { /* INNER 1 */
            STEP(1);
            z = (z * z + v) & 0xffff;
        }
        shade[j] = (unsigned short)z;
    }
}

APART static void triangle(int m)
{
    for (int j = 0; j < m; j++) {
        float sum = 0;
        ENTRY(2);
        for (int i = 0; i < j + 20; i++) { /* INNER 2 */
            STEP(2);
            sum += plate[i % MOST][j];
        }
        sums[j] += sum;
    }
}

APART static void leave(int at, int limit)
{
    if (at == limit)
        longjmp(out, 1);
}

APART static void jumps(int n, int m, int limit)
{
    for (int j = 0; j < m; j++) {
        float sum = 0;
        ENTRY(3);
        for (int i = 0; i < n; i++) { /* INNER 3 */
            STEP(3);
            sum += plate[i][j];
        }
        leave(j, limit);
        sums[j] -= sum;
    }
}

APART static int breaks(int n, int m, float limit)
{
    for (int j = 0; j < m; j++) {
        float sum = 0;
        ENTRY(4);
        for (int i = 0; i < n; i++) { /* INNER 4 */
            STEP(4);
            sum += plate[i][j];
        }
        if (sum > limit)
            return j;
    }
    return m;
}

APART static void some(int n, int m)
{
    for (int j = 0; j < m; j++) {
        if (j % 3 == 1)
            continue;
        ENTRY(5);
        for (int i = 0; i < n; i++) { /* INNER 5 */
            STEP(5);
            plate[i][j] += sums[i];
        }
    }
}

APART static void deep(int n, int m, int l)
{
    for (int k = 0; k < l; k++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            ENTRY(6);
            for (int i = 0; i < n; i++) { /* INNER 6 */
                STEP(6);
                sum += plate[i][k] * plate[j][i];
            }
            plate[k][j] = sum * 1e-6f;
        }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100, m = argc > 2 ? atoi(argv[2]) : 200;
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++)
            plate[i][j] = (float)((i * 31 + j) % 97);
    for (int round = 0; round < 50; round++) {
        columns(n, m);
        powers((unsigned)round, m);
        triangle(m);
        if (!setjmp(out))
            jumps(n, m, m / 2);
        sums[0] += (float)breaks(n, m, 4000.0f + 40 * (float)round);
        some(n, m);
        deep(n, m, 20);
        columns(0, m);
        columns(n, 0);
    }
    printf("%.6e %u\n", (double)sums[3] + (double)plate[2][5], shade[7]);
#ifdef COUNTS
    for (int i = 0; i < NESTS; i++)
        printf("%lu %lu\n", entries[i], steps[i]);
#endif
    return 0;
}
