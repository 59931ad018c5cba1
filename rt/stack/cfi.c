/* SPDX-License-Identifier: MIT */
/* cfi.c: see cfi.h. Each entry has a version, which is odd while somebody writes. A reader that meets a writer treats
 * the entry as missing, and a writer that meets another one gives up. In a fork's child an entry may stay odd for ever,
 * and is then never used. */
#define _GNU_SOURCE
#include "stack/cfi.h"
#include "file/memory.h"
#include "system/state.h"
#include "system/syscall.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* Of 32 bytes: two in a cache line. A short process does with few, all of whose pages it gets at once: a page fault for
 * each takes 1 to 3 us, and there are two where a page is read first. Who needs more begins anew in a larger table. */
#define FEW 512u
#define MANY 2048u
/* A key is looked up in two cache lines: a block has several rows where one function ends and another begins. */
#define WAYS 4u
/* Bytes of code that share a key. Most samples are in code that was sampled before, but at another instruction. */
#define BLOCK 512u

struct entry {
    _Atomic uint64_t key, part[2];
    _Atomic uint32_t version;
    _Atomic uint32_t bounds; /* the row's first byte in the block, and in the high 16 bits its last */
};
_Static_assert(sizeof(struct pp_row) == 16, "two parts");

static struct table {
    struct entry *_Atomic entry;
    uint32_t count;
} few = { NULL, FEW }, many = { NULL, MANY };
static _Atomic uint32_t put;

static uint64_t key_of(uint64_t address, uint64_t image) { return (address / BLOCK + 1) ^ image << 48; }

/* The first of the places of a key in the table in use. NULL: there is none yet. */
static struct entry *place_of(uint64_t key)
{
    struct entry *at = atomic_load_explicit(&many.entry, memory_order_acquire); /* partner: table_make */
    uint32_t count = at ? MANY : FEW;
    if (!at && !(at = atomic_load_explicit(&few.entry, memory_order_acquire)))
        return NULL;
    return &at[(uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) & (count - 1) & ~(WAYS - 1)];
}

static void table_make(struct table *t)
{
    struct entry *none = NULL, *made = atomic_load_explicit(&t->entry, memory_order_relaxed)
                                           ? NULL
                                           : pp_memory(t->count * sizeof *made);
    int kept = errno;
    if (!made)
        return;
    pp_advise(made, t->count * sizeof *made, MADV_POPULATE_WRITE);
    if (!atomic_compare_exchange_strong_explicit(&t->entry, &none, made, memory_order_release, memory_order_relaxed))
        pp_unmap(made, t->count * sizeof *made);
    errno = kept;
}

bool pp_row_get(uint64_t address, uint64_t image, struct pp_row *row)
{
    uint64_t key = key_of(address, image);
    struct entry *at = place_of(key);
    for (uint32_t way = 0; at && way < WAYS; way++) {
        struct entry *e = &at[way];
        uint32_t version =
            atomic_load_explicit(&e->version, memory_order_acquire); /* partner: the writer's last store */
        if (atomic_load_explicit(&e->key, memory_order_relaxed) != key || version & 1)
            continue;
        uint32_t bounds = atomic_load_explicit(&e->bounds, memory_order_relaxed);
        if (address % BLOCK < (bounds & 0xffff) || address % BLOCK > bounds >> 16)
            continue;
        uint64_t part[2] = { atomic_load_explicit(&e->part[0], memory_order_relaxed),
                             atomic_load_explicit(&e->part[1], memory_order_relaxed) };
        atomic_thread_fence(memory_order_acquire); /* partner: the writer's fence */
        if (atomic_load_explicit(&e->version, memory_order_relaxed) != version)
            continue;
        memcpy(row, part, sizeof part);
        return true;
    }
    return false;
}

void pp_row_put(uint64_t address, uint64_t image, uint64_t from, uint64_t to, const struct pp_row *row)
{
    uint64_t key = key_of(address, image), block = address & ~(uint64_t)(BLOCK - 1);
    uint32_t first = from > block ? (uint32_t)(from - block) : 0,
             last = to - block < BLOCK ? (uint32_t)(to - block) - 1 : BLOCK - 1;
    uint32_t before = atomic_fetch_add_explicit(&put, 1, memory_order_relaxed), way = 0;
    if (PP_UNLIKELY(before == 0 || before == FEW / 2))
        table_make(before ? &many : &few);
    struct entry *at = place_of(key);
    if (!at)
        return;
    while (way < WAYS && atomic_load_explicit(&at[way].key, memory_order_relaxed))
        way++;
    struct entry *e = &at[way < WAYS ? way : address / 2 % WAYS]; /* all are taken: evict any of them */
    uint32_t version = atomic_load_explicit(&e->version, memory_order_relaxed);
    uint64_t part[2];
    if (version & 1 || !atomic_compare_exchange_strong_explicit(&e->version, &version, version + 1,
                                                                memory_order_acquire, memory_order_relaxed))
        return;
    atomic_thread_fence(memory_order_release); /* partner: the reader's fence */
    memcpy(part, row, sizeof part);
    atomic_store_explicit(&e->key, key, memory_order_relaxed);
    atomic_store_explicit(&e->bounds, first | last << 16, memory_order_relaxed);
    atomic_store_explicit(&e->part[0], part[0], memory_order_relaxed);
    atomic_store_explicit(&e->part[1], part[1], memory_order_relaxed);
    atomic_store_explicit(&e->version, version + 2, memory_order_release);
}
