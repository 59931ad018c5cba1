/* SPDX-License-Identifier: MIT */
/* line.h: hits of lines: what the compiler writes down of a function's flow, and how the counters of its edges are found. Depends on stdint
 * and stddef alone.
 *
 * A function whose lines are counted has counters on some edges of its flow graph; a record says how all edges and lines follow from them.
 * Graph and counters are those of the function as the source has it, before inlining and every optimization: copies of the function, inlined,
 * cloned or streamed, all add to its counters, of which each unit that holds copies has its own range. Where GCC optimizes, a copy has counters
 * of a graph of its own in their place, and a record (FOLD) that says what it adds to them.
 *
 * IN THE PROGRAM. Section `profplug_lines` (read-only) holds struct pp_line_record, each 8-aligned and as many bytes as it says, of a whole
 * linked image. An object whose flags have PP_OBJECT_LINES has a struct pp_line_slots behind its strings, at the next multiple of 8.
 *
 * IN THE FILE. PP_EXTENT_LINES: struct pp_lines, then the records of an image, as they were. PP_EXTENT_HITS: struct pp_hits, then
 * struct pp_line_use[], one per object. Counter i of use u is counters[last_key - u.slot + i]; the same id may be used many times: add up. */
#ifndef PROFPLUG_ABI_LINE_H
#define PROFPLUG_ABI_LINE_H

#include <stddef.h>
#include <stdint.h>

#define PP_OBJECT_LINES 2u               /* a flag of struct pp_object */

enum pp_line_record_kind { PP_LINE_NONE, PP_LINE_FILE, PP_LINE_FUNCTION, PP_LINE_FOLD };
struct pp_line_record {
    uint32_t kind;
    uint32_t size;                       /* bytes with this head, a multiple of 8; what is behind the payload is 0 */
    uint64_t id;                         /* by content: records of the same id are the same */
};
/* FILE: the path, terminated, as debug information has it, absolute unless it was mapped.
 * FUNCTION: the symbol, terminated; then numbers of 7 bits a byte, lowest first, the high bit set on all but the last byte:
 *   counters
 *   blocks                  block 0 is the outside: what calls the function, and where it returns or leaves to
 *   files, and per file its record's id in 8 plain bytes
 *   per block               edges, and per edge where it leads and its counter + 1, 0 for none: those make a spanning tree, and follow from
 *                           what goes into a block coming out of it; counters + 1: none, and leads to a call that returned before
 *   per block               lines, and per line the file's place in the list, and the line less the line before (0 at first), doubled, odd
 *                           if it is negative: -(n + 1) / 2
 * FOLD: the graph of a function with others inlined into it, late, so that what they count alike is counted once. As FUNCTION, without the symbol;
 * in place of files and lines stand ids of FUNCTION records and their counters: each is 1 more whenever its block is reached. */

/* One copy's range of counters. */
struct pp_line_use {
    uint64_t id;                         /* of the function's record */
    uint32_t slot;                       /* of counter 0; counter i has slot - i */
    uint32_t counters;
};
struct pp_line_slots {
    int32_t records_start;               /* addresses relative to this structure's: __start_profplug_lines, __stop_profplug_lines */
    int32_t records_stop;
    int32_t waste_end;                   /* just past memory for all slots, which nobody reads */
    uint32_t count;
};                                       /* then struct pp_line_use[count] */

struct pp_lines { uint64_t bytes; uint32_t module, reserved; uint64_t reserved2[6]; };
struct pp_hits { uint32_t last_key, count, module, reserved; uint64_t reserved2[6]; };

/* What is emitted in a function that counts lines, but in executables on x86-64 (struct pp_segment), where it is rarest (o is the object, T the pp_tls at thread pointer + o.tls):
 *   base = o.end <= T.limit ? T.counters + o.end : o.stages ? __profplug_hits(&o) : o's waste_end;
 * and where a counter was: ++*(uint64_t *)(base - 8 - K * 8). __profplug_hits registers the object; its result is the waste where nothing
 * can be recorded. A site that counts its calls may be the place of a counter, too: a use of one counter at the site's slot. */
struct pp_object;
uint64_t __profplug_hits(struct pp_object *object);

typedef char pp_assert_line_record[sizeof(struct pp_line_record) == 16 ? 1 : -1];
typedef char pp_assert_line_use[sizeof(struct pp_line_use) == 16 ? 1 : -1];
typedef char pp_assert_line_slots[sizeof(struct pp_line_slots) == 16 ? 1 : -1];
typedef char pp_assert_lines[sizeof(struct pp_lines) == 64 && sizeof(struct pp_hits) == 64 ? 1 : -1];

#endif
