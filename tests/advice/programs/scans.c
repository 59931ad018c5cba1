/* SPDX-License-Identifier: MIT */
/* A scanner's driver: pages come as strips into memory that is mapped for them, are straightened, and become dark or
 * light. Prints how many dots are dark. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define STRIP (1u << 20)
#define BLOCK 512u

static void *strip_map(void)
{
    void *strip = mmap(NULL, STRIP, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); /* @ */
    if (strip == MAP_FAILED) exit(1);
    return strip;
}

static uint8_t *strip_open(void)
{
#ifdef FIXED
    static uint8_t *strip;
    return strip = strip ? strip : strip_map();
#else
    return strip_map(); /* @ */
#endif
}

static void strip_close(uint8_t *strip)
{
#ifdef FIXED
    (void)strip;
#else
    munmap(strip, STRIP);
#endif
}

static void strip_scan(uint8_t *strip, unsigned number)
{
    uint8_t pattern[BLOCK];
    for (unsigned i = 0; i < BLOCK; i++) pattern[i] = (uint8_t)((i + number) * 37 >> 2);
    for (unsigned i = 0; i < STRIP; i += BLOCK) memcpy(strip + i, pattern, BLOCK); /* @ */
}

static uint64_t strip_dark(const uint8_t *strip)
{
    uint64_t dark = 0, before = 0;
    for (unsigned i = 0; i < STRIP; i += 8) {
        before = (before * 7 + strip[i]) / 8;
        dark += before < 100;
    }
    return dark;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned strips = (unsigned)(900 * scale) + 1;
    uint64_t dark = 0;
    for (unsigned i = 0; i < strips; i++) {
        uint8_t *strip = strip_open();
        strip_scan(strip, i);
        dark += strip_dark(strip) * (i % 3 + 1);
        strip_close(strip);
    }
    printf("%llu\n", (unsigned long long)dark);
    return 0;
}
