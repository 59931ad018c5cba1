/* SPDX-License-Identifier: MIT */
/* cfi.h: a cache of rows of call frame information, one for the process. Running the instructions again would cost as
 * much as a sample. All threads and handlers read and write it without a lock. A row that was evicted is computed
 * again. It must not know how a row is computed, nor what it is used for. */
#ifndef PP_ROW_H
#define PP_ROW_H

#include <stdbool.h>
#include <stdint.h>

#define PP_ROW_WORDS 12 /* the most registers that a function preserves for its caller */

struct pp_row {
    int16_t cfa_words; /* the CFA is this many words above the register */
    uint8_t cfa_register;
    bool outermost;            /* there is no caller */
    int8_t word[PP_ROW_WORDS]; /* where the caller's value is, in words from the CFA; 0: still in the register */
};

/* The row at an address, false if it is not cached. `image`, below 2^16, identifies the image there: another one at the
 * same address has another number. */
bool pp_row_get(uint64_t address, uint64_t image, struct pp_row *row);
/* The row is valid from `from` up to below `to`, with `address` in between. It is cached for the addresses near
 * `address`. */
void pp_row_put(uint64_t address, uint64_t image, uint64_t from, uint64_t to, const struct pp_row *row);

#endif
