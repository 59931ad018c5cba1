/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linecount.h: a function's flow graph, between those that count and write it down. Include gcc.h before it. */
#ifndef PROFPLUG_LINECOUNT_H
#define PROFPLUG_LINECOUNT_H

#include "profplug/abi/line.h"

/* Names the array of a function's counters, with the record's id behind it. */
#define LINE_ARRAY_PREFIX "profplug_lines."

bool is_line_array (const_tree decl);

struct line_edge {
    unsigned from, to;                 /* numbers of blocks; 0 is the outside */
    edge real;                         /* null: one that exists only on paper */
    unsigned weight;
    int counter;                       /* -1: in the spanning tree */
    bool again;                        /* from the outside to a call that returned before */
};

struct line_graph {
    auto_vec<basic_block> blocks;      /* by number; the outside is null, and from number `real` on, those of `jumps` */
    unsigned real = 0;
    auto_vec<location_t> jumps;
    hash_set<gimple *> tails;          /* calls behind which nothing is counted, and of those the ones that may not come back, */
    hash_set<gimple *> departures;
    hash_set<basic_block> silent;      /* and what stands behind these */
    auto_vec<unsigned> numbers;        /* by the block's index */
    auto_vec<struct line_edge> edges;  /* by block of origin, but the paper's edges from the outside */
    unsigned counters = 0;
};

/* ---- linegraph.cc ---- */
/* Splits blocks where control may leave amid them; `with_lines`: and behind each call. */
void linegraph_split (function *fun, bool with_lines);
/* `with_jumps`: a goto that became an edge has a place of its own. */
void linegraph_make (function *fun, struct line_graph *graph, bool with_jumps);
/* Gives the edges outside of the spanning tree their counters. False if one of them cannot carry code, or none is needed. */
bool linegraph_plan (struct line_graph *graph);

/* ---- linecount.cc ---- */
tree linecount_array (uint64_t id, unsigned counters);
/* array[counter] += more; */
gimple_seq linecount_add (tree array, unsigned counter, tree more);
/* Code for the counters, to be committed. */
void linecount_edges (function *fun, struct line_graph *graph, tree array);

/* ---- linefold.cc ---- */
/* In place of counters: marks of where they count, to be committed. */
void linefold_mark (function *fun, struct line_graph *graph, uint64_t id);
/* Is it a mark, and of what? */
bool linefold_is_mark (gimple *statement, uint64_t *id = nullptr, unsigned *counter = nullptr);
/* Keeps functions with marks from being taken for free of effects; no code. */
bool linefold_is_anchor (gimple *statement);

/* ---- lineselect.cc: asked once every function of the unit has its flow graph ---- */
bool lineselect_wants (function *fun);

/* ---- linereturn.cc ---- */
/* May control not go on behind the statement? */
bool linereturn_may_not (gimple *statement);
/* Looks whether calls of the function always come back; before their callers ask. */
void linereturn_learn (function *fun);

/* ---- linebase.cc: where the thread's counters are ---- */
/* Before the probe is put in: blocks of the function that need the base; whether a probe will look whether the function is registered, and
 * count it for its lines, too; whether what is counted is to be lost. */
void linebase_plan (function *fun, const vec<basic_block> *needy, bool probed, bool counted, bool wasted);
/* The same in an executable, where counters need no base: whether nothing else looks whether the thread has its own. */
void linebase_plan_home (function *fun, bool unprobed);
/* After it: the base for code in what was this block; null for an executable's counters. */
tree linebase_of (basic_block needy);

/* ---- linerecord.cc: writes the graph and its lines into the object; returns the record's id ---- */
uint64_t linerecord_write (function *fun, struct line_graph *graph);
/* The graph of a function with others inlined into it, and the marks in its blocks. */
uint64_t linerecord_write_fold (struct line_graph *graph);

#endif
