/* SPDX-License-Identifier: MIT */
/* arena.h: memory that lives as long as a profile or a model and is freed at once, and arrays that grow. Must not know
 * what is stored in it. If memory is short, the tool ends with one line and status 2. */
#ifndef PROFPLUG_ARENA_H
#define PROFPLUG_ARENA_H

#include <stddef.h>

struct arena {
    struct arena_chunk *chunk;
    size_t used;
};

void *arena_take(struct arena *arena, size_t bytes); /* zeroed, 16-aligned */
char *arena_copy(struct arena *arena, const char *text);
char *arena_print(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
void arena_free(struct arena *arena);

/* Room for one more element in an array from malloc: `items`, `count` and `capacity` are lvalues. The new element is
 * zeroed. */
void *array_grown(void *items, size_t count, size_t *capacity, size_t element_bytes);
#define ARRAY_PUSH(items, count, capacity) \
    ((items) = array_grown((items), (count), &(capacity), sizeof *(items)), &(items)[(count)++])

/* The same array from malloc with room for `wanted` elements instead of `count`; the new ones are zeroed. */
void *array_extended(void *items, size_t count, size_t wanted, size_t element_bytes);

void *memory_zeroed(size_t count, size_t bytes); /* calloc that does not fail */

#endif
