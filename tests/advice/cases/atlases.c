/* SPDX-License-Identifier: MIT */
/* rule: remaps */
/* sizes: 0.3 1 3 */
/* does: once */
/* least: 60 */
/* atlases.c: an atlas is mapped as a whole for each place that is looked up in it. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define BYTES (8 << 20)

static int file;

static unsigned place_look(size_t at)
{
    unsigned sum = 0;
#ifdef FIXED
    static unsigned char *atlas;
    if (!atlas)
        atlas = mmap(NULL, BYTES, PROT_READ, MAP_SHARED | MAP_POPULATE, file, 0);
#else
    unsigned char *atlas = mmap(NULL, BYTES, PROT_READ, MAP_SHARED | MAP_POPULATE, file, 0); /* @ */
#endif
    if (atlas == MAP_FAILED)
        exit(1);
    for (size_t i = 0; i < 1000; i++)
        sum = sum * 31 + atlas[at + i];
#ifndef FIXED
    munmap(atlas, BYTES);
#endif
    return sum;
}

int main(int argc, char **argv)
{
    int looks = (int)(800 * (argc > 1 ? atof(argv[1]) : 1));
    char path[] = "atlases-XXXXXX";
    static unsigned char page[1 << 16];
    unsigned state = 3, sum = 0;
    file = mkstemp(path);
    if (file < 0 || unlink(path))
        return 1;
    for (size_t i = 0; i < sizeof page; i++)
        page[i] = (unsigned char)(i * 7);
    for (size_t i = 0; i < BYTES / sizeof page; i++)
        if (write(file, page, sizeof page) != (ssize_t)sizeof page)
            return 1;
    for (int i = 0; i < looks; i++) {
        state = state * 1664525u + 1013904223u;
        sum = sum * 31 + place_look((state >> 8) % (BYTES - 1000));
    }
    printf("%u\n", sum);
    return 0;
}
