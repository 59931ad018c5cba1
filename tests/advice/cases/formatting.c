/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* formatting.c: a table of measurements by place is kept, and counted by key. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 4096

struct slot {
    uint64_t key;
    unsigned count;
    double sum;
};
static struct slot table[SLOTS];

static uint64_t text_hash(const char *text, size_t bytes)
{
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < bytes; i++)
        h = (h ^ (unsigned char)text[i]) * 1099511628211u;
    return h;
}

static uint64_t key_of(unsigned place, unsigned day)
{
    char text[32];
#ifndef FIXED
    int bytes = snprintf(text, sizeof text, "place-%05u/day-%03u", place, day); /* @ */
#else
    memcpy(text, "place-00000/day-000", 20);
    for (unsigned i = 0; i < 5; i++, place /= 10)
        text[10 - i] = (char)('0' + place % 10);
    for (unsigned i = 0; i < 3; i++, day /= 10)
        text[18 - i] = (char)('0' + day % 10);
    int bytes = 19;
#endif
    return text_hash(text, (size_t)bytes);
}

static void measure(unsigned place, unsigned day, double value)
{
    uint64_t key = key_of(place, day);
    size_t at = key % SLOTS;
    while (table[at].count && table[at].key != key)
        at = (at + 1) % SLOTS;
    table[at].key = key;
    table[at].count++;
    table[at].sum += value;
}

int main(int argc, char **argv)
{
    unsigned count = (unsigned)(4000000 * (argc > 1 ? atof(argv[1]) : 1)), seed = 7, used = 0;
    double all = 0;
    for (unsigned i = 0; i < count; i++) {
        seed = seed * 1103515245 + 12345;
        measure(seed >> 16 & 255, seed >> 24 & 7, (double)(seed >> 8 & 1023));
    }
    for (size_t i = 0; i < SLOTS; i++)
        used += table[i].count != 0, all += table[i].sum;
    printf("%u places and days, %.0f\n", used, all);
    return 0;
}
