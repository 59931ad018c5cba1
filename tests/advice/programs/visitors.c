/* SPDX-License-Identifier: MIT */
/* Visitors of an exhibition: tickets are scanned at several doors, each visitor counts once. Prints the number of
 * visitors, and a sum over their tickets. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct visitors {
    uint32_t *ticket;
    unsigned count;
#ifdef FIXED
    uint32_t *slot;
    unsigned slots;
#endif
};

static uint32_t ticket_scan(unsigned i, unsigned most)
{
    uint32_t seed = i * 747796405u + 2891336453u;
    seed = ((seed >> ((seed >> 28) + 4)) ^ seed) * 277803737u;
    return (seed >> 22 ^ seed) % most + 1;
}

static uint64_t ticket_verify(uint32_t ticket)
{
    uint64_t h = ticket;
    for (int i = 0; i < 1500; i++) {
        h ^= h >> 33;
        h *= 0xff51afd7ed558ccdULL;
    }
    return h;
}

#ifdef FIXED
static int visitors_add(struct visitors *visitors, uint32_t ticket)
{
    unsigned at = ticket * 2654435761u % visitors->slots;
    for (; visitors->slot[at]; at = (at + 1) % visitors->slots)
        if (visitors->slot[at] == ticket) return 0;
    visitors->slot[at] = ticket;
    visitors->ticket[visitors->count++] = ticket;
    return 1;
}
#else
static int visitors_add(struct visitors *visitors, uint32_t ticket)
{
    for (unsigned i = 0; i < visitors->count; i++) /* @ */
        if (visitors->ticket[i] == ticket) return 0; /* @ */
    visitors->ticket[visitors->count++] = ticket;
    return 1;
}
#endif

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned scans = (unsigned)(60000 * sqrt(scale)) + 1;
    struct visitors visitors = { 0 };
    visitors.ticket = calloc(scans, sizeof *visitors.ticket);
#ifdef FIXED
    visitors.slots = scans * 2 + 1;
    visitors.slot = calloc(visitors.slots, sizeof *visitors.slot);
    if (!visitors.slot) return 1;
#endif
    if (!visitors.ticket) return 1;
    uint64_t sum = 0, verified = 0;
    for (unsigned i = 0; i < scans; i++) {
        uint32_t ticket = ticket_scan(i, scans / 2 + 1);
        verified += ticket_verify(ticket) >> 32;
        if (visitors_add(&visitors, ticket)) sum += ticket * (uint64_t)visitors.count;
    }
    printf("%u %llu %llu\n", visitors.count, (unsigned long long)sum, (unsigned long long)verified);
    free(visitors.ticket);
    return 0;
}
