/* SPDX-License-Identifier: MIT */
/* rule: syncs */
/* sizes: 1 3 */
/* chronicles.c: entries of a chronicle, each confirmed by the disk; in the twin, forty of them together. What those
 * take is little beside the seals that are made. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef FIXED
#define TOGETHER 40u
#else
#define TOGETHER 1u
#endif

static uint64_t seal_make(uint64_t of)
{
    for (unsigned i = 0; i < 900000; i++)
        of = (of ^ i) * 1099511628211u;
    return of;
}

int main(int argc, char **argv)
{
    unsigned entries = 40 * (unsigned)(20 * (argc > 1 ? atof(argv[1]) : 1));
    char name[] = "chronicleXXXXXX";
    int fd = mkstemp(name);
    uint64_t seal = 9, page[32] = { 0 };
    if (fd < 0)
        return 1;
    unlink(name);
    for (unsigned i = 0; i < entries; i++) {
        page[i % 32] = seal = seal_make(seal + i);
        if (write(fd, page, sizeof page) != sizeof page)
            return 1;
        if (i % TOGETHER == TOGETHER - 1 && fdatasync(fd)) /* @ */
            return 1;
    }
    printf("%u entries, %llx\n", entries, (unsigned long long)seal);
    close(fd);
    return 0;
}
