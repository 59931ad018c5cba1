/* SPDX-License-Identifier: MIT */
/* region.h: the user CPU time of each region of the run, from samples and clocks together, and the time of a share of
 * its samples, with its variance. A region is a stage's own part, or what is outside every stage. Must not know
 * functions, lines or where samples were. */
#ifndef PROFPLUG_REGION_H
#define PROFPLUG_REGION_H

#include "store/map.h"
#include "merge/locations.h"
#include "model/model.h"

struct region {
    double booked_ns, squares_ns2;
    struct value user;
}; /* what its samples represent, and the sum of squares of what each represents */

struct share {
    struct value *to;
    uint32_t region, stratum;
    double booked_ns, squares_ns2;
};

/* Samples of which clocks tell what they stand for together: those of a node's own time, or of calls from it that are
 * not timed. The variance is of that time, in parts of its square. */
struct stratum {
    double booked_ns, squares_ns2, variance;
};

/* The sums of one destination of shares, in regions_close. */
struct share_sum {
    struct value *to;
    double own, kernel, common; /* variances: of shares of samples, of kernel time; covariance with the user time */
    double user_ns, clocks, whole; /* variances: what clocks say of its strata, the most of one that it has entirely */
};

struct regions {
    struct model *model;
    struct region *region; /* 0: outside every stage; otherwise the stage's index + 1 */
    struct stratum *stratum; /* see sample_stratum; NULL if clocks tell of none */
    double widened;          /* so many times the variance of signals was made larger, since they keep step */
    struct value user;     /* of the run, if there are samples */
    double settled_user;   /* its variance when the sources of CPU time were made to agree */
    struct groups *groups;   /* of threads, in that case; else NULL */
    double by_threads;       /* variance of the user time, if it agrees with the clocks of all threads; else 0 */
    double booked_ns, squares_ns2;
    struct map known; /* (destination, region, stratum) -> share */
    struct share *share;
    size_t share_count, share_capacity;
};

/* CPU time of a node's calls that were not timed, by those that were, of which all and their callees took total_ns; 0:
 * not known. */
double calls_untimed_ns(const struct model *model, const struct model_node *node, double total_ns);
/* Where ticks keep step with the program: samples stand for the time that clocks found of their node. Without `ticks`,
 * or where clocks are not believed, that is said of nodes alone that do not wait. After kernel_place, which gives
 * samples their kernel time; before regions_open. */
void regions_rake(struct regions *regions, struct model *model, const struct locations *where, bool ticks);
/* Also fills the model's coverage: scale, sampled_ns, not_sampled_ns, kernel_ns, samples. */
void regions_open(struct regions *regions, struct model *model);
/* What the profiler did where no sample sees it: in its signals, at its start and end, and in system calls. */
double regions_own(const struct model_run *run);
/* The user time by the ticks that split it from the kernel's. */
struct value regions_split(const struct model *model);
/* By how much samples stand for less than the user time: 1, or more where some were lost or not all was sampled. */
double regions_lost(const struct model *model);
/* Each thread has as much user and kernel time as its CPU clock, where all of these are known. See reconcile.c. */
void threads_reconcile(struct regions *regions, struct model *model);
/* Adds what *to has of a thread's time, and in the end bounds its error by what is known of all threads. */
void threads_share(struct regions *regions, const struct model_sample *sample, struct value *to);
void threads_bound(struct regions *regions);
/* A process that a signal ended did not read its CPU time then. Threads and samples may know more. See reconcile.c. */
void regions_complete(struct regions *regions);
/* Samples that were taken where no memory was left for them are lost. */
void samples_miss(struct model *model);
/* A region has no more user time than its clock has CPU time; one of 0 or less is not known. See reconcile.c. */
void regions_reconcile(struct regions *regions, const struct value *clock);
uint32_t region_of(const struct model *model, const struct model_sample *sample);
/* The user CPU time that a sample's entry represents. */
double region_ns(const struct regions *regions, const struct model_sample *sample);
/* Adds the sample's time to *to, which must not move until regions_close. */
void region_share(struct regions *regions, const struct model_sample *sample, struct value *to);
/* Adds what the sample's signals stand for, as it is. */
void region_book(const struct model_sample *sample, struct value *to);
/* Gives the *to of every share its time and variance. */
void regions_close(struct regions *regions);

#endif
