/* SPDX-License-Identifier: MIT */
/* spaced.c: copies records of 3 KB into new blocks and drops them, millions of times, beside blocks that live. Prints the line, the blocks and the bytes of both. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORD 3000u
#define ROUNDS 4000000u
#define KEPT 4000u

static unsigned char record[RECORD];
static void *kept[KEPT];

static __attribute__((noinline)) uint64_t record_look(const unsigned char *copy)
{
    return copy[0] + (uint64_t)copy[RECORD / 2];
}

int main(void)
{
    uint64_t sum = 0;
    int copied = 0, live = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        record[i % RECORD]++;
        unsigned char *copy = malloc(RECORD); copied = __LINE__;
        if (!copy)
            return 1;
        memcpy(copy, record, RECORD);
        sum += record_look(copy);
        free(copy);
        if (i % (ROUNDS / KEPT) == 0) {
            kept[i / (ROUNDS / KEPT)] = malloc(RECORD); live = __LINE__;
        }
    }
    printf("%d %u %llu %d %u %llu %llu\n", copied, ROUNDS, (unsigned long long)ROUNDS * RECORD, live, KEPT, (unsigned long long)KEPT * RECORD, (unsigned long long)sum);
    return 0;
}
