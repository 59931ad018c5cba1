/* SPDX-License-Identifier: MIT */
/* io.c: bytes and calls of the thread's reading and writing system calls, as the kernel counts them
 * (/proc/thread-self/io), and how much came from storage. The numbers contain I/O by every library. Memory-mapped files
 * only count as bytes from storage.
 *
 * A thread keeps its file open after the first reading. What our own readings add to the account is subtracted. */
#define _GNU_SOURCE
#include "metric/io.h"
#include "system/descriptor.h"
#include "system/state.h"
#include "system/syscall.h"
#include "thread/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    METRIC_BITS = 1u << PP_METRIC_READ_BYTES | 1u << PP_METRIC_WRITE_BYTES | 1u << PP_METRIC_READS |
                  1u << PP_METRIC_WRITES | 1u << PP_METRIC_STORAGE_READ_BYTES
};

#define FILE_REFUSED UINT64_MAX /* as pp_io_state.file: do not try again */

struct account {
    uint64_t rchar, wchar, syscr, syscw, storage;
};

static const char *field(const char *at, const char *name, uint64_t *value)
{
    size_t length = strlen(name);
    if (!at || strncmp(at, name, length))
        return NULL;
    at += length;
    *value = 0;
    while (*at >= '0' && *at <= '9')
        *value = *value * 10 + (uint64_t)(*at++ - '0');
    return *at == '\n' ? at + 1 : NULL;
}

/* Returns how many bytes the reading took, or 0 if the file is another one, or closed. */
static uint64_t account_read(int fd, struct account *account)
{
    char text[256];
    ssize_t got = pp_pread(fd, text, sizeof text - 1, 0);
    if (got <= 0)
        return 0;
    text[got] = 0;
    const char *at = field(text, "rchar: ", &account->rchar);
    at = field(at, "wchar: ", &account->wchar);
    at = field(at, "syscr: ", &account->syscr);
    at = field(at, "syscw: ", &account->syscw);
    return field(at, "read_bytes: ", &account->storage) ? (uint64_t)got : 0;
}

/* ---- the process's ---- */

static struct {
    uint64_t read, written;
    bool known;
} before; /* at the start of the run, without our own */

static bool process_read(uint64_t *read, uint64_t *written)
{
    struct account account;
    if (pp_forbids(PP_FORBIDDEN_LOOKS | PP_FORBIDDEN_METRICS))
        return false;
    int fd = pp_open("/proc/self/io", O_RDONLY | O_CLOEXEC, 0);
    /* Before the reading: the kernel adds it to the account after it has made the text. */
    uint64_t own_read = atomic_load_explicit(&pp_own_read_bytes, memory_order_relaxed);
    uint64_t own_written = atomic_load_explicit(&pp_own_write_bytes, memory_order_relaxed);
    bool good = fd >= 0 && account_read(fd, &account);
    if (fd >= 0)
        pp_close(fd);
    if (!good)
        return false;
    *read = account.rchar - own_read;
    *written = account.wchar - own_written;
    return true;
}

void pp_io_usage(struct pp_header *header)
{
    uint64_t read, written;
    int kept = errno;
    if (before.known && process_read(&read, &written)) {
        header->io_read_bytes = read - before.read;
        header->io_write_bytes = written - before.written;
        atomic_store_explicit((_Atomic uint32_t *)&header->io_known, 1, memory_order_relaxed);
    }
    errno = kept;
}

/* ---- a thread's ---- */

static int account_open(uint64_t *inode)
{
    struct stat status;
    int fd = pp_descriptor_raise(pp_open("/proc/thread-self/io", O_RDONLY | O_CLOEXEC, 0));
    *inode = fd >= 0 && pp_fstat(fd, &status) == 0 ? (uint64_t)status.st_ino : 0;
    return fd;
}

/* Closes the file only if it is still the one that we opened: the program may have closed the descriptor and got its
 * number for another file. */
static void account_close(uint32_t id)
{
    struct stat status;
    if (pp_forbids(PP_FORBIDDEN_LOOKS))
        return;
    int fd = atomic_exchange_explicit(&pp_numbered[id].account, 0, memory_order_relaxed) - 1;
    if (fd >= 0 && pp_fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
        (uint64_t)status.st_ino == pp_numbered[id].account_inode)
        pp_close(fd);
}

void pp_io_own(struct pp_thread *thread, uint64_t bytes)
{
    pp_private(thread)->io.own_bytes += bytes;
    pp_private(thread)->io.own_calls++;
}

static void io_start(void)
{
    int kept = errno;
    before.known = process_read(&before.read, &before.written);
    if (before.known)
        pp_run.header->metrics_measured |= METRIC_BITS;
    errno = kept;
}

static void io_birth(struct pp_thread *thread)
{
    int kept = errno;
    account_close(thread->id); /* of an earlier owner of the block, which ended without its destructors */
    pp_private(thread)->io = (struct pp_io_state){ 0 };
    errno = kept;
}

static void io_death(struct pp_thread *thread)
{
    int kept = errno;
    account_close(thread->id);
    pp_private(thread)->io.file = 0;
    errno = kept;
}

static void io_fork_child(struct pp_thread *thread)
{
    int kept = errno;
    for (uint32_t id = 0, count = pp_thread_count(); id <= count; id++)
        account_close(id);
    if (thread)
        pp_private(thread)->io = (struct pp_io_state){ 0 };
    pp_run.header->io_known = 0;
    before.known = process_read(&before.read, &before.written); /* the child's account begins at 0 */
    errno = kept;
}

static void io_read(struct pp_thread *thread, uint64_t *values)
{
    struct pp_io_state *io = &pp_private(thread)->io;
    uint64_t inode, got = 0;
    struct account account = { 0 };
    if (!(pp_run.header->metrics_measured >> PP_METRIC_READ_BYTES & 1) || io->file == FILE_REFUSED)
        return;
    int kept = errno, fd = (int)io->file - 1;
    if (fd >= 0)
        got = account_read(fd, &account);
    if (!got && !pp_forbids(PP_FORBIDDEN_LOOKS)) { /* the first time, or after the program closed it */
        atomic_store_explicit(&pp_numbered[thread->id].account, 0, memory_order_relaxed);
        fd = account_open(&inode);
        if (fd >= 0) {
            atomic_store_explicit(&pp_numbered[thread->id].account_inode, inode, memory_order_relaxed);
            atomic_store_explicit(&pp_numbered[thread->id].account, fd + 1, memory_order_relaxed);
            got = account_read(fd, &account);
        }
        io->file = got ? (uint64_t)fd + 1 : FILE_REFUSED;
    }
    if (got) {
        values[PP_METRIC_READ_BYTES] = account.rchar - io->own_bytes;
        values[PP_METRIC_WRITE_BYTES] = account.wchar;
        values[PP_METRIC_READS] = account.syscr - io->own_calls;
        values[PP_METRIC_WRITES] = account.syscw;
        values[PP_METRIC_STORAGE_READ_BYTES] = account.storage;
        pp_io_own(thread, got); /* the kernel adds this reading after it has made the text */
    }
    errno = kept;
}

const struct pp_metric_source pp_source_io = {
    .name = "io",
    .collector = PP_COLLECTOR_IO,
    .metrics = METRIC_BITS,
    .start = io_start,
    .birth = io_birth,
    .death = io_death,
    .fork_child = io_fork_child,
    .read = io_read,
};
