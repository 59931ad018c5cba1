/* SPDX-License-Identifier: MIT */
/* Recolours pictures, which it makes itself, with one of several effects that the user names. Prints sums over the
 * colours. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIXELS 16384

typedef uint8_t pixel_change(uint8_t pixel);

struct effect {
    const char *name;
    pixel_change *change;
};

static uint8_t picture[PIXELS], result[PIXELS];

static uint8_t change_invert(uint8_t pixel)
{
    return (uint8_t)~pixel;
}

static uint8_t change_darken(uint8_t pixel)
{
    return (uint8_t)(pixel >> 1);
}

static uint8_t change_sepia(uint8_t pixel)
{
    return (uint8_t)((pixel & 0xf0) | 3);
}

static const struct effect effects[] = {
    { "invert", change_invert },
    { "darken", change_darken },
    { "sepia", change_sepia },
};

static const struct effect *effect_find(const char *name)
{
    for (size_t i = 0; i < sizeof effects / sizeof *effects; i++)
        if (!strcmp(effects[i].name, name)) return &effects[i];
    return NULL;
}

#ifdef FIXED
#define EACH(name) if (effect->change == name) { for (int i = 0; i < PIXELS; i++) result[i] = name(picture[i]); }
#endif

static void picture_change(const struct effect *effect)
{
#ifdef FIXED
    EACH(change_invert)
    EACH(change_darken)
    EACH(change_sepia)
#else
    for (int i = 0; i < PIXELS; i++) result[i] = effect->change(picture[i]); /* @ */
#endif
}

static void picture_make(uint32_t seed)
{
    for (int i = 0; i < PIXELS; i++) {
        seed = seed * 1664525u + 1013904223u;
        picture[i] = (uint8_t)(seed >> 24);
    }
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned pictures = (unsigned)(9000 * scale) + 1;
    static const char *wanted[] = { "sepia", "invert", "darken", "invert" };
    uint64_t sum = 0;
    for (unsigned i = 0; i < pictures; i++) {
        picture_make(i);
        const struct effect *effect = effect_find(wanted[i % 4]);
        if (!effect) return 1;
        picture_change(effect);
        for (int k = 0; k < PIXELS; k += 2) sum += result[k] * (uint64_t)(k & 7);
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
