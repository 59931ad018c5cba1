/* SPDX-License-Identifier: MIT */
/* heap.h: blocks of the heap, mappings, copies and pools, by the place that made them. */
#ifndef PROFPLUG_MODEL_HEAP_H
#define PROFPLUG_MODEL_HEAP_H

#include <stdbool.h>
#include <stdint.h>

#include <profplug/abi/format.h>

#include "model/value.h"

/* Heap blocks, by the line that allocated them. */
struct model_blocks {
    uint64_t alloc_blocks, alloc_bytes, free_blocks, free_bytes, temporary_blocks, peak_blocks, peak_bytes;
    /* with blocks=sampled, as in struct pp_block; 0: the numbers are exact */
    uint64_t alloc_blocks_variance, alloc_bytes_variance, free_blocks_variance, free_bytes_variance;
    uint64_t touched_bytes; /* as in struct pp_block */
};
/* One standard error of each; 0: exact. */
struct blocks_errors {
    double alloc_blocks, alloc_bytes, free_blocks, free_bytes, live_blocks, live_bytes, temporary_blocks, peak_blocks,
        peak_bytes;
};
struct blocks_errors blocks_errors(const struct model_blocks *blocks);
/* One standard error of touched_bytes, at most; 0: exact. */
double touched_error(const struct model_blocks *blocks);
/* Page faults that the first touch of so many bytes took, about: a huge page is one. */
struct model;
double touched_faults(const struct model *model, double touched_bytes);
struct model_point { /* a call that allocates, maps or copies */
    enum pp_callsite_kind kind;
    uint64_t address;
    /* as in a sample; library is 0 where the allocator was called directly */
    uint32_t module, library;
    bool known;          /* false: the sum of everything without a callsite */
    uint32_t number;     /* its number in the file; 0: unknown */
    uint32_t outer;      /* index of the call that led to it; 0: none */
    uint32_t allocation; /* index of the row that shows it; MODEL_NONE: none */
    struct model_blocks blocks;
};
/* one row: all callsites of a line. Mappings use only alloc_blocks and both bytes; copies and pools alloc_blocks and
 * alloc_bytes. */
struct model_allocation {
    uint32_t line, function;  /* MODEL_NONE if unknown */
    uint32_t module, library; /* index; MODEL_NONE: unknown or called directly */
    bool attributed;          /* false: the sum of calls whose line was not kept */
    struct model_blocks blocks;
    enum pp_callsite_kind kind;
};

#endif
