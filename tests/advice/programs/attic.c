/* SPDX-License-Identifier: MIT */
/* An attic full of boxes: boxes are weighed by shape and sorted by weight. Prints a sum over the order. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct box {
    double side[24];
    char label[160];
    uint32_t number, corners;
};

#ifdef FIXED
#define GIVE(box) (&(box))
#define TAKEN(box) (*(box))
typedef const struct box *given;
#else
#define GIVE(box) (box)
#define TAKEN(box) (box)
typedef struct box given;
#endif

static void box_pack(struct box *box, uint32_t number)
{
    memset(box, 0, sizeof *box);
    box->number = number;
    box->corners = 4 + number % 4;
    for (unsigned i = 0; i < box->corners; i++) box->side[i] = 1 + (number * 31 + i * 7) % 17;
    snprintf(box->label, sizeof box->label, "box %u of the attic", number);
}

__attribute__((noinline)) static double box_weight(given box, double air) /* @ */
{
    double sum = air;
    for (unsigned i = 0; i < TAKEN(box).corners; i++) sum += TAKEN(box).side[i];
    return sum;
}

static unsigned heaviest(const struct box *box, unsigned count, double air)
{
    unsigned best = 0;
    double most = 0;
    for (unsigned i = 0; i < count; i++) {
        double weight = box_weight(GIVE(box[i]), air); /* @ */
        if (weight > most) {
            most = weight;
            best = i;
        }
    }
    return best;
}

static uint64_t dust(uint64_t sum, unsigned count)
{
    for (unsigned i = 0; i < count * 6; i++) sum = (sum ^ i) * 1099511628211u;
    return sum;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned years = (unsigned)(6000 * scale) + 1, count = 2000;
    struct box *box = calloc(count, sizeof *box);
    if (!box) return 1;
    for (unsigned i = 0; i < count; i++) box_pack(&box[i], i);
    uint64_t sum = 1;
    for (unsigned year = 0; year < years; year++) {
        unsigned best = heaviest(box, count, year % 7);
        sum = dust(sum + box[best].number, count);
        box[best].side[0] -= 1;
    }
    free(box);
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
