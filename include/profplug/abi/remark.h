/* SPDX-License-Identifier: MIT */
/* remark.h: what the compiler knew of loops and statements, in the object file. The plugin writes it, the report reads
 * it from the linked file, and the program never has it in memory. Depends on stdint alone.
 *
 * Section `profplug_remarks` is not allocated, and strip leaves it alone. Linkers put the inputs one behind the other:
 * the section is a row of chunks without padding. A chunk has the functions of one unit, or one function that units
 * share (it is then in the function's COMDAT group, and is dropped with it). --gc-sections keeps a unit's chunk as long
 * as anything of the unit, so a chunk may speak of functions that are gone.
 *
 * A chunk, numbers in ULEB128 (7 bits a byte, lowest first, the high bit set on all but the last):
 *   - its bytes, these included, in 4 plain bytes, the lowest first, and its version, one byte
 *   - how many texts, and the texts, each with a zero byte behind it. Text 0 is empty
 *   - how many functions, and for each function: the texts of its symbol and its source file, and how many records
 *   - a record: how many bytes follow, then kind, texts and numbers in the order of struct pp_remark. Readers skip
 *     kinds that they do not know, and what follows the fields that they know */
#ifndef PROFPLUG_ABI_REMARK_H
#define PROFPLUG_ABI_REMARK_H

#include <stdint.h>

#define PP_REMARK_SECTION "profplug_remarks"
#define PP_REMARK_VERSION 1

enum pp_remark_kind {
#define PP_REMARK(id, name, text) PP_REMARK_##id,
#include "remark.def"
    PP_REMARK_KIND_COUNT
};

struct pp_remark {
    uint32_t kind;
    uint32_t file, line; /* text of the file, absolute as in debug information */
    /* the loop that it is about or stands in: 0 none. Loops of a function are numbered from 1 */
    uint32_t loop;
    int64_t value;        /* as 2 * v, or -2 * v - 1 if it is negative */
    uint32_t detail, why; /* texts */
};

enum { PP_WINDOW_SUM = 1, PP_WINDOW_MOST = 2, PP_WINDOW_ROLLS = 4 }; /* what a WINDOW makes of its elements: value */

#define PP_CACHE_LINE_BYTES 64 /* a stride of this size or more is a COLUMN */

#endif
