/* SPDX-License-Identifier: MIT */
/* library.c: time in libraries without debug information (libc, libm, zlib) belongs to the line that called them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <profplug.h>
#include "truth.h"

static uint64_t ns[4], cpu[4];
static int line[4];
static double values[20000];
static unsigned char bytes[1 << 20], packed[1 << 21];
static volatile double sink;

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static __attribute__((noinline)) void sort(void)
{
    uint64_t t = now_ns(), c = cpu_ns();
    qsort(values, 20000, sizeof *values, by_value); line[0] = __LINE__;
    cpu[0] += cpu_ns() - c;
    ns[0] += now_ns() - t;
}

static __attribute__((noinline)) void powers(void)
{
    double sum = 0;
    uint64_t t = now_ns(), c = cpu_ns();
    for (int i = 0; i < 200000; i++) sum += pow(1.0 + i * 1e-6, 3.3); line[1] = __LINE__;
    cpu[1] += cpu_ns() - c;
    ns[1] += now_ns() - t;
    sink = sum;
}

static __attribute__((noinline)) void compress_bytes(void)
{
    uLongf size = sizeof packed;
    uint64_t t = now_ns(), c = cpu_ns();
    compress2(packed, &size, bytes, sizeof bytes / 8, 6); line[2] = __LINE__;
    cpu[2] += cpu_ns() - c;
    ns[2] += now_ns() - t;
}

static __attribute__((noinline)) void move_bytes(void)
{
    uint64_t t = now_ns(), c = cpu_ns();
    for (int i = 0; i < 60; i++) memmove(packed, bytes + i, sizeof bytes - 60); line[3] = __LINE__;
    cpu[3] += cpu_ns() - c;
    ns[3] += now_ns() - t;
}

int main(void)
{
    uint32_t state = 1;
    for (size_t i = 0; i < sizeof bytes; i++) {
        state = state * 1664525u + 1013904223u;
        bytes[i] = (unsigned char)(state >> 28);
    }
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < 20000; i++) {
            state = state * 1664525u + 1013904223u;
            values[i] = state;
        }
        sort();
        powers();
        compress_bytes();
        move_bytes();
    }
    /* The comparison has lines of its own. The rest of the sort is the library's part, which no clock here can
     * separate. */
    char name[64];
    for (int i = 1; i < 4; i++) {
        snprintf(name, sizeof name, "library.c:%d", line[i]);
        expect_estimate("lines", name, "self_ns", cpu[i], ns[i]);
    }
    for (int i = 2; i < 4; i++) {       /* pow's line has the sum as well */
        snprintf(name, sizeof name, "library.c:%d", line[i]);
        expect_estimate("lines", name, "library_ns", cpu[i], ns[i]);
    }
    expect_exact("functions", "sort", "calls", 100);
    return 0;
}
