/* SPDX-License-Identifier: MIT */
/* scope.c: flattens overlapping trees of address ranges to one sorted array. See scope.h.
 *
 * All end points divide the addresses into elementary intervals. Scopes take intervals in order, parents before
 * children. A scope takes an interval only if its parent has it. So a child stays within its parent, and of overlapping
 * siblings the first keeps the interval. */
#include "symbol/scope.h"

#include <stdlib.h>
#include <string.h>

static int address_order(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* The last index with start[index] <= address; count if there is none. */
static size_t find(const uint64_t *start, size_t count, uint64_t address)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (start[middle] <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : count;
}

bool scope_map_build(struct scope_map *map, const struct scope_range *ranges, size_t range_count,
                     const uint32_t *parent)
{
    size_t count = 0, kept = 0;
    /* Properly nested ranges cost their depth for each interval. This allows a depth of 200. */
    uint64_t work = 0, work_allowed = 400 * (uint64_t)range_count + 1000;
    bool whole = true;
    memset(map, 0, sizeof *map);
    if (!range_count)
        return true;
    map->start = malloc(2 * range_count * sizeof *map->start);
    map->scope = malloc(2 * range_count * sizeof *map->scope);
    if (!map->start || !map->scope)
        return scope_map_close(map), false;
    for (size_t i = 0; i < range_count; i++) {
        map->start[2 * i] = ranges[i].low;
        map->start[2 * i + 1] = ranges[i].high;
    }
    qsort(map->start, 2 * range_count, sizeof *map->start, address_order);
    for (size_t i = 0; i < 2 * range_count; i++)
        if (!count || map->start[count - 1] != map->start[i])
            map->start[count++] = map->start[i];
    for (size_t i = 0; i < count; i++)
        map->scope[i] = SCOPE_NONE;
    for (size_t i = 0; i < range_count && whole; i++) {
        const struct scope_range *range = &ranges[i];
        for (size_t at = find(map->start, count, range->low); at < count && map->start[at] < range->high; at++, work++)
            if (map->scope[at] == parent[range->scope])
                map->scope[at] = range->scope;
        whole = work <= work_allowed;
    }
    for (size_t i = 0; i < count; i++)
        if (!kept || map->scope[kept - 1] != map->scope[i]) {
            map->start[kept] = map->start[i];
            map->scope[kept++] = map->scope[i];
        }
    map->count = kept;
    return whole;
}

uint32_t scope_map_find(const struct scope_map *map, uint64_t address)
{
    size_t at = find(map->start, map->count, address);
    return at < map->count ? map->scope[at] : SCOPE_NONE;
}

void scope_map_close(struct scope_map *map)
{
    free(map->start);
    free(map->scope);
    memset(map, 0, sizeof *map);
}
