// SPDX-License-Identifier: MIT
// Joins pictures of a panorama: each is warped into a canvas, and the canvas is blended. Prints the mean of the result.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

static const unsigned width = 4800, height = 1900;

struct Picture {
    unsigned number;
    uint32_t pixel(unsigned i) const { return (i * 40503u + number * 2654435761u) >> 9; }
};

static void warp(const Picture &picture, uint32_t *canvas)
{
    for (unsigned i = 0; i < width * height; i++) canvas[i] = picture.pixel(i);
}

static uint64_t blend(const uint32_t *canvas)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < width * height; i++) sum += canvas[i] & 255;
    return sum;
}

static uint64_t join(unsigned pictures)
{
    uint64_t sum = 0;
#ifdef FIXED
    uint32_t *canvas = new uint32_t[width * height];
#endif
    for (unsigned i = 0; i < pictures; i++) {
#ifndef FIXED
        uint32_t *canvas = new uint32_t[width * height]; /* @ */
#endif
        warp(Picture{ i }, canvas);
        sum += blend(canvas);
#ifndef FIXED
        delete[] canvas; /* @ */
#endif
    }
#ifdef FIXED
    delete[] canvas;
#endif
    return sum;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned pictures = unsigned(30 * scale) + 1;
    printf("%.6f\n", double(join(pictures)) / pictures / width / height);
}
