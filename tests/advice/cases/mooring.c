/* SPDX-License-Identifier: MIT */
/* rule: syncs */
/* sizes: 0.3 1 3 */
/* says: msync */
/* does: msync */
/* titled: mapped */
/* mooring.c: how often each mooring of a harbour was used is counted in a mapped file. After each ship its page goes to
 * the disk, or with FIXED all do at the end. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096
#define PAGES 64

static uint32_t *uses;

static int ship_moor(uint32_t mooring)
{
    uses[mooring]++;
#ifdef FIXED
    return 0;
#else
    return msync((char *)uses + mooring * sizeof *uses / PAGE * PAGE, PAGE, MS_SYNC); /* @ */
#endif
}

static uint32_t ship_come(uint32_t ship)
{
    for (int i = 0; i < 5000; i++)
        ship = ship * 1664525u + 1013904223u;
    return ship;
}

int main(int argc, char **argv)
{
    unsigned ships = (unsigned)(400 * (argc > 1 ? atof(argv[1]) : 1));
    char path[] = "moorings-XXXXXX";
    int file = mkstemp(path), bad = file < 0 || ftruncate(file, PAGE * PAGES) != 0;
    uint32_t ship = 1;
    uint64_t sum = 0;
    uses = bad ? MAP_FAILED : mmap(NULL, PAGE * PAGES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    bad = uses == MAP_FAILED;
    for (unsigned i = 0; i < ships && !bad; i++)
        bad = ship_moor((ship = ship_come(ship)) % (PAGE * PAGES / sizeof *uses)) != 0;
    bad = bad || msync(uses, PAGE * PAGES, MS_SYNC) != 0;
    for (unsigned i = 0; i < PAGE * PAGES / sizeof *uses && !bad; i++)
        sum += (uint64_t)uses[i] * i;
    unlink(path);
    printf("%llu\n", (unsigned long long)sum);
    return bad;
}
