/* SPDX-License-Identifier: MIT */
/* A ticker of share prices: quotes of shares come in, the last price of each share is kept under its key, and an average
 * is made. Prints the averages' sum. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 8192u

#ifdef FIXED
struct key {
    uint32_t market, share;
};
#else
struct key {
    char text[24];
};
#endif

struct quote {
    struct key key;
    uint64_t price;
    unsigned count;
};

static struct quote table[SLOTS];

static struct key key_make(uint32_t market, uint32_t share)
{
    struct key key;
    memset(&key, 0, sizeof key);
#ifdef FIXED
    key = (struct key){ market + 1, share };
#else
    sprintf(key.text, "M%u.%05u", market + 1, share); /* @ */
#endif
    return key;
}

static uint32_t key_hash(const struct key *key)
{
    uint64_t hash = 14695981039346656037u;
    const unsigned char *at = (const unsigned char *)key;
    for (unsigned i = 0; i < sizeof *key; i++) hash = (hash ^ at[i]) * 1099511628211u;
    return (uint32_t)(hash ^ hash >> 32);
}

static struct quote *quote_find(const struct key *key)
{
    static const struct key none;
    uint32_t at = key_hash(key) % SLOTS;
    while (memcmp(&table[at].key, &none, sizeof none) && memcmp(&table[at].key, key, sizeof *key)) at = (at + 1) % SLOTS;
    table[at].key = *key;
    return &table[at];
}

static uint64_t average(uint64_t before, uint64_t price)
{
    for (unsigned i = 0; i < 40; i++) before = (before * 15 + price + i) / 16;
    return before;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned quotes = (unsigned)(1500000 * scale) + 1;
    uint32_t state = 31;
    for (unsigned i = 0; i < quotes; i++) {
        state = state * 1664525u + 1013904223u;
        struct key key = key_make(state >> 30, (state >> 12) % 600); /* @ */
        struct quote *quote = quote_find(&key);
        quote->price = average(quote->price, state >> 16);
        quote->count++;
    }
    uint64_t sum = 0;
    for (unsigned i = 0; i < SLOTS; i++) sum += quotes ? table[i].price + table[i].count : 0;
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
