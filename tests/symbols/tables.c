/* SPDX-License-Identifier: MIT */
/* tables.c: scope.h, linetable.h and intern.h against the plain way of doing the same: look at everything, every time. */
#include "store/intern.h"
#include "symbol/linetable.h"
#include "symbol/scope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(what) do { if (!(what)) { fprintf(stderr, "%s:%d: not so: %s (round %d)\n", __FILE__, __LINE__, #what, round_number); exit(1); } } while (0)

static int round_number;
static uint64_t state = 88172645463325252u;

static uint32_t chance(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % below;
}

/* ---- scopes: random trees, children that stick out of their parents, siblings that overlap ---- */

static bool covers(const struct scope_range *range, size_t count, uint32_t scope, uint64_t address)
{
    for (size_t i = 0; i < count; i++)
        if (range[i].scope == scope && range[i].low <= address && address < range[i].high)
            return true;
    return false;
}

/* The first child that covers the address, and its first such child, and so on. */
static uint32_t plain_scope(const struct scope_range *range, size_t count, const uint32_t *parent, uint32_t scopes, uint64_t address)
{
    uint32_t inside = SCOPE_NONE;
    for (uint32_t scope = 0; scope < scopes; scope++)
        if (parent[scope] == inside && covers(range, count, scope, address)) {
            inside = scope;
            scope = inside;              /* children come after it */
        }
    return inside;
}

static void check_scopes(void)
{
    struct scope_range range[64];
    uint32_t parent[24], scopes = 1 + chance(24);
    size_t count = 0;
    struct scope_map map;
    for (uint32_t scope = 0; scope < scopes; scope++) {
        /* Pre-order: the parent is the scope before or one of its ancestors. */
        uint32_t up = chance(3);
        parent[scope] = scope ? scope - 1 : SCOPE_NONE;
        while (up-- > 0 && parent[scope] != SCOPE_NONE)
            parent[scope] = parent[parent[scope]];
        for (uint32_t ranges = 1 + chance(2); ranges > 0; ranges--) {
            uint64_t low = chance(100);
            range[count++] = (struct scope_range){ low, low + 1 + chance(scope < 4 ? 90 : 20), scope };
        }
    }
    CHECK(scope_map_build(&map, range, count, parent));
    for (uint64_t address = 0; address < 200; address++)
        CHECK(scope_map_find(&map, address) == plain_scope(range, count, parent, scopes, address));
    CHECK(scope_map_find(&map, UINT64_MAX) == SCOPE_NONE);
    scope_map_close(&map);
}

static void check_deep(void)
{
    enum { DEPTH = 20000 };
    struct scope_range *range = calloc(DEPTH, sizeof *range);
    uint32_t *parent = calloc(DEPTH, sizeof *parent);
    struct scope_map map;
    for (uint32_t i = 0; i < DEPTH; i++) {
        range[i] = (struct scope_range){ i, 2 * DEPTH - i, i };
        parent[i] = i ? i - 1 : SCOPE_NONE;
    }
    CHECK(!scope_map_build(&map, range, DEPTH, parent));     /* 400 million steps: cut, and it says so */
    CHECK(scope_map_find(&map, 0) == 0);
    scope_map_close(&map);
    CHECK(scope_map_build(&map, NULL, 0, NULL) && scope_map_find(&map, 5) == SCOPE_NONE);
    free(range);
    free(parent);
}

/* ---- line tables ---- */

static void check_lines(void)
{
    struct line_table table = { 0 };
    struct { uint64_t low, high; uint32_t line; } truth[64];
    size_t rows = 0;
    uint32_t line = 1;
    for (uint32_t sequence = 0, order[4] = { 2, 0, 3, 1 }; sequence < 4; sequence++) {
        uint64_t address = 1000 * order[sequence], end = address;
        bool keep = chance(4) != 0;
        for (uint32_t count = 1 + chance(6); count > 0; count--, line++, address = end) {
            line_table_add(&table, &(struct line_row){ .address = address, .line = line });
            end = address + chance(4);                        /* often the same address: the later row counts */
            if (count == 1 && order[sequence] == 2)
                end = 3000;                                   /* up to the beginning of another sequence */
            if (keep && end > address)
                truth[rows].low = address, truth[rows].high = end, truth[rows++].line = line;
        }
        line_table_add(&table, &(struct line_row){ .address = end, .line = 0, .ends = true });
        line_table_end(&table, keep);
    }
    line_table_sort(&table);
    for (uint64_t address = 0; address < 3100; address++) {
        const struct line_row *row = line_table_find(&table, address);
        uint32_t expected = 0;
        for (size_t i = 0; i < rows; i++)
            if (truth[i].low <= address && address < truth[i].high)
                expected = truth[i].line;
        CHECK((row ? row->line : 0) == expected);
    }
    line_table_close(&table);
}

static void check_intern(void)
{
    struct intern set = { 0 };
    const char *kept[3000];
    char text[32];
    for (int i = 0; i < 3000; i++)
        kept[i] = intern_text(&set, text, (size_t)snprintf(text, sizeof text, "name %d", i));
    for (int i = 0; i < 3000; i++) {
        size_t size = (size_t)snprintf(text, sizeof text, "name %d", i);
        CHECK(intern_text(&set, text, size) == kept[i] && !strcmp(kept[i], text));
    }
    CHECK(intern_text(&set, "name 12345", 8) == kept[123]);
    CHECK(!*intern_text(&set, "", 0) && set.count == 3001);
    intern_close(&set);
}

int main(void)
{
    for (round_number = 0; round_number < 3000; round_number++) {
        check_scopes();
        check_lines();
    }
    check_deep();
    check_intern();
    return 0;
}
