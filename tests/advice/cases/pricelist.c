/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* rule: comparisons */
/* neither: formatting */
/* pricelist.c: offers are put in order by their price, which is read from text in each comparison. The same function
 * reads each price once for the sum of all: there it is no fault. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct offer {
    char text[40];
    double price;
};

static double price_of(const struct offer *o)
{
    return strtod(strchr(o->text, ' ') + 1, NULL); /* @ */
}

static int compare(const void *a, const void *b)
{
#ifndef FIXED
    double x = price_of(a), y = price_of(b);
#else
    double x = ((const struct offer *)a)->price, y = ((const struct offer *)b)->price;
#endif
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
    size_t count = (size_t)(30000 * (argc > 1 ? atof(argv[1]) : 1));
    struct offer *offer = malloc(count * sizeof *offer);
    uint32_t random = 5, digits = 0;
    double sum = 0;
    for (size_t i = 0; offer && i < count; i++) {
        random = random * 1664525 + 1013904223;
        char *at = offer[i].text + 6;
        memcpy(offer[i].text, "offer ", 6);
        for (uint32_t price = random >> 12, k = 0; k < 7; k++, price /= 10)
            *at++ = k == 4 ? '.' : (char)('0' + price % 10);
        *at = 0;
        offer[i].price = price_of(&offer[i]);
        sum += offer[i].price;
    }
    for (int day = 0; offer && day < 4; day++) { /* offers come in another order each day */
        for (size_t i = 0; i < count; i++) {
            random = random * 1664525 + 1013904223;
            struct offer moved = offer[i], *other = &offer[(random >> 8) % count];
            offer[i] = *other;
            *other = moved;
        }
        qsort(offer, count, sizeof *offer, compare);
    }
    for (size_t i = 0; i < count; i += 101)
        digits += (uint32_t)(offer[i].text[6] - '0') * (uint32_t)i;
    printf("%.2f in all, %u\n", sum, digits);
    free(offer);
    return 0;
}
