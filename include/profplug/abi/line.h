/* SPDX-License-Identifier: MIT */
/* line.h: hits of lines: what the compiler writes down of a function's control flow graph, and where the counters of
 * its edges are. Depends on stdint and stddef alone.
 *
 * A function whose lines are counted has counters on some edges of its control flow graph. A record says how the counts
 * of all edges and lines follow from them. Graph and counters are those of the function as written, before inlining and
 * optimization. All copies of the function, whether inlined, cloned or streamed, add to the same counters. Each unit
 * that contains copies has a range of counters of its own. When GCC optimizes, a copy may have counters of a graph
 * of its own instead, and a FOLD record says what they add to the function's.
 *
 * IN THE PROGRAM. Section `profplug_lines` (read-only) holds struct pp_line_record of a whole linked image. Each is
 * 8-aligned, and as long as its size says. An object whose flags have PP_OBJECT_LINES has a struct pp_line_slots behind
 * its strings, at the next multiple of 8.
 *
 * IN THE FILE. PP_EXTENT_LINES: struct pp_lines, then the records of an image, unchanged. PP_EXTENT_HITS: for
 * each object a struct pp_hits and its struct pp_line_use[]. Counter i of use u is counters[last_key - u.slot + i]. If
 * several uses have the same id, add them up. */
#ifndef PROFPLUG_ABI_LINE_H
#define PROFPLUG_ABI_LINE_H

#include <stddef.h>
#include <stdint.h>

#define PP_OBJECT_LINES 2u /* a flag of struct pp_object */

enum pp_line_record_kind { PP_LINE_NONE, PP_LINE_FILE, PP_LINE_FUNCTION, PP_LINE_FOLD };
struct pp_line_record {
    uint32_t kind;
    uint32_t size; /* bytes including this head, a multiple of 8; padding is 0 */
    uint64_t id;   /* hash of the content: records of the same id are equal */
};
/* FILE: the path, terminated, as in debug information: absolute unless an option maps it (-ffile-prefix-map).
 * FUNCTION: the symbol, terminated, and then numbers in ULEB128 (7 bits a byte, lowest first, the high bit set on all
 * but the last byte):
 *   - how many counters
 *   - how many blocks. Block 0 is outside: the caller, where the function returns or leaves to
 *   - how many files, and for each file the id of its record, in 8 plain bytes
 *   - for each block: how many edges, and for each edge the block that it leads to, and its counter + 1.
 *     0 means no counter. These edges are a spanning tree. Their counts follow from the others, because each block is
 *     entered as often as it is left.
 *     How many counters + 1 means no counter either: the edge leads to a call that returned before.
 *   - for each block: how many lines, and for each line the index of its file, and the difference d to the line before
 *     (0 at first), as 2 * d, or as -2 * d - 1 if d is negative
 *
 * FOLD: the graph of a function after others were inlined into it, so that counters that would always be equal are one.
 * It is like FUNCTION, but without the symbol. In place of files and lines there are ids of FUNCTION records, and for
 * each block counters of these functions: each of those grows by 1 whenever the block is reached. */

/* The range of counters that an object has for a function. */
struct pp_line_use {
    uint64_t id;   /* of the function's record */
    uint32_t slot; /* of counter 0; counter i has the slot less i */
    uint32_t counters;
};
struct pp_line_slots {
    int32_t records_start; /* addresses relative to this structure's: __start_profplug_lines, __stop_profplug_lines */
    int32_t records_stop;
    int32_t waste_end; /* end of memory for all slots that nobody reads: counters while nothing is recorded */
    uint32_t count;
}; /* then struct pp_line_use[count] */

struct pp_lines {
    uint64_t bytes;
    uint32_t module, reserved;
    uint64_t reserved2[6];
};
struct pp_hits {
    uint32_t last_key, count, module, reserved;
    uint64_t next; /* bytes from here to the next object's ranges in the extent, 8-aligned; 0: none */
    uint64_t reserved2[5];
};

/* What is emitted in a function that counts lines, at its least frequent place (o is the object, T the pp_tls at thread
 * pointer + o.tls):
 *   base = o.end <= T.limit ? T.counters + o.end : o.stages ? __profplug_hits(&o) : o's waste_end;
 * and for each counter: ++*(uint64_t *)(base - 8 - K * 8). __profplug_hits registers the object, and returns waste_end
 * if nothing can be recorded. Executables on x86-64 need no base: see struct pp_segment. The call counter of a site may
 * serve as a line counter, too: as a use of one counter at the site's slot. */
struct pp_object;
uint64_t __profplug_hits(struct pp_object *object);

typedef char pp_assert_line_record[sizeof(struct pp_line_record) == 16 ? 1 : -1];
typedef char pp_assert_line_use[sizeof(struct pp_line_use) == 16 ? 1 : -1];
typedef char pp_assert_line_slots[sizeof(struct pp_line_slots) == 16 ? 1 : -1];
typedef char pp_assert_lines[sizeof(struct pp_lines) == 64 && sizeof(struct pp_hits) == 64 ? 1 : -1];

#endif
