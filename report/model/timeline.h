/* SPDX-License-Identifier: MIT */
/* timeline.h: when things happened: what the collector timeline kept. Part of model.h; merge/spans.c makes it. It must
 * not know who draws it. */
#ifndef PROFPLUG_MODEL_TIMELINE_H
#define PROFPLUG_MODEL_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <profplug/abi/format.h>

enum span_kind { SPAN_STAGE, SPAN_ITERATION, SPAN_WAIT, SPAN_KIND_COUNT }; /* STAGE: also loops and scopes */

struct model_span {
    uint64_t start_ns, wall_ns; /* start_ns: since the run's start */
    uint64_t index;             /* of a stage or iteration: its number in its thread, from 0 */
    uint64_t live_bytes;        /* of a stage: the process's heap at its end, plus 1; 0: not known */
    uint32_t thread;            /* index of model->thread; MODEL_NONE: its row was lost */
    uint32_t stage;             /* index; of a wait the one around it; MODEL_NONE: outside every stage */
    uint32_t point;             /* of a wait: index of where it was called; 0: not known */
    uint32_t line, function;    /* of a wait; MODEL_NONE: not known */
    enum span_kind kind;
    enum pp_operation_kind operation; /* of a wait */
    bool open;                        /* it had not ended; wall_ns is what was seen of it */
};

struct model_reading {
    uint64_t at_ns;
    int64_t value;           /* of a gauge; of a count the process's sum so far */
    uint32_t number, thread; /* indices; thread as of a span */
};

struct model_timeline {
    bool recorded;           /* the collector was on; otherwise all else is empty */
    struct model_span *span; /* by thread, then start_ns, the longer one first */
    size_t span_count, span_capacity;
    struct model_reading *reading; /* by number, then at_ns */
    size_t reading_count, reading_capacity;
    uint64_t seen[PP_TIMELINE_KIND_COUNT];   /* of each kind of table: what was over */
    uint64_t let_go[PP_TIMELINE_KIND_COUNT]; /* the part of it that is not here */
};

#endif
