/* SPDX-License-Identifier: MIT */
/* rule: smallwrites */
/* sizes: 0.1 1 10 */
/* says: 3 lines */
/* waybills.c: parcels become records of three fields, each written by itself. One remedy is for all, so one finding
 * tells what all of them take. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct parcel {
    uint32_t town, grams, cents;
};

static void parcel_put(int to, const struct parcel *p)
{
#ifndef FIXED
    if (write(to, &p->town, sizeof p->town) < 0 ||   /* @ */
        write(to, &p->grams, sizeof p->grams) < 0 || /* @ */
        write(to, &p->cents, sizeof p->cents) < 0)   /* @ */
        exit(1);
#else
    static struct parcel kept[4096];
    static unsigned count;
    if (p)
        kept[count++] = *p;
    if (count == 4096 || !p) {
        if (write(to, kept, count * sizeof *kept) < 0)
            exit(1);
        count = 0;
    }
#endif
}

int main(int argc, char **argv)
{
    unsigned count = (unsigned)(80000 * (argc > 1 ? atof(argv[1]) : 1)), random = 3;
    char path[] = "waybills-XXXXXX";
    int to = mkstemp(path);
    for (unsigned i = 0; i < count; i++) {
        random = random * 1664525u + 1013904223u;
        struct parcel p = { random >> 20, (random >> 8) % 5000, random % 900 };
        parcel_put(to, &p);
    }
#ifdef FIXED
    parcel_put(to, NULL);
#endif
    printf("%u parcels, %ld bytes\n", count, (long)lseek(to, 0, SEEK_END));
    close(to);
    unlink(path);
    return 0;
}
