/* SPDX-License-Identifier: MIT */
/* drawn.c: allocations of many kinds, each at a line of its own, whose blocks and bytes are known. The test reads the
 * lines by their marks and holds the estimates of blocks=sampled to these numbers, which are printed. */
#include <profplug.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TINY = 60000, PAGES = 3000, LARGE = 100, MIXED = 4000, KEPT = 30000, GROWN = 2000 };
static void *volatile taken;
static void *pages[PAGES], *kept[KEPT];

static void print(const char *mark, uint64_t blocks, uint64_t bytes, uint64_t live_blocks, uint64_t live_bytes)
{
    printf("%s %llu %llu %llu %llu\n", mark, (unsigned long long)blocks, (unsigned long long)bytes,
           (unsigned long long)live_blocks, (unsigned long long)live_bytes);
}

int main(void)
{
    uint64_t mixed = 0, grown = 0;
    profplug_begin("all");
    for (int i = 0; i < TINY; i++) {
        taken = malloc(24); /* mark: tiny */
        free(taken);
    }
    for (int i = 0; i < PAGES; i++)
        pages[i] = malloc(4000); /* mark: pages */
    for (int i = 0; i < PAGES; i += 2)
        free(pages[i]);
    for (int i = 0; i < LARGE; i++) {
        taken = malloc(100000); /* mark: large */
        free(taken);
    }
    for (int i = 0; i < MIXED; i++) {
        size_t size = i % 50 ? 16 + (size_t)(i % 7) * 40 : 30000;
        mixed += size;
        taken = calloc(1, size); /* mark: mixed */
        free(taken);
    }
    for (int i = 0; i < KEPT; i++)
        kept[i] = malloc(64); /* mark: kept */
    void *block = NULL;
    size_t size = 0;
    for (int i = 0; i < GROWN; i++) {
        size = size % 3000 + 37;
        grown += size;
        block = realloc(block, size); /* mark: grown */
    }
    profplug_end("all");
    print("tiny", TINY, TINY * UINT64_C(24), 0, 0);
    print("pages", PAGES, PAGES * UINT64_C(4000), PAGES / 2, PAGES / 2 * UINT64_C(4000));
    print("large", LARGE, LARGE * UINT64_C(100000), 0, 0);
    print("mixed", MIXED, mixed, 0, 0);
    print("kept", KEPT, KEPT * UINT64_C(64), KEPT, KEPT * UINT64_C(64));
    print("grown", GROWN, grown, 1, size);
    return block == taken;
}
