/* SPDX-License-Identifier: MIT */
/* scope.h: which scope (function, or function inlined into it) an address belongs to. Must not know DWARF.
 *
 * Scopes form trees. Each covers any number of address ranges. An address belongs to the innermost scope that covers
 * it, if all ancestors of the scope cover it, too. Where two children of one scope overlap, it belongs to the first. */
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

/* parent[s] < s, or SCOPE_NONE. `ranges` are in the order of scopes. False if memory is short, or if the ranges overlap
 * so much that the map was cut. A cut map has the first scopes. */
bool scope_map_build(struct scope_map *map, const struct scope_range *ranges, size_t range_count,
                     const uint32_t *parent);
uint32_t scope_map_find(const struct scope_map *map, uint64_t address);
void scope_map_close(struct scope_map *map);

#endif
