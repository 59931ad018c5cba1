/* SPDX-License-Identifier: MIT */
/* A parcel depot: parcels go to bins by weight; the ledger is balanced now and then. Prints the ledger's digest. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BINS 60000u
#define BALANCE_EVERY 4096u

static uint32_t grams[BINS];
static uint64_t digest_of[BINS], ledger;
static unsigned touched[BALANCE_EVERY], touched_count;

static void bin_balance(unsigned bin)
{
    uint64_t h = 14695981039346656037ULL;
    for (unsigned i = 0; i < 28; i++) h = (h ^ (grams[bin] >> (i & 7))) * 1099511628211ULL;
    ledger ^= digest_of[bin] ^ h;
    digest_of[bin] = h;
}

static void ledger_balance(void)
{
#ifdef FIXED
    for (unsigned i = 0; i < touched_count; i++) bin_balance(touched[i]);
#else
    for (unsigned i = 0; i < BINS; i++) bin_balance(i); /* @ */
#endif
    touched_count = 0;
}

static void parcel_take(uint32_t number)
{
    uint32_t weight = number;
    for (int i = 0; i < 450; i++) weight = weight * 1664525u + 1013904223u;
    unsigned bin = (weight >> 8) % BINS;
    grams[bin] += weight >> 20;
    touched[touched_count++] = bin;
    if (touched_count == BALANCE_EVERY) ledger_balance(); /* @ */
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned parcels = (unsigned)(1000000 * scale) + 1;
    for (unsigned i = 0; i < BINS; i++) bin_balance(i);
    for (unsigned i = 0; i < parcels; i++) parcel_take(i);
    ledger_balance();
    printf("%llu\n", (unsigned long long)ledger);
    return 0;
}
