/* SPDX-License-Identifier: MIT */
/* orders.c: the rows of orders.def, for options and messages. See section.h. */
#include <string.h>

#include "section/section.h"

enum row_place {
#define ROWS(name, section) PLACE_##name,
#include "section/orders.def"
};
enum row_kind {
#define ROWS(name, section) ROW_##name = 1 << PLACE_##name,
#include "section/orders.def"
};

static const struct {
    const char *key;
    unsigned rows;
} orders[] = {
#define ORDER(key, rows) { #key, rows },
#include "section/orders.def"
};
static const struct {
    const char *name, *section;
    unsigned kind;
} kinds[] = {
#define ROWS(name, section) { #name, #section, ROW_##name },
#include "section/orders.def"
};
#define ORDERS (sizeof orders / sizeof *orders)
#define KINDS (sizeof kinds / sizeof *kinds)

const char rows_names[] = "one of:"
#define ROWS(name, section) " " #name
#include "section/orders.def"
    ;

static unsigned kind_of(const char *rows)
{
    for (size_t i = 0; i < KINDS; i++)
        if (rows && strcmp(kinds[i].name, rows) == 0)
            return kinds[i].kind;
    return ~0u;
}

bool sort_fits(const char *key, const char *rows)
{
    for (size_t i = 0; i < ORDERS; i++)
        if (strcmp(orders[i].key, key) == 0)
            return orders[i].rows & kind_of(rows);
    return false;
}

bool sort_known(const char *key) { return sort_fits(key, NULL); }

const char *sort_names(struct arena *arena, const char *rows)
{
    const char *all = "";
    for (size_t i = 0; i < ORDERS; i++)
        if (orders[i].rows & kind_of(rows))
            all = arena_print(arena, "%s%s%s", all, all[0] ? ", " : "", orders[i].key);
    return all;
}

const char *rows_section(const char *rows)
{
    for (size_t i = 0; i < KINDS; i++)
        if (strcmp(kinds[i].name, rows) == 0)
            return kinds[i].section;
    return NULL;
}
