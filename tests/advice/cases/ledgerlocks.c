/* SPDX-License-Identifier: MIT */
/* rule: dearcalls */
/* sizes: 0.3 1 3 */
/* base: 5 */
/* titled: locks */
/* ledgerlocks.c: several processes may append to one journal, so it is locked for each record. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct record {
    uint32_t number, class;
    uint16_t x, y, width, height;
};

static void lock_set(FILE *out, short type)
{
    struct flock lock = { .l_type = type, .l_whence = SEEK_SET };
    if (fcntl(fileno(out), F_SETLKW, &lock) < 0) /* @ */
        exit(1);
}

static void record_add(FILE *out, const struct record *r)
{
#ifndef FIXED
    lock_set(out, F_WRLCK);
#endif
    fwrite(r, sizeof *r, 1, out);
#ifndef FIXED
    lock_set(out, F_UNLCK);
#endif
}

int main(int argc, char **argv)
{
    uint32_t records = (uint32_t)(200000 * (argc > 1 ? atof(argv[1]) : 1)), state = 3;
    FILE *out = tmpfile();
    if (!out)
        return 1;
#ifdef FIXED
    lock_set(out, F_WRLCK);
#endif
    for (uint32_t i = 0; i < records; i++) {
        state = state * 1664525u + 1013904223u;
        struct record r = { i, state >> 26, (uint16_t)(state >> 3), (uint16_t)(state >> 9), 20, 30 };
        record_add(out, &r);
    }
    printf("%u records of %ld bytes\n", records, ftell(out));
    return 0;
}
