/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* rule: headers */
/* maps.c: places are looked up in a file that mkstemp opened, which no wrapper knows, and that was written by some
 * hundred calls before. Each question reads the file's head first. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct head {
    uint32_t places, bytes;
};
struct place {
    uint32_t number;
    float at[7];
};

static int map_make(char *path, uint32_t places)
{
    int fd = mkstemp(path);
    FILE *out = fdopen(dup(fd), "w");
    struct head h = { places, sizeof(struct place) };
    if (!out)
        exit(1);
    fwrite(&h, sizeof h, 1, out);
    for (uint32_t i = 0; i < places; i++) {
        struct place p = { i * 7, { (float)i, (float)(i % 31) } };
        fwrite(&p, sizeof p, 1, out);
    }
    fclose(out);
    return fd;
}

static int place_get(int fd, uint32_t number, struct place *p)
{
#ifndef FIXED
    struct head h;
    if (pread(fd, &h, sizeof h, 0) != sizeof h) /* @ */
        return 0;
#else
    static struct head h;
    if (!h.places && pread(fd, &h, sizeof h, 0) != sizeof h)
        return 0;
#endif
    off_t at = (off_t)(sizeof h + (uint64_t)number * h.bytes);
    return number < h.places && pread(fd, p, h.bytes, at) == (ssize_t)h.bytes;
}

int main(int argc, char **argv)
{
    uint32_t questions = (uint32_t)(150000 * (argc > 1 ? atof(argv[1]) : 1)), random = 1;
    char path[] = "map-XXXXXX";
    int fd = map_make(path, 20000);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < questions; i++) {
        struct place p;
        random = random * 1664525 + 1013904223;
        sum += place_get(fd, (random >> 8) % 20000, &p) ? p.number : 0;
    }
    unlink(path);
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
