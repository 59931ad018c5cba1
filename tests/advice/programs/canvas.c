/* SPDX-License-Identifier: MIT */
/* A painter's canvas: paint is laid on, then the light of each column is looked at to hang the lamp. Prints the place of
 * the lamp and the light there. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct canvas {
    unsigned width, height;
    float *light;
};

static void canvas_paint(struct canvas *canvas, uint32_t seed)
{
    for (unsigned y = 0; y < canvas->height; y++) {
        float *row = canvas->light + (size_t)y * canvas->width;
        for (unsigned x = 0; x < canvas->width; x++) {
            seed = seed * 1664525u + 1013904223u;
            row[x] = (float)(seed >> 24);
        }
    }
}

static void canvas_profile(const struct canvas *canvas, float *columns)
{
#ifdef FIXED
    for (unsigned x = 0; x < canvas->width; x++) columns[x] = 0;
    for (unsigned y = 0; y < canvas->height; y++)
        for (unsigned x = 0; x < canvas->width; x++) columns[x] += canvas->light[(size_t)y * canvas->width + x];
#else
    for (unsigned x = 0; x < canvas->width; x++) {
        float sum = 0;
        for (unsigned y = 0; y < canvas->height; y++) /* @ */
            sum += canvas->light[(size_t)y * canvas->width + x]; /* @ */
        columns[x] = sum;
    }
#endif
}

static unsigned lamp_hang(const float *columns, unsigned width, float *best)
{
    unsigned place = 0;
    *best = 0;
    for (unsigned x = 16; x + 16 < width; x++) {
        float sum = 0;
        for (unsigned k = x - 16; k < x + 16; k++) sum += columns[k];
        if (sum > *best) {
            *best = sum;
            place = x;
        }
    }
    return place;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned looks = (unsigned)(30 * scale) + 1;
    struct canvas canvas = { 2048, 1200, NULL };
    float *columns = calloc(canvas.width, sizeof *columns), best;
    canvas.light = malloc(sizeof(float) * canvas.width * canvas.height);
    if (!columns || !canvas.light) return 1;
    for (unsigned i = 0; i < looks; i++) {
        if (i % 4 == 0) canvas_paint(&canvas, i + 1);
        canvas_profile(&canvas, columns);
        unsigned place = lamp_hang(columns, canvas.width, &best);
        canvas.light[place] += 1;
        if (i + 1 == looks) printf("%u %.1f\n", place, best);
    }
    free(columns);
    free(canvas.light);
    return 0;
}
