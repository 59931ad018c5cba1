/* SPDX-License-Identifier: MIT */
/* resident.c: how much of the process's memory is resident, as /proc/self/statm says. The number is the process's,
 * whichever thread touched the pages. The file stays open after the first reading, because opening it would triple the
 * price. */
#define _GNU_SOURCE
#include "metric/io.h"
#include "system/descriptor.h"
#include "system/state.h"
#include "system/syscall.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_REFUSED (-1)

static _Atomic int file; /* descriptor plus 1; 0: not open; FILE_REFUSED: do not try again */
/* Of that file: the program may have closed the descriptor and got its number for another file. */
static _Atomic uint64_t inode;

/* Reads the resident pages: the second of the seven numbers. 0: the file is another one, or closed. */
static uint64_t pages_read(int fd, uint64_t *took)
{
    char text[160];
    ssize_t got = pp_pread(fd, text, sizeof text - 1, 0);
    uint64_t number[7] = { 0 };
    if (got <= 0)
        return 0;
    text[got] = 0;
    const char *at = text;
    for (unsigned i = 0; i < 7; i++) {
        if (*at < '0' || *at > '9')
            return 0;
        while (*at >= '0' && *at <= '9')
            number[i] = number[i] * 10 + (uint64_t)(*at++ - '0');
        if (*at++ != (i < 6 ? ' ' : '\n'))
            return 0;
    }
    *took = (uint64_t)got;
    return number[1];
}

static bool file_open(void)
{
    struct stat status;
    int none = atomic_load_explicit(&file, memory_order_relaxed);
    int fd = pp_descriptor_raise(pp_open("/proc/self/statm", O_RDONLY | O_CLOEXEC, 0));
    uint64_t number = fd >= 0 && pp_fstat(fd, &status) == 0 ? (uint64_t)status.st_ino : 0;
    if (atomic_compare_exchange_strong_explicit(&file, &none, fd >= 0 ? fd + 1 : FILE_REFUSED, memory_order_relaxed,
                                                memory_order_relaxed))
        atomic_store_explicit(&inode, number, memory_order_relaxed);
    else if (fd >= 0)
        pp_close(fd); /* another thread was first */
    return atomic_load_explicit(&file, memory_order_relaxed) > 0;
}

/* Opened when a stage first asks: many processes have none. */
static void resident_start(void) { pp_run.header->metrics_measured |= pp_source_resident.metrics; }

/* The descriptor that a fork's child inherits leads to its parent's file. */
static void resident_fork_child(struct pp_thread *thread)
{
    struct stat status;
    int kept = errno, fd = atomic_exchange_explicit(&file, 0, memory_order_relaxed) - 1;
    (void)thread;
    if (fd >= 0 && !pp_forbids(PP_FORBIDDEN_LOOKS) && pp_fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
        (uint64_t)status.st_ino == inode)
        pp_close(fd);
    errno = kept;
}

uint64_t pp_resident_bytes(struct pp_thread *thread)
{
    uint64_t took, pages = 0;
    int fd = atomic_load_explicit(&file, memory_order_relaxed) - 1, kept = errno;
    if (fd + 1 == FILE_REFUSED)
        return 0;
    if (fd >= 0)
        pages = pages_read(fd, &took);
    /* in a fork's child, or after the program closed it */
    if (!pages && !pp_forbids(PP_FORBIDDEN_LOOKS) && file_open())
        pages = pages_read(atomic_load_explicit(&file, memory_order_relaxed) - 1, &took);
    if (!pages) {
        atomic_store_explicit(&file, FILE_REFUSED,
                              memory_order_relaxed); /* for good, because a difference needs both ends */
        if (!inode)
            __atomic_fetch_and(&pp_run.header->metrics_measured, ~(uint64_t)pp_source_resident.metrics,
                               __ATOMIC_RELAXED);
    } else if (thread) {
        pp_io_own(thread, took);
    }
    errno = kept;
    return pages * pp_run.page_bytes;
}

static void resident_read(struct pp_thread *thread, uint64_t *values)
{
    uint64_t bytes = pp_run.header->metrics_measured >> PP_METRIC_RSS_DELTA & 1 ? pp_resident_bytes(thread) : 0;
    if (bytes)
        values[PP_METRIC_RSS_DELTA] = bytes;
}

const struct pp_metric_source pp_source_resident = {
    .name = "resident",
    .collector = PP_COLLECTOR_MEMORY,
    .metrics = 1u << PP_METRIC_RSS_DELTA,
    .start = resident_start,
    .fork_child = resident_fork_child,
    .read = resident_read,
};
