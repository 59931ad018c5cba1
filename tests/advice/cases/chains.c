/* SPDX-License-Identifier: MIT */
/* rule: searches */
/* sizes: 0.3 1 3 */
/* chains.c: passengers in a table by the numbers of their tickets. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef FIXED
#define BUCKETS 16384u
#else
#define BUCKETS 32u
#endif
#define PASSENGERS 6000u

struct passenger {
    struct passenger *next;
    uint32_t ticket, trips;
};

static struct passenger all[PASSENGERS], *bucket[BUCKETS];

static uint32_t bucket_of(uint32_t ticket)
{
    return (ticket * 2654435761u >> 12) % BUCKETS;
}

struct passenger *passenger_find(uint32_t ticket)
{
    struct passenger *p;
    for (p = bucket[bucket_of(ticket)]; p; p = p->next)
        if (p->ticket == ticket) /* @ */
            break;
    return p;
}

int main(int argc, char **argv)
{
    uint32_t count = (uint32_t)(600000 * (argc > 1 ? atof(argv[1]) : 1)), state = 5, strangers = 0;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < PASSENGERS; i++) {
        all[i].ticket = 5000 + i * 13;
        struct passenger **first = &bucket[bucket_of(all[i].ticket)];
        all[i].next = *first;
        *first = &all[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        struct passenger *p = passenger_find(5000 + (state >> 8) % (PASSENGERS + 60) * 13);
        if (p)
            p->trips++;
        else
            strangers++;
        for (int k = 0; k < 20; k++)
            sum = (sum ^ state) * 1099511628211ULL;
    }
    for (uint32_t i = 0; i < PASSENGERS; i++)
        sum += (uint64_t)i * all[i].trips;
    printf("%u trips, %u by strangers, %llx\n", count, strangers, (unsigned long long)sum);
    return 0;
}
