/* SPDX-License-Identifier: MIT */
/* syscall.h: direct system calls. The C library's functions on files are cancellation points, and a probe must be
 * none, least of all while it holds a lock. Those on memory and clocks may be ThreadSanitizer's, which takes our calls
 * for the program's and finds races. These set errno like the library's. */
#ifndef PROFPLUG_RT_SYSTEM_H
#define PROFPLUG_RT_SYSTEM_H

#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#ifndef AT_EMPTY_PATH
#define AT_EMPTY_PATH 0x1000
#endif

/* Bytes that the runtime itself read and wrote. metric/io.c takes them off the program's account. */
extern _Atomic uint64_t pp_own_read_bytes __attribute__((visibility("hidden"))),
    pp_own_write_bytes __attribute__((visibility("hidden")));
static inline ssize_t pp_own(_Atomic uint64_t *sum, ssize_t bytes)
{
    if (bytes > 0)
        __atomic_fetch_add((uint64_t *)sum, (uint64_t)bytes, __ATOMIC_RELAXED);
    return bytes;
}

static inline int pp_open(const char *path, int flags, mode_t mode)
{
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
static inline int pp_close(int fd) { return (int)syscall(SYS_close, fd); }
static inline ssize_t pp_read(int fd, void *to, size_t bytes)
{
    return pp_own(&pp_own_read_bytes, syscall(SYS_read, fd, to, bytes));
}
static inline ssize_t pp_pread(int fd, void *to, size_t bytes, uint64_t offset)
{
    return pp_own(&pp_own_read_bytes, syscall(SYS_pread64, fd, to, bytes, offset));
}
static inline ssize_t pp_write(int fd, const void *from, size_t bytes)
{
    return pp_own(&pp_own_write_bytes, syscall(SYS_write, fd, from, bytes));
}
static inline ssize_t pp_pwrite(int fd, const void *from, size_t bytes, uint64_t offset)
{
    return pp_own(&pp_own_write_bytes, syscall(SYS_pwrite64, fd, from, bytes, offset));
}
static inline int pp_fstat(int fd, struct stat *to)
{
    return (int)syscall(SYS_newfstatat, fd, "", to, AT_EMPTY_PATH);
}
static inline ssize_t pp_readlink(const char *path, char *to, size_t bytes)
{
    return syscall(SYS_readlinkat, AT_FDCWD, path, to, bytes);
}
static inline int pp_unlink(const char *path)
{
#ifdef SYS_unlink
    return (int)syscall(SYS_unlink, path);
#else
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
#endif
}
static inline int pp_advise(void *at, size_t bytes, int advice)
{
    return (int)syscall(SYS_madvise, at, bytes, (long)advice);
}
static inline int pp_protect(void *at, size_t bytes, int how)
{
    return (int)syscall(SYS_mprotect, at, bytes, (long)how);
}
#define pp_fcntl(fd, what, ...) ((int)syscall(SYS_fcntl, (fd), (what), (long)(__VA_ARGS__)))
/* poll that does not wait */
static inline int pp_ready(struct pollfd *one)
{
    return (int)syscall(SYS_ppoll, one, (size_t)1, &(struct timespec){ 0, 0 }, 0, (size_t)8);
}

static inline void *pp_map(void *at, size_t bytes, int flags, int fd, uint64_t offset)
{
    return (void *)syscall(SYS_mmap, at, bytes, (long)(PROT_READ | PROT_WRITE), (long)flags, (long)fd, offset);
}
static inline void pp_unmap(void *at, size_t bytes) { syscall(SYS_munmap, at, bytes); }
static inline void *pp_remap(void *at, size_t bytes, size_t more, int flags, void *to)
{
    return (void *)syscall(SYS_mremap, at, bytes, more, (long)flags, to);
}
static inline int pp_clock_read(clockid_t clock, struct timespec *to)
{
    return (int)syscall(SYS_clock_gettime, clock, to);
}

/* Whether the program is linked statically. Then no function stands behind our wrappers, and its dlsym, if it has one,
 * would call malloc for its error message. */
static inline bool pp_is_static(void)
{
    const ElfW(Phdr) *header = (const ElfW(Phdr) *)getauxval(AT_PHDR);
    for (unsigned long i = header ? getauxval(AT_PHNUM) : 0; i--;)
        if (header[i].p_type == PT_INTERP)
            return false;
    return header != NULL;
}

#endif
