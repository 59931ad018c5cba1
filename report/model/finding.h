/* SPDX-License-Identifier: MIT */
/* finding.h: a bottleneck: what exceeded a threshold, and by how much. */
#ifndef PROFPLUG_MODEL_FINDING_H
#define PROFPLUG_MODEL_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include <profplug/abi/format.h>

enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_CRITICAL };
enum priority { PRIORITY_LOW, PRIORITY_MEDIUM, PRIORITY_HIGH };

struct model_evidence {
    const char *name;
    double value;
};

struct model_finding { /* a bottleneck */
    const char *rule;
    bool is_stage;
    uint32_t subject;        /* index of a stage or function */
    const char *name, *text; /* text: one line for a person */
    enum pp_category category;
    enum severity severity;
    enum priority priority;
    double cost_ns; /* its cost; orders findings of equal severity and priority */
    double threshold;
    const char *file; /* where to look; empty if unknown */
    uint32_t line, function;
    struct model_evidence evidence[8];
    uint32_t evidence_count;
};

const char *severity_name(enum severity severity);
const char *priority_name(enum priority priority);

#endif
