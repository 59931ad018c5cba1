/* SPDX-License-Identifier: MIT */
/* transfer.c: wraps the C library's calls on descriptors that move bytes, synchronize, open and close. It must not know
 * what is booked where. */
#define _GNU_SOURCE
#include "operation/count.h"
#include "operation/operation.h"
#include "system/clock.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

#define WRAPPER PP_WRAPPER PP_BEFORE_ALL __attribute__((noinline))
#define ALIAS(name) PP_WRAPPER __attribute__((alias(#name)))

/* For rarer functions: books `call`, a call of the next function that sets `result`. */
#define TRANSFER(kind, fd, offset, result, call)                                                        \
    do {                                                                                                \
        if (!PP_RECORDS(PP_OPERATIONS_IO)) {                                                            \
            result = (call);                                                                            \
        } else {                                                                                        \
            struct pp_call booked_;                                                                     \
            pp_call_begin_transfer(&booked_, PP_COLLECTOR_IO, PP_OPERATION_##kind, PP_CALLER, fd);      \
            result = (call);                                                                            \
            pp_call_end(&booked_, PP_OPERATION_##kind, PP_CALLER, (int64_t)result, (uint64_t)(offset)); \
        }                                                                                               \
    } while (0)

/* ---- reading and writing ---- */

/* One function calls all of these that are rare, or on no file: paths of their own would take 2 kB. They have at most
 * five arguments, numbers and pointers alone, which both processors pass in the same registers. `what`: which it
 * is, its kind, and whether argument `c` is the offset. An offset of -1 means the descriptor's own, as PP_HERE does. */
_Static_assert(PP_NEXT_COUNT <= 256 && PP_OPERATION_COUNT <= 256, "they share a word");
static __attribute__((noinline, cold)) PP_BEFORE_ALL ssize_t rare_booked(long fd, long a, long b, long c, long d,
                                                                         uint32_t what, const void *caller)
{
    enum pp_operation_kind kind = (enum pp_operation_kind)(what >> 8 & 0xff);
    enum pp_next which = (enum pp_next)(what & 0xff);
    void *next = atomic_load_explicit(&pp_next[which], memory_order_relaxed);
    ssize_t (*call)(long, long, long, long, long) =
        (ssize_t(*)(long, long, long, long, long))(next ? next : pp_next_find(which));
    struct pp_call booked;
    booked.records = false;
    if (PP_RECORDS(PP_OPERATIONS_IO))
        pp_call_begin_transfer(&booked, PP_COLLECTOR_IO, kind, caller, (int)fd);
    ssize_t n = call(fd, a, b, c, d);
    n = kind == PP_OPERATION_SYNC ? (int)n : n;
    pp_call_end(&booked, kind, caller, n, what >> 16 ? (uint64_t)c : PP_HERE);
    return n;
}
#define RARE_AT(name, kind, has_offset, fd, a, b, c, d)         \
    rare_booked(fd, (long)(a), (long)(b), (long)(c), (long)(d), \
                PP_NEXT_##name | (uint32_t)PP_OPERATION_##kind << 8 | (uint32_t)(has_offset) << 16, PP_CALLER)

/* Defines the wrapper of a function that moves bytes on fd. Its common path, on a file, is small, and needs no room on
 * the stack. Its last argument is the offset, if it has one. */
#define THESE(...) __VA_ARGS__
#define MOVER(kind, name, has_offset, offset, parameters, arguments, ...)                             \
    WRAPPER ssize_t name(THESE parameters)                                                            \
    {                                                                                                 \
        struct pp_descriptor *d;                                                                      \
        uint32_t generation;                                                                          \
        if (PP_UNLIKELY(!(pp_operations_on & PP_OPERATIONS_IO))) {                                    \
            __typeof__(&name) known = PP_NEXT_KNOWN(name);                                            \
            return PP_LIKELY(known) ? known arguments : RARE_AT(name, kind, has_offset, __VA_ARGS__); \
        }                                                                                             \
        struct pp_operation *o = pp_count_begin(PP_OPERATION_##kind, PP_CALLER, fd, &d, &generation); \
        if (PP_UNLIKELY(!o))                                                                          \
            return RARE_AT(name, kind, has_offset, __VA_ARGS__);                                      \
        ssize_t n = PP_NEXT_KNOWN(name) arguments;                                                    \
        pp_count_end(o, d, generation, PP_OPERATION_##kind, PP_CALLER, n, (uint64_t)(offset));        \
        return n;                                                                                     \
    }

MOVER(READ, read, false, PP_HERE, (int fd, void *to, size_t bytes), (fd, to, bytes), fd, to, bytes, 0, 0)

MOVER(WRITE, write, false, PP_HERE, (int fd, const void *from, size_t bytes), (fd, from, bytes), fd, from, bytes, 0, 0)

MOVER(READ, pread64, true, at, (int fd, void *to, size_t bytes, off64_t at), (fd, to, bytes, at), fd, to, bytes, at, 0)

MOVER(WRITE, pwrite64, true, at, (int fd, const void *from, size_t bytes, off64_t at), (fd, from, bytes, at), fd, from,
      bytes, at, 0)

__attribute__((cold)) ssize_t writev(int fd, const struct iovec *from, int count); /* for size: it takes 2 us anyway */
MOVER(WRITE, writev, false, PP_HERE, (int fd, const struct iovec *from, int count), (fd, from, count), fd, from, count,
      0, 0)

#define RARE __attribute__((cold))

WRAPPER RARE ssize_t preadv64(int fd, const struct iovec *where, int count, off64_t at)
{
    return RARE_AT(preadv64, READ, true, fd, where, count, at, 0);
}

WRAPPER RARE ssize_t pwritev64(int fd, const struct iovec *where, int count, off64_t at)
{
    return RARE_AT(pwritev64, WRITE, true, fd, where, count, at, 0);
}

WRAPPER RARE ssize_t preadv64v2(int fd, const struct iovec *where, int count, off64_t at, int flags)
{
    return RARE_AT(preadv64v2, READ, true, fd, where, count, at, flags);
}

WRAPPER RARE ssize_t pwritev64v2(int fd, const struct iovec *where, int count, off64_t at, int flags)
{
    return RARE_AT(pwritev64v2, WRITE, true, fd, where, count, at, flags);
}

WRAPPER RARE ssize_t readv(int fd, const struct iovec *to, int count)
{
    return RARE_AT(readv, READ, false, fd, to, count, 0, 0);
}

/* With -D_FORTIFY_SOURCE. */
ssize_t __read_chk(int fd, void *to, size_t bytes, size_t room);
ssize_t __pread64_chk(int fd, void *to, size_t bytes, off64_t at, size_t room);

WRAPPER RARE ssize_t __read_chk(int fd, void *to, size_t bytes, size_t room)
{
    return RARE_AT(__read_chk, READ, false, fd, to, bytes, room, 0);
}

WRAPPER RARE ssize_t __pread64_chk(int fd, void *to, size_t bytes, off64_t at, size_t room)
{
    return RARE_AT(__pread64_chk, READ, true, fd, to, bytes, at, room);
}

ALIAS(pread64) ssize_t pread(int fd, void *to, size_t bytes, off_t at);
ALIAS(pwrite64) ssize_t pwrite(int fd, const void *from, size_t bytes, off_t at);
ALIAS(preadv64) ssize_t preadv(int fd, const struct iovec *to, int count, off_t at);
ALIAS(pwritev64) ssize_t pwritev(int fd, const struct iovec *from, int count, off_t at);
ALIAS(preadv64v2) ssize_t preadv2(int fd, const struct iovec *to, int count, off_t at, int flags);
ALIAS(pwritev64v2) ssize_t pwritev2(int fd, const struct iovec *from, int count, off_t at, int flags);
ALIAS(__pread64_chk) __attribute__((cold)) ssize_t __pread_chk(int fd, void *to, size_t bytes, off_t at, size_t room);

/* ---- from one descriptor to another: booked on the one that is read. What goes out on a socket may also begin an
 * answer ---- */

static void socket_out(int to, ssize_t n, const void *caller)
{
    struct pp_descriptor *d = n > 0 && PP_RECORDS(PP_OPERATIONS_IO) ? pp_descriptor_of(to) : NULL;
    if (d && atomic_load_explicit(&d->kind, memory_order_relaxed) == PP_TARGET_SOCKET)
        pp_socket_sent(d, caller, pp_clock_ns() & ~UINT64_C(1), (uint64_t)n);
}

/* What was copied to, a file or a socket. */
static void copied(int to, ssize_t n, const void *caller)
{
    if (n > 0 && PP_RECORDS(PP_OPERATIONS_IO) && pp_on(PP_COLLECTOR_IO))
        pp_operation_book(
            caller,
            &(struct pp_done){ .kind = PP_OPERATION_COPIED, .target = pp_descriptor_target(to), .bytes = (uint64_t)n });
}

/* The offset at which the transfer began, computed from where it ended. With 0 bytes splice succeeds without reading
 * the pointer, which may be bad. */
static off64_t began(const off64_t *at, ssize_t n, size_t bytes) { return at && bytes && n >= 0 ? *at - n : -1; }

WRAPPER __attribute__((cold)) ssize_t sendfile64(int to, int from, off64_t *at, size_t bytes)
{
    ssize_t n;
    TRANSFER(COPY, from, began(at, n, bytes), n, PP_NEXT_OF(sendfile64)(to, from, at, bytes));
    socket_out(to, n, PP_CALLER);
    copied(to, n, PP_CALLER);
    return n;
}

WRAPPER __attribute__((cold)) ssize_t copy_file_range(int from, off64_t *at, int to, off64_t *to_at, size_t bytes,
                                                      unsigned flags)
{
    ssize_t n;
    TRANSFER(COPY, from, began(at, n, bytes), n, PP_NEXT_OF(copy_file_range)(from, at, to, to_at, bytes, flags));
    copied(to, n, PP_CALLER);
    return n;
}

WRAPPER __attribute__((cold)) ssize_t splice(int from, off64_t *at, int to, off64_t *to_at, size_t bytes,
                                             unsigned flags)
{
    ssize_t n;
    TRANSFER(SPLICE, from, began(at, n, bytes), n, PP_NEXT_OF(splice)(from, at, to, to_at, bytes, flags));
    socket_out(to, n, PP_CALLER);
    return n;
}

ALIAS(sendfile64) ssize_t sendfile(int to, int from, off_t *at, size_t bytes);

/* ---- synchronizing ---- */

WRAPPER RARE int fsync(int fd) { return (int)RARE_AT(fsync, SYNC, false, fd, 0, 0, 0, 0); }

WRAPPER RARE int fdatasync(int fd) { return (int)RARE_AT(fdatasync, SYNC, false, fd, 0, 0, 0, 0); }

WRAPPER RARE int sync_file_range(int fd, off64_t at, off64_t bytes, unsigned flags)
{
    return (int)RARE_AT(sync_file_range, SYNC, false, fd, at, bytes, flags, 0);
}

/* ---- opening and closing ---- */

/* As rare_booked. `at`: the first argument is the folder. */
static __attribute__((noinline, cold)) PP_BEFORE_ALL int open_booked(long a, long b, long c, long d,
                                                                     enum pp_next which, bool at, const void *caller)
{
    void *next = atomic_load_explicit(&pp_next[which], memory_order_relaxed);
    int (*call)(long, ...) = (int (*)(long, ...))(next ? next : pp_next_find(which)); /* as most of them are */
    struct pp_call booked;
    booked.records = false;
    if (PP_RECORDS(PP_OPERATIONS_IO))
        pp_call_begin_seldom(&booked, PP_COLLECTOR_IO, PP_OPERATION_OPEN, caller);
    int fd = call(a, b, c, d);
    pp_call_open(&booked, caller, fd, at ? (int)a : AT_FDCWD, (const char *)(at ? b : a));
    return fd;
}
#define OPEN(name, path, b, c) open_booked((long)(path), b, c, 0, PP_NEXT_##name, false, PP_CALLER)
#define OPEN_AT(name, folder, path, c, d) open_booked(folder, (long)(path), c, d, PP_NEXT_##name, true, PP_CALLER)

/* The mode is passed on whether or not the flags ask for one, and then the kernel does not look at it. These have the
 * names of the C library's, which take any number of arguments. */
#define OPENER(name, parameters) WRAPPER int pp_##name##_here parameters __asm__(#name)
OPENER(open, (const char *path, int flags, mode_t mode));
OPENER(open64, (const char *path, int flags, mode_t mode));
OPENER(openat64, (int folder, const char *path, int flags, mode_t mode));
OPENER(openat, (int folder, const char *path, int flags, mode_t mode)) __attribute__((alias("openat64")));

int pp_open_here(const char *path, int flags, mode_t mode) { return OPEN(open, path, flags, mode); }
int pp_open64_here(const char *path, int flags, mode_t mode) { return OPEN(open64, path, flags, mode); }
int pp_openat64_here(int folder, const char *path, int flags, mode_t mode)
{
    return OPEN_AT(openat64, folder, path, flags, mode);
}

WRAPPER __attribute__((cold)) int creat64(const char *path, mode_t mode) { return OPEN(creat64, path, mode, 0); }

int __open64_2(const char *path, int flags);
int __openat64_2(int folder, const char *path, int flags);

WRAPPER __attribute__((cold)) int __open64_2(const char *path, int flags) { return OPEN(__open64_2, path, flags, 0); }

WRAPPER __attribute__((cold)) int __openat64_2(int folder, const char *path, int flags)
{
    return OPEN_AT(__openat64_2, folder, path, flags, 0);
}

ALIAS(creat64) int creat(const char *path, mode_t mode);
ALIAS(__open64_2) __attribute__((cold)) int __open_2(const char *path, int flags);
ALIAS(__openat64_2) __attribute__((cold)) int __openat_2(int folder, const char *path, int flags);

WRAPPER __attribute__((cold)) FILE *fopen64(const char *restrict path, const char *restrict mode)
{
    if (!PP_RECORDS(PP_OPERATIONS_IO))
        return PP_NEXT_OF(fopen64)(path, mode);
    struct pp_call call;
    pp_call_begin_seldom(&call, PP_COLLECTOR_IO, PP_OPERATION_OPEN, PP_CALLER);
    FILE *f = PP_NEXT_OF(fopen64)(path, mode);
    pp_call_open(&call, PP_CALLER, f ? f->_fileno : -1, AT_FDCWD, path);
    if (f && *mode == 'a' && f->_offset >= 0) /* stdio has gone to the end */
        pp_descriptor_move(f->_fileno, (uint64_t)f->_offset);
    return f;
}
ALIAS(fopen64) FILE *fopen(const char *restrict path, const char *restrict mode);

/* What was known of it is forgotten before, so that nobody who gets the number meanwhile is taken for it, and after,
 * since who still used it meanwhile may have looked. */
WRAPPER __attribute__((cold)) int close(int fd)
{
    int result;
    if (!PP_RECORDS(PP_OPERATIONS_IO))
        return PP_NEXT_OF(close)(fd);
    struct pp_call call;
    uint32_t target = pp_descriptor_forget(fd);
    pp_call_begin_work(&call, PP_COLLECTOR_IO, PP_OPERATION_CLOSE, PP_CALLER, target);
    result = PP_NEXT_OF(close)(fd);
    pp_descriptor_forget(fd);
    pp_call_end_work(&call, PP_OPERATION_CLOSE, PP_CALLER, result, target);
    return result;
}

static void descriptors_forget(unsigned first, unsigned last)
{
    for (unsigned fd = first; pp_operations_on && fd <= last && fd < PP_DESCRIPTORS; fd++)
        pp_descriptor_forget((int)fd);
}

WRAPPER __attribute__((cold)) void closefrom(int first)
{
    PP_NEXT_OF(closefrom)(first);
    descriptors_forget(first < 0 ? 0 : (unsigned)first, PP_DESCRIPTORS);
}

WRAPPER __attribute__((cold)) int close_range(unsigned first, unsigned last, int flags)
{
    int result = PP_NEXT_OF(close_range)(first, last, flags);
    descriptors_forget(first, last);
    return result;
}

WRAPPER __attribute__((cold)) int dup2(int fd, int other)
{
    int result = PP_NEXT_OF(dup2)(fd, other);
    if (PP_RECORDS(~0u) && result >= 0 && fd != other)
        pp_descriptor_forget(other);
    return result;
}

WRAPPER __attribute__((cold)) int dup3(int fd, int other, int flags)
{
    int result = PP_NEXT_OF(dup3)(fd, other, flags);
    if (PP_RECORDS(~0u) && result >= 0)
        pp_descriptor_forget(other);
    return result;
}

/* New descriptors. The C library closes some without a wrapper (pclose), so the number may still be known as its old
 * target. */
WRAPPER __attribute__((cold)) int dup(int fd)
{
    int result = PP_NEXT_OF(dup)(fd);
    if (PP_RECORDS(~0u))
        pp_descriptor_forget(result);
    return result;
}

static void pipe_made(const int pair[2])
{
    for (int i = 0; i < 2; i++) {
        if (PP_RECORDS(PP_OPERATIONS_IO))
            pp_descriptor_made(pair[i], PP_TARGET_PIPE, "pipe");
        else
            pp_descriptor_forget(pair[i]);
    }
}

WRAPPER __attribute__((cold)) int pipe2(int pair[2], int flags)
{
    int result = PP_NEXT_OF(pipe2)(pair, flags);
    if (PP_RECORDS(~0u) && !result)
        pipe_made(pair);
    return result;
}

WRAPPER __attribute__((cold)) int pipe(int pair[2])
{
    int result = PP_NEXT_OF(pipe)(pair);
    if (PP_RECORDS(~0u) && !result)
        pipe_made(pair);
    return result;
}

#define NEAR (INT64_C(1) << 40) /* every file system allows files of this length */

/* Books before a call that surely succeeds. Nothing is left to be done after it, so the compiler makes it a jump. */
static __attribute__((noinline)) off64_t seek_first(int fd, off64_t offset, int whence)
{
    return PP_NEXT_OF(lseek64)(fd, offset, whence);
}
WRAPPER off64_t lseek64(int fd, off64_t offset, int whence)
{
    __typeof__(&lseek64) next = PP_NEXT_KNOWN(lseek64);
    struct pp_descriptor *d =
        PP_RECORDS(PP_OPERATIONS_IO) && (uint32_t)fd < PP_DESCRIPTORS ? &pp_descriptors[(uint32_t)fd] : NULL;
    if (PP_UNLIKELY(!next))
        next = seek_first;
    if (!d)
        return next(fd, offset, whence);
    if (PP_LIKELY(whence == SEEK_SET && (uint64_t)offset < NEAR &&
                  atomic_load_explicit(&d->kind, memory_order_relaxed) == PP_TARGET_FILE)) {
        atomic_store_explicit(&d->position, (uint64_t)offset, memory_order_relaxed);
        return next(fd, offset, whence);
    }
    off64_t result = next(fd, offset, whence);
    if (result >= 0)
        atomic_store_explicit(&d->position, (uint64_t)result, memory_order_relaxed);
    return result;
}

ALIAS(lseek64) off_t lseek(int fd, off_t offset, int whence);

__attribute__((alias("read"), visibility("hidden"))) ssize_t pp_read_here(int fd, void *to, size_t bytes);

bool pp_transfers_are_ours(void)
{
    ssize_t (*volatile effective)(int, void *, size_t) = read;
    return effective == pp_read_here;
}
