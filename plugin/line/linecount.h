/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linecount.h: a function's flow graph, as the files that count and record lines share it. Include gcc.h before it. */
#ifndef PROFPLUG_LINECOUNT_H
#define PROFPLUG_LINECOUNT_H

#include "profplug/abi/line.h"

/* The array of a function's counters has this name, followed by the record's id. */
#define LINE_ARRAY_PREFIX "profplug_lines."

bool is_line_array (const_tree decl);

struct line_edge {
    unsigned from, to;                 /* numbers of blocks; 0 is the outside */
    edge real;                         /* null: the function has no such edge */
    unsigned weight;
    int counter;                       /* -1: none, the edge is in the spanning tree */
    bool again;                        /* from the outside to a call that returned before (setjmp) */
};

struct line_graph {
    /* by number: where each begins. The outside (0) is null, and those from `real` on */
    auto_vec<basic_block> blocks;
    /* by the block's index: the block of the flow graph that goes on as its part, or null (linejoin.cc) */
    auto_vec<basic_block> next;
    unsigned real = 0;
    auto_vec<location_t> jumps;        /* one for each block from `real` on */
    hash_set<gimple *> tails;          /* tail calls, after which nothing is counted */
    hash_set<gimple *> departures;     /* those of them that may not return */
    hash_set<basic_block> silent;      /* the blocks that follow these */
    auto_vec<unsigned> numbers;        /* by the block's index */
    /* by block of origin, except edges from the outside that the function does not have */
    auto_vec<struct line_edge> edges;
    unsigned counters = 0;
};

/* ---- linegraph.cc ---- */
/* Splits blocks after statements where control may leave the function; `with_lines`: also after calls that end a
 * line. */
void linegraph_split (function *fun, bool with_lines);
/* `with_jumps`: a goto that became an edge gets a block, so that its line is counted. */
void linegraph_make (function *fun, struct line_graph *graph, bool with_jumps);
/* Gives each edge outside the spanning tree a counter. False if one of them cannot carry code, or if none is needed. */
bool linegraph_plan (struct line_graph *graph);

/* ---- linejoin.cc ---- */
/* Finds the ways that need not be told apart, and sets graph->next where they join. `inner`: by index, the blocks that
 * have no number of their own. `with_lines`: what is left out has no line but that of the branch before it. */
void linejoin (function *fun, struct line_graph *graph, bool with_lines, vec<bool> *inner);
/* The last of the blocks that have become one with this one. */
basic_block linejoin_last (const struct line_graph *graph, basic_block block);

/* ---- linecount.cc ---- */
tree linecount_array (uint64_t id, unsigned counters);
/* array[counter] += more; */
gimple_seq linecount_add (tree array, unsigned counter, tree more);
/* Inserts code for the counters on edges. The caller commits the insertions. */
void linecount_edges (function *fun, struct line_graph *graph, tree array);

/* ---- linefold.cc ---- */
/* Inserts marks in place of counters. The caller commits the insertions. */
void linefold_mark (function *fun, struct line_graph *graph, uint64_t id);
/* Is the statement a mark? Then of which record and counter? */
bool linefold_is_mark (gimple *statement, uint64_t *id = nullptr, unsigned *counter = nullptr);
/* An anchor makes GCC treat a function with marks as one with effects. It emits no code. */
bool linefold_is_anchor (gimple *statement);

/* ---- lineselect.cc: call it once every function of the unit has its flow graph ---- */
bool lineselect_wants (function *fun);

/* ---- linereturn.cc ---- */
/* May control not continue after the statement? */
bool linereturn_may_not (gimple *statement);
/* Finds out whether calls of the function always return. Call it for callees before their callers. */
void linereturn_learn (function *fun);

/* ---- linebase.cc: the address of the thread's counters ---- */
/* Call it before the probe is inserted. `needy`: blocks that need the base. `probed`: a probe will test whether the
 * object is registered. `counted`: the probe's counter serves a line, too. `wasted`: the counts are to be discarded. */
void linebase_plan (function *fun, const vec<basic_block> *needy, bool probed, bool counted, bool wasted);
/* The same in an executable, where counters need no base. `unprobed`: no probe tests pp_segment.ready. */
void linebase_plan_home (function *fun, bool unprobed);
/* After the probe was inserted: the base for code in the block; null in an executable. */
tree linebase_of (basic_block needy);

/* ---- linerecord.cc: writes the graph and its lines into the object; returns the record's id ---- */
uint64_t linerecord_write (function *fun, struct line_graph *graph);
/* Records the graph of a function after inlining, with the marks in its blocks. */
uint64_t linerecord_write_fold (struct line_graph *graph);

/* ---- loopnest.cc ---- */
/* Where an innermost loop's steps are counted: each entry is `step` of them, or one more than array[sum] says. */
struct loop_counter { tree array; unsigned entries, sum; uint64_t step; };
/* Counts the steps of loops within the nest by how often its outermost loop goes round. False: it cannot be told. */
bool loopnest_count (class loop *nest, const vec<struct loop_counter> *inner, uint64_t id);

#endif
