/* SPDX-License-Identifier: MIT */
/* The tolls of a bridge are printed to a file as a list for the town. Prints the tolls and the length of the list. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct wagon {
    unsigned wheels, goods;
};

static unsigned toll(const struct wagon *wagon)
{
    unsigned value = wagon->wheels * 7 + wagon->goods;
    for (unsigned i = 0; i < 300; i++) value = (value ^ i) * 16777619u;
    return value % 97 + 3;
}

static void wagon_list(FILE *list, unsigned number, const struct wagon *wagon, unsigned value)
{
    fprintf(list, "wagon %u:", number); /* @ */
    fprintf(list, " %u wheels,", wagon->wheels); /* @ */
    fprintf(list, " %u sacks,", wagon->goods); /* @ */
    fprintf(list, " %u pence", value); /* @ */
    fputc('\n', list); /* @ */
}

static FILE *list_begin(void)
{
    FILE *list = tmpfile();
    if (!list) exit(1);
#ifndef FIXED
    setvbuf(list, NULL, _IONBF, 0); /* @ */
#endif
    fputs("The bridge's tolls\n", list);
    return list;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned wagons = (unsigned)(50000 * scale) + 1;
    uint64_t pence = 0;
    FILE *list = list_begin();
    for (unsigned i = 0; i < wagons; i++) {
        struct wagon wagon = { 2 + i % 3 * 2, i * 2654435761u >> 26 };
        unsigned value = toll(&wagon);
        pence += value;
        wagon_list(list, i, &wagon, value);
    }
    fflush(list);
    printf("%llu %ld\n", (unsigned long long)pence, ftell(list));
    fclose(list);
    return 0;
}
