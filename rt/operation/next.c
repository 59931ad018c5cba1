/* SPDX-License-Identifier: MIT */
/* next.c: finds the functions behind the wrappers. It must not know what a wrapper does.
 *
 * They are those that the dynamic linker finds after ours. A static executable has none where our weak function was
 * linked instead. There the raw_* functions stand in: the system call itself, as a cancellation point where the C
 * library's function is one. */
#define _GNU_SOURCE
#include "operation/operation.h"
#include "system/behind.h"

#include <errno.h>
#include <fcntl.h>
#include <libintl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

/* As in the C library: during the call the thread may be cancelled at once. */
static long cancellable(long number, long a, long b, long c, long d, long e, long f)
{
    int type;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
    long result = syscall(number, a, b, c, d, e, f);
    pthread_setcanceltype(type, &type);
    return result;
}

#define CALL_6(number, a, b, c, d, e, f, ...) \
    cancellable(SYS_##number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define CALL(number, ...) CALL_6(number, __VA_ARGS__, 0, 0, 0, 0, 0)
static ssize_t raw_read(int fd, void *to, size_t bytes) { return CALL(read, fd, to, bytes); }
static ssize_t raw_write(int fd, const void *from, size_t bytes) { return CALL(write, fd, from, bytes); }
static ssize_t raw_pread(int fd, void *to, size_t bytes, off64_t at) { return CALL(pread64, fd, to, bytes, at); }
static ssize_t raw_pwrite(int fd, const void *from, size_t bytes, off64_t at)
{
    return CALL(pwrite64, fd, from, bytes, at);
}
static ssize_t raw_readv(int fd, const struct iovec *to, int count) { return CALL(readv, fd, to, count); }
static ssize_t raw_writev(int fd, const struct iovec *from, int count) { return CALL(writev, fd, from, count); }
static ssize_t raw_preadv(int fd, const struct iovec *to, int count, off64_t at)
{
    return CALL(preadv, fd, to, count, at, 0);
}
static ssize_t raw_pwritev(int fd, const struct iovec *from, int count, off64_t at)
{
    return CALL(pwritev, fd, from, count, at, 0);
}
static ssize_t raw_preadv2(int fd, const struct iovec *to, int count, off64_t at, int flags)
{
    return CALL(preadv2, fd, to, count, at, 0, flags);
}
static ssize_t raw_pwritev2(int fd, const struct iovec *from, int count, off64_t at, int flags)
{
    return CALL(pwritev2, fd, from, count, at, 0, flags);
}
extern void __chk_fail(void) __attribute__((noreturn));
static void room_check(size_t bytes, size_t room)
{
    if (bytes > room)
        __chk_fail();
}
static ssize_t raw_read_chk(int fd, void *to, size_t bytes, size_t room)
{
    return room_check(bytes, room), raw_read(fd, to, bytes);
}
static ssize_t raw_pread_chk(int fd, void *to, size_t bytes, off64_t at, size_t room)
{
    return room_check(bytes, room), raw_pread(fd, to, bytes, at);
}
static ssize_t raw_sendfile(int to, int from, off64_t *at, size_t bytes)
{
    return syscall(SYS_sendfile, to, from, at, bytes);
}
static ssize_t raw_copy_file_range(int from, off64_t *at, int to, off64_t *to_at, size_t bytes, unsigned flags)
{
    return CALL(copy_file_range, from, at, to, to_at, bytes, flags);
}
static ssize_t raw_splice(int from, off64_t *at, int to, off64_t *to_at, size_t bytes, unsigned flags)
{
    return CALL(splice, from, at, to, to_at, bytes, flags);
}
static int raw_openat(int folder, const char *path, int flags, mode_t mode)
{
    return (int)CALL(openat, folder, path, flags | O_LARGEFILE, mode);
}
static int raw_open(const char *path, int flags, mode_t mode) { return raw_openat(AT_FDCWD, path, flags, mode); }
static int raw_creat(const char *path, mode_t mode)
{
    return raw_openat(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
/* __open_2 and __openat_2 abort where a mode would be missing. */
static int raw_openat_2(int folder, const char *path, int flags)
{
    return room_check(flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE, 0), raw_openat(folder, path, flags, 0);
}
static int raw_open_2(const char *path, int flags) { return raw_openat_2(AT_FDCWD, path, flags); }
static int raw_close(int fd) { return (int)CALL(close, fd); }
static int raw_close_range(unsigned first, unsigned last, int flags)
{
    return (int)syscall(SYS_close_range, first, last, flags);
}
static void raw_closefrom(int first) { syscall(SYS_close_range, first < 0 ? 0 : first, ~0u, 0); }
static int raw_dup3(int fd, int other, int flags) { return (int)syscall(SYS_dup3, fd, other, flags); }
static int raw_dup2(int fd, int other)
{
    return fd == other ? fcntl(fd, F_GETFD) < 0 ? -1 : fd : raw_dup3(fd, other, 0);
}
static int raw_dup(int fd) { return (int)syscall(SYS_dup, fd); }
static int raw_pipe2(int *pair, int flags) { return (int)syscall(SYS_pipe2, pair, flags); }
static int raw_pipe(int *pair) { return raw_pipe2(pair, 0); }
static off64_t raw_lseek(int fd, off64_t offset, int whence) { return syscall(SYS_lseek, fd, offset, whence); }
static int raw_fsync(int fd) { return (int)CALL(fsync, fd); }
static int raw_fdatasync(int fd) { return (int)CALL(fdatasync, fd); }
static int raw_sync_file_range(int fd, off64_t at, off64_t bytes, unsigned flags)
{
    return (int)CALL(sync_file_range, fd, at, bytes, flags);
}
static ssize_t raw_sendto(int fd, const void *from, size_t bytes, int flags, const struct sockaddr *address,
                          socklen_t size)
{
    return CALL(sendto, fd, from, bytes, flags, address, size);
}
static ssize_t raw_send(int fd, const void *from, size_t bytes, int flags)
{
    return raw_sendto(fd, from, bytes, flags, NULL, 0);
}
static ssize_t raw_sendmsg(int fd, const struct msghdr *message, int flags)
{
    return CALL(sendmsg, fd, message, flags);
}
static int raw_sendmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags)
{
    return (int)CALL(sendmmsg, fd, messages, count, flags);
}
static ssize_t raw_recvfrom(int fd, void *to, size_t room, int flags, struct sockaddr *address, socklen_t *size)
{
    return CALL(recvfrom, fd, to, room, flags, address, size);
}
static ssize_t raw_recv(int fd, void *to, size_t room, int flags)
{
    return raw_recvfrom(fd, to, room, flags, NULL, NULL);
}
static ssize_t raw_recvmsg(int fd, struct msghdr *message, int flags) { return CALL(recvmsg, fd, message, flags); }
static int raw_recvmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags, struct timespec *timeout)
{
    return (int)CALL(recvmmsg, fd, messages, count, flags, timeout);
}
static ssize_t raw_recv_chk(int fd, void *to, size_t bytes, size_t room, int flags)
{
    return room_check(bytes, room), raw_recv(fd, to, bytes, flags);
}
static ssize_t raw_recvfrom_chk(int fd, void *to, size_t bytes, size_t room, int flags, struct sockaddr *address,
                                socklen_t *size)
{
    return room_check(bytes, room), raw_recvfrom(fd, to, bytes, flags, address, size);
}
static int raw_connect(int fd, const struct sockaddr *address, socklen_t size)
{
    return (int)CALL(connect, fd, address, size);
}
static int raw_accept4(int fd, struct sockaddr *address, socklen_t *size, int flags)
{
    return (int)CALL(accept4, fd, address, size, flags);
}
static int raw_accept(int fd, struct sockaddr *address, socklen_t *size) { return raw_accept4(fd, address, size, 0); }
static int raw_getsockopt(int fd, int level, int name, void *value, socklen_t *size)
{
    return (int)syscall(SYS_getsockopt, fd, level, name, value, size);
}
static int raw_socket(int family, int type, int protocol) { return (int)syscall(SYS_socket, family, type, protocol); }
static int raw_socketpair(int family, int type, int protocol, int *pair)
{
    return (int)syscall(SYS_socketpair, family, type, protocol, pair);
}
static int raw_nanosleep(const struct timespec *time, struct timespec *left)
{
    return (int)CALL(nanosleep, time, left);
}
static int raw_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
    int kept = errno, result = clock == CLOCK_THREAD_CPUTIME_ID ? EINVAL : 0;
    if (!result && CALL(clock_nanosleep, clock, flags, time, left))
        result = errno;
    errno = kept;
    return result;
}

static int raw_usleep(useconds_t time)
{
    return raw_nanosleep(&(struct timespec){ time / 1000000, (long)(time % 1000000) * 1000 }, NULL);
}
static unsigned raw_sleep(unsigned time)
{
    struct timespec left = { 0 };
    return raw_nanosleep(&(struct timespec){ time, 0 }, &left) ? (unsigned)left.tv_sec + (left.tv_nsec >= 500000000)
                                                               : 0;
}
static int raw_poll(struct pollfd *list, nfds_t count, int timeout) { return (int)CALL(poll, list, count, timeout); }
static int raw_ppoll(struct pollfd *list, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
    /* The kernel overwrites it with the remaining time. */
    struct timespec copy = timeout ? *timeout : (struct timespec){ 0 };
    return (int)CALL(ppoll, list, count, timeout ? &copy : NULL, mask, 8);
}
static int raw_select(int count, fd_set *in, fd_set *out, fd_set *other, struct timeval *timeout)
{
    return (int)CALL(select, count, in, out, other, timeout);
}
static int raw_pselect(int count, fd_set *in, fd_set *out, fd_set *other, const struct timespec *timeout,
                       const sigset_t *mask)
{
    struct timespec copy = timeout ? *timeout : (struct timespec){ 0 };
    struct {
        const sigset_t *mask;
        size_t bytes;
    } sixth = { mask, 8 };
    return (int)CALL(pselect6, count, in, out, other, timeout ? &copy : NULL, &sixth);
}
static int raw_epoll_pwait(int fd, struct epoll_event *list, int count, int timeout, const sigset_t *mask)
{
    return (int)CALL(epoll_pwait, fd, list, count, timeout, mask, 8);
}
static int raw_epoll_wait(int fd, struct epoll_event *list, int count, int timeout)
{
    return raw_epoll_pwait(fd, list, count, timeout, NULL);
}
static pid_t raw_wait4(pid_t pid, int *status, int flags, struct rusage *usage)
{
    return (pid_t)CALL(wait4, pid, status, flags, usage);
}
static pid_t raw_waitpid(pid_t pid, int *status, int flags) { return raw_wait4(pid, status, flags, NULL); }
static pid_t raw_wait(int *status) { return raw_wait4(-1, status, 0, NULL); }
static int raw_waitid(idtype_t type, id_t id, siginfo_t *info, int flags)
{
    return (int)CALL(waitid, type, id, info, flags, NULL);
}
static int raw_flock(int fd, int what) { return (int)syscall(SYS_flock, fd, what); }
static int raw_fcntl(int fd, int what, void *argument)
{
    return (int)(what == F_SETLKW || what == F_OFD_SETLKW ? CALL(fcntl, fd, what, argument)
                                                          : syscall(SYS_fcntl, fd, what, argument));
}

static int raw_epoll_pwait2(int fd, struct epoll_event *list, int count, const struct timespec *timeout,
                            const sigset_t *mask)
{
    return (int)CALL(epoll_pwait2, fd, list, count, timeout, mask, 8);
}
static int raw_sigsuspend(const sigset_t *mask) { return (int)CALL(rt_sigsuspend, mask, 8); }
static int raw_pause(void) { return (int)CALL(ppoll, NULL, 0, NULL, NULL, 8); }
static int raw_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
    siginfo_t own;
    int result = (int)CALL(rt_sigtimedwait, set, &own, timeout, 8);
    if (result >= 0 && own.si_code == SI_TKILL)
        own.si_code = SI_USER;
    if (result >= 0 && info)
        *info = own;
    return result;
}
static int raw_sigwaitinfo(const sigset_t *set, siginfo_t *info) { return raw_sigtimedwait(set, info, NULL); }
static int raw_sigwait(const sigset_t *set, int *number)
{
    int result, kept = errno;
    while ((result = raw_sigtimedwait(set, NULL, NULL)) < 0 && errno == EINTR)
        continue;
    if (result >= 0)
        *number = result;
    result = result < 0 ? errno : 0;
    errno = kept;
    return result;
}

/* Functions on threads: by the C library's internal names if its archive has them, which sync.c, rwlock.c and
 * threadstart.c link in. Else by the unwrapped function with a timeout, and one that never ends. */
static const struct timespec never = { .tv_sec = (time_t)1 << 40 };
#ifdef PP_HAS_CLOCKED
extern int __pthread_mutex_clocklock(pthread_mutex_t *, clockid_t, const struct timespec *) __attribute__((weak));
extern int __pthread_cond_clockwait(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *)
    __attribute__((weak));
extern int __pthread_barrier_wait(pthread_barrier_t *) __attribute__((weak));
static int raw_barrier_wait(pthread_barrier_t *barrier)
{
    return __pthread_barrier_wait ? __pthread_barrier_wait(barrier) : EINVAL;
}
static int raw_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until)
{
    return __pthread_mutex_clocklock ? __pthread_mutex_clocklock(mutex, clock, until) : EINVAL;
}
static int raw_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                              const struct timespec *until)
{
    return __pthread_cond_clockwait ? __pthread_cond_clockwait(condition, mutex, clock, until) : EINVAL;
}
#else
#pragma weak pthread_mutex_clocklock
#pragma weak pthread_cond_clockwait
#pragma weak sem_clockwait
#pragma weak pthread_clockjoin_np
#define raw_mutex_clocklock pthread_mutex_clocklock
#define raw_cond_clockwait pthread_cond_clockwait
#endif
#pragma weak pthread_rwlock_clockrdlock
#pragma weak pthread_rwlock_clockwrlock
extern int __pthread_mutex_trylock(pthread_mutex_t *) __attribute__((weak)); /* mtx_trylock links it in */
static int raw_mutex_trylock(pthread_mutex_t *mutex)
{
    return __pthread_mutex_trylock ? __pthread_mutex_trylock(mutex) : EINVAL;
}
static int raw_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
    return raw_mutex_clocklock(mutex, CLOCK_REALTIME, until);
}
static int raw_mutex_lock(pthread_mutex_t *mutex) { return raw_mutex_timedlock(mutex, &never); }
static int raw_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until)
{
    return pthread_rwlock_clockrdlock(lock, CLOCK_REALTIME, until);
}
static int raw_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until)
{
    return pthread_rwlock_clockwrlock(lock, CLOCK_REALTIME, until);
}
static int raw_rdlock(pthread_rwlock_t *lock) { return raw_timedrdlock(lock, &never); }
static int raw_wrlock(pthread_rwlock_t *lock) { return raw_timedwrlock(lock, &never); }
static int raw_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until)
{
    /* As set by pthread_condattr_setclock. */
    return raw_cond_clockwait(condition, mutex, condition->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME,
                              until);
}
static int raw_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    return raw_cond_clockwait(condition, mutex, CLOCK_REALTIME, &never);
}
#ifdef PP_HAS_CLOCKED
/* The layout that glibc's sem_post and sem_trywait have compiled in: the value, above it the number of waiters, and
 * whether processes share it. Once the semaphore is taken it is not touched any more, because the thread that posted it
 * may free it. */
struct semaphore {
    _Atomic uint64_t value;
    int shared;
};
#define WAITS (UINT64_C(1) << 32)
static void semaphore_left(void *semaphore) { atomic_fetch_sub(&((struct semaphore *)semaphore)->value, WAITS); }
static bool semaphore_took(struct semaphore *s, uint64_t with)
{
    uint64_t value = atomic_load(&s->value);
    while ((uint32_t)value)
        if (atomic_compare_exchange_weak(&s->value, &value, value - 1 - with))
            return true;
    return false;
}

static int semaphore_wait(struct semaphore *s, clockid_t clock, const struct timespec *until)
{
    volatile int error = until->tv_sec < 0 ? ETIMEDOUT : 0;
    volatile int kept = errno;
    int flags = (s->shared ? 0 : FUTEX_PRIVATE_FLAG) | (clock == CLOCK_REALTIME ? FUTEX_CLOCK_REALTIME : 0);
    bool took = false;
    atomic_fetch_add(&s->value, WAITS);
    pthread_cleanup_push(semaphore_left, s);
    while (!(took = semaphore_took(s, WAITS)) && !error)
        if (CALL(futex, &s->value, FUTEX_WAIT_BITSET | flags, 0, until, NULL, FUTEX_BITSET_MATCH_ANY) &&
            errno != EAGAIN)
            error = errno;
    pthread_cleanup_pop(0);
    if (!took)
        semaphore_left(s);
    errno = took ? kept : error;
    return took ? 0 : -1;
}

static int raw_sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
    struct semaphore *s = (struct semaphore *)semaphore;
    if ((clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC) && until->tv_nsec >= 0 && until->tv_nsec < 1000000000)
        return semaphore_took(s, 0) ? 0 : semaphore_wait(s, clock, until);
    errno = EINVAL;
    return -1;
}

extern int __pthread_clockjoin_ex(pthread_t, void **, clockid_t, const struct timespec *, bool) __attribute__((weak));
static int raw_clockjoin(pthread_t thread, void **value, clockid_t clock, const struct timespec *until)
{
    if (!__pthread_clockjoin_ex || (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC))
        return EINVAL;
    return __pthread_clockjoin_ex(thread, value, clock, until, true);
}
#else
#define raw_sem_clockwait sem_clockwait
#define raw_clockjoin pthread_clockjoin_np
#endif
static int raw_sem_timedwait(sem_t *semaphore, const struct timespec *until)
{
    pthread_testcancel();
    return raw_sem_clockwait(semaphore, CLOCK_REALTIME, until);
}
static int raw_sem_wait(sem_t *semaphore) { return raw_sem_timedwait(semaphore, &never); }
static int raw_timedjoin(pthread_t thread, void **value, const struct timespec *until)
{
    return raw_clockjoin(thread, value, CLOCK_REALTIME, until);
}
static int raw_join(pthread_t thread, void **value) { return raw_timedjoin(thread, value, NULL); }
static int raw_thrd(int error)
{
    return !error               ? thrd_success
           : error == ENOMEM    ? thrd_nomem
           : error == ETIMEDOUT ? thrd_timedout
           : error == EBUSY     ? thrd_busy
                                : thrd_error;
}
static int raw_mtx_lock(mtx_t *mutex) { return raw_thrd(raw_mutex_lock((pthread_mutex_t *)mutex)); }
static int raw_cnd_wait(cnd_t *condition, mtx_t *mutex)
{
    return raw_thrd(raw_cond_wait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex));
}
static int raw_cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *until)
{
    return raw_thrd(raw_cond_timedwait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex, until));
}
extern pid_t __fork(void) __attribute__((weak)); /* child.c links it in */
extern int __pthread_create_2_1(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) __attribute__((weak));
static int raw_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    return __pthread_create_2_1 ? __pthread_create_2_1(thread, attributes, start, argument) : EAGAIN;
}
static int raw_thrd_create(thrd_t *thread, thrd_start_t start, void *argument)
{
    return raw_thrd(raw_create(thread, NULL, (void *(*)(void *))(void *)start, argument));
}
static int raw_thrd_join(thrd_t thread, int *value)
{
    void *left = NULL;
    int error = raw_join(thread, &left);
    if (!error && value)
        *value = (int)(intptr_t)left;
    return raw_thrd(error);
}
static int raw_thrd_sleep(const struct timespec *time, struct timespec *left)
{
    int error = raw_clock_nanosleep(CLOCK_REALTIME, 0, time, left);
    return !error ? 0 : error == EINTR ? -1 : -2;
}

#ifdef __GLIBC__
/* stdio's functions by the names that they have in both forms of the C library. __uflow and __overflow are strong in
 * its archive. */
extern size_t _IO_fread(void *, size_t, size_t, FILE *), _IO_fwrite(const void *, size_t, size_t, FILE *);
extern char *_IO_fgets(char *, int, FILE *);
extern int _IO_fputs(const char *, FILE *), _IO_puts(const char *), _IO_getc(FILE *), _IO_putc(int, FILE *),
    _IO_vfprintf(FILE *, const char *, va_list);
extern int _IO_fflush(FILE *), _IO_fclose(FILE *);
extern int raw_vfscanf(FILE *, const char *, va_list) __asm__("vfscanf") __attribute__((weak)); /* scan.c links it in */
extern FILE *_IO_fopen(const char *, const char *);
extern off64_t _IO_seekoff(FILE *, off64_t, int, int);
static size_t raw_fread_chk(void *to, size_t has, size_t size, size_t count, FILE *f)
{
    return room_check(size * count, has), _IO_fread(to, size, count, f);
}
static char *raw_fgets_chk(char *to, size_t has, int size, FILE *f)
{
    return room_check((size_t)size, has), _IO_fgets(to, size, f);
}
static int raw_vfprintf_chk(FILE *f, int flag, const char *form, va_list list)
{
    return (void)flag, _IO_vfprintf(f, form, list);
}
static int raw_fseek(FILE *f, off64_t offset, int whence) { return _IO_seekoff(f, offset, whence, 3) == -1 ? -1 : 0; }
static void raw_rewind(FILE *f)
{
    raw_fseek(f, 0, SEEK_SET);
    clearerr(f);
}
extern int _IO_file_close_it(FILE *);
extern FILE *_IO_file_fopen(FILE *, const char *, const char *, int);
static FILE *raw_freopen(const char *path, const char *mode, FILE *f)
{
    char link[32];
    FILE *result;
    flockfile(f);
    int fd = fileno(f), other = path ? -1 : dup(fd);
    snprintf(link, sizeof link, "/proc/self/fd/%d", other);
    _IO_file_close_it(f);
    result = _IO_file_fopen(f, path ? path : link, mode, 1);
    if (other >= 0)
        raw_close(other);
    if (result)
        result->_mode = 0;
    if (result && fd >= 0 && fileno(result) != fd &&
        raw_dup3(fileno(result), fd, strchr(mode, 'e') ? O_CLOEXEC : 0) == fd) {
        raw_close(fileno(result));
        result->_fileno = fd;
    }
    funlockfile(f);
    return result;
}
static int raw_vdprintf(int fd, const char *form, va_list list)
{
    va_list again;
    va_copy(again, list);
    int n = vsnprintf(NULL, 0, form, again), done = 0;
    va_end(again);
    char *text = n < 0 ? NULL : malloc((size_t)n + 1);
    if (!text)
        return -1;
    vsnprintf(text, (size_t)n + 1, form, list);
    for (ssize_t m; done < n && (m = raw_write(fd, text + done, (size_t)(n - done))) > 0;)
        done += (int)m;
    free(text);
    return done == n ? n : -1;
}
static int raw_vdprintf_chk(int fd, int flag, const char *form, va_list list)
{
    return (void)flag, raw_vdprintf(fd, form, list);
}
static void raw_say(FILE *f, const char *form, ...)
{
    va_list list;
    va_start(list, form);
    _IO_vfprintf(f, form, list);
    va_end(list);
}
#define SAY(f, before, text)                                                               \
    (fwide(f, 0) > 0 ? (void)fwprintf(f, L"%s%s%s\n", before, *(before) ? ": " : "", text) \
                     : raw_say(f, "%s%s%s\n", before, *(before) ? ": " : "", text))
static void raw_perror(const char *before) /* must not give standard error an orientation */
{
    char room[1024];
    const char *text = strerror_r(errno, room, sizeof room), *name = before ? before : "";
    int fd = fwide(stderr, 0) ? -1 : fileno(stderr);
    FILE *f = fd < 0 || (fd = raw_dup(fd)) < 0 ? NULL : fdopen(fd, "w+");
    if (!f && fd >= 0)
        raw_close(fd);
    SAY(f ? f : stderr, name, text);
    if (!f)
        return;
    if (ferror(f))
        stderr->_flags |= 0x20; /* the flag that ferror tests */
    _IO_fclose(f);
}
#ifdef PP_HAS_CLOCKED
static void raw_psignal(int number, const char *before)
{
    char unknown[64];
    const char *text = sigdescr_np(number), *name = before ? before : "";
    if (!text)
        snprintf(unknown, sizeof unknown, "Unknown signal %d", number);
    SAY(stderr, name, text ? dgettext("libc", text) : unknown);
}
#endif
static ssize_t raw_getdelim(char **line, size_t *size, int end, FILE *f)
{
    ssize_t n = 0;
    if (!line || !size)
        return errno = EINVAL, -1;
    flockfile(f);
    if (!ferror(f)) {
        if (!*line || !*size)
            *line = malloc(*size = 120);
        for (int c = ~end; *line && (char)c != (char)end && (c = _IO_getc(f)) >= 0;) {
            if ((size_t)n + 2 > *size) {
                char *longer = realloc(*line, *size * 2);
                if (!longer) {
                    n = 0;
                    break;
                }
                *line = longer;
                *size *= 2;
            }
            (*line)[n++] = (char)c;
            (*line)[n] = 0;
        }
    }
    funlockfile(f);
    return n ? n : -1;
}
#endif

void *_Atomic pp_next[PP_NEXT_COUNT];

/* Names are found by offset in one text, and fallbacks by a switch, because pointers would be relocated at each program
 * start. */
static const struct names {
#define PP_NEXT(name, fallback) char of_##name[sizeof #name];
#include "next.def"
} names = {
#define PP_NEXT(name, fallback) #name,
#include "next.def"
};
static const uint16_t name_at[PP_NEXT_COUNT] = {
#define PP_NEXT(name, fallback) offsetof(struct names, of_##name),
#include "next.def"
};

/* Where a call of a function of the C library goes: to its entry in the procedure linkage table, so that the loader
 * need not look the function up at the start. In a static executable it is the function itself. */
#if defined __x86_64__ && !defined PP_SHARED
#define AT_PLT(name)                                                  \
    ({                                                                \
        void *at_;                                                    \
        __asm__("leaq " #name "@PLT(%%rip), %0" : "=r"(at_));         \
        at_;                                                          \
    })
#define _IO_fread AT_PLT(_IO_fread)
#define _IO_fwrite AT_PLT(_IO_fwrite)
#define _IO_fgets AT_PLT(_IO_fgets)
#define _IO_fputs AT_PLT(_IO_fputs)
#define _IO_puts AT_PLT(_IO_puts)
#define _IO_getc AT_PLT(_IO_getc)
#define _IO_putc AT_PLT(_IO_putc)
#define _IO_vfprintf AT_PLT(_IO_vfprintf)
#define _IO_fflush AT_PLT(_IO_fflush)
#define _IO_fopen AT_PLT(_IO_fopen)
#define _IO_fclose AT_PLT(_IO_fclose)
#endif

/* clang-format off */
PP_BEFORE_ALL static void *fallback_of(enum pp_next which)
{
    switch (which) {
#define PP_NEXT(name, fallback) case PP_NEXT_##name: return (void *)fallback;
#include "operation/next.def"
    case PP_NEXT_COUNT: break;
    }
    return NULL;
}
/* clang-format on */

PP_BEFORE_ALL void *pp_next_find(enum pp_next which)
{
    int kept = errno;
    void *found = pp_behind((const char *)&names + name_at[which]);
    if (!found)
        found = fallback_of(which);
    atomic_store_explicit(&pp_next[which], found, memory_order_relaxed);
    errno = kept;
    return found;
}

void pp_next_start(void)
{
#ifdef PP_SHARED
    enum { FOUND = PP_NEXT_COUNT };
#else
    enum { FOUND = PP_NEXT_AT_START };
#endif
    for (unsigned i = 0; i < FOUND; i++)
        if (!atomic_load_explicit(&pp_next[i], memory_order_relaxed))
            pp_next_find(i);
}
