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
    hash_set<gimple *> tails;          /* calls behind which nothing is counted, and what stands there */
    hash_set<basic_block> silent;
    auto_vec<unsigned> numbers;        /* by the block's index */
    auto_vec<struct line_edge> edges;  /* by block of origin, but the paper's edges from the outside */
    unsigned counters = 0;
};

/* ---- linerecord.cc: writes the graph and its lines into the object; returns the record's id ---- */
uint64_t linerecord_write (function *fun, struct line_graph *graph);

#endif
