/* SPDX-License-Identifier: MIT */
/* merge.h: makes one model of a profile's thread blocks: functions, stages, call tree, threads, samples with their
 * node. Must not know: ELF, DWARF, output. */
#ifndef PROFPLUG_MERGE_H
#define PROFPLUG_MERGE_H

#include "merge/locations.h"
#include "model/model.h"
#include "read/profile.h"
#include "store/map.h"

/* Functions by name, kept while a model is made: functions found by symbolization are looked up in the same table. */
struct names {
    struct map by_key;    /* FILE:SYMBOL */
    struct map by_symbol; /* the only function of that symbol, or NAMES_MANY */
};
#define NAMES_MANY (UINT32_MAX - 1)

struct model *merge_profile(const struct profile *profile, struct names *names);
void names_free(struct names *names);

/* whole.c: the run. now_ns: its end, or when it was last seen. */
void run_merge(struct model *model, const struct profile *profile, uint64_t now_ns);

/* blocks.c: the points of the profile with what was allocated and freed at each. Then, once places are known, lines and
 * functions. */
void points_merge(struct model *model, const struct profile *profile);
void blocks_sum(struct model *model, const struct locations *locations);
/* operations.c: the profile's operations, each with the number of its point. stage_of: for each block, the model's
 * stages. Then the indices of the points. */
void operations_merge(struct model *model, const struct profile *profile, uint32_t *const *stage_of);
void operations_settle(struct model *model, const uint32_t *point_of);
void operations_sum(struct model *model, const struct locations *locations);

/* holds.c: the same for who held the locks that were waited for. */
void holds_merge(struct model *model, const struct profile *profile);
void holds_settle(struct model *model, const uint32_t *point_of, uint32_t most);
void holds_sum(struct model *model, const struct locations *locations);

/* lifetimes.c: the same for the calls that started and joined threads. threads_sum comes after stalls_sum. */
void threads_meet(struct model *model, const struct profile *profile);
void threads_settle(struct model *model, const uint32_t *point_of, uint32_t most);
void threads_sum(struct model *model, const struct locations *locations);

/* spans.c: the timeline, in the same steps. */
void timeline_merge(struct model *model, const struct profile *profile, uint32_t *const *stage_of);
void timeline_settle(struct model *model, const uint32_t *point_of, uint32_t most);
void timeline_sum(struct model *model, const struct locations *locations);

/* The value of a metric as a number. If it was read in a part of the calls, it is scaled by calls, not by time, which
 * includes preemption. sampled_for: the calls that the read ones represent; 0: all were read. */
double metric_scale(unsigned metric, uint64_t raw, uint64_t calls, uint64_t sampled_for);
/* number.c: first the names, then the values in each block's stages. stage_of is as in merge.c. */
void numbers_merge(struct model *model, const struct profile *profile);
uint32_t number_of(struct model *model, const struct profile *profile, uint32_t id); /* its index in the model */
void tallies_merge(struct model *model, const struct profile *profile, const struct profile_block *block,
                   const uint32_t *stage_of);
struct model_windows windows_from(const struct pp_windows *windows);

/* between.c: the profile's snapshots, once stages and points are known. stage_of: for a snapshot's stages, the
 * model's; MODEL_NONE for none. */
void snapshot_merge(struct model *model, const struct profile_snapshot *from, const uint32_t *stage_of);

/* Length of a symbol without .isra.0, .constprop.1, .part.2, .cold, .lto_priv.3 and the number of a nested function. A
 * region of OpenMP is a function of its own: f._omp_fn.0. */
size_t symbol_base(const char *symbol);
/* The function with that symbol (without clone suffixes) and file. Makes it if there is none. `file` may be empty. */
uint32_t names_function(struct model *model, struct names *names, const char *symbol, const char *name,
                        const char *file, uint32_t line);
bool symbol_is_part(const char *symbol); /* a partition: its calls are not calls of the function */

/* `file` made absolute by `directory`, without `.` and `..` steps. */
const char *path_whole(struct arena *arena, const char *directory, const char *file);

#endif
