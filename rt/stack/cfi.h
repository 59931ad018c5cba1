/* SPDX-License-Identifier: MIT */
/* cfi.h: what call frame information says of a piece of code, in short, kept for the whole process: to read it anew costs as much as a sample.
 * Every thread and every handler reads and writes without a lock; what is not there any more is found again. Knows nothing of how a row is
 * found, nor what it is used for. */
#ifndef PP_ROW_H
#define PP_ROW_H

#include <stdbool.h>
#include <stdint.h>

#define PP_ROW_WORDS 12                  /* registers that a function keeps for its caller, at most */

struct pp_row {                          /* 16 bytes, as they are kept */
    int16_t cfa_words;                   /* the CFA lies so many words above */
    uint8_t cfa_register;
    bool outermost;                      /* there is no caller */
    int8_t word[PP_ROW_WORDS];           /* where the caller's value lies, in words from the CFA; 0: still in the register */
};

/* At `address`, in code of which `image`, below 2^16, makes the address one that is not used again. False: not known. */
bool pp_row_get(uint64_t address, uint64_t image, struct pp_row *row);
/* It holds from `from` on and below `to`, and at `address` between them; as much of that is kept as lies near. */
void pp_row_put(uint64_t address, uint64_t image, uint64_t from, uint64_t to, const struct pp_row *row);

#endif
