/* SPDX-License-Identifier: MIT */
/* sizes: 0.1 1 10 */
/* rereads.c: parcels are priced by a list of tariffs, which is a file. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TARIFFS 400

struct tariff {
    unsigned zone, grams, cents;
};

struct list {
    struct tariff tariff[TARIFFS];
    unsigned count;
};

static char path[] = "tariffs-XXXXXX";

static void list_load(struct list *list)
{
    char text[128];
    FILE *in = fopen(path, "r"); /* @ */
    list->count = 0;
    while (in && list->count < TARIFFS && fgets(text, sizeof text, in)) { /* @ */
        struct tariff *t = &list->tariff[list->count];
        char *end;
        t->zone = (unsigned)strtoul(text, &end, 10);
        t->grams = (unsigned)strtoul(end, &end, 10);
        t->cents = (unsigned)strtoul(end, &end, 10);
        list->count++;
    }
    if (in)
        fclose(in);
}

static unsigned parcel_price(struct list *list, unsigned zone, unsigned grams)
{
#ifdef FIXED
    if (!list->count)
#endif
        list_load(list); /* @ */
    for (unsigned i = 0; i < list->count; i++)
        if (list->tariff[i].zone == zone && list->tariff[i].grams >= grams)
            return list->tariff[i].cents;
    return 9999;
}

static int list_make(void)
{
    int fd = mkstemp(path);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
    for (unsigned i = 0; out && i < TARIFFS; i++)
        fprintf(out, "%u %u %u\n", i / 40, 500 * (i % 40 + 1), 390 + i * 7);
    return out ? fclose(out) : 1;
}

int main(int argc, char **argv)
{
    static struct list list;
    static unsigned char label[4096];
    uint32_t count = (uint32_t)(12000 * (argc > 1 ? atof(argv[1]) : 1)), seen = 0;
    uint64_t cents = 0;
    if (list_make())
        return 1;
    for (uint32_t i = 0; i < count; i++) {
        cents += parcel_price(&list, i % 10, i * 2654435761u >> 18);
        for (unsigned k = 0; k < sizeof label; k++)
            label[k] = (unsigned char)(label[k] * 5 + i + k);
        seen += label[i % sizeof label];
    }
    unlink(path);
    printf("%u parcels, %llu cents, %u\n", count, (unsigned long long)cents, seen);
    return 0;
}
