/* SPDX-License-Identifier: MIT */
/* switches.c: page faults and context switches of the thread, as the kernel counts them. They distinguish a stage that
 * waits from one whose CPU was taken by others: both are off the CPU. */
#define _GNU_SOURCE
#include "system/state.h"

#include <errno.h>
#include <sys/resource.h>

enum {
    METRIC_BITS = 1u << PP_METRIC_FAULTS_MINOR | 1u << PP_METRIC_FAULTS_MAJOR | 1u << PP_METRIC_SWITCHES_VOLUNTARY |
                  1u << PP_METRIC_SWITCHES_INVOLUNTARY
};

static void switches_start(void)
{
    struct rusage usage;
    int kept = errno;
    if (getrusage(RUSAGE_THREAD, &usage) == 0)
        pp_run.header->metrics_measured |= METRIC_BITS;
    errno = kept;
}

static void switches_read(struct pp_thread *thread, uint64_t *values)
{
    struct rusage usage;
    int kept = errno;
    (void)thread;
    if (getrusage(RUSAGE_THREAD, &usage) == 0) {
        values[PP_METRIC_FAULTS_MINOR] = (uint64_t)usage.ru_minflt;
        values[PP_METRIC_FAULTS_MAJOR] = (uint64_t)usage.ru_majflt;
        values[PP_METRIC_SWITCHES_VOLUNTARY] = (uint64_t)usage.ru_nvcsw;
        values[PP_METRIC_SWITCHES_INVOLUNTARY] = (uint64_t)usage.ru_nivcsw;
    }
    errno = kept;
}

const struct pp_metric_source pp_source_switches = {
    .name = "switches",
    .collector = PP_COLLECTOR_CPU,
    .metrics = METRIC_BITS,
    .start = switches_start,
    .read = switches_read,
};
