/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* scalars.c: two pictures are laid over one another, and their brightness is added up. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define PIXELS 8192

#ifdef FIXED
#define ALONE restrict
#else
#define ALONE
#endif

__attribute__((noinline)) static void pictures_add(int32_t *ALONE to, const int32_t *ALONE a, const int32_t *ALONE b)
{
    for (int i = 0; i < PIXELS; i++)
        to[i] = (a[i] & 0x7f7f7f) + (b[i] >> 1 & 0x7f7f7f) + 0x010101; /* @ */
}

static uint32_t picture_sum(const int32_t *picture)
{
    uint32_t sum = 0;
    for (int i = 0; i < PIXELS; i += 8)
        sum = sum * 31 + (uint32_t)picture[i];
    return sum;
}

int main(int argc, char **argv)
{
    int rounds = (int)(100000 * (argc > 1 ? atof(argv[1]) : 1));
    int32_t *picture = calloc(3 * PIXELS, sizeof *picture);
    uint32_t sum = 0;
    if (!picture)
        return 1;
    for (int i = 0; i < 2 * PIXELS; i++)
        picture[i] = (int32_t)(i * 2654435761u >> 8);
    for (int r = 0; r < rounds; r++) {
        pictures_add(picture + 2 * PIXELS, picture, picture + PIXELS);
        picture[r % PIXELS] = picture[2 * PIXELS + (r + 1) % PIXELS];
        if (r % 32 == 0)
            sum += picture_sum(picture + 2 * PIXELS);
    }
    printf("%d rounds, %u\n", rounds, sum);
    free(picture);
    return 0;
}
