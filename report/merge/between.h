/* SPDX-License-Identifier: MIT */
/* between.h: what changed between two snapshots of a run, or between one and its start or end. Must not know how it
 * is shown. */
#ifndef PROFPLUG_BETWEEN_H
#define PROFPLUG_BETWEEN_H

#include "model/model.h"

struct between_site {        /* heap blocks of one row of the report */
    uint32_t allocation;        /* index; MODEL_NONE: callsites that are shown nowhere */
    struct model_blocks blocks; /* allocated and freed between the two. Their difference is live */
};
struct between_stage {
    uint32_t stage;
    struct model_moment moment;
};

struct between {
    struct model_snapshot from, to;
    bool rss_known, cpu_known, heap_known, sites_known;
    int64_t rss_bytes;
    uint64_t wall_ns, cpu_ns;
    struct model_blocks heap;
    struct between_site *site;
    size_t site_count, site_capacity; /* largest live size first */
    /* stages that were active in between, parents first */
    struct between_stage *stage;
    size_t stage_count, stage_capacity;
};

/* `from` and `to` are labels, numbers as #2, or start and end. False: `why` says which is missing and what was
 * expected, as one sentence without an end. */
bool between_make(struct between *between, const struct model *model, const char *from, const char *to,
                     char why[256]);
void between_free(struct between *between);
int64_t blocks_live_bytes(const struct model_blocks *blocks);
/* A snapshot's heap with the variance of what was given back, and so of what lived. */
struct model_blocks blocks_with_variance(const struct model *model, const struct model_blocks *heap);

#endif
