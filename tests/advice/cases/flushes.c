/* SPDX-License-Identifier: MIT */
/* sizes: 0.1 1 10 */
/* flushes.c: a ledger of payments is written as text, and each account's sum is kept. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ACCOUNTS 512

static int64_t balance[ACCOUNTS];

static void payment_book(FILE *ledger, uint32_t number)
{
    uint32_t from = number * 2654435761u >> 23, to = number * 40503u >> 7 & (ACCOUNTS - 1), cents = number % 9973 + 1;
    balance[from] -= cents;
    balance[to] += cents;
    fprintf(ledger, "%u;%u;%u;%u.%02u\n", number, from, to, cents / 100, cents % 100);
#ifndef FIXED
    fflush(ledger); /* @ */
#endif
}

int main(int argc, char **argv)
{
    uint32_t count = (uint32_t)(250000 * (argc > 1 ? atof(argv[1]) : 1));
    char path[] = "ledger-XXXXXX";
    int fd = mkstemp(path);
    FILE *ledger = fd < 0 ? NULL : fdopen(fd, "w");
    if (!ledger)
        return 1;
    for (uint32_t i = 0; i < count; i++)
        payment_book(ledger, i);
    fflush(ledger);
    printf("%u payments, %ld bytes, account 7 has %lld\n", count, ftell(ledger), (long long)balance[7]);
    fclose(ledger);
    unlink(path);
    return 0;
}
