/* SPDX-License-Identifier: MIT */
/* A terrain's profile: heights on a grid, which it makes itself, give slopes from south to north, then rows are
 * smoothed. Prints sums. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE 2048u

static int32_t *heights, *slopes;

static void heights_make(unsigned survey)
{
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        uint32_t h = (i + survey) * 2654435761u;
        heights[i] = (int32_t)((h ^ h >> 15) >> 20);
    }
}

static int64_t slopes_take(void)
{
    int64_t total = 0;
#ifdef FIXED
    for (unsigned y = 1; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++) {
#else
    for (unsigned x = 0; x < SIDE; x++)
        for (unsigned y = 1; y < SIDE; y++) { /* @ */
#endif
            int32_t slope = heights[y * SIDE + x] - heights[(y - 1) * SIDE + x]; /* @ */
            slopes[y * SIDE + x] = slope;
            total += slope < 0 ? -slope : slope;
        }
    return total;
}

static int64_t rows_smooth(void)
{
    int64_t total = 0;
    for (unsigned y = 1; y < SIDE; y++) {
        int32_t *row = slopes + y * SIDE, before = row[0];
        for (unsigned x = 1; x + 1 < SIDE; x++) {
            before = (before * 3 + row[x] * 2 + row[x + 1] * 3) / 8;
            row[x] = before;
            total += before * (int64_t)(x & 15);
        }
    }
    return total;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned surveys = (unsigned)(10 * scale + 0.5);
    heights = malloc(SIDE * SIDE * sizeof *heights);
    slopes = calloc(SIDE * SIDE, sizeof *slopes);
    if (!heights || !slopes) return 1;
    int64_t steep = 0, smooth = 0;
    for (unsigned i = 0; i < surveys; i++) {
        heights_make(i);
        steep += slopes_take();
        smooth += rows_smooth();
    }
    printf("%lld %lld\n", (long long)steep, (long long)smooth);
    free(slopes);
    free(heights);
    return 0;
}
