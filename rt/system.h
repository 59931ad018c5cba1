/* SPDX-License-Identifier: MIT */
/* system.h: system calls on files, straight. The C library's functions of these names are points at which a thread may be cancelled:
 * a probe must be none, least of all while it holds a lock. They set errno as those do. */
#ifndef PROFPLUG_RT_SYSTEM_H
#define PROFPLUG_RT_SYSTEM_H

#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static inline int pp_open(const char *path, int flags, mode_t mode) { return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode); }
static inline int pp_close(int fd) { return (int)syscall(SYS_close, fd); }
static inline ssize_t pp_read(int fd, void *to, size_t bytes) { return syscall(SYS_read, fd, to, bytes); }
static inline ssize_t pp_pread(int fd, void *to, size_t bytes, uint64_t offset) { return syscall(SYS_pread64, fd, to, bytes, offset); }
static inline ssize_t pp_write(int fd, const void *from, size_t bytes) { return syscall(SYS_write, fd, from, bytes); }
static inline ssize_t pp_pwrite(int fd, const void *from, size_t bytes, uint64_t offset) { return syscall(SYS_pwrite64, fd, from, bytes, offset); }
/* poll that does not wait */
static inline int pp_ready(struct pollfd *one) { return (int)syscall(SYS_ppoll, one, (size_t)1, &(struct timespec){ 0, 0 }, 0, (size_t)8); }

#endif
