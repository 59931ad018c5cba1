/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remarks.h: remarks on the current function, as the files that find and write them share them. Include gcc.h and
 * plugin.h before it. Must not know who reads remarks. */
#ifndef PROFPLUG_PLUGIN_REMARK_H
#define PROFPLUG_PLUGIN_REMARK_H

#include "profplug/abi/remark.h"

/* A loop of the function in which remarks are collected. GCC copies, numbers and moves loops, so what tells one from
 * another is the place of its condition; where that has changed, its number and its lines. */
struct remark_loop {
    location_t where;
    location_t told;                   /* where GCC's own messages say that it is */
    int number;                        /* GCC's, when it was first seen */
    unsigned first, last;              /* lines of its statements that stand in the same file and function */
    bool innermost;
    bool is_there;                     /* it is in the code that is finally emitted */
    unsigned told_bytes, vector_bytes; /* of the widest vectors: as the vectorizer said, and in the final code */
    bool is_measured;                  /* it calls the runtime in each step */
    bool is_seldom;                    /* GCC takes it for one that seldom runs */
};

/* ---- remarktable.cc: the remarks of the current function, and those of the unit ---- */
void remark_begin (function *fun);
/* Where it counts; UNKNOWN_LOCATION: nowhere in the source. */
location_t remark_place (class loop *loop);
/* The number of a loop: 0 is for `null`. */
unsigned remark_loop_number (class loop *loop);
struct remark_loop *remark_loop_at (unsigned number);
/* The texts may be null, and are copied. A remark that is there already is not added again. */
void remark_add (enum pp_remark_kind kind, unsigned loop, location_t where, int64_t value, const char *detail = nullptr,
                 const char *why = nullptr);
/* While `early`, what is added is kept only if the same kind of remark at the same place is added later. So the words
 * are those of code that is still like the source, and what was optimized away is not remarked. */
void remark_expect (bool early);
/* From the first line of the loop to its last one. */
void remark_add_loop (unsigned number);
/* What was expected of the kind at the place is true. False: nothing was. */
bool remark_confirm (enum pp_remark_kind kind, location_t where);
void remark_drop (enum pp_remark_kind kind, unsigned loop);
/* Drops those of the kind that are at none of the places, which have no block. */
typedef hash_set<int_hash<location_t, UNKNOWN_LOCATION, BUILTINS_LOCATION>> place_set;
void remark_keep (enum pp_remark_kind kind, place_set *places);
bool remark_has (enum pp_remark_kind kind, unsigned loop);
/* Keeps what was collected for the end of the unit, without remarks on loops that are no more. */
void remark_end (function *fun);
/* Did remark_begin come for this function? */
bool remark_has_begun (function *fun);
/* Are both places in the same file, and in the same copy of an inlined function? */
bool remark_same_source (location_t a, location_t b);
/* The body of the innermost inlined function that the block is in, or null. */
tree remark_body (tree block);

/* ---- remarktext.cc: expressions as the source has them, as far as that is known. Free the text ---- */
char *remark_text (tree expression, gimple *at = nullptr);
/* "float", "struct point" */
const char *remark_type_text (tree type);

/* ---- one file a subject. `loop` is innermost; blocks are those of the loop ---- */
void trips_remark (class loop *loop, unsigned number);
void strides_remark (class loop *loop, unsigned number, basic_block *blocks);
void stream_remark (class loop *loop, unsigned number, basic_block *blocks);
/* Drops the remark where vectors do it now. */
void stream_settle (unsigned number);
void search_remark (class loop *loop, unsigned number, basic_block *blocks);
bool search_compares (class loop *loop);
void sort_remark (class loop *loop, unsigned number, basic_block *blocks);
void trial_remark (class loop *loop, unsigned number, basic_block *blocks);
void bits_remark (class loop *loop, unsigned number, basic_block *blocks);
void window_remark (class loop *loop, unsigned number, basic_block *blocks);
void modulo_remark (class loop *loop, unsigned number, basic_block *blocks);
/* ---- seldom.cc: what not every round does ---- */
/* In the final code, of any statement. */
void seldom_remark (basic_block block, gimple *statement);
/* A loop to which not every round of the loop around it comes, or, without one, not every call of the function. */
struct seldom_piece {
    class loop *round;                 /* null: the function itself */
    location_t where;                  /* in the source that decides, as the lines are */
    unsigned first, last;
    bool inlined;                      /* its own source is in functions that are inlined there */
    bool regular;                      /* it is known to come at equal distances */
    bool calls;                        /* its steps are long: they have calls, or other loops */
    const char *symbol;                /* what every round calls, or null */
    unsigned line;                     /* of an inner loop that every round enters, or 0 */
};
bool seldom_find (class loop *loop, struct seldom_piece *piece);
/* How often the loop around goes: a round adds `step` to a sum; `more`: it goes round once more for each entry. */
struct seldom_rounds {
    uint64_t id;                       /* of the counters; 0: not counted */
    int64_t step;
    bool more;
};
/* `entries`: the id of the counter; 0: not counted. */
void seldom_piece_remark (const struct seldom_piece *piece, uint64_t entries, const struct seldom_rounds *rounds);
/* The loop of which not every round comes to this call of a function of the unit; or null. */
class loop *seldom_call (basic_block block, gimple *statement);
void seldom_rounds_remark (location_t where, const struct seldom_rounds *rounds);
/* From verdict_begin to verdict_end, the vectorizer's messages are taken. */
void verdict_begin ();
void verdict_end ();
/* In the final code: what became of the loop. */
void verdict_look (class loop *loop, unsigned number, basic_block *blocks);
/* Once all copies of the loop have been looked at. */
void verdict_remark (unsigned number);

/* In the final code, and before for their words. */
void arithmetic_remark (class loop *loop, unsigned number, basic_block *blocks);
void fades_remark (class loop *loop, unsigned number, basic_block *blocks); /* early */
void callee_remark (class loop *loop, unsigned number, basic_block *blocks);
void callee_register (const char *plugin_name);
void reload_remark (class loop *loop, unsigned number, basic_block *blocks);
void condition_remark (class loop *loop, unsigned number, basic_block *blocks);
/* In RTL: drops branches that have no conditional jump. */
void jumps_confirm ();
/* `loop` is the innermost one around the statement, whether or not others are in it; null: none. */
void structure_remark (class loop *loop, gimple *statement);
void fill_remark (gimple *statement);
void gap_remark (gimple *statement);
void divisor_remark (class loop *loop, gimple *statement);
void sharing_remark (gimple *statement);
/* Before loops are optimized: what the function writes. Later: remarks on what is still written. */
void sharing_look (function *fun);
void sharing_settle (function *fun);
void recursion_remark (function *fun);
void place_remark (gimple *statement);
void piece_remark (gimple *statement);
void buffer_remark (gimple *statement);
/* `loop` is any loop around the statement. */
void lock_remark (gimple *statement);
void repeat_remark (class loop *loop, gimple *statement);
void nap_remark (class loop *loop, gimple *statement);
/* Before loops are optimized, as something to expect; and in the final code. `loop` as of structure_remark. */
void function_begin (void); /* of the program: then all its statements are looked at, then remarked */
void function_look (class loop *loop, gimple *statement);
void function_remark (class loop *loop, gimple *statement);
void function_settle (class loop *loop, gimple *statement);

/* The statement that reads the pointer from the memory that it led to a step before; NULL: there is none. */
gimple *remark_chase (class loop *loop, tree pointer);

/* The name of the library's function that is called, or null if it is the program's own, or no call. */
const char *remark_library_name (gimple *statement);
bool remark_is_any_of (const char *name, const char *const *list, unsigned count);

/* Does the value stay the same while the loop runs? */
bool remark_is_invariant (class loop *loop, tree value);
/* Whether a comparison asks which of two comes first, and not whether they are equal. */
bool remark_is_ordering (tree_code code);
/* Does a statement of the loop, or with `calls_only` a call, other than this one, perhaps change what the pointer leads
 * to? */
bool remark_may_change (class loop *loop, gimple *except, tree pointer, bool calls_only);

void remarktable_register (const char *plugin_name);

#endif
