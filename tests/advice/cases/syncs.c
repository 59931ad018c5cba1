/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* syncs.c: a journal of orders, written to a file. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct order {
    uint32_t number, price;
    char note[56];
};

static uint32_t total;

static void order_fill(struct order *o, uint32_t number)
{
    memset(o, 0, sizeof *o);
    o->number = number;
    o->price = number * 2654435761u >> 20;
    snprintf(o->note, sizeof o->note, "order %u of customer %u", number, number % 17);
}

static int journal_add(int fd, const struct order *o)
{
    total += o->price;
    if (write(fd, o, sizeof *o) != (ssize_t)sizeof *o)
        return -1;
#ifndef FIXED
    return fdatasync(fd); /* @ */
#else
    return 0;
#endif
}

int main(int argc, char **argv)
{
    uint32_t count = (uint32_t)(500 * (argc > 1 ? atof(argv[1]) : 1));
    char path[] = "orders-XXXXXX";
    int fd = mkstemp(path), bad = fd < 0;
    struct order o;
    for (uint32_t i = 0; i < count && !bad; i++) {
        order_fill(&o, i);
        bad = journal_add(fd, &o) != 0;
    }
    bad = bad || fdatasync(fd) != 0;
    unlink(path);
    printf("%u orders, %u in all\n", count, total);
    return bad;
}
