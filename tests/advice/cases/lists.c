/* SPDX-License-Identifier: MIT */
/* rule: searches */
/* sizes: 1 3 */
/* lists.c: guests are found by their number in one long list; the search is inlined, and optimizers read the next
 * number at the end of each step. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define GUESTS 1500u
#define BUCKETS 1024u

struct guest {
    struct guest *next;
    uint32_t number, seat;
};

static struct guest guest[GUESTS], *list[BUCKETS];

static unsigned bucket_of(uint32_t number)
{
#ifdef FIXED
    return number >> 22;
#else
    return number & 0;
#endif
}

static const struct guest *guest_find(uint32_t number)
{
    const struct guest *one = list[bucket_of(number)];
    while (one && one->number != number) one = one->next; /* @ */
    return one;
}

int main(int argc, char **argv)
{
    unsigned evenings = (unsigned)(90 * (argc > 1 ? atof(argv[1]) : 1)) + 1;
    uint64_t seats = 0, coats = 1;
    for (unsigned i = 0; i < GUESTS; i++) {
        guest[i] = (struct guest){ list[bucket_of(i * 2654435761u)], i * 2654435761u, i };
        list[bucket_of(guest[i].number)] = &guest[i];
    }
    for (unsigned evening = 0; evening < evenings; evening++)
        for (unsigned i = 0; i < GUESTS; i++) {
            const struct guest *found = guest_find((i * 7 + evening) % GUESTS * 2654435761u);
            if (!found) continue;
            seats += found->seat;
            for (unsigned k = 0; k < 100; k++) coats = (coats ^ found->number) * 1099511628211u;
        }
    printf("%llu %llu\n", (unsigned long long)seats, (unsigned long long)coats);
    return 0;
}
