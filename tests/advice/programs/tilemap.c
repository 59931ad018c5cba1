/* SPDX-License-Identifier: MIT */
/* Draws a map of tiles: each tile is drawn by a thread, then all are put together and blurred. Prints a sum over the
 * map. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 96u
#define TILES 4u
#define ITERATIONS 220

struct tile {
    unsigned number;
    double zoom;
    uint8_t pixel[SIDE * SIDE];
};

static struct tile tiles[TILES];

static uint8_t point_draw(double x, double y)
{
    double a = 0, b = 0;
    int i = 0;
    for (; i < ITERATIONS && a * a + b * b < 4; i++) {
        double next = a * a - b * b + x;
        b = 2 * a * b + y;
        a = next;
    }
    return (uint8_t)i;
}

static void *tile_draw(void *argument)
{
    struct tile *tile = argument;
    double left = -0.7 + 0.01 * tile->number, top = 0.2;
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++)
            tile->pixel[y * SIDE + x] = point_draw(left + x * tile->zoom, top + y * tile->zoom);
    return NULL;
}

static void map_draw(double zoom)
{
    pthread_t threads[TILES];
    for (unsigned i = 0; i < TILES; i++) {
        tiles[i].number = i;
        tiles[i].zoom = zoom;
        if (pthread_create(&threads[i], NULL, tile_draw, &tiles[i])) exit(1);
#ifndef FIXED
        pthread_join(threads[i], NULL); /* @ */
#endif
    }
#ifdef FIXED
    for (unsigned i = 0; i < TILES; i++) pthread_join(threads[i], NULL);
#endif
}

static uint64_t map_blur(uint8_t *map)
{
    uint64_t sum = 0;
    unsigned width = SIDE * TILES;
    for (unsigned i = 0; i < TILES; i++)
        for (unsigned y = 0; y < SIDE; y++) memcpy(map + y * width + i * SIDE, tiles[i].pixel + y * SIDE, SIDE);
    for (int pass = 0; pass < 12; pass++)
        for (unsigned y = 1; y + 1 < SIDE; y++)
            for (unsigned x = 1; x + 1 < width; x++) {
                uint8_t *p = map + y * width + x;
                p[0] = (uint8_t)((p[0] * 4 + p[-1] + p[1] + p[-(int)width] + p[width]) / 8);
            }
    for (unsigned i = 0; i < width * SIDE; i++) sum = sum * 31 + map[i];
    return sum;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned maps = (unsigned)(25 * scale) + 1;
    static uint8_t map[SIDE * SIDE * TILES];
    uint64_t sum = 0;
    for (unsigned i = 0; i < maps; i++) {
        map_draw(0.001 + i * 1e-6);
        sum ^= map_blur(map) + i;
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
