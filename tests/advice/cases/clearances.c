/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* rule: structures */
/* not: indirections */
/* clearances.c: ships that enter a harbour are asked one question after the other, by a list of checks that is read at
 * the start. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHIPS = 256, CHECKS = 4 };

struct ship {
    uint32_t number, draught, crew, flags;
    char name[64], flag[32], cargo[600];
    struct {
        uint32_t from, days;
    } call[40];
};

#ifndef FIXED
#define SHIP struct ship
#define OF(s) s.
#define HAND(s) (*(s))
#else
#define SHIP const struct ship *
#define OF(s) s->
#define HAND(s) (s)
#endif

static struct ship ship[SHIPS];
static int is_shallow(SHIP s) { return OF(s) draught < 140; }
static int is_manned(SHIP s) { return OF(s) crew > 2; }
static int is_known(SHIP s) { return OF(s) flag[0] != '?'; }
static int is_rested(SHIP s) { return OF(s) call[39].days < 90; }
static const struct {
    const char *name;
    int (*ask)(SHIP s);
} known[] = { { "draught", is_shallow }, { "crew", is_manned }, { "flag", is_known }, { "rest", is_rested } };
static int (*check[CHECKS])(SHIP s);
static int checks;

static void read_checks(const char *names)
{
    char text[64];
    snprintf(text, sizeof text, "%s", names);
    for (char *name = strtok(text, " "); name && checks < CHECKS; name = strtok(NULL, " "))
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (!strcmp(known[i].name, name))
                check[checks++] = known[i].ask;
}

static int may_enter(const struct ship *s)
{
    for (int i = 0; i < checks; i++)
        if (!check[i](HAND(s))) /* @ */
            return 0;
    return 1;
}

int main(int argc, char **argv)
{
    uint32_t days = (uint32_t)(25000 * (argc > 1 ? atof(argv[1]) : 1)), entered = 0, number = 1;
    read_checks("rest crew flag draught");
    for (uint32_t i = 0; i < SHIPS; i++) {
        number = number * 1664525 + 1013904223;
        ship[i] = (struct ship){ .number = i, .draught = number >> 24, .crew = number >> 20 & 31, .flags = number };
        ship[i].flag[0] = number >> 12 & 7 ? 'f' : '?';
    }
    for (uint32_t d = 0; d < days; d++)
        for (uint32_t i = 0; i < SHIPS; i++)
            entered += (uint32_t)may_enter(&ship[i]);
    printf("%u days, %u may enter\n", days, entered);
    return 0;
}
