/* SPDX-License-Identifier: MIT */
/* shadow.h: how many bytes each block of the heap was asked for, and at which point, kept beside the heap. Part of heap.c.
 *
 * THE SHADOW has an entry per granule of the address space: 32 bytes under glibc, whose blocks are never nearer to each other;
 * 8 elsewhere. An entry is a byte: 1 + size up to SHADOW_DIRECT, or SHADOW_LONG, and then the next seven hold the size
 * (such a block spans that many granules). 0: not a block of ours. With points it is four: the point in the upper bits, below it 1 + size up to
 * WIDE_DIRECT, or WIDE_LONG, and then the next two entries hold the size. Only who owns a block touches its entries, so no lock. */
#ifndef PP_SHADOW_H
#define PP_SHADOW_H

#include "file/memory.h"
#include "rt.h"
#include "system/state.h"
#include "system/syscall.h"

#include <errno.h>
#include <string.h>

#define SHADOW_DIRECT 248u
#define SHADOW_LONG 255u
#define WIDE_BITS 16
#define WIDE_LONG 0xffffu
#define WIDE_DIRECT (WIDE_LONG - 2)
#define WIDE_ENTRY_BITS 2
#define ADDRESS_BITS 47
#define GLIBC_GRANULE_BITS 5
#define LEAF_BYTES_BITS 24               /* a leaf takes so much, and covers the addresses that have their entries in it, */
#define NARROW_BITS 26                   /* or, where the process may have so much address space and no more, it covers these */

static unsigned granule_bits;
static unsigned entry_bits;              /* WIDE_ENTRY_BITS with points, else 0 */
static unsigned leaf_bits;               /* of the addresses that a leaf covers */
static _Atomic(uintptr_t) *leaves;       /* one for each of those, mapped when recording starts */

static size_t leaf_bytes(void) { return (size_t)1 << (leaf_bits - granule_bits + entry_bits); }

/* A leaf is known by where its entry for address 0 would lie: then a block's entry is the block's number of granules further on. */
static uintptr_t leaf_make(_Atomic(uintptr_t) *slot)
{
    uintptr_t expected = 0;
    size_t bytes = leaf_bytes() + 12;  /* a block's entries may reach past the end */
    int kept = errno;
    void *made = pp_memory_fits(bytes) ? pp_map(NULL, bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) : MAP_FAILED;
    errno = kept;
    if (made == MAP_FAILED) {
        pp_loss(PP_LOSS_MEMORY, 1);
        return 0;
    }
    madvise(made, bytes, MADV_NOHUGEPAGE);               /* else the first byte may cost 2 MB */
    errno = kept;
    uintptr_t leaf = (uintptr_t)made - (uintptr_t)(slot - leaves) * leaf_bytes();
    if (atomic_compare_exchange_strong_explicit(slot, &expected, leaf, memory_order_acq_rel, memory_order_acquire)) return leaf;
    pp_unmap(made, bytes);
    errno = kept;
    return expected;
}

/* The block's first entry; null where there is no shadow. */
static inline void *shadow_at(uintptr_t address, bool make)
{
    if (PP_UNLIKELY(address >> ADDRESS_BITS)) return NULL;
    _Atomic(uintptr_t) *slot = &leaves[address >> leaf_bits];
    uintptr_t leaf = atomic_load_explicit(slot, memory_order_acquire);   /* partner: leaf_make */
    if (PP_UNLIKELY(!leaf) && (!make || !(leaf = leaf_make(slot)))) return NULL;
    return (void *)(leaf + (address >> granule_bits << entry_bits));
}

/* `point` is kept where entries have room for one. */
static inline void shadow_write(void *shadow, size_t size, uint32_t point)
{
    if (entry_bits) {
        uint32_t *entry = shadow;
        bool direct = size <= WIDE_DIRECT;
        *entry = point << WIDE_BITS | (direct ? (uint32_t)size + 1 : WIDE_LONG);
        if (PP_UNLIKELY(!direct)) memcpy(entry + 1, &size, sizeof size);
    } else if (PP_LIKELY(size <= SHADOW_DIRECT)) {
        *(uint8_t *)shadow = (uint8_t)(size + 1);
    } else {
        uint64_t word = SHADOW_LONG | (uint64_t)size << 8;
        memcpy(shadow, &word, 8);
    }
}

/* The size of the block, which is forgotten; false if it is not ours. Only the first entry need be wiped: the others are read behind a mark
 * in it. */
static inline bool shadow_take(uintptr_t address, size_t *size, uint32_t *point)
{
    void *shadow = shadow_at(address, false);
    if (!shadow) return false;
    if (entry_bits) {
        uint32_t *entry = shadow, word = *entry;
        if (!word) return false;
        *point = word >> WIDE_BITS;
        *size = (word & WIDE_LONG) - 1;
        if (PP_UNLIKELY((word & WIDE_LONG) == WIDE_LONG)) memcpy(size, entry + 1, sizeof *size);
        *entry = 0;
        return true;
    }
    uint8_t *byte = shadow;
    if (!*byte) return false;
    if (PP_LIKELY(*byte != SHADOW_LONG)) {
        *size = *byte - 1u;
    } else {
        uint64_t word;
        memcpy(&word, shadow, 8);
        *size = word >> 8;
    }
    *byte = 0;
    return true;
}

#endif
