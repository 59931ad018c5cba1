/* SPDX-License-Identifier: MIT */
/* intern.c: an open-addressing set of strings, at most half full. See intern.h. */
#include "store/intern.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const char *text, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    return hash ^ hash >> 32;
}

static int intern_grow(struct intern *set)
{
    size_t capacity = set->capacity ? set->capacity * 2 : 256;
    char **slot = calloc(capacity, sizeof *slot);
    if (!slot)
        return 0;
    for (size_t i = 0; i < set->capacity; i++) {
        size_t at;
        if (!set->slot[i])
            continue;
        for (at = hash_of(set->slot[i], strlen(set->slot[i])) & (capacity - 1); slot[at];
             at = (at + 1) & (capacity - 1))
            ;
        slot[at] = set->slot[i];
    }
    free(set->slot);
    set->slot = slot;
    set->capacity = capacity;
    return 1;
}

const char *intern_text(struct intern *set, const char *text, size_t size)
{
    size_t at;
    char *copy;
    if (set->count * 2 >= set->capacity && !intern_grow(set))
        return NULL;
    for (at = hash_of(text, size) & (set->capacity - 1); set->slot[at]; at = (at + 1) & (set->capacity - 1))
        if (!strncmp(set->slot[at], text, size) && !set->slot[at][size])
            return set->slot[at];
    if (!(copy = malloc(size + 1)))
        return NULL;
    memcpy(copy, text, size);
    copy[size] = 0;
    set->slot[at] = copy;
    set->count++;
    return copy;
}

void intern_close(struct intern *set)
{
    for (size_t i = 0; i < set->capacity; i++)
        free(set->slot[i]);
    free(set->slot);
    memset(set, 0, sizeof *set);
}
