/* SPDX-License-Identifier: MIT */
/* rule: scalars */
/* sizes: 0.3 1 3 */
/* windows.c: a picture is unpacked by copying pieces of what came before. That may overlap what is written, so that no
 * word of the programmer makes it vectors; a copy of the same bytes elsewhere does not. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 1 << 16, PIECE = 96 };
static uint8_t picture[BYTES + PIECE];
#ifndef FIXED
static uint8_t window[BYTES + PIECE]; /* what has been unpacked, once more */
#endif

__attribute__((noipa)) static uint8_t *piece_copy(uint8_t *to, const uint8_t *all, size_t back, size_t bytes)
{
#ifdef FIXED
    (void)all;
    for (size_t k = 0; k < bytes; k++, to++)
        *to = *(to - back);
#else
    const uint8_t *from = all + (to - picture) - back;
    for (size_t k = 0; k < bytes; k++)
        *to++ = *from++; /* @ */
#endif
    return to;
}

int main(int argc, char **argv)
{
    unsigned pictures = (unsigned)(3000 * (argc > 1 ? atof(argv[1]) : 1)), sum = 0, random = 5;
    for (unsigned i = 0; i < pictures; i++) {
        uint8_t *at = picture;
        for (unsigned k = 0; k < 256; k++)
            *at++ = (uint8_t)(k + i);
        const uint8_t *all = picture;
#ifndef FIXED
        memcpy(window, picture, 256);
        all = window;
#endif
        while (at < picture + BYTES) {
            random = random * 1664525 + 1013904223;
            uint8_t *end = piece_copy(at, all, 97 + (random >> 24) % 128, PIECE);
#ifndef FIXED
            memcpy(window + (at - picture), at, PIECE);
#endif
            at = end;
        }
        sum = sum * 31 + picture[BYTES - 1 - i % 64];
    }
    printf("%u\n", sum);
    return 0;
}
