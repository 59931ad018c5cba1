/* SPDX-License-Identifier: MIT */
/* row.c: see row.h. An entry has a version, odd while somebody writes: a reader that met a writer takes it for unknown, a writer that met one
 * leaves it. A child of fork may find one odd for ever, which is one that is never kept. */
#include "row.h"
#include "rt.h"

#include <string.h>

#define ENTRIES 4096u                    /* of 32 bytes: two to a cache line, and an address looks into both */

struct entry {
    _Atomic uint64_t key, part[2];
    _Atomic uint32_t version;
};
_Static_assert(sizeof(struct pp_row) == 16, "two parts");

static struct entry *_Atomic table;

static uint32_t place_of(uint64_t key) { return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) & (ENTRIES - 1); }

bool pp_row_get(uint64_t key, struct pp_row *row)
{
    struct entry *at = atomic_load_explicit(&table, memory_order_acquire);       /* partner: pp_row_put */
    for (uint32_t way = 0, place = place_of(key); at && way < 2; way++) {
        struct entry *e = &at[place ^ way];
        uint32_t version = atomic_load_explicit(&e->version, memory_order_acquire);      /* partner: the writer's last store */
        if (atomic_load_explicit(&e->key, memory_order_relaxed) != key || version & 1) continue;
        uint64_t part[2] = { atomic_load_explicit(&e->part[0], memory_order_relaxed), atomic_load_explicit(&e->part[1], memory_order_relaxed) };
        atomic_thread_fence(memory_order_acquire);       /* partner: the writer's fence */
        if (atomic_load_explicit(&e->version, memory_order_relaxed) != version) continue;
        memcpy(row, part, sizeof part);
        return true;
    }
    return false;
}

void pp_row_put(uint64_t key, const struct pp_row *row)
{
    struct entry *at = atomic_load_explicit(&table, memory_order_acquire);
    if (!at) {
        struct entry *made = pp_memory(ENTRIES * sizeof *made);
        if (!made) return;
        if (atomic_compare_exchange_strong_explicit(&table, &at, made, memory_order_acq_rel, memory_order_acquire)) at = made;
        else pp_unmap(made, ENTRIES * sizeof *made);
    }
    uint32_t place = place_of(key);
    if (atomic_load_explicit(&at[place].key, memory_order_relaxed)) place ^= (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 39) & 1;
    struct entry *e = &at[place];
    uint32_t version = atomic_load_explicit(&e->version, memory_order_relaxed);
    uint64_t part[2];
    if (version & 1 || !atomic_compare_exchange_strong_explicit(&e->version, &version, version + 1, memory_order_acquire, memory_order_relaxed)) return;
    atomic_thread_fence(memory_order_release);           /* partner: the reader's fence */
    memcpy(part, row, sizeof part);
    atomic_store_explicit(&e->key, key, memory_order_relaxed);
    atomic_store_explicit(&e->part[0], part[0], memory_order_relaxed);
    atomic_store_explicit(&e->part[1], part[1], memory_order_relaxed);
    atomic_store_explicit(&e->version, version + 2, memory_order_release);
}
