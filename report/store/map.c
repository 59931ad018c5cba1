/* SPDX-License-Identifier: MIT */
/* map.c: open addressing, doubled at two thirds. See map.h. */
#include "store/map.h"

#include <stdlib.h>
#include <string.h>

#include "store/arena.h"

static uint64_t hash_of(const void *key, size_t bytes)
{
    const unsigned char *p = key;
    uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (size_t i = 0; i < bytes; i++)
        h = (h ^ p[i]) * UINT64_C(0x100000001b3);
    return h ^ h >> 29;
}

static struct map_slot *slot_find(const struct map *map, uint64_t hash, const void *key, size_t bytes)
{
    for (size_t i = hash & (map->capacity - 1);; i = (i + 1) & (map->capacity - 1)) {
        struct map_slot *s = &map->slot[i];
        if (!s->taken || (s->hash == hash && s->bytes == bytes && memcmp(map->keys + s->key, key, bytes) == 0))
            return s;
    }
}

static void map_grow(struct map *map)
{
    struct map bigger = *map;
    bigger.capacity = map->capacity ? map->capacity * 2 : 64;
    bigger.slot = memory_zeroed(bigger.capacity, sizeof *bigger.slot);
    for (size_t i = 0; i < map->capacity; i++) {
        const struct map_slot *s = &map->slot[i];
        if (s->taken)
            *slot_find(&bigger, s->hash, map->keys + s->key, s->bytes) = *s;
    }
    free(map->slot);
    *map = bigger;
}

uint32_t *map_at(struct map *map, const void *key, size_t bytes)
{
    if (map->count * 3 >= map->capacity * 2)
        map_grow(map);
    uint64_t hash = hash_of(key, bytes);
    struct map_slot *s = slot_find(map, hash, key, bytes);
    if (!s->taken) {
        while (map->keys_capacity - map->keys_used < bytes + 1)
            map->keys = array_grown(map->keys, map->keys_capacity, &map->keys_capacity, 1);
        if (bytes)
            memcpy(map->keys + map->keys_used, key, bytes);
        *s = (struct map_slot){ hash, (uint32_t)map->keys_used, (uint32_t)bytes, MAP_FRESH, true };
        map->keys_used += bytes;
        map->count++;
    }
    return &s->value;
}

uint32_t *map_at_text(struct map *map, const char *key) { return map_at(map, key, strlen(key)); }

uint32_t map_get(const struct map *map, const void *key, size_t bytes)
{
    if (!map->capacity)
        return MAP_FRESH;
    const struct map_slot *s = slot_find(map, hash_of(key, bytes), key, bytes);
    return s->taken ? s->value : MAP_FRESH;
}

void map_free(struct map *map)
{
    free(map->slot);
    free(map->keys);
    *map = (struct map){ 0 };
}
