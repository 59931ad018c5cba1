/* SPDX-License-Identifier: MIT */
/* merge.h: a profile's thread blocks become one model: functions, stages, call tree, threads, samples with their node.
 * Must not know: ELF, DWARF, output. */
#ifndef PROFPLUG_MERGE_H
#define PROFPLUG_MERGE_H

#include "merge/locations.h"
#include "model/model.h"
#include "read/profile.h"
#include "store/map.h"

/* Functions by what names them, kept while a model is made: symbolized functions are looked up in the same table. */
struct names {
    struct map by_key;    /* FILE:SYMBOL */
    struct map by_symbol; /* the only function of that symbol, or NAMES_MANY */
};
#define NAMES_MANY (UINT32_MAX - 1)

struct model *merge_profile(const struct profile *profile, struct names *names);
void names_free(struct names *names);

/* blocks.c: the points of the profile with what was got and given back at each; then, once places are known, lines and
 * functions. */
void points_merge(struct model *model, const struct profile *profile);
void blocks_sum(struct model *model, const struct locations *locations);
/* operations.c: those of the profile, each with its point's number; stage_of: the model's stages of each block's. Then
 * its points' indices. */
void operations_merge(struct model *model, const struct profile *profile, uint32_t *const *stage_of);
void operations_settle(struct model *model, const uint32_t *point_of);
void operations_sum(struct model *model, const struct locations *locations);

/* What was read of a metric, as a number; where it was read in a part of the calls, for all of them. By calls, not by
 * time, which has in it what the scheduler took. sampled_for: the calls that were read stand for; 0: all were. */
double metric_scale(unsigned metric, uint64_t raw, uint64_t calls, uint64_t sampled_for);
/* number.c: names first; then what each block's stages said of them, stage_of as merge.c has it. */
void numbers_merge(struct model *model, const struct profile *profile);
void tallies_merge(struct model *model, const struct profile *profile, const struct profile_block *block,
                   const uint32_t *stage_of);
struct model_windows windows_from(const struct pp_windows *windows);

/* difference.c: the profile's snapshots, once stages and points are there. stage_of: a snapshot's stages to the
 * model's, MODEL_NONE for none. */
void snapshot_merge(struct model *model, const struct profile_snapshot *from, const uint32_t *stage_of);

/* The function of that symbol (clone suffixes are taken off) and file; made if there is none. `file` may be empty. */
uint32_t names_function(struct model *model, struct names *names, const char *symbol, const char *name,
                        const char *file, uint32_t line);
bool symbol_is_part(const char *symbol); /* a partition: its calls are not calls of the function */

/* `file` made absolute by `directory`, without `.` and `..` steps. */
const char *path_whole(struct arena *arena, const char *directory, const char *file);

#endif
