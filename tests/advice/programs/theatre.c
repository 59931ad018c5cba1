/* SPDX-License-Identifier: MIT */
/* A theatre's evenings: guests come with a booking number, the seat is found and the coat is taken. Prints sums over
 * seats and coats. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BUCKETS 1024u

struct booking {
    struct booking *next;
    uint32_t number;
    uint16_t row, seat;
};

struct plan {
    struct booking *first;
#ifdef FIXED
    struct booking *bucket[BUCKETS];
#endif
};

static uint32_t number_of(unsigned guest)
{
    return guest * 2654435761u;
}

static void plan_book(struct plan *plan, struct booking *booking, unsigned guest)
{
    booking->number = number_of(guest);
    booking->row = (uint16_t)(guest / 30);
    booking->seat = (uint16_t)(guest % 30);
#ifdef FIXED
    struct booking **head = &plan->bucket[booking->number >> 22];
#else
    struct booking **head = &plan->first;
#endif
    booking->next = *head;
    *head = booking;
}

static const struct booking *plan_find(const struct plan *plan, uint32_t number)
{
#ifdef FIXED
    const struct booking *booking = plan->bucket[number >> 22];
#else
    const struct booking *booking = plan->first;
#endif
    while (booking && booking->number != number) booking = booking->next; /* @ */
    return booking;
}

static uint64_t coat_take(uint32_t number)
{
    uint64_t coat = number;
    for (unsigned i = 0; i < 250; i++) coat = (coat ^ i) * 1099511628211u;
    return coat >> 48;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned guests = 840, evenings = (unsigned)(500 * scale) + 1;
    struct booking *booking = calloc(guests, sizeof *booking);
    if (!booking) return 1;
    uint64_t seats = 0, coats = 0;
    for (unsigned evening = 0; evening < evenings; evening++) {
        static struct plan empty;
        struct plan plan = empty;
        for (unsigned i = 0; i < guests; i++) plan_book(&plan, &booking[i], (i + evening) % guests);
        for (unsigned i = 0; i < guests; i++) {
            const struct booking *found = plan_find(&plan, number_of(i * 7 % guests)); /* @ */
            if (!found) continue;
            seats += found->row * 40u + found->seat;
            coats += coat_take(found->number);
        }
    }
    free(booking);
    printf("%llu %llu\n", (unsigned long long)seats, (unsigned long long)coats);
    return 0;
}
