/* SPDX-License-Identifier: MIT */
/* sync.c: wraps the C library's calls that wait for other threads: locks, conditions, semaphores, a thread's end. It
 * must not know what is booked where.
 *
 * A lock or semaphore is tried first. If it is free, nobody waits, no clock is read and nothing is booked. */
#define _GNU_SOURCE
#include "operation/holder.h"
#include "operation/operation.h"
#include "thread/thread.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

/* These link in the C library's functions that next.c names weakly: the functions behind our wrappers. */
#ifdef PP_HAS_CLOCKED
PP_DRAW(aio_init);
PP_DRAW(mtx_timedlock);
PP_DRAW(pthread_tryjoin_np);
#else
PP_DRAW(pthread_mutex_clocklock);
PP_DRAW(pthread_cond_clockwait);
PP_DRAW(sem_clockwait);
PP_DRAW(pthread_clockjoin_np);
#endif

#define WRAPPER PP_WRAPPER PP_BEFORE_ALL __attribute__((noinline))

/* ---- locks ---- */

/* With a single thread the C library locks without an atomic operation, but its trylock uses one. */
#ifdef __GLIBC__
#include <sys/single_threaded.h>
#define IS_ALONE() __libc_single_threaded
#else
#define IS_ALONE() false
#endif

WRAPPER int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    if (!PP_RECORDS(PP_OPERATIONS_WAITS) || IS_ALONE())
        return PP_NEXT_OF(pthread_mutex_lock)(mutex);
    int result = PP_NEXT_KNOWN(pthread_mutex_trylock)(mutex);
    if (PP_LIKELY(!result))
        return PP_LIKELY(pp_holder_is(mutex, PP_CALLER)) ? result : pp_lock_taken(mutex, true, PP_CALLER);
    return result != EBUSY ? result : PP_LOCK_WAIT(pthread_mutex_lock, true, mutex);
}

WRAPPER int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
    if (!PP_RECORDS(PP_OPERATIONS_WAITS))
        return PP_NEXT_OF(pthread_mutex_timedlock)(mutex, until);
    int result = PP_NEXT_KNOWN(pthread_mutex_trylock)(mutex);
    if (PP_LIKELY(!result))
        return pp_lock_taken(mutex, true, PP_CALLER);
    return result != EBUSY ? result : PP_LOCK_WAIT(pthread_mutex_timedlock, true, mutex, until);
}

#ifdef PP_HAS_CLOCKED
WRAPPER int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until)
{
    int result;
    if (!PP_RECORDS(PP_OPERATIONS_WAITS) || (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC))
        return PP_NEXT_OF(pthread_mutex_clocklock)(mutex, clock, until);
    result = PP_NEXT_KNOWN(pthread_mutex_trylock)(mutex);
    if (PP_LIKELY(!result))
        return pp_lock_taken(mutex, true, PP_CALLER);
    return result != EBUSY ? result : PP_LOCK_WAIT(pthread_mutex_clocklock, true, mutex, clock, until);
}
#endif

/* C11's mutexes are POSIX's under other names. */
WRAPPER int mtx_lock(mtx_t *mutex)
{
    int result;
    if (!PP_RECORDS(PP_OPERATIONS_WAITS) || IS_ALONE())
        return PP_NEXT_OF(mtx_lock)(mutex);
    result = mtx_trylock(mutex);
    if (PP_LIKELY(result == thrd_success))
        return pp_lock_taken(mutex, true, PP_CALLER);
    return result != thrd_busy ? result : PP_LOCK_WAIT(mtx_lock, true, mutex);
}

WRAPPER int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    int result = PP_NEXT_OF(pthread_mutex_trylock)(mutex);
    if (result || !PP_RECORDS(PP_OPERATIONS_WAITS) || IS_ALONE())
        return result;
    return pp_lock_taken(mutex, true, PP_CALLER);
}

/* ---- conditions: the thread holds the lock again from their end on, whatever it is ---- */

static int holds_again(void *mutex, int result, const void *caller)
{
    if (PP_RECORDS(PP_OPERATIONS_WAITS))
        (void)pp_lock_taken(mutex, true, caller);
    return result;
}

WRAPPER int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    return holds_again(mutex, PP_BOOKED_WAIT(pthread_cond_wait, CONDITION, NOT_ZERO, condition, mutex), PP_CALLER);
}

WRAPPER int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until)
{
    return holds_again(mutex, PP_BOOKED_WAIT(pthread_cond_timedwait, CONDITION, NOT_ZERO, condition, mutex, until),
                       PP_CALLER);
}

#ifdef PP_HAS_CLOCKED
/* C++'s wait_for and wait_until call this. */
WRAPPER int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                                   const struct timespec *until)
{
    return holds_again(
        mutex, PP_BOOKED_WAIT(pthread_cond_clockwait, CONDITION, NOT_ZERO, condition, mutex, clock, until), PP_CALLER);
}
#endif

WRAPPER int cnd_wait(cnd_t *condition, mtx_t *mutex)
{
    return holds_again(mutex, PP_BOOKED_WAIT(cnd_wait, CONDITION, NOT_ZERO, condition, mutex), PP_CALLER);
}

WRAPPER int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict until)
{
    return holds_again(mutex, PP_BOOKED_WAIT(cnd_timedwait, CONDITION, NOT_ZERO, condition, mutex, until), PP_CALLER);
}

/* ---- semaphores ---- */

/* sem_wait is a cancellation point even if the semaphore is free. So the next function is called, and not
 * sem_trywait. */
WRAPPER int sem_wait(sem_t *semaphore)
{
    int value;
    if (!PP_RECORDS(PP_OPERATIONS_WAITS) || (!sem_getvalue(semaphore, &value) && value > 0))
        return PP_NEXT_OF(sem_wait)(semaphore);
    return PP_BOOKED_WAIT(sem_wait, SEMAPHORE, NOT_ZERO, semaphore);
}

WRAPPER int sem_timedwait(sem_t *semaphore, const struct timespec *until)
{
    int value;
    if (!PP_RECORDS(PP_OPERATIONS_WAITS) || (!sem_getvalue(semaphore, &value) && value > 0))
        return PP_NEXT_OF(sem_timedwait)(semaphore, until);
    return PP_BOOKED_WAIT(sem_timedwait, SEMAPHORE, NOT_ZERO, semaphore, until);
}

#ifdef PP_HAS_CLOCKED
WRAPPER int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
    int value;
    if (!PP_RECORDS(PP_OPERATIONS_WAITS) || (!sem_getvalue(semaphore, &value) && value > 0))
        return PP_NEXT_OF(sem_clockwait)(semaphore, clock, until);
    return PP_BOOKED_WAIT(sem_clockwait, SEMAPHORE, NOT_ZERO, semaphore, clock, until);
}
#endif

/* ---- threads ---- */

PP_BEFORE_ALL static int join(pthread_t thread, long value, long a, long b, uint32_t what, const void *caller)
{
    int result = pp_wait_booked((long)thread, value, a, b, what, caller);
    struct pp_thread_row *row =
        PP_RECORDS(PP_OPERATIONS_WAITS) && !result ? pp_thread_row_ended((uint64_t)thread) : NULL;
    if (row)
        row->joined = pp_operation_callsite(caller);
    return result;
}

WRAPPER int pthread_join(pthread_t thread, void **value)
{
    return join(thread, (long)value, 0, 0, PP_WAIT_OF(pthread_join, JOIN, NOT_ZERO), PP_CALLER);
}

WRAPPER int pthread_timedjoin_np(pthread_t thread, void **value, const struct timespec *until)
{
    return join(thread, (long)value, (long)until, 0, PP_WAIT_OF(pthread_timedjoin_np, JOIN, NOT_ZERO), PP_CALLER);
}

#ifdef PP_HAS_CLOCKED
WRAPPER int pthread_clockjoin_np(pthread_t thread, void **value, clockid_t clock, const struct timespec *until)
{
    return join(thread, (long)value, (long)clock, (long)until, PP_WAIT_OF(pthread_clockjoin_np, JOIN, NOT_ZERO),
                PP_CALLER);
}
#endif

WRAPPER int thrd_join(thrd_t thread, int *value)
{
    return join(thread, (long)value, 0, 0, PP_WAIT_OF(thrd_join, JOIN, NOT_ZERO), PP_CALLER);
}

WRAPPER int thrd_sleep(const struct timespec *time, struct timespec *left)
{
    return PP_BOOKED_WAIT(thrd_sleep, SLEEP, NOT_ZERO, time, left);
}

__attribute__((alias("pthread_join"), visibility("hidden"))) int pp_join_here(pthread_t thread, void **value);

bool pp_threads_are_ours(void)
{
    int (*volatile effective)(pthread_t, void **) = pthread_join;
    return effective == pp_join_here;
}
