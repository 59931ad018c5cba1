/* SPDX-License-Identifier: MIT */
/* rule: searches */
/* sizes: 0.3 1 3 */
/* matchmakers.c: records get the kind that a list of names tells, by one loop in another, in a function that is called
 * 12 times. The calls of that function are no searches. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { NAMES = 3000, ROUNDS = 12, RECORDS = 15000, SLOTS = 1 << 20 };

struct name {
    uint32_t id;
    char text[28];
};

struct record {
    uint32_t id;
    uint16_t kind, uses;
};

static struct name name[NAMES];
static struct record record[RECORDS * 4];
static uint16_t slot[SLOTS];

static uint32_t random_next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

__attribute__((noinline)) static void join(size_t count, size_t names)
{
    for (size_t i = 0; i < count; i++) {
#ifndef FIXED
        for (size_t j = 0; j < names; j++)
            if (name[j].id == record[i].id) { /* @ */
                record[i].kind = (uint16_t)name[j].text[0];
                record[i].uses++;
                break;
            }
#else
        size_t j = slot[record[i].id % SLOTS];
        if (j < names && name[j].id == record[i].id) {
            record[i].kind = (uint16_t)name[j].text[0];
            record[i].uses++;
        }
#endif
    }
}

int main(int argc, char **argv)
{
    size_t count = (size_t)(RECORDS * (argc > 1 ? atof(argv[1]) : 1));
    uint32_t state = 5, sum = 0;
    for (uint32_t i = 0; i < NAMES; i++) {
        snprintf(name[i].text, sizeof name[i].text, "%c%u", 'a' + (int)(i % 26), i);
        name[i].id = 70000 + i * 37;
        slot[name[i].id % SLOTS] = (uint16_t)i;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < count; i++)
            record[i].id = 70000 + random_next(&state) % (NAMES + 40) * 37;
        join(count, NAMES);
        for (size_t i = 0; i < count; i++)
            sum = sum * 31 + record[i].kind + record[i].uses;
    }
    printf("%u\n", sum);
    return 0;
}
