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

/* ---- sleeps ---- */

WRAPPER int nanosleep(const struct timespec *time, struct timespec *left)
{
    int result;
    PP_BOOKED_WAIT(SLEEP, result, result, PP_NEXT_OF(nanosleep)(time, left));
    return result;
}

WRAPPER int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
    int result;
    PP_BOOKED_WAIT(SLEEP, result, result, PP_NEXT_OF(clock_nanosleep)(clock, flags, time, left));
    return result;
}

WRAPPER int usleep(useconds_t time)
{
    int result;
    PP_BOOKED_WAIT(SLEEP, result, result, PP_NEXT_OF(usleep)(time));
    return result;
}

WRAPPER unsigned sleep(unsigned time)
{
    unsigned left;
    PP_BOOKED_WAIT(SLEEP, left, left, PP_NEXT_OF(sleep)(time));
    return left;
}

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
    PP_BOOKED_WAIT(POLL, result, result < 0, PP_NEXT_OF(poll)(list, count, timeout));
    if (CONNECTS(result))
        polled(list, count);
    return result;
}

WRAPPER int ppoll(struct pollfd *list, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
    int result;
    PP_BOOKED_WAIT(POLL, result, result < 0, PP_NEXT_OF(ppoll)(list, count, timeout, mask));
    if (CONNECTS(result))
        polled(list, count);
    return result;
}

WRAPPER int select(int count, fd_set *in, fd_set *out, fd_set *other, struct timeval *timeout)
{
    int result;
    PP_BOOKED_WAIT(POLL, result, result < 0, PP_NEXT_OF(select)(count, in, out, other, timeout));
    if (CONNECTS(result))
        selected(out, count);
    return result;
}

WRAPPER int pselect(int count, fd_set *in, fd_set *out, fd_set *other, const struct timespec *timeout,
                    const sigset_t *mask)
{
    int result;
    PP_BOOKED_WAIT(POLL, result, result < 0, PP_NEXT_OF(pselect)(count, in, out, other, timeout, mask));
    if (CONNECTS(result))
        selected(out, count);
    return result;
}

WRAPPER int epoll_wait(int fd, struct epoll_event *list, int count, int timeout)
{
    int result;
    PP_BOOKED_WAIT(POLL, result, result < 0, PP_NEXT_OF(epoll_wait)(fd, list, count, timeout));
    return result;
}

WRAPPER int epoll_pwait(int fd, struct epoll_event *list, int count, int timeout, const sigset_t *mask)
{
    int result;
    PP_BOOKED_WAIT(POLL, result, result < 0, PP_NEXT_OF(epoll_pwait)(fd, list, count, timeout, mask));
    return result;
}

#ifdef PP_HAS_CLOCKED
WRAPPER int epoll_pwait2(int fd, struct epoll_event *list, int count, const struct timespec *timeout,
                         const sigset_t *mask)
{
    int result;
    PP_BOOKED_WAIT(POLL, result, result < 0, PP_NEXT_OF(epoll_pwait2)(fd, list, count, timeout, mask));
    return result;
}
#endif

/* ---- signals ---- */

WRAPPER int pause(void)
{
    int result; /* pause always fails with EINTR: that is how it ends */
    PP_BOOKED_WAIT(SIGNAL, result, false, PP_NEXT_OF(pause)());
    return result;
}

WRAPPER int sigsuspend(const sigset_t *mask)
{
    int result;
    PP_BOOKED_WAIT(SIGNAL, result, errno != EINTR, PP_NEXT_OF(sigsuspend)(mask));
    return result;
}

WRAPPER int sigwait(const sigset_t *restrict set, int *restrict number)
{
    int result;
    PP_BOOKED_WAIT(SIGNAL, result, result, PP_NEXT_OF(sigwait)(set, number));
    return result;
}

WRAPPER int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    int result;
    PP_BOOKED_WAIT(SIGNAL, result, result < 0, PP_NEXT_OF(sigwaitinfo)(set, info));
    return result;
}

WRAPPER int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
                         const struct timespec *restrict timeout)
{
    int result;
    PP_BOOKED_WAIT(SIGNAL, result, result < 0, PP_NEXT_OF(sigtimedwait)(set, info, timeout));
    return result;
}

/* ---- file locks ---- */

WRAPPER int flock(int fd, int what)
{
    int result;
    PP_BOOKED_WAIT(FILE_LOCK, result, result, PP_NEXT_OF(flock)(fd, what));
    return result;
}

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
        PP_BOOKED_WAIT(FILE_LOCK, result, result, PP_NEXT_OF(fcntl64)(fd, what, argument));
        return result;
    }
    result = PP_NEXT_OF(fcntl64)(fd, what, argument);
    if ((what == F_DUPFD || what == F_DUPFD_CLOEXEC) && result >= 0 && PP_RECORDS(~0u))
        pp_descriptor_forget(result);
    return result;
}

PP_WRAPPER __attribute__((alias("fcntl64"))) int fcntl(int fd, int what, ...);

/* ---- other processes ---- */

WRAPPER pid_t waitpid(pid_t pid, int *status, int flags)
{
    pid_t result;
    PP_BOOKED_WAIT(CHILD, result, result < 0, PP_NEXT_OF(waitpid)(pid, status, flags));
    return result;
}

WRAPPER pid_t wait(int *status)
{
    pid_t result;
    PP_BOOKED_WAIT(CHILD, result, result < 0, PP_NEXT_OF(wait)(status));
    return result;
}

WRAPPER pid_t wait4(pid_t pid, int *status, int flags, struct rusage *usage)
{
    pid_t result;
    PP_BOOKED_WAIT(CHILD, result, result < 0, PP_NEXT_OF(wait4)(pid, status, flags, usage));
    return result;
}

WRAPPER int waitid(idtype_t type, id_t id, siginfo_t *info, int flags)
{
    int result;
    PP_BOOKED_WAIT(CHILD, result, result < 0, PP_NEXT_OF(waitid)(type, id, info, flags));
    return result;
}

__attribute__((alias("nanosleep"), visibility("hidden"))) int pp_nanosleep_here(const struct timespec *time,
                                                                                struct timespec *left);

bool pp_waits_are_ours(void)
{
    int (*volatile effective)(const struct timespec *, struct timespec *) = nanosleep;
    return effective == pp_nanosleep_here;
}
