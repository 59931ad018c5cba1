/* SPDX-License-Identifier: MIT */
/* rwlock.c: wraps reader-writer locks and barriers, as sync.c wraps the others. It must not know what is booked where.
 *
 * It is a file of its own so that a static executable without such locks is not linked with them. */
#define _GNU_SOURCE
#include "operation/holder.h"
#include "operation/operation.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#define WRAPPER PP_WRAPPER PP_BEFORE_ALL __attribute__((noinline))

/* These link in the C library's functions that next.c names weakly: the functions behind our wrappers. */
PP_DRAW(pthread_rwlock_clockrdlock);
PP_DRAW(pthread_rwlock_clockwrlock);
#ifdef PP_HAS_CLOCKED
PP_DRAW(mq_notify);
#endif

WRAPPER int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    if (!PP_RECORDS(PP_OPERATIONS_WAITS))
        return PP_NEXT_OF(pthread_rwlock_rdlock)(lock);
    int result = pthread_rwlock_tryrdlock(lock);
    if (PP_LIKELY(!result))
        return pp_lock_taken(lock, false, PP_CALLER);
    return PP_LOCK_WAIT(pthread_rwlock_rdlock, false, lock);
}

WRAPPER int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    if (!PP_RECORDS(PP_OPERATIONS_WAITS))
        return PP_NEXT_OF(pthread_rwlock_wrlock)(lock);
    int result = pthread_rwlock_trywrlock(lock);
    if (PP_LIKELY(!result))
        return pp_lock_taken(lock, false, PP_CALLER);
    return PP_LOCK_WAIT(pthread_rwlock_wrlock, false, lock);
}

/* With a timeout, which is checked even if the lock is free. */
WRAPPER int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict until)
{
    int result = PP_BOOKED_WAIT(pthread_rwlock_timedrdlock, LOCK, NOT_ZERO, lock, until);
    if (!result && PP_RECORDS(PP_OPERATIONS_WAITS))
        (void)pp_lock_taken(lock, false, PP_CALLER);
    return result;
}

WRAPPER int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict until)
{
    int result = PP_BOOKED_WAIT(pthread_rwlock_timedwrlock, LOCK, NOT_ZERO, lock, until);
    if (!result && PP_RECORDS(PP_OPERATIONS_WAITS))
        (void)pp_lock_taken(lock, false, PP_CALLER);
    return result;
}

#ifdef PP_HAS_CLOCKED
WRAPPER int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    return PP_BOOKED_WAIT(pthread_barrier_wait, BARRIER, POSITIVE, barrier);
}
#endif

__attribute__((alias("pthread_rwlock_rdlock"), visibility("hidden"), nothrow, nonnull(1))) int pp_rdlock_here(
    pthread_rwlock_t *lock);

bool pp_rwlocks_are_ours(void)
{
    int (*volatile effective)(pthread_rwlock_t *) = pthread_rwlock_rdlock;
    return effective == pp_rdlock_here;
}
