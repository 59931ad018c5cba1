/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* rule: pagefaults */
/* least: 56 */
/* etchings.c: plates are mapped, filled with a pattern, looked at and unmapped. The copies of the pattern are where the
 * time stands, and the kernel takes it there: each page is new. Copying itself is fast. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PLATE (1u << 20)
#define PATTERN 48u /* no structure that is told of */

static uint8_t *plate_get(void)
{
    uint8_t *plate = mmap(NULL, PLATE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); /* @ */
    if (plate == MAP_FAILED)
        exit(1);
    return plate;
}

static void plate_fill(uint8_t *plate, unsigned number)
{
    uint8_t pattern[PATTERN];
    for (unsigned i = 0; i < PATTERN; i++)
        pattern[i] = (uint8_t)((i + number) * 37 >> 2);
    for (unsigned i = 0; i + PATTERN <= PLATE; i += PATTERN)
        memcpy(plate + i, pattern, PATTERN); /* @ */
}

static uint64_t plate_look(const uint8_t *plate)
{
    uint64_t dark = 0, before = 0;
    for (unsigned i = 0; i < PLATE; i += 8) {
        before = (before * 7 + plate[i]) / 8;
        dark += before < 100;
    }
    return dark;
}

int main(int argc, char **argv)
{
    int plates = (int)(700 * (argc > 1 ? atof(argv[1]) : 1));
    uint64_t dark = 0;
#ifdef FIXED
    uint8_t *one = plate_get();
#endif
    for (int i = 0; i < plates; i++) {
#ifdef FIXED
        uint8_t *plate = one;
#else
        uint8_t *plate = plate_get();
#endif
        plate_fill(plate, (unsigned)i);
        dark += plate_look(plate);
#ifndef FIXED
        munmap(plate, PLATE);
#endif
    }
    printf("%llu\n", (unsigned long long)dark);
    return 0;
}
