/* SPDX-License-Identifier: MIT */
/* moves.c: loops in which GCC makes a conditional move of what one line decides, and goes on to when it counts the
 * line; see moves.py. */
#include <profplug.h>
#include <stdint.h>

#define STAGE PROFPLUG_STAGE("compute")

STAGE uint32_t checksum(const uint8_t *a, int n)
{
    uint32_t sum = ~0u;
    for (int i = 0; i < n; i++) {
        sum ^= a[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum & 1 ? sum >> 1 ^ 0xEDB88320u : sum >> 1;
    }
    return ~sum;
}

STAGE int least_place(const int *a, int n)
{
    int least = 0;
    for (int i = 1; i < n; i++)
        least = a[i] < a[least] ? i : least;
    return least;
}

STAGE int limited(const int *a, const int *b, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        int x = a[b[i]] - sum;
        if (x < 3) x = 3;
        x = x > 77 ? 77 : x;
        sum = sum * 5 + x;
    }
    return sum;
}

static inline int larger(int a, int b) { return a > b ? a : b; }

STAGE int longest(const int *a, int *best, int n)
{
    for (int i = 1; i < n; i++)
        best[i] = larger(best[i - 1] + a[i], larger(a[i], 0));
    return best[n - 1];
}
