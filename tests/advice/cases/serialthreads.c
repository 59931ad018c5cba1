/* SPDX-License-Identifier: MIT */
/* sizes: 0.1 1 10 */
/* libraries: -pthread */
/* serialthreads.c: a map is drawn tile by tile, four tiles a row, each tile by a thread. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define ACROSS 4

struct tile {
    uint32_t x, y, ink;
};

static void *tile_draw(void *of)
{
    struct tile *t = of;
    uint32_t ink = t->x * 31 + t->y;
    for (uint32_t i = 0; i < 3000000; i++)
        ink = ink * 1664525 + (ink >> 15);
    t->ink = ink;
    return NULL;
}

static uint32_t row_draw(uint32_t y)
{
    struct tile tile[ACROSS];
    pthread_t thread[ACROSS];
    uint32_t ink = 0;
    for (uint32_t x = 0; x < ACROSS; x++) {
        tile[x] = (struct tile){ x, y, 0 };
        if (pthread_create(&thread[x], NULL, tile_draw, &tile[x])) /* @ */
            exit(1);
#ifndef FIXED
        pthread_join(thread[x], NULL); /* @ */
    }
    for (uint32_t x = 0; x < ACROSS; x++) {
#else
    }
    for (uint32_t x = 0; x < ACROSS; x++) {
        pthread_join(thread[x], NULL);
#endif
        ink ^= tile[x].ink;
    }
    return ink;
}

int main(int argc, char **argv)
{
    uint32_t rows = (uint32_t)(30 * (argc > 1 ? atof(argv[1]) : 1)), ink = 0;
    for (uint32_t y = 0; y < rows; y++)
        ink += row_draw(y);
    printf("%u rows, %08x\n", rows, ink);
    return 0;
}
