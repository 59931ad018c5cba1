/* SPDX-License-Identifier: MIT */
/* sizes: 0.5 1 2 */
/* base: 5 */
/* rule: strides */
/* does: blocks */
/* rotations.c: a scanner's pages are turned by a quarter. One of the two pages is walked by columns, whichever loop is
 * the inner one; the twin turns them in blocks. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 3000, HEIGHT = 3000 };

static void turn(const uint32_t *page, uint32_t *turned, int width, int height)
{
#ifndef FIXED
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            turned[(size_t)x * height + (height - 1 - y)] = page[(size_t)y * width + x]; /* @ */
#else
    for (int top = 0; top < height; top += 64)
        for (int left = 0; left < width; left += 64)
            for (int y = top; y < top + 64 && y < height; y++)
                for (int x = left; x < left + 64 && x < width; x++)
                    turned[(size_t)x * height + (height - 1 - y)] = page[(size_t)y * width + x];
#endif
}

int main(int argc, char **argv)
{
    int count = (int)(8 * (argc > 1 ? atof(argv[1]) : 1));
    uint32_t *page = malloc(sizeof *page * WIDTH * HEIGHT), *turned = malloc(sizeof *turned * WIDTH * HEIGHT), sum = 0, ink = 1;
    if (!page || !turned)
        return 1;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        ink = ink * 1664525u + 1013904223u;
        page[i] = ink;
    }
    for (int k = 0; k < count; k++) {
        turn(page, turned, WIDTH, HEIGHT);
        page[k] = sum += turned[k * 977];
    }
    printf("%u\n", sum);
    free(page);
    free(turned);
    return 0;
}
