/* SPDX-License-Identifier: MIT */
/* A cinema's queue: guests come in waves, stand in line and are let in one by one; each shows a ticket. Prints how many
 * came in and a sum over their tickets. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct guest {
    uint32_t ticket, row;
    uint64_t came;
};

struct line {
    struct guest *guests;
    size_t first, count, room;
};

static void line_join(struct line *line, struct guest guest)
{
    if (line->first + line->count == line->room) {
        if (line->first) memmove(line->guests, line->guests + line->first, line->count * sizeof *line->guests);
        line->first = 0;
        if (line->count * 2 >= line->room) {
            line->room = line->room ? line->room * 2 : 64;
            line->guests = realloc(line->guests, line->room * sizeof *line->guests);
            if (!line->guests) exit(1);
        }
    }
    line->guests[line->first + line->count++] = guest;
}

static struct guest line_next(struct line *line)
{
    struct guest guest = line->guests[line->first];
    line->count--;
#ifdef FIXED
    line->first++;
#else
    memmove(line->guests, line->guests + 1, line->count * sizeof *line->guests); /* @ */
#endif
    return guest;
}

static uint64_t ticket_check(const struct guest *guest)
{
    uint64_t value = guest->ticket;
    for (unsigned i = 0; i < 900; i++) value = (value ^ guest->row) * 1099511628211ULL + i;
    return value >> 32;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned shows = 12, crowd = (unsigned)(5000 * (scale < 1 ? scale * 2 : scale > 1 ? scale / 2.5 : 1)) + 1;
    struct line line = { 0 };
    uint64_t sum = 0, came = 0, admitted = 0;
    for (unsigned show = 0; show < shows; show++) {
        for (unsigned i = 0; i < crowd; i++) {
            struct guest guest = { (uint32_t)(came * 2654435761u), i % 30, came };
            line_join(&line, guest);
            came++;
        }
        while (line.count) {
            struct guest guest = line_next(&line);
            sum += ticket_check(&guest);
            admitted++;
        }
    }
    printf("%llu %llu\n", (unsigned long long)admitted, (unsigned long long)sum);
    free(line.guests);
    return 0;
}
