/* SPDX-License-Identifier: MIT */
/* wait.c: wraps the C library's calls that wait for time, descriptors, signals, children and file locks. It must not
 * know what is booked where. */
#define _GNU_SOURCE
#include "operation/operation.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WRAPPER PP_WRAPPER PP_BEFORE_ALL __attribute__((noinline))

PP_BEFORE_ALL int pp_wait_booked(long a, long b, long c, long d, uint32_t what, const void *caller)
{
    enum pp_operation_kind kind = (enum pp_operation_kind)(what >> 8 & 0xff);
    int (*next)(long, long, long, long) = PP_WAIT_NEXT(what);
    struct pp_call call;
    if (!PP_RECORDS(PP_OPERATIONS_WAITS))
        return next(a, b, c, d);
    pp_call_begin(&call, PP_COLLECTOR_WAITS, kind, caller, -1);
    int result = next(a, b, c, d);
    enum pp_fails fails = (enum pp_fails)(what >> 16);
    const bool failed[] = { [PP_FAILS_NOT_ZERO] = result,
                            [PP_FAILS_NEGATIVE] = result<0, [PP_FAILS_POSITIVE] = result> 0,
                            [PP_FAILS_NEVER] = false,
                            [PP_FAILS_LOOKING] = result < 0 };
    pp_call_end(&call, kind, caller, failed[fails] ? -1 : 0,
                fails == PP_FAILS_LOOKING && !result ? PP_NOTHING : PP_HERE);
    return result;
}

/* The same for functions with more arguments: `call` sets `result`. */
#define LONGER_WAIT(kind, result, failed, call)                                                      \
    do {                                                                                             \
        if (!PP_RECORDS(PP_OPERATIONS_WAITS)) {                                                      \
            result = (call);                                                                         \
        } else {                                                                                     \
            struct pp_call booked_;                                                                  \
            pp_call_begin(&booked_, PP_COLLECTOR_WAITS, PP_OPERATION_##kind, PP_CALLER, -1);         \
            result = (call);                                                                         \
            pp_call_end(&booked_, PP_OPERATION_##kind, PP_CALLER, (failed) ? -1 : 0,                 \
                        PP_OPERATION_##kind == PP_OPERATION_POLL && !result ? PP_NOTHING : PP_HERE); \
        }                                                                                            \
    } while (0)

/* ---- sleeps ---- */

WRAPPER int nanosleep(const struct timespec *time, struct timespec *left)
{
    return PP_BOOKED_WAIT(nanosleep, SLEEP, NOT_ZERO, time, left);
}

WRAPPER int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
    return PP_BOOKED_WAIT(clock_nanosleep, SLEEP, NOT_ZERO, clock, flags, time, left);
}

WRAPPER int usleep(useconds_t time) { return PP_BOOKED_WAIT(usleep, SLEEP, NOT_ZERO, time); }

WRAPPER unsigned sleep(unsigned time) { return (unsigned)PP_BOOKED_WAIT(sleep, SLEEP, NOT_ZERO, time); }

/* ---- descriptors to become ready, which may end a connect in progress ---- */

#define CONNECTS(result)                                                                      \
    (PP_UNLIKELY(atomic_load_explicit(&pp_connects, memory_order_relaxed)) && (result) > 0 && \
     PP_RECORDS(PP_OPERATIONS_NETWORK))

static void polled(const struct pollfd *list, nfds_t count)
{
    for (nfds_t i = 0; i < count; i++)
        if (list[i].revents & (POLLOUT | POLLERR | POLLHUP))
            pp_connect_look(list[i].fd, list[i].revents & (POLLERR | POLLHUP));
}

/* `count` may be larger than the set. The kernel reads only as far as there are descriptors, so a descriptor below it
 * that is connecting has its bit in the set. */
static void selected(const fd_set *out, int count)
{
    uint32_t left = atomic_load_explicit(&pp_connects, memory_order_relaxed);
    for (int fd = 0; out && left && fd < count && fd < (int)PP_DESCRIPTORS; fd++) {
        if (!atomic_load_explicit(&pp_descriptors[fd].connect_ns, memory_order_relaxed))
            continue;
        left--;
        if (((const unsigned char *)out)[fd / 8] >> fd % 8 & 1)
            pp_connect_look(fd, false); /* the program's set may be longer than FD_SETSIZE */
    }
}

WRAPPER int poll(struct pollfd *list, nfds_t count, int timeout)
{
    int result;
    result = PP_BOOKED_WAIT(poll, POLL, LOOKING, list, count, timeout);
    if (CONNECTS(result))
        polled(list, count);
    return result;
}

WRAPPER int ppoll(struct pollfd *list, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
    int result;
    result = PP_BOOKED_WAIT(ppoll, POLL, LOOKING, list, count, timeout, mask);
    if (CONNECTS(result))
        polled(list, count);
    return result;
}

WRAPPER int select(int count, fd_set *in, fd_set *out, fd_set *other, struct timeval *timeout)
{
    int result;
    LONGER_WAIT(POLL, result, result < 0, PP_NEXT_OF(select)(count, in, out, other, timeout));
    if (CONNECTS(result))
        selected(out, count);
    return result;
}

WRAPPER int pselect(int count, fd_set *in, fd_set *out, fd_set *other, const struct timespec *timeout,
                    const sigset_t *mask)
{
    int result;
    LONGER_WAIT(POLL, result, result < 0, PP_NEXT_OF(pselect)(count, in, out, other, timeout, mask));
    if (CONNECTS(result))
        selected(out, count);
    return result;
}

WRAPPER int epoll_wait(int fd, struct epoll_event *list, int count, int timeout)
{
    return PP_BOOKED_WAIT(epoll_wait, POLL, LOOKING, fd, list, count, timeout);
}

WRAPPER int epoll_pwait(int fd, struct epoll_event *list, int count, int timeout, const sigset_t *mask)
{
    int result;
    LONGER_WAIT(POLL, result, result < 0, PP_NEXT_OF(epoll_pwait)(fd, list, count, timeout, mask));
    return result;
}

#ifdef PP_HAS_CLOCKED
WRAPPER int epoll_pwait2(int fd, struct epoll_event *list, int count, const struct timespec *timeout,
                         const sigset_t *mask)
{
    int result;
    LONGER_WAIT(POLL, result, result < 0, PP_NEXT_OF(epoll_pwait2)(fd, list, count, timeout, mask));
    return result;
}
#endif

/* ---- signals ---- */

WRAPPER int pause(void)
{
    /* It always fails with EINTR: that is how it ends. */
    return PP_BOOKED_WAIT(pause, SIGNAL, NEVER, 0);
}

WRAPPER int sigsuspend(const sigset_t *mask)
{
    int result;
    LONGER_WAIT(SIGNAL, result, errno != EINTR, PP_NEXT_OF(sigsuspend)(mask));
    return result;
}

WRAPPER int sigwait(const sigset_t *restrict set, int *restrict number)
{
    return PP_BOOKED_WAIT(sigwait, SIGNAL, NOT_ZERO, set, number);
}

WRAPPER int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    return PP_BOOKED_WAIT(sigwaitinfo, SIGNAL, NEGATIVE, set, info);
}

WRAPPER int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
                         const struct timespec *restrict timeout)
{
    return PP_BOOKED_WAIT(sigtimedwait, SIGNAL, NEGATIVE, set, info, timeout);
}

/* ---- file locks ---- */

WRAPPER int flock(int fd, int what) { return PP_BOOKED_WAIT(flock, FILE_LOCK, NOT_ZERO, fd, what); }

/* fcntl is booked where it waits for a lock. Where it duplicates a descriptor, the new number leads to another file
 * from then on. */
WRAPPER int fcntl64(int fd, int what, ...)
{
    int result;
    va_list more;
    va_start(more, what);
    void *argument = va_arg(more, void *);
    va_end(more);
    if (what == F_SETLKW || what == F_OFD_SETLKW) {
        result = PP_BOOKED_WAIT(fcntl64, FILE_LOCK, NOT_ZERO, fd, what, argument);
        return result;
    }
    result = PP_NEXT_OF(fcntl64)(fd, what, argument);
    if ((what == F_DUPFD || what == F_DUPFD_CLOEXEC) && result >= 0 && PP_RECORDS(~0u))
        pp_descriptor_forget(result);
    if (what == F_SETFL && !result && PP_RECORDS(~0u))
        pp_descriptor_set_nonblocking(fd, (int)(intptr_t)argument & O_NONBLOCK);
    return result;
}

PP_WRAPPER __attribute__((alias("fcntl64"))) int fcntl(int fd, int what, ...);

/* ---- other processes ---- */

WRAPPER pid_t waitpid(pid_t pid, int *status, int flags)
{
    return PP_BOOKED_WAIT(waitpid, CHILD, LOOKING, pid, status, flags);
}

WRAPPER pid_t wait(int *status) { return PP_BOOKED_WAIT(wait, CHILD, NEGATIVE, status); }

WRAPPER pid_t wait4(pid_t pid, int *status, int flags, struct rusage *usage)
{
    return PP_BOOKED_WAIT(wait4, CHILD, LOOKING, pid, status, flags, usage);
}

WRAPPER int waitid(idtype_t type, id_t id, siginfo_t *info, int flags)
{
    return PP_BOOKED_WAIT(waitid, CHILD, NEGATIVE, type, id, info, flags);
}

__attribute__((alias("nanosleep"), visibility("hidden"))) int pp_nanosleep_here(const struct timespec *time,
                                                                                struct timespec *left);

bool pp_waits_are_ours(void)
{
    int (*volatile effective)(const struct timespec *, struct timespec *) = nanosleep;
    return effective == pp_nanosleep_here;
}
