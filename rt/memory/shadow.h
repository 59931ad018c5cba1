/* SPDX-License-Identifier: MIT */
/* shadow.h: the size that each block of the heap was asked for, and its callsite, kept beside the heap. Part of heap.c.
 *
 * The shadow has one entry for each granule of the address space. A granule is 32 bytes with glibc, whose blocks are
 * never nearer to each other, and 8 bytes with other allocators. Address space is taken in leaves, and `leaves` finds
 * the leaf of an address.
 *
 * An entry is a byte: 0 if no booked block begins there, 1 + size up to SHADOW_DIRECT, or SHADOW_LONG. After
 * SHADOW_LONG the next seven bytes hold the size, since such a block spans that many granules. With blocks=on an entry
 * is four bytes: the callsite in the upper bits, below it 0, 1 + size up to WIDE_DIRECT, or WIDE_LONG. After WIDE_LONG
 * the next two entries hold the size.
 *
 * Only the owner of a block touches its entries, so there is no lock. */
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
#define LEAF_BYTES_BITS 24 /* size of a leaf, which covers the addresses whose entries are in it */
#define NARROW_BITS 26     /* in a limited address space a leaf covers 1 << NARROW_BITS addresses */

static unsigned granule_bits;
static unsigned entry_bits;        /* WIDE_ENTRY_BITS with blocks=on, else 0 */
static unsigned leaf_bits;         /* a leaf covers 1 << leaf_bits addresses */
static _Atomic(uintptr_t) *leaves; /* by address >> leaf_bits; mapped when recording starts */

static size_t leaf_bytes(void) { return (size_t)1 << (leaf_bits - granule_bits + entry_bits); }

/* A leaf is stored as the address at which its entry for address 0 would lie. The entry of a block is then at a plain
 * offset. Two threads may both map one: the second unmaps its own. */
static uintptr_t leaf_make(_Atomic(uintptr_t) *slot)
{
    uintptr_t expected = 0;
    size_t bytes = leaf_bytes() + 12; /* a block's entries may reach past the end */
    int kept = errno;
    void *made =
        pp_memory_fits(bytes) ? pp_map(NULL, bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) : MAP_FAILED;
    errno = kept;
    if (made == MAP_FAILED) {
        pp_loss(PP_LOSS_MEMORY, 1);
        return 0;
    }
    /* If it were a huge page, the first byte might cost 2 MB. */
    pp_advise(made, bytes, MADV_NOHUGEPAGE);
    errno = kept;
    uintptr_t leaf = (uintptr_t)made - (uintptr_t)(slot - leaves) * leaf_bytes();
    if (atomic_compare_exchange_strong_explicit(slot, &expected, leaf, memory_order_acq_rel, memory_order_acquire))
        return leaf;
    pp_unmap(made, bytes);
    errno = kept;
    return expected;
}

/* Returns the block's first entry, NULL where there is no shadow. */
static inline void *shadow_at(uintptr_t address, bool make)
{
    if (PP_UNLIKELY(address >> ADDRESS_BITS))
        return NULL;
    _Atomic(uintptr_t) *slot = &leaves[address >> leaf_bits];
    uintptr_t leaf = atomic_load_explicit(slot, memory_order_acquire); /* partner: leaf_make */
    if (PP_UNLIKELY(!leaf) && (!make || !(leaf = leaf_make(slot))))
        return NULL;
    return (void *)(leaf + (address >> granule_bits << entry_bits));
}

/* `callsite` is dropped where entries have no room for one. */
static inline void shadow_write(void *shadow, size_t size, uint32_t callsite)
{
    if (entry_bits) {
        uint32_t *entry = shadow;
        bool direct = size <= WIDE_DIRECT;
        *entry = callsite << WIDE_BITS | (direct ? (uint32_t)size + 1 : WIDE_LONG);
        if (PP_UNLIKELY(!direct))
            memcpy(entry + 1, &size, sizeof size);
    } else if (PP_LIKELY(size <= SHADOW_DIRECT)) {
        *(uint8_t *)shadow = (uint8_t)(size + 1);
    } else {
        uint64_t word = SHADOW_LONG | (uint64_t)size << 8;
        memcpy(shadow, &word, 8);
    }
}

/* Returns the size of the block and clears its entry; false if no booked block begins there. Clearing the first entry
 * is enough, because the others are only read after a mark in it. */
static inline bool shadow_take(uintptr_t address, size_t *size, uint32_t *callsite)
{
    void *shadow = shadow_at(address, false);
    if (!shadow)
        return false;
    if (entry_bits) {
        uint32_t *entry = shadow, word = *entry;
        if (!word)
            return false;
        *callsite = word >> WIDE_BITS;
        *size = (word & WIDE_LONG) - 1;
        if (PP_UNLIKELY((word & WIDE_LONG) == WIDE_LONG))
            memcpy(size, entry + 1, sizeof *size);
        *entry = 0;
        return true;
    }
    uint8_t *byte = shadow;
    if (!*byte)
        return false;
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
