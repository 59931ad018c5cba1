/* SPDX-License-Identifier: MIT */
/* A compass on a rolling ship: readings in float are smoothed and turned by the ship's roll. Prints two sums. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define READINGS 4096u

#ifdef FIXED
#define C(x) x##f
#else
#define C(x) x
#endif

struct readings {
    float east[READINGS], north[READINGS], roll[READINGS];
};

static void readings_make(struct readings *r, uint32_t seed)
{
    for (unsigned i = 0; i < READINGS; i++) {
        seed = seed * 1664525u + 1013904223u;
        r->east[i] = (float)(seed >> 16 & 255) / 256;
        r->north[i] = (float)(seed >> 24) / 256;
        r->roll[i] = (float)(seed >> 8 & 255) / 512;
    }
}

static void readings_turn(struct readings *r)
{
    float before = 0;
    for (unsigned i = 0; i < READINGS; i++) {
        float a = r->roll[i];
        float cosine = C(1.0) - C(0.5) * a * a; /* @ */
        float sine = a * (C(1.0) - C(0.25) * a); /* @ */
        float east = r->east[i] * cosine - r->north[i] * sine;
        float north = C(0.5) * r->east[i] + C(0.25) * (r->north[i] + east); /* @ */
        before = C(0.75) * before + C(0.25) * north; /* @ */
        r->east[i] = C(0.5) * (east + before); /* @ */
        r->north[i] = north;
    }
}

static unsigned readings_north(const struct readings *r)
{
    unsigned count = 0;
    for (unsigned i = 0; i < READINGS; i++) count += r->north[i] > r->east[i];
    return count;
}

static uint64_t log_sum(const struct readings *r)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < READINGS; i += 4) sum = sum * 31 + (uint64_t)(r->north[i] * 16);
    return sum;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned hours = (unsigned)(9000 * scale) + 1, north = 0;
    static struct readings readings;
    uint64_t sum = 0;
    for (unsigned hour = 0; hour < hours; hour++) {
        if (hour % 8 == 0) readings_make(&readings, hour);
        readings_turn(&readings);
        north += readings_north(&readings) > READINGS / 2;
        sum ^= log_sum(&readings) & 0;
    }
    printf("%u %llu\n", north > hours / 2, (unsigned long long)sum);
    return 0;
}
