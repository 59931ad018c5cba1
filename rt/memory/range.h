/* SPDX-License-Identifier: MIT */
/* range.h: which parts of the address space were mapped at which callsite. Part of mapping.c.
 *
 * The ranges do not overlap. They form a treap: ordered by address, and a heap by a random priority, which keeps it
 * flat. Before ranges are removed the tree is cut at both ends, so partial unmapping needs no case of its own. All of
 * it runs under a lock. */
#ifndef PP_RANGE_H
#define PP_RANGE_H

#include "file/memory.h"
#include "rt.h"

struct range {
    uint64_t low, high;
    struct range *left, *right;
    uint32_t callsite, priority;
};

#define RANGES_AT_ONCE 1600u /* 64 KB */

static struct range *ranges, *ranges_free;
static uint32_t ranges_seed = 2463534242u;

static struct range *range_make(uint64_t low, uint64_t high, uint32_t callsite)
{
    if (!ranges_free) {
        struct range *more = pp_memory(RANGES_AT_ONCE * sizeof *more);
        for (uint32_t i = 0; more && i < RANGES_AT_ONCE; i++) {
            more[i].left = ranges_free;
            ranges_free = &more[i];
        }
    }
    struct range *made = ranges_free;
    if (!made)
        return NULL; /* pp_memory has counted the loss */
    ranges_free = made->left;
    ranges_seed ^= ranges_seed << 13;
    ranges_seed ^= ranges_seed >> 17;
    ranges_seed ^= ranges_seed << 5;
    *made = (struct range){ .low = low, .high = high, .callsite = callsite, .priority = ranges_seed };
    return made;
}

static void range_drop(struct range *r)
{
    r->left = ranges_free;
    ranges_free = r;
}

/* Splits the tree into the ranges that begin below `at` and the others. */
static void ranges_split(struct range *t, uint64_t at, struct range **left, struct range **right)
{
    while (t) {
        struct range **to = t->low < at ? left : right, **on = t->low < at ? &t->right : &t->left;
        *to = t;
        if (t->low < at)
            left = on;
        else
            right = on;
        t = *on;
    }
    *left = *right = NULL;
}

/* Joins two trees; all of `a` lies below all of `b`. */
static struct range *ranges_join(struct range *a, struct range *b)
{
    struct range *root = NULL, **to = &root;
    while (a && b) {
        if (a->priority > b->priority) {
            *to = a;
            to = &a->right;
            a = a->right;
        } else {
            *to = b;
            to = &b->left;
            b = b->left;
        }
    }
    *to = a ? a : b;
    return root;
}

/* Puts ranges back. No other range lies where they do. */
static void ranges_put(struct range *some, uint64_t low)
{
    struct range *below, *above;
    ranges_split(ranges, low, &below, &above);
    ranges = ranges_join(ranges_join(below, some), above);
}

/* Cuts the range that reaches over `at`, if there is one. */
static void ranges_cut(uint64_t at)
{
    struct range *last = NULL;
    for (struct range *r = ranges; r; r = r->low < at ? r->right : r->left)
        if (r->low < at)
            last = r;
    if (!last || last->high <= at)
        return;
    struct range *rest = range_make(at, last->high, last->callsite);
    last->high = at;
    if (rest)
        ranges_put(rest, at);
}

/* Removes and returns the ranges between. A range that reaches over an end is cut. */
static struct range *ranges_take(uint64_t low, uint64_t high)
{
    struct range *below, *some, *above;
    ranges_cut(low);
    ranges_cut(high);
    ranges_split(ranges, low, &below, &above);
    ranges_split(above, high, &some, &above);
    ranges = ranges_join(below, above);
    return some;
}

/* Adds a range. It extends an adjacent range of the same callsite, so that a program that maps page by page has few.
 * False: no memory. */
static bool ranges_add(uint64_t low, uint64_t high, uint32_t callsite)
{
    struct range *last = NULL, *first = NULL;
    for (struct range *r = ranges; r; r = r->low < low ? r->right : r->left)
        if (r->low < low)
            last = r;
        else
            first = r;
    if (last && last->high == low && last->callsite == callsite) {
        last->high = high;
        return true;
    }
    if (first && first->low == high && first->callsite == callsite) {
        first->low = low;
        return true;
    }
    struct range *made = range_make(low, high, callsite);
    if (made)
        ranges_put(made, low);
    return made != NULL;
}

/* Unlinks and returns the lowest of the removed ranges; NULL if there is none. */
static struct range *ranges_pop(struct range **some)
{
    struct range *t = *some;
    while (t && t->left) {
        struct range *left = t->left;
        t->left = left->right;
        left->right = t;
        t = left;
    }
    *some = t ? t->right : NULL;
    return t;
}

#endif
