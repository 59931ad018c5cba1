/* SPDX-License-Identifier: MIT */
/* next.c: the functions behind the wrappers. It must not know what a wrapper does.
 *
 * They are those that the dynamic linker would find after ours. A static executable has no such: where our weak function was taken there, the
 * system call itself stands in, as a point of cancellation where the C library's is one. */
#define _GNU_SOURCE
#include "operation.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#pragma weak dlsym                       /* absent in a fully static program */
#pragma weak dlvsym

/* As the C library does it: while the call is under way the thread may be cancelled at once. */
static long cancellable(long number, long a, long b, long c, long d, long e, long f)
{
    int type;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
    long result = syscall(number, a, b, c, d, e, f);
    pthread_setcanceltype(type, &type);
    return result;
}

#define CALL_6(number, a, b, c, d, e, f, ...) cancellable(SYS_##number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define CALL(number, ...) CALL_6(number, __VA_ARGS__, 0, 0, 0, 0, 0)
static ssize_t raw_read(int fd, void *to, size_t bytes) { return CALL(read, fd, to, bytes); }
static ssize_t raw_write(int fd, const void *from, size_t bytes) { return CALL(write, fd, from, bytes); }
static ssize_t raw_pread(int fd, void *to, size_t bytes, off64_t at) { return CALL(pread64, fd, to, bytes, at); }
static ssize_t raw_pwrite(int fd, const void *from, size_t bytes, off64_t at) { return CALL(pwrite64, fd, from, bytes, at); }
static ssize_t raw_readv(int fd, const struct iovec *to, int count) { return CALL(readv, fd, to, count); }
static ssize_t raw_writev(int fd, const struct iovec *from, int count) { return CALL(writev, fd, from, count); }
static ssize_t raw_preadv(int fd, const struct iovec *to, int count, off64_t at) { return CALL(preadv, fd, to, count, at, 0); }
static ssize_t raw_pwritev(int fd, const struct iovec *from, int count, off64_t at) { return CALL(pwritev, fd, from, count, at, 0); }
static ssize_t raw_preadv2(int fd, const struct iovec *to, int count, off64_t at, int flags) { return CALL(preadv2, fd, to, count, at, 0, flags); }
static ssize_t raw_pwritev2(int fd, const struct iovec *from, int count, off64_t at, int flags) { return CALL(pwritev2, fd, from, count, at, 0, flags); }
extern void __chk_fail(void) __attribute__((noreturn));
static void room_check(size_t bytes, size_t room) { if (bytes > room) __chk_fail(); }
static ssize_t raw_read_chk(int fd, void *to, size_t bytes, size_t room) { return room_check(bytes, room), raw_read(fd, to, bytes); }
static ssize_t raw_pread_chk(int fd, void *to, size_t bytes, off64_t at, size_t room) { return room_check(bytes, room), raw_pread(fd, to, bytes, at); }
static ssize_t raw_sendfile(int to, int from, off64_t *at, size_t bytes) { return syscall(SYS_sendfile, to, from, at, bytes); }
static ssize_t raw_copy_file_range(int from, off64_t *at, int to, off64_t *to_at, size_t bytes, unsigned flags) { return CALL(copy_file_range, from, at, to, to_at, bytes, flags); }
static ssize_t raw_splice(int from, off64_t *at, int to, off64_t *to_at, size_t bytes, unsigned flags) { return CALL(splice, from, at, to, to_at, bytes, flags); }
static int raw_openat(int folder, const char *path, int flags, mode_t mode) { return (int)CALL(openat, folder, path, flags | O_LARGEFILE, mode); }
static int raw_open(const char *path, int flags, mode_t mode) { return raw_openat(AT_FDCWD, path, flags, mode); }
static int raw_creat(const char *path, mode_t mode) { return raw_openat(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
/* __open_2 and __openat_2: a mode would be missing. */
static int raw_openat_2(int folder, const char *path, int flags) { return room_check(flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE, 0), raw_openat(folder, path, flags, 0); }
static int raw_open_2(const char *path, int flags) { return raw_openat_2(AT_FDCWD, path, flags); }
static int raw_close(int fd) { return (int)CALL(close, fd); }
static int raw_close_range(unsigned first, unsigned last, int flags) { return (int)syscall(SYS_close_range, first, last, flags); }
static void raw_closefrom(int first) { syscall(SYS_close_range, first < 0 ? 0 : first, ~0u, 0); }
static int raw_dup3(int fd, int other, int flags) { return (int)syscall(SYS_dup3, fd, other, flags); }
static int raw_dup2(int fd, int other) { return fd == other ? fcntl(fd, F_GETFD) < 0 ? -1 : fd : raw_dup3(fd, other, 0); }
static off64_t raw_lseek(int fd, off64_t offset, int whence) { return syscall(SYS_lseek, fd, offset, whence); }
static int raw_fsync(int fd) { return (int)CALL(fsync, fd); }
static int raw_fdatasync(int fd) { return (int)CALL(fdatasync, fd); }
static int raw_sync_file_range(int fd, off64_t at, off64_t bytes, unsigned flags) { return (int)CALL(sync_file_range, fd, at, bytes, flags); }
static int raw_nanosleep(const struct timespec *time, struct timespec *left) { return (int)CALL(nanosleep, time, left); }
static int raw_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
    int kept = errno, result = clock == CLOCK_THREAD_CPUTIME_ID ? EINVAL : 0;
    if (!result && CALL(clock_nanosleep, clock, flags, time, left)) result = errno;
    errno = kept;
    return result;
}

void *_Atomic pp_next[PP_NEXT_COUNT];

static const struct { const char *name, *version; void *fallback; } row[PP_NEXT_COUNT] = {
#define PP_NEXT(name, version, fallback) { #name, version, (void *)fallback },
#include "next.def"
};

void *pp_next_find(enum pp_next which)
{
    int kept = errno;
    void *found = row[which].version && dlvsym ? dlvsym(RTLD_NEXT, row[which].name, row[which].version) : NULL;
    if (!found && dlsym) found = dlsym(RTLD_NEXT, row[which].name);
    if (!found) found = row[which].fallback;
    atomic_store_explicit(&pp_next[which], found, memory_order_relaxed);
    errno = kept;
    return found;
}

void pp_next_start(void)
{
    for (unsigned i = 0; i < PP_NEXT_COUNT; i++)
        if (!atomic_load_explicit(&pp_next[i], memory_order_relaxed)) pp_next_find(i);
}
