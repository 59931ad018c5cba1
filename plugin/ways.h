/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ways.h: the exits of a function, and the places where control comes back into it. Include gcc.h before it. */
#ifndef PROFPLUG_WAYS_H
#define PROFPLUG_WAYS_H

/* What ways_find found, before anything is changed. */
struct ways {
    auto_vec<gimple *> returns;        /* return statements */
    auto_vec<gimple *> departures;     /* calls that do not return: resumed unwinding, __builtin_return */
    auto_vec<gimple *> tail_calls;
    auto_vec<gimple *> twice;          /* calls that return twice */
    auto_vec<basic_block> receivers;   /* landing pads and non-local labels */
};

/* `timed`: the function is a stage. Its tail calls become plain calls. So do those that must not come after the
 * function's own exit. */
void find_ways (function *fun, bool timed, struct ways *ways);

#endif
