/* SPDX-License-Identifier: MIT */
/* loops.c: loops that GCC vectorizes, and goes on to when it counts their lines; see vectorized.py. A line marked "scalar" may be lost, for the reason
 * that stands there. */
#include <profplug.h>
#include <stdint.h>

#define STAGE PROFPLUG_STAGE("compute")

STAGE int sum(const int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

STAGE int odd(const int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        if (a[i] & 1)
            s++;
    return s;
}

STAGE void clamp_float(float *a, int n)
{
    for (int i = 0; i < n; i++)
        if (a[i] > 1)
            a[i] = 1;
}

STAGE void clamp_both(int *restrict a, const int *restrict b, int n)
{
    for (int i = 0; i < n; i++) {
        int x = b[i];
        if (x > 255)
            x = 255;
        else if (x < 0)
            x = 0;
        a[i] = x;
    }
}

STAGE uint32_t bytes(const uint8_t *a, int n)
{
    uint32_t s = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > 3)
            s += a[i];
    return s;
}

STAGE double dot(const double *a, const double *b, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}

STAGE void image(int n, float a[n][n], float b[n][n])
{
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            a[y][x] += b[y][x] * 0.5f;
}

STAGE int fixed(const int *a)
{
    int s = 0;
    for (int i = 0; i < 1024; i++)
        s += a[i];
    return s;
}

static inline int doubled(int x)
{
    return x * 2;
}

STAGE void inlined(int *restrict a, const int *restrict b, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = doubled(b[i]);
}

static inline int limited(int x)
{
    if (x > 255)
        return 255;
    return x;
}

STAGE void limit(int *restrict a, const int *restrict b, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = limited(b[i]);
}
