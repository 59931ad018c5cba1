/* SPDX-License-Identifier: MIT */
/* wrapper.c: see wrapper.h. Functions are known by where their call frame information begins. The set only grows: a
 * larger table replaces a full one, which stays for those who read it. What was found for a place is cached. */
#define _GNU_SOURCE
#include "stack/wrapper.h"
#include "file/memory.h"
#include "stack/unwind.h"

#define FIRST 64u   /* addresses in the first table; each further one doubles their number */
#define CACHED 1024u

struct table {
    uint64_t count, mask;
    _Atomic uint64_t address[]; /* open-addressed; 0: free */
};
static struct table *_Atomic known;
static _Atomic uint64_t *_Atomic cache; /* by place: see key_of; 0: free */

static uint64_t hash_of(uint64_t address) { return address * UINT64_C(0x9e3779b97f4a7c15) >> 32; }

static void table_put(struct table *table, uint64_t address)
{
    uint64_t i = hash_of(address) & table->mask, there;
    while ((there = atomic_load_explicit(&table->address[i], memory_order_relaxed)) && there != address)
        i = (i + 1) & table->mask;
    table->count += !there;
    atomic_store_explicit(&table->address[i], address, memory_order_relaxed);
}

static struct table *table_grow(struct table *old)
{
    uint64_t size = old ? (old->mask + 1) * 2 : FIRST;
    struct table *table = pp_memory(sizeof *table + size * sizeof *table->address);
    if (!table)
        return NULL;
    table->mask = size - 1;
    for (uint64_t i = 0; old && i <= old->mask; i++)
        if (atomic_load_explicit(&old->address[i], memory_order_relaxed))
            table_put(table, atomic_load_explicit(&old->address[i], memory_order_relaxed));
    return table;
}

void pp_wrappers_add(const int32_t *start, const int32_t *stop)
{
    struct table *table = atomic_load_explicit(&known, memory_order_relaxed);
    bool fresh = false;
    for (const int32_t *word = start; word < stop; word++) {
        if (!*word)
            continue;
        fresh = true;
        if ((!table || table->count > table->mask / 2) && !(table = table_grow(table)))
            return;
        table_put(table, (uint64_t)(uintptr_t)word + (uint64_t)(int64_t)*word);
    }
    if (fresh && !atomic_load_explicit(&cache, memory_order_relaxed))
        atomic_store_explicit(&cache, pp_memory(CACHED * sizeof **&cache), memory_order_release);
    atomic_store_explicit(&known, table, memory_order_release); /* partner: pp_wrapper_at */
}

static bool table_has(struct table *table, uint64_t address)
{
    for (uint64_t i = hash_of(address) & table->mask, there;
         (there = atomic_load_explicit(&table->address[i], memory_order_relaxed)) != 0; i = (i + 1) & table->mask)
        if (there == address)
            return true;
    return false;
}

bool pp_wrapper_at(uint64_t place, const struct pp_image *image)
{
    struct table *table = atomic_load_explicit(&known, memory_order_acquire);
    _Atomic uint64_t *kept = atomic_load_explicit(&cache, memory_order_acquire);
    if (PP_LIKELY(!table))
        return false;
    /* The image's number above an address of 47 bits, and below both the answer. */
    uint64_t key = (place ^ (uint64_t)image->mapping << 47) << 1;
    _Atomic uint64_t *slot = kept ? &kept[hash_of(key) % CACHED] : NULL;
    uint64_t there = slot ? atomic_load_explicit(slot, memory_order_relaxed) : 0;
    if (there && (there & ~UINT64_C(1)) == key)
        return there & 1;
    uint64_t start = pp_unwind_function(place, image->frames);
    bool is = start && table_has(table, start);
    if (slot)
        atomic_store_explicit(slot, key | is, memory_order_relaxed);
    return is;
}
