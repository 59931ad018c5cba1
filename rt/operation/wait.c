/* SPDX-License-Identifier: MIT */
/* wait.c: the C library's calls that wait, wrapped; see operation.h. It must not know what is booked where.
 *
 * What may be there for the taking (a lock, a semaphore) is tried first: then nobody waits, no clock is read and nothing is booked. */
#define _GNU_SOURCE
#include "operation.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The next function's call, which sets `result`; `failed` says of that whether it did what it was to. */
#define WAIT(kind, result, failed, call) do { \
    if (!PP_RECORDS(PP_OPERATIONS_WAITS)) { \
        result = (call); \
    } else { \
        struct pp_doing doing_; \
        pp_doing_begin(&doing_, PP_COLLECTOR_WAITS, -1); \
        result = (call); \
        pp_doing_end(&doing_, PP_OPERATION_##kind, PP_CALLER, (failed) ? -1 : 0, PP_HERE); \
    } } while (0)

#define WRAPPER PP_WRAPPER PP_BEFORE_ALL __attribute__((noinline))

/* ---- sleeps ---- */

WRAPPER int nanosleep(const struct timespec *time, struct timespec *left)
{
    int result;
    WAIT(SLEEP, result, result, PP_NEXT_OF(nanosleep)(time, left));
    return result;
}

WRAPPER int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
    int result;
    WAIT(SLEEP, result, result, PP_NEXT_OF(clock_nanosleep)(clock, flags, time, left));
    return result;
}

WRAPPER int usleep(useconds_t time)
{
    int result;
    WAIT(SLEEP, result, result, PP_NEXT_OF(usleep)(time));
    return result;
}

WRAPPER unsigned sleep(unsigned time)
{
    unsigned left;
    WAIT(SLEEP, left, left, PP_NEXT_OF(sleep)(time));
    return left;
}

/* ---- descriptors to become ready: such, too, as are being connected ---- */

#define CONNECTS(result) (PP_UNLIKELY(atomic_load_explicit(&pp_connects, memory_order_relaxed)) && (result) > 0 && PP_RECORDS(PP_OPERATIONS_NETWORK))

static void polled(const struct pollfd *list, nfds_t count)
{
    for (nfds_t i = 0; i < count; i++)
        if (list[i].revents & (POLLOUT | POLLERR | POLLHUP)) pp_connect_look(list[i].fd, list[i].revents & (POLLERR | POLLHUP));
}

static void selected(const fd_set *out, int count)
{
    for (int fd = 0; out && fd < count; fd++)
        if (((const unsigned char *)out)[fd / 8] >> fd % 8 & 1) pp_connect_look(fd, false);      /* the program's set may be longer than FD_SETSIZE */
}

WRAPPER int poll(struct pollfd *list, nfds_t count, int timeout)
{
    int result;
    WAIT(POLL, result, result < 0, PP_NEXT_OF(poll)(list, count, timeout));
    if (CONNECTS(result)) polled(list, count);
    return result;
}

WRAPPER int ppoll(struct pollfd *list, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
    int result;
    WAIT(POLL, result, result < 0, PP_NEXT_OF(ppoll)(list, count, timeout, mask));
    if (CONNECTS(result)) polled(list, count);
    return result;
}

WRAPPER int select(int count, fd_set *in, fd_set *out, fd_set *other, struct timeval *timeout)
{
    int result;
    WAIT(POLL, result, result < 0, PP_NEXT_OF(select)(count, in, out, other, timeout));
    if (CONNECTS(result)) selected(out, count);
    return result;
}

WRAPPER int pselect(int count, fd_set *in, fd_set *out, fd_set *other, const struct timespec *timeout, const sigset_t *mask)
{
    int result;
    WAIT(POLL, result, result < 0, PP_NEXT_OF(pselect)(count, in, out, other, timeout, mask));
    if (CONNECTS(result)) selected(out, count);
    return result;
}

WRAPPER int epoll_wait(int fd, struct epoll_event *list, int count, int timeout)
{
    int result;
    WAIT(POLL, result, result < 0, PP_NEXT_OF(epoll_wait)(fd, list, count, timeout));
    return result;
}

WRAPPER int epoll_pwait(int fd, struct epoll_event *list, int count, int timeout, const sigset_t *mask)
{
    int result;
    WAIT(POLL, result, result < 0, PP_NEXT_OF(epoll_pwait)(fd, list, count, timeout, mask));
    return result;
}

/* ---- locks ---- */

/* Where there is one thread the C library locks without an atomic operation, but tries with one. */
#ifdef __GLIBC__
#include <sys/single_threaded.h>
#define IS_ALONE() __libc_single_threaded
#else
#define IS_ALONE() false
#endif

WRAPPER int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    if (!PP_RECORDS(PP_OPERATIONS_WAITS) || IS_ALONE()) return PP_NEXT_OF(pthread_mutex_lock)(mutex);
    int result = pthread_mutex_trylock(mutex);
    if (PP_LIKELY(result != EBUSY)) return result;
    WAIT(LOCK, result, result, PP_NEXT_OF(pthread_mutex_lock)(mutex));
    return result;
}

WRAPPER int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
    if (!PP_RECORDS(PP_OPERATIONS_WAITS)) return PP_NEXT_OF(pthread_mutex_timedlock)(mutex, until);
    int result = pthread_mutex_trylock(mutex);
    if (PP_LIKELY(result != EBUSY)) return result;
    WAIT(LOCK, result, result, PP_NEXT_OF(pthread_mutex_timedlock)(mutex, until));
    return result;
}

WRAPPER int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    if (!PP_RECORDS(PP_OPERATIONS_WAITS)) return PP_NEXT_OF(pthread_rwlock_rdlock)(lock);
    int result = pthread_rwlock_tryrdlock(lock);
    if (PP_LIKELY(!result)) return result;
    WAIT(LOCK, result, result, PP_NEXT_OF(pthread_rwlock_rdlock)(lock));
    return result;
}

WRAPPER int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    if (!PP_RECORDS(PP_OPERATIONS_WAITS)) return PP_NEXT_OF(pthread_rwlock_wrlock)(lock);
    int result = pthread_rwlock_trywrlock(lock);
    if (PP_LIKELY(!result)) return result;
    WAIT(LOCK, result, result, PP_NEXT_OF(pthread_rwlock_wrlock)(lock));
    return result;
}

WRAPPER int flock(int fd, int what)
{
    int result;
    WAIT(FILE_LOCK, result, result, PP_NEXT_OF(flock)(fd, what));
    return result;
}

/* Of all that fcntl does, waiting for a lock; and giving descriptors, whose numbers are another file's from then on. */
WRAPPER int fcntl64(int fd, int what, ...)
{
    int result;
    va_list more;
    va_start(more, what);
    void *argument = va_arg(more, void *);
    va_end(more);
    if (what == F_SETLKW || what == F_OFD_SETLKW) {
        WAIT(FILE_LOCK, result, result, PP_NEXT_OF(fcntl64)(fd, what, argument));
        return result;
    }
    result = PP_NEXT_OF(fcntl64)(fd, what, argument);
    if ((what == F_DUPFD || what == F_DUPFD_CLOEXEC) && result >= 0 && PP_RECORDS(~0u)) pp_descriptor_forget(result);
    return result;
}

PP_WRAPPER __attribute__((alias("fcntl64"))) int fcntl(int fd, int what, ...);

/* ---- other threads and processes ---- */

WRAPPER int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    int result;
    WAIT(CONDITION, result, result, PP_NEXT_OF(pthread_cond_wait)(condition, mutex));
    return result;
}

WRAPPER int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until)
{
    int result;
    WAIT(CONDITION, result, result, PP_NEXT_OF(pthread_cond_timedwait)(condition, mutex, until));
    return result;
}

/* Where it is there for the taking, no point of cancellation may be passed without a look: the next function looks. */
WRAPPER int sem_wait(sem_t *semaphore)
{
    int result, value;
    if (!PP_RECORDS(PP_OPERATIONS_WAITS) || (!sem_getvalue(semaphore, &value) && value > 0)) return PP_NEXT_OF(sem_wait)(semaphore);
    WAIT(SEMAPHORE, result, result, PP_NEXT_OF(sem_wait)(semaphore));
    return result;
}

WRAPPER int sem_timedwait(sem_t *semaphore, const struct timespec *until)
{
    int result, value;
    if (!PP_RECORDS(PP_OPERATIONS_WAITS) || (!sem_getvalue(semaphore, &value) && value > 0)) return PP_NEXT_OF(sem_timedwait)(semaphore, until);
    WAIT(SEMAPHORE, result, result, PP_NEXT_OF(sem_timedwait)(semaphore, until));
    return result;
}

WRAPPER int pthread_join(pthread_t thread, void **value)
{
    int result;
    WAIT(JOIN, result, result, PP_NEXT_OF(pthread_join)(thread, value));
    return result;
}

WRAPPER pid_t waitpid(pid_t pid, int *status, int flags)
{
    pid_t result;
    WAIT(CHILD, result, result < 0, PP_NEXT_OF(waitpid)(pid, status, flags));
    return result;
}

WRAPPER pid_t wait(int *status)
{
    pid_t result;
    WAIT(CHILD, result, result < 0, PP_NEXT_OF(wait)(status));
    return result;
}

WRAPPER pid_t wait4(pid_t pid, int *status, int flags, struct rusage *usage)
{
    pid_t result;
    WAIT(CHILD, result, result < 0, PP_NEXT_OF(wait4)(pid, status, flags, usage));
    return result;
}

WRAPPER int waitid(idtype_t type, id_t id, siginfo_t *info, int flags)
{
    int result;
    WAIT(CHILD, result, result < 0, PP_NEXT_OF(waitid)(type, id, info, flags));
    return result;
}

__attribute__((alias("nanosleep"), visibility("hidden"))) int pp_nanosleep_here(const struct timespec *time, struct timespec *left);

bool pp_waits_are_ours(void)
{
    int (*volatile effective)(const struct timespec *, struct timespec *) = nanosleep;
    return effective == pp_nanosleep_here;
}
