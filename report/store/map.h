/* SPDX-License-Identifier: MIT */
/* map.h: maps keys of bytes to numbers. It knows nothing of what they mean. */
#ifndef PROFPLUG_MAP_H
#define PROFPLUG_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map_slot {
    uint64_t hash;
    uint32_t key, bytes, value;
    bool taken;
};

struct map { /* zero-initialised is empty */
    struct map_slot *slot;
    size_t count, capacity;
    unsigned char *keys;
    size_t keys_used, keys_capacity;
};

/* The value of `key`, valid until the next call. A new key gets MAP_FRESH. */
#define MAP_FRESH UINT32_MAX
uint32_t *map_at(struct map *map, const void *key, size_t bytes);
/* The same for a terminated string. */
uint32_t *map_at_text(struct map *map, const char *key);
/* MAP_FRESH if it is not there. */
uint32_t map_get(const struct map *map, const void *key, size_t bytes);
void map_free(struct map *map);

#endif
