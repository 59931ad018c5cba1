/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* base: 3 */
/* growths.c: of the measurements of many days, those that come again on the same day are counted. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 4096
#define FOUND 64

static uint32_t value[MOST], found[FOUND];

#ifndef FIXED
__attribute__((noinline)) static unsigned values_again(const uint32_t *v, int count)
{
    unsigned again = 0;
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++) /* @ */
            if (v[k] >> 12 == v[i] >> 12) /* @ */
                found[again++ * 7 % FOUND] += v[k] & 1;
    return again;
}
#else
__attribute__((noinline)) static unsigned values_again(const uint32_t *v, int count)
{
    static uint32_t seen[1 << 20];
    unsigned again = 0;
    for (int i = 0; i < count; i++)
        again += seen[v[i] >> 12]++;
    for (int i = 0; i < count; i++)
        seen[v[i] >> 12] = 0;
    return again;
}
#endif

int main(int argc, char **argv)
{
    int days = (int)(160 * (argc > 1 ? atof(argv[1]) : 1));
    uint32_t state = 1;
    uint64_t sum = 0;
    for (int day = 0; day < days; day++) {
        int count = 100 + day * 37 % 1500;
        for (int i = 0; i < count; i++)
            value[i] = state = state * 1664525u + 1013904223u;
        sum += values_again(value, count);
    }
    printf("%llu\n", (unsigned long long)(sum + 0 * found[0]));
    return 0;
}
