/* SPDX-License-Identifier: MIT */
/* scope.h: which scope (function, or function inlined into it) an address belongs to. Must not know DWARF.
 *
 * Scopes form trees; each covers any number of address ranges. An address belongs to the innermost scope that covers it
 * and all of whose ancestors cover it; where two children of one scope overlap, to the first. */
#ifndef PROFPLUG_SCOPE_H
#define PROFPLUG_SCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCOPE_NONE UINT32_MAX

struct scope_range {
    uint64_t low, high;
    uint32_t scope;
}; /* low <= address < high */

/* Addresses [start[i], start[i + 1]) belong to scope[i]. */
struct scope_map {
    uint64_t *start;
    uint32_t *scope;
    size_t count;
};

/* parent[s] < s, or SCOPE_NONE. `ranges` in order of scope. False when memory is short, or when the ranges overlap so
 * wildly that the map was cut (it then holds the first scopes). */
bool scope_map_build(struct scope_map *map, const struct scope_range *ranges, size_t range_count,
                     const uint32_t *parent);
uint32_t scope_map_find(const struct scope_map *map, uint64_t address);
void scope_map_close(struct scope_map *map);

#endif
