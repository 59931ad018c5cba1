/* SPDX-License-Identifier: MIT */
/* Draws labels of a map with glyphs in several sizes. Prints the ink that was used. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define GLYPHS 256u
#define CELL 24u

struct font {
    uint8_t (*cell)[CELL][CELL];
    bool *is_drawn;
};

static struct font *fonts;
static unsigned sizes;

static void glyph_draw(struct font *font, unsigned size, unsigned glyph)
{
    for (unsigned y = 0; y < CELL; y++)
        for (unsigned x = 0; x < CELL; x++) {
            unsigned ink = glyph * 31 + size;
            for (unsigned i = 0; i < 24; i++) ink = ink * 1664525u + x * y + 1013904223u;
            font->cell[glyph][y][x] = (uint8_t)(ink >> 24);
        }
    font->is_drawn[glyph] = true;
}

static void fonts_open(void)
{
    fonts = calloc(sizes, sizeof *fonts);
    if (!fonts) exit(1);
    for (unsigned size = 0; size < sizes; size++) {
        fonts[size].cell = malloc(GLYPHS * sizeof *fonts[size].cell);
        fonts[size].is_drawn = calloc(GLYPHS, sizeof(bool));
        if (!fonts[size].cell || !fonts[size].is_drawn) exit(1);
#ifndef FIXED
        for (unsigned glyph = 0; glyph < GLYPHS; glyph++) glyph_draw(&fonts[size], size, glyph); /* @ */
#endif
    }
}

static uint64_t label_draw(unsigned number)
{
    uint64_t ink = 0;
    if (!fonts) fonts_open(); /* @ */
    struct font *font = &fonts[number % 3];
    for (unsigned i = 0; i < 12; i++) {
        unsigned glyph = 'a' + (number * 7 + i * 5) % 26;
#ifdef FIXED
        if (!font->is_drawn[glyph]) glyph_draw(font, number % 3, glyph);
#endif
        for (unsigned y = 0; y < CELL; y++)
            for (unsigned x = 0; x < CELL; x++) ink += font->cell[glyph][y][x] ^ (x * i);
    }
    return ink;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned labels = (unsigned)(150000 * scale) + 1;
    uint64_t ink = 0;
    sizes = (unsigned)(110 * scale) + 3;
    for (unsigned i = 0; i < labels; i++) ink += label_draw(i);
    printf("%llu\n", (unsigned long long)ink);
    return 0;
}
