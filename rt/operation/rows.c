/* SPDX-License-Identifier: MIT */
/* rows.c: tables of operations. A table is filled by its thread and by handlers that interrupt it, which take rows by
 * compare and exchange. A full table is followed by one twice as long; the old one keeps its rows, and readers add them
 * up. */
#include "file/datafile.h"
#include "operation/count.h"
#include "operation/operation.h"

#include <errno.h>

#define FIRST 16u  /* rows of a thread's first table: less than a page */
#define MOST 8192u /* rows of its longest: 1 MB */

static _Atomic bool is_full; /* the file has no room for another table */

static struct pp_operations *table_make(const struct pp_operations *old, uint32_t thread)
{
    struct pp_extent extent;
    int kept = errno;
    uint32_t capacity = old ? old->capacity * 2 : FIRST;
    struct pp_operations *made = NULL;
    if (!atomic_load_explicit(&is_full, memory_order_relaxed) &&
        pp_extent_claim(&extent, sizeof *old + (uint64_t)capacity * sizeof(struct pp_operation))) {
        if (!extent.offset) { /* memory outside the file has no reader, so count it as a loss */
            atomic_store_explicit(&is_full, true, memory_order_relaxed);
            errno = kept;
            return NULL;
        }
        made = extent.address;
        made->capacity = capacity;
        pp_extent_publish(&extent, PP_EXTENT_OPERATIONS, thread);
    }
    errno = kept;
    return made;
}

/* Returns the key's row, made if need be. NULL: it is not there, and `most` rows are taken. */
static struct pp_operation *entry_at(struct pp_operations *table, uint64_t key, uint32_t most)
{
    struct pp_operation *entry = (struct pp_operation *)(table + 1);
    for (uint32_t i = pp_operation_place(key, table), tried = 0; tried < table->capacity;
         i = (i + 1) & (table->capacity - 1), tried++) {
        uint64_t there = atomic_load_explicit((_Atomic uint64_t *)&entry[i].key, memory_order_relaxed);
        if (there == key)
            return &entry[i];
        if (there)
            continue;
        if (atomic_load_explicit((_Atomic uint32_t *)&table->used, memory_order_relaxed) >= most)
            return NULL;
        if (atomic_compare_exchange_strong_explicit((_Atomic uint64_t *)&entry[i].key, &there, key,
                                                    memory_order_relaxed, memory_order_relaxed)) {
            atomic_fetch_add_explicit((_Atomic uint32_t *)&table->used, 1, memory_order_relaxed);
            return &entry[i];
        }
        if (there == key)
            return &entry[i];
    }
    return NULL;
}

struct pp_operation *pp_operation_row(_Atomic uint64_t *word, uint32_t thread, uint64_t key)
{
    struct pp_operations *table = (struct pp_operations *)(uintptr_t)atomic_load_explicit(word, memory_order_acquire);
    struct pp_operation *found = NULL;
    while (!table || (!(found = entry_at(table, key, table->capacity / 4 * 3)) && table->capacity < MOST)) {
        uint64_t old = (uint64_t)(uintptr_t)table;
        struct pp_operations *made = table_make(table, thread);
        if (!made)
            break;
        table = atomic_compare_exchange_strong_explicit(word, &old, (uint64_t)(uintptr_t)made, memory_order_acq_rel,
                                                        memory_order_acquire)
                    ? made
                    : (struct pp_operations *)(uintptr_t)old;
    }
    if (found || !table)
        return found;
    /* Too many rows: without the target, else also without the line, or at least by kind. */
    if (!(found = entry_at(table, key &= PP_OPERATION_KEY(0xffffu, 0xffu, 0xfffu, 0), table->capacity / 8 * 7)))
        found = entry_at(table, key &= PP_OPERATION_KEY(0, 0xffu, 0xfffu, 0), table->capacity - 2 * PP_OPERATION_COUNT);
    return found ? found : entry_at(table, key & PP_OPERATION_KEY(0, 0xffu, 0, 0), table->capacity);
}
