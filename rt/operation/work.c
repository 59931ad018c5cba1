/* SPDX-License-Identifier: MIT */
/* work.c: wraps the C library's calls that the kernel works in and that seldom wait: on names and attributes of files,
 * on devices and on memory; and msync, which waits for the disk. Those that map and unmap are in memory/mapping.c. It
 * must not know what is booked where.
 *
 * These functions take numbers and pointers alone, four at most. Both processors pass them in the same registers, so
 * one function calls them all. It finds the functions behind them itself, because a static executable that calls none
 * of them goes without this file. */
#define _GNU_SOURCE
#include "operation/operation.h"
#include "system/behind.h"
#include "system/syscall.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WRAPPER PP_WRAPPER PP_BEFORE_ALL

/* A static executable has no function behind these. There the system call stands in: the one that the C library makes,
 * with the arguments as they are, behind the current folder, or put in order by raw(). */
enum shape { AS_IS, IN_FOLDER, OTHER };
#ifdef SYS_unlink
#define OLD(old, at, shape) SYS_##old, AS_IS
#else
#define OLD(old, at, shape) SYS_##at, shape
#endif

/* ROW(name, kind, number, shape) */
#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 33) /* before, these are no functions of the C library's */
#define STATUS_ROWS(ROW)                       \
    ROW(stat, FILE, SYS_newfstatat, IN_FOLDER) \
    ROW(lstat, FILE, SYS_newfstatat, OTHER)    \
    ROW(fstat, FILE, SYS_newfstatat, OTHER)    \
    ROW(fstatat, FILE, SYS_newfstatat, AS_IS)
#define STATUS
#endif
#endif
#ifndef STATUS
#define STATUS_ROWS(ROW)
#endif
#define ROWS(ROW)                                             \
    STATUS_ROWS(ROW)                                          \
    ROW(access, FILE, OLD(access, faccessat, IN_FOLDER))      \
    ROW(faccessat, FILE, SYS_faccessat, OTHER)                \
    ROW(readlink, FILE, OLD(readlink, readlinkat, IN_FOLDER)) \
    ROW(__readlink_chk, FILE, SYS_readlinkat, OTHER)          \
    ROW(readlinkat, FILE, SYS_readlinkat, AS_IS)              \
    ROW(unlink, FILE, OLD(unlink, unlinkat, IN_FOLDER))       \
    ROW(unlinkat, FILE, SYS_unlinkat, AS_IS)                  \
    ROW(remove, FILE, SYS_unlinkat, OTHER)                    \
    ROW(rename, FILE, OLD(rename, renameat2, OTHER))          \
    ROW(renameat, FILE, SYS_renameat2, AS_IS)                 \
    ROW(mkdir, FILE, OLD(mkdir, mkdirat, IN_FOLDER))          \
    ROW(mkdirat, FILE, SYS_mkdirat, AS_IS)                    \
    ROW(rmdir, FILE, OLD(rmdir, unlinkat, OTHER))             \
    ROW(chdir, FILE, SYS_chdir, AS_IS)                        \
    ROW(fchdir, FILE, SYS_fchdir, AS_IS)                      \
    ROW(chmod, FILE, OLD(chmod, fchmodat, IN_FOLDER))         \
    ROW(fchmod, FILE, SYS_fchmod, AS_IS)                      \
    ROW(utimensat, FILE, SYS_utimensat, AS_IS)                \
    ROW(truncate, FILE, SYS_truncate, AS_IS)                  \
    ROW(ftruncate, FILE, SYS_ftruncate, AS_IS)                \
    ROW(fallocate, FILE, SYS_fallocate, AS_IS)                \
    ROW(opendir, FILE, 0, OTHER)                              \
    ROW(readdir, FILE, 0, OTHER)                              \
    ROW(closedir, FILE, 0, OTHER)                             \
    ROW(scandir, FILE, 0, OTHER)                              \
    ROW(ioctl, CONTROL, SYS_ioctl, AS_IS)                     \
    ROW(mprotect, MEMORY, SYS_mprotect, AS_IS)                \
    ROW(madvise, MEMORY, SYS_madvise, AS_IS)                  \
    ROW(msync, SYNC, SYS_msync, AS_IS)                        \
    ROW(sched_yield, YIELD, SYS_sched_yield, AS_IS)

enum which {
#define ROW(name, kind, ...) W_##name,
    ROWS(ROW)
#undef ROW
        W_COUNT
};

/* Names are found by offset in one text, because pointers would be relocated at each program start. */
static const struct names {
#define ROW(name, kind, ...) char of_##name[sizeof #name];
    ROWS(ROW)
#undef ROW
} names = {
#define ROW(name, kind, ...) #name,
    ROWS(ROW)
#undef ROW
};
static const struct {
    uint16_t name;
    uint8_t kind;
    uint16_t number;
    uint8_t shape;
} row[W_COUNT] = {
#define ROW(name, kind, ...) { offsetof(struct names, of_##name), PP_OPERATION_##kind, __VA_ARGS__ },
    ROWS(ROW)
#undef ROW
};

/* In the C library's archive alone. scandirat64 draws them in. */
extern struct dirent64 *__readdir64(DIR *) __attribute__((weak));
extern int __closedir(DIR *) __attribute__((weak));
extern void __chk_fail(void) __attribute__((noreturn));

PP_BEFORE_ALL static long raw(enum which which, long a, long b, long c, long d)
{
    static const long here = AT_FDCWD;
    long number = row[which].number, result;
    if (row[which].shape == AS_IS)
        return syscall(number, a, b, c, d);
    if (row[which].shape == IN_FOLDER)
        return syscall(number, here, a, b, c, d);
    switch ((unsigned)which) {
#ifdef STATUS
    case W_lstat: return syscall(number, here, a, b, AT_SYMLINK_NOFOLLOW);
    case W_fstat: return syscall(number, a, "", b, AT_EMPTY_PATH);
#endif
    case W_faccessat: return syscall(d ? SYS_faccessat2 : number, a, b, c, d);
    case W___readlink_chk:
        if ((size_t)c > (size_t)d)
            __chk_fail();
        return syscall(number, here, a, b, c);
    case W_remove:
        result = syscall(number, here, a, 0);
        return result && errno == EISDIR ? syscall(number, here, a, AT_REMOVEDIR) : result;
    case W_opendir:
        result = syscall(SYS_openat, here, a, O_RDONLY | O_NDELAY | O_DIRECTORY | O_LARGEFILE | O_CLOEXEC);
        return result < 0 ? 0 : (long)fdopendir((int)result);
    case W_readdir: return (long)__readdir64((DIR *)a);
    case W_closedir: return __closedir((DIR *)a);
    case W_scandir: return scandirat64(AT_FDCWD, (const char *)a, (void *)b, (void *)c, (void *)d);
#ifndef SYS_unlink
    case W_rename: return syscall(number, here, a, here, b, 0);
    case W_rmdir: return syscall(number, here, a, AT_REMOVEDIR);
#endif
    }
    return -1;
}

typedef long function(long, long, long, long);
static function *_Atomic behind[W_COUNT];
#define NONE ((function *)1) /* in a static executable */

PP_BEFORE_ALL static function *behind_find(enum which which)
{
    int kept = errno;
    function *found = (function *)pp_behind((const char *)&names + row[which].name);
    found = found ? found : NONE;
    atomic_store_explicit(&behind[which], found, memory_order_relaxed);
    errno = kept;
    return found;
}

PP_BEFORE_ALL static long next(enum which which, long a, long b, long c, long d)
{
    function *found = atomic_load_explicit(&behind[which], memory_order_relaxed);
    if (PP_UNLIKELY(!found))
        found = behind_find(which);
    return PP_LIKELY(found != NONE) ? found(a, b, c, d) : raw(which, a, b, c, d);
}

/* Calls the function, and books it at the caller's line. A pointer fails as NULL, and a number as -1. */
PP_BEFORE_ALL static __attribute__((noinline)) long work_long(long a, long b, long c, long d, const void *caller,
                                                              enum which which)
{
    enum pp_operation_kind kind = (enum pp_operation_kind)row[which].kind;
    bool waits = kind == PP_OPERATION_YIELD;
    bool moves = which == W_chdir || which == W_fchdir;
    /* Before and after, so that what another thread learns meanwhile is for neither folder. */
    if (moves)
        atomic_fetch_add_explicit(&pp_folder_changes, 1, memory_order_relaxed);
    struct pp_call call;
    call.records = false;
    if (PP_RECORDS(waits ? PP_OPERATIONS_WAITS : PP_OPERATIONS_IO))
        pp_call_begin_work(&call, waits ? PP_COLLECTOR_WAITS : PP_COLLECTOR_IO, kind, caller, 0);
    long result = next(which, a, b, c, d);
    if (moves)
        atomic_fetch_add_explicit(&pp_folder_changes, 1, memory_order_relaxed);
    pp_call_end_work(&call, kind, caller, which == W_opendir ? !result : (int)result == -1, 0);
    return result;
}

/* For functions that return int: in this order of arguments, and with its type, the compiler makes it a jump. */
PP_BEFORE_ALL static __attribute__((noinline)) int work(long a, long b, long c, long d, const void *caller,
                                                        enum which which)
{
    return (int)work_long(a, b, c, d, caller, which);
}

#define FOUR(a, b, c, d, ...) (long)(a), (long)(b), (long)(c), (long)(d)
#define WORK(name, ...) work(FOUR(__VA_ARGS__, 0, 0, 0), PP_CALLER, W_##name)
#define ALIAS(name) PP_WRAPPER __attribute__((alias(#name)))
#define THESE(...) __VA_ARGS__
#define WRAP(type, name, parameters, ...) \
    WRAPPER type name(THESE parameters) { return (type)WORK(name, __VA_ARGS__); }

#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 33)
WRAP(int, stat, (const char *path, struct stat *to), path, to)
WRAP(int, lstat, (const char *path, struct stat *to), path, to)
WRAP(int, fstat, (int fd, struct stat *to), fd, to)
WRAP(int, fstatat, (int folder, const char *path, struct stat *to, int flags), folder, path, to, flags)
ALIAS(stat) int stat64(const char *path, struct stat64 *to);
ALIAS(lstat) int lstat64(const char *path, struct stat64 *to);
ALIAS(fstat) int fstat64(int fd, struct stat64 *to);
ALIAS(fstatat) int fstatat64(int folder, const char *path, struct stat64 *to, int flags);
#endif
#endif
WRAP(int, access, (const char *path, int mode), path, mode)
WRAP(int, faccessat, (int folder, const char *path, int mode, int flags), folder, path, mode, flags)
ssize_t __readlink_chk(const char *path, char *to, size_t bytes, size_t room);
WRAP(ssize_t, readlink, (const char *path, char *to, size_t bytes), path, to, bytes)
WRAP(ssize_t, __readlink_chk, (const char *path, char *to, size_t bytes, size_t room), path, to, bytes, room)
WRAP(ssize_t, readlinkat, (int folder, const char *path, char *to, size_t bytes), folder, path, to, bytes)
WRAP(int, unlink, (const char *path), path)
WRAP(int, unlinkat, (int folder, const char *path, int flags), folder, path, flags)
WRAP(int, remove, (const char *path), path)
WRAP(int, rename, (const char *from, const char *to), from, to)
WRAP(int, renameat, (int folder, const char *from, int other, const char *to), folder, from, other, to)
WRAP(int, mkdir, (const char *path, mode_t mode), path, mode)
WRAP(int, mkdirat, (int folder, const char *path, mode_t mode), folder, path, mode)
WRAP(int, rmdir, (const char *path), path)
WRAP(int, chdir, (const char *path), path)
WRAP(int, fchdir, (int fd), fd)
WRAP(int, chmod, (const char *path, mode_t mode), path, mode)
WRAP(int, fchmod, (int fd, mode_t mode), fd, mode)
WRAP(int, utimensat, (int folder, const char *path, const struct timespec times[2], int flags), folder, path, times,
     flags)
WRAP(int, truncate, (const char *path, off_t bytes), path, bytes)
WRAP(int, ftruncate, (int fd, off_t bytes), fd, bytes)
WRAP(int, fallocate, (int fd, int mode, off_t at, off_t bytes), fd, mode, at, bytes)
ALIAS(truncate) int truncate64(const char *path, off64_t bytes);
ALIAS(ftruncate) int ftruncate64(int fd, off64_t bytes);
ALIAS(fallocate) int fallocate64(int fd, int mode, off64_t at, off64_t bytes);
WRAP(int, mprotect, (void *at, size_t bytes, int protection), at, bytes, protection)
WRAP(int, madvise, (void *at, size_t bytes, int advice), at, bytes, advice)
WRAP(int, msync, (void *at, size_t bytes, int flags), at, bytes, flags)
WRAP(int, sched_yield, (void), 0)

WRAPPER int ioctl(int fd, unsigned long request, ...)
{
    va_list more;
    va_start(more, request);
    void *argument = va_arg(more, void *);
    va_end(more);
    int result = (int)WORK(ioctl, fd, request, argument);
    if (request == FIONBIO && !result && PP_RECORDS(~0u))
        pp_descriptor_set_nonblocking(fd, *(const int *)argument);
    return result;
}

/* ---- directories ---- */

WRAPPER DIR *opendir(const char *path) { return (DIR *)work_long((long)path, 0, 0, 0, PP_CALLER, W_opendir); }
WRAP(int, closedir, (DIR * folder), folder)
WRAP(int, scandir,
     (const char *path, struct dirent ***list, int (*wanted)(const struct dirent *),
      int (*order)(const struct dirent **, const struct dirent **)),
     path, list, wanted, order)
/* The beginning of glibc's DIR. readdir asks the kernel for more where it has returned all that it holds. */
struct folder {
    int fd, lock;
    size_t room, held, returned;
};
static bool asks(DIR *folder) { return ((struct folder *)folder)->returned >= ((struct folder *)folder)->held; }

WRAPPER struct dirent *readdir(DIR *folder)
{
    return (struct dirent *)(asks(folder) ? work_long((long)folder, 0, 0, 0, PP_CALLER, W_readdir)
                                          : next(W_readdir, (long)folder, 0, 0, 0));
}
ALIAS(readdir) struct dirent64 *readdir64(DIR *folder);
ALIAS(scandir)
int scandir64(const char *path, struct dirent64 ***list, int (*wanted)(const struct dirent64 *),
              int (*order)(const struct dirent64 **, const struct dirent64 **));

__attribute__((alias("unlink"), visibility("hidden"), nothrow, leaf, nonnull(1))) int pp_unlink_here(const char *path);

/* In a library it finds all functions behind these, so that no handler has to. */
bool pp_works_are_ours(void)
{
    int (*volatile effective)(const char *) = unlink;
#ifdef PP_SHARED
    for (unsigned i = 0; i < W_COUNT; i++)
        if (!atomic_load_explicit(&behind[i], memory_order_relaxed))
            behind_find(i);
#endif
    return effective == pp_unlink_here;
}
