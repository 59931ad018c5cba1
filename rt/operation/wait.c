/* SPDX-License-Identifier: MIT */
/* wait.c: the C library's calls that wait, wrapped; see operation.h. It must not know what is booked where. */
#define _GNU_SOURCE
#include "operation.h"

#include <errno.h>
#include <time.h>

#define WAIT(kind, result, failed, call) do { \
    if (!PP_RECORDS(PP_OPERATIONS_WAITS)) { \
        result = (call); \
    } else { \
        struct pp_doing doing_; \
        pp_doing_begin(&doing_, PP_COLLECTOR_WAITS, -1); \
        result = (call); \
        pp_doing_end(&doing_, PP_OPERATION_##kind, PP_CALLER, (failed) ? -1 : 0, PP_HERE); \
    } } while (0)

PP_WRAPPER int nanosleep(const struct timespec *time, struct timespec *left)
{
    int result;
    WAIT(SLEEP, result, result, PP_NEXT_OF(nanosleep)(time, left));
    return result;
}

PP_WRAPPER int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
    int result;
    WAIT(SLEEP, result, result, PP_NEXT_OF(clock_nanosleep)(clock, flags, time, left));
    return result;
}

__attribute__((alias("nanosleep"), visibility("hidden"))) int pp_nanosleep_here(const struct timespec *time, struct timespec *left);

bool pp_waits_are_ours(void)
{
    int (*volatile effective)(const struct timespec *, struct timespec *) = nanosleep;
    return effective == pp_nanosleep_here;
}
