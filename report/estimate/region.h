/* SPDX-License-Identifier: MIT */
/* region.h: how much user CPU time each region of the run (a stage's own part, and what is outside every stage) has,
 * from samples and clocks together; and what a share of its samples is worth, with its variance. Must not know
 * functions, lines or where samples were. */
#ifndef PROFPLUG_REGION_H
#define PROFPLUG_REGION_H

#include "store/map.h"
#include "model/model.h"

struct region {
    double booked_ns, squares_ns2;
    struct value user;
}; /* what its samples stand for; the sum of squares of what each does */

struct share {
    struct value *to;
    uint32_t region;
    double booked_ns, squares_ns2;
};

struct regions {
    struct model *model;
    struct region *region; /* 0: outside every stage; else the stage's index + 1 */
    struct value user;     /* of the run, where there are samples */
    double booked_ns, squares_ns2;
    struct map known; /* (where to, region) -> share */
    struct share *share;
    size_t share_count, share_capacity;
};

/* Fills the model's coverage, too: scale, sampled_ns, not_sampled_ns, kernel_ns, samples. */
void regions_open(struct regions *regions, struct model *model);
uint32_t region_of(const struct model *model, const struct model_sample *sample);
/* The user CPU time that a sample's entry stands for. */
double region_ns(const struct regions *regions, const struct model_sample *sample);
/* The sample's time is a part of *to, which stays where it is until regions_close. */
void region_share(struct regions *regions, const struct model_sample *sample, struct value *to);
/* The variance of a time that was found by samples all over the run. */
double regions_variance(const struct regions *regions, double ns);
/* Gives every *to of a share its time and variance. */
void regions_close(struct regions *regions);

#endif
