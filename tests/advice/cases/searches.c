/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* searches.c: bookings on accounts, which are found by their numbers. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define ACCOUNTS 4000
#define SLOTS 16384

struct account {
    uint32_t number, bookings;
    int64_t cents;
};

static struct account account[ACCOUNTS];
static uint16_t slot[SLOTS];

static uint32_t slot_of(uint32_t number)
{
    return number * 2654435761u >> 18;
}

static uint32_t random_next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void accounts_open(void)
{
    for (uint32_t i = 0; i < ACCOUNTS; i++) {
        uint32_t s = slot_of(account[i].number = 70000 + i * 37);
        while (slot[s])
            s = (s + 1) % SLOTS;
        slot[s] = (uint16_t)(i + 1);
    }
}

struct account *account_find(uint32_t number)
{
#ifndef FIXED
    for (uint32_t i = 0; i < ACCOUNTS; i++)
        if (account[i].number == number) /* @ */
            return &account[i];
#else
    for (uint32_t s = slot_of(number); slot[s]; s = (s + 1) % SLOTS)
        if (account[slot[s] - 1].number == number)
            return &account[slot[s] - 1];
#endif
    return NULL;
}

int main(int argc, char **argv)
{
    uint32_t count = (uint32_t)(400000 * (argc > 1 ? atof(argv[1]) : 1)), state = 5, unknown = 0;
    int64_t sum = 0;
    accounts_open();
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = 70000 + random_next(&state) % (ACCOUNTS + 40) * 37;
        struct account *found = account_find(number);
        if (!found) {
            unknown++;
            continue;
        }
        found->bookings++;
        found->cents += (int64_t)(random_next(&state) % 10000) - 5000;
    }
    for (uint32_t i = 0; i < ACCOUNTS; i++)
        sum += account[i].cents * (account[i].bookings % 3 + 1);
    printf("%u bookings, %u unknown, %lld\n", count, unknown, (long long)sum);
    return 0;
}
