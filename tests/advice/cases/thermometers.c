/* SPDX-License-Identifier: MIT */
/* rule: slowsorts */
/* not: growths */
/* sizes: 0.3 1 3 */
/* thermometers.c: measurements of many days, each put in order to find its middle. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4096

static uint32_t value[MOST], spare[MOST];

#ifndef FIXED
__attribute__((noinline)) static void values_order(uint32_t *v, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++) /* @ */
            if (v[k] < v[i]) { /* @ */
                uint32_t kept = v[i];
                v[i] = v[k]; /* @ */
                v[k] = kept; /* @ */
            }
}
#else
__attribute__((noinline)) static void values_order(uint32_t *v, int count)
{
    unsigned start[257];
    for (int shift = 0; shift < 32; shift += 8) {
        memset(start, 0, sizeof start);
        for (int i = 0; i < count; i++)
            start[(v[i] >> shift & 255) + 1]++;
        for (int i = 0; i < 256; i++)
            start[i + 1] += start[i];
        for (int i = 0; i < count; i++)
            spare[start[v[i] >> shift & 255]++] = v[i];
        memcpy(v, spare, (size_t)count * sizeof *v);
    }
}
#endif

int main(int argc, char **argv)
{
    int days = (int)(160 * (argc > 1 ? atof(argv[1]) : 1));
    uint32_t state = 1;
    uint64_t sum = spare[0];
    for (int day = 0; day < days; day++) {
        int count = 100 + day * 37 % 1500;
        for (int i = 0; i < count; i++)
            value[i] = state = state * 1664525u + 1013904223u;
        values_order(value, count);
        sum += value[count / 2];
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
