/* SPDX-License-Identifier: MIT */
/* arena.c: see arena.h. */
#include "store/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES ((size_t)64 * 1024)

struct arena_chunk {
    struct arena_chunk *next;
    size_t size;
    _Alignas(16) unsigned char bytes[];
};

static _Noreturn void memory_gone(void)
{
    fputs("profplug: out of memory\n", stderr);
    exit(2);
}

void *memory_zeroed(size_t count, size_t bytes)
{
    void *p = calloc(count ? count : 1, bytes ? bytes : 1);
    if (!p)
        memory_gone();
    return p;
}

void *arena_take(struct arena *arena, size_t bytes)
{
    if (bytes > SIZE_MAX / 2)
        memory_gone();
    bytes = (bytes + 15) & ~(size_t)15;
    struct arena_chunk *chunk = arena->chunk;
    if (!chunk || chunk->size - arena->used < bytes) {
        size_t size = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
        chunk = memory_zeroed(1, sizeof *chunk + size);
        chunk->size = size;
        chunk->next = arena->chunk;
        arena->chunk = chunk;
        arena->used = 0;
    }
    void *p = chunk->bytes + arena->used;
    arena->used += bytes;
    return p;
}

char *arena_copy(struct arena *arena, const char *text)
{
    size_t bytes = strlen(text) + 1;
    return memcpy(arena_take(arena, bytes), text, bytes);
}

char *arena_print(struct arena *arena, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char *text = arena_take(arena, (size_t)(length < 0 ? 0 : length) + 1);
    if (length >= 0)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

void arena_free(struct arena *arena)
{
    while (arena->chunk) {
        struct arena_chunk *next = arena->chunk->next;
        free(arena->chunk);
        arena->chunk = next;
    }
    arena->used = 0;
}

void *array_grown(void *items, size_t count, size_t *capacity, size_t element_bytes)
{
    if (count == *capacity) {
        size_t wanted = *capacity ? *capacity * 2 : 16;
        if (wanted > SIZE_MAX / 2 / element_bytes)
            memory_gone();
        items = realloc(items, wanted * element_bytes);
        if (!items)
            memory_gone();
        *capacity = wanted;
    }
    memset((char *)items + count * element_bytes, 0, element_bytes);
    return items;
}

void *array_extended(void *items, size_t count, size_t wanted, size_t element_bytes)
{
    void *extended = memory_zeroed(wanted, element_bytes);
    if (count)
        memcpy(extended, items, count * element_bytes);
    free(items);
    return extended;
}
