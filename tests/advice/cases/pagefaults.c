/* SPDX-License-Identifier: MIT */
/* sizes: 0.6 1 3 */
/* base: 6 */
/* pagefaults.c: pictures are blurred into a buffer, one after the other. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PIXELS (4u << 20)

static uint8_t *buffer_get(uint8_t **kept)
{
    if (!*kept) {
        void *made = mmap(NULL, PIXELS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); /* @ */
        *kept = made == MAP_FAILED ? NULL : made;
    }
    return *kept;
}

static void buffer_done(uint8_t **kept)
{
#ifndef FIXED
    munmap(*kept, PIXELS); /* @ */
    *kept = NULL;
#else
    (void)kept;
#endif
}

static void blur(const uint8_t *from, uint8_t *to)
{
    for (size_t i = 1; i + 1 < PIXELS; i++)
        to[i] = (uint8_t)((from[i - 1] + 2 * from[i] + from[i + 1]) / 4); /* @ */
}

static uint32_t picture_sum(const uint8_t *of)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < PIXELS; i += 64)
        sum = sum * 31 + of[i + 1];
    return sum;
}

int main(int argc, char **argv)
{
    int pictures = (int)(60 * (argc > 1 ? atof(argv[1]) : 1));
    uint8_t *picture = malloc(PIXELS), *kept = NULL;
    uint32_t sum = 0;
    for (size_t i = 0; i < PIXELS; i++)
        picture[i] = (uint8_t)(i * 2654435761u >> 24);
    for (int i = 0; i < pictures; i++) {
        uint8_t *to = buffer_get(&kept);
        if (!to)
            return 1;
        picture[i % 1000 + 1] ^= 1;
        blur(picture, to);
        sum += picture_sum(to);
        buffer_done(&kept);
    }
    printf("%u\n", sum);
    return 0;
}
