/* SPDX-License-Identifier: MIT */
/* extent.c: claims, maps and publishes extents of the data file. It must not know what an extent means.
 *
 * A range of the file is claimed with an atomic add, given disk blocks, mapped, filled, and published in the directory
 * with one release store. A reader sees whole extents or none, even after SIGKILL. There is no lock. */
#define _GNU_SOURCE
#include "file/memory.h"
#include "file/mirror.h"
#include "file/total.h"
#include "system/state.h"
#include "system/syscall.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

uint64_t pp_file_pages(uint64_t bytes)
{
    uint64_t page = pp_run.page_bytes;
    return (bytes + page - 1) / page * page;
}

bool pp_file_blocks(int fd, uint64_t offset, uint64_t bytes)
{
    struct rlimit limit;
    if (!pp_forbids(PP_FORBIDDEN_LIMITS) && !getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY &&
        offset + bytes > limit.rlim_cur) {
        errno = EFBIG; /* fallocate and write would raise SIGXFSZ */
        return false;
    }
    struct statfs disk;
    if (!pp_forbids(PP_FORBIDDEN_LIMITS) && !syscall(SYS_fstatfs, fd, &disk) && disk.f_blocks &&
        bytes / (uint64_t)disk.f_bsize > disk.f_bavail / PP_SHARE) {
        errno = ENOSPC; /* the rest is for the program */
        return false;
    }
    /* not const, so that it takes no room in the executable; a page, which is there once its first byte is */
    PP_FAR static char zero[4096] __attribute__((aligned(4096)));
    /* As the file begins it is written to, in one go: pages in the cache take less at their first touch than those that
     * fallocate promised, whose blocks the file system looks for at each. Later a sandbox may not allow the call. */
    if (!pp_run.header && bytes >= PP_FILE_PIECE) {
        (void)*(volatile char *)zero; /* else the kernel's first copy fails, and it zeroes all that it was to fill */
        struct iovec pieces[2 * PP_FILE_PIECE / sizeof zero];
        for (size_t i = 0; i < bytes / sizeof zero; i++)
            pieces[i] = (struct iovec){ zero, sizeof zero };
        if (syscall(SYS_pwritev, fd, pieces, bytes / sizeof zero, (off_t)offset, 0L) == (long)bytes)
            return true;
    }
    for (;;) {
        if (!syscall(SYS_fallocate, fd, 0, (off_t)offset, (off_t)bytes))
            return true;
        if (errno != EINTR)
            break;
    }
    if (errno != EOPNOTSUPP && errno != ENOSYS)
        return false;
    for (uint64_t at = offset; at < offset + bytes; at += sizeof zero)
        if (pp_pwrite(fd, zero, sizeof zero, at) != (ssize_t)sizeof zero)
            return false;
    return true;
}

static void size_note(uint64_t end)
{
    uint64_t seen = atomic_load_explicit(&pp_file.bytes, memory_order_relaxed);
    while (seen < end && !atomic_compare_exchange_weak_explicit(&pp_file.bytes, &seen, end, memory_order_release,
                                                                memory_order_relaxed)) {}
}

void *pp_file_map(uint64_t offset, uint64_t bytes)
{
    bool opened;
    int fd = pp_file_descriptor(&opened);
    if (fd < 0)
        return NULL;
    void *p = MAP_FAILED;
    if (!atomic_load_explicit(&pp_file_is_lost, memory_order_relaxed) && pp_file_blocks(fd, offset, bytes)) {
        size_note(offset + bytes);
        p = pp_map(NULL, bytes, MAP_SHARED, fd, (off_t)offset);
    }
    if (opened)
        pp_close(fd);
    return p == MAP_FAILED ? NULL : p;
}

static bool piece_take(struct pp_piece *piece, struct pp_extent *extent)
{
    uint64_t used = atomic_load_explicit(&piece->used, memory_order_relaxed);
    do
        if (used + extent->size > piece->size)
            return false;
    while (!atomic_compare_exchange_weak_explicit(&piece->used, &used, used + extent->size, memory_order_relaxed,
                                                  memory_order_relaxed));
    extent->offset = piece->offset + used;
    extent->address = piece->address + used;
    return true;
}

/* A range behind what is claimed; its memory is booked. NULL: the file has no room, and the memory is given back. */
static void *range_claim(uint64_t bytes, uint64_t *offset)
{
    _Atomic uint64_t *end = (_Atomic uint64_t *)&pp_run.header->file_end;
    void *range = NULL;
    if (!pp_forbids(PP_FORBIDDEN_FILE) &&
        atomic_load_explicit(end, memory_order_relaxed) + bytes <= pp_run.options.max_file_bytes &&
        pp_total_take(bytes)) {
        *offset = atomic_fetch_add_explicit(end, bytes, memory_order_relaxed);
        range = pp_file_map(*offset, bytes);
    }
    if (!range)
        pp_memory_give(bytes);
    return range;
}

/* The second is smaller, since most files end there, and the third takes a page, which a sample adds. A program that
 * needs several pages at once has many functions and soon needs more, so it gets larger pieces. Where there is no room
 * for a piece there may be some for an extent: then this was the last. */
static void piece_add(uint64_t needed)
{
    unsigned count = atomic_load_explicit(&pp_file.pieces, memory_order_relaxed);
    struct pp_piece *next = pp_file_piece + count;
    bool several = needed > pp_run.page_bytes;
    uint64_t size = pp_file_pages(count == 1   ? several ? PP_FILE_PIECE / 4 * 3 : PP_FILE_PIECE / 4
                                  : count == 2 ? several ? PP_FILE_PIECE / 8 * 5 : 1
                                  : count == 3 ? PP_FILE_PIECE / 2
                                               : PP_FILE_PIECE);
    next->used = 0;
    next->address = pp_memory_fits(size) ? range_claim(size, &next->offset) : NULL;
    next->size = next->address ? size : 0;
    atomic_store_explicit(&pp_file.pieces, next->address ? count + 1 : PP_FILE_PIECES,
                          memory_order_release); /* partner: piece_claim */
}

/* Takes the extent from a piece. False: it is large, or there is no more. A signal's handler and other threads do not
 * wait for a piece that is on its way. */
static bool piece_claim(struct pp_extent *extent)
{
    for (;;) {
        unsigned count = atomic_load_explicit(&pp_file.pieces, memory_order_acquire);
        if (count && piece_take(&pp_file_piece[count - 1], extent))
            return true;
        if (count == PP_FILE_PIECES || extent->size > PP_FILE_PIECE / 4 || atomic_exchange(&pp_file.growing, true))
            return false;
        if (atomic_load_explicit(&pp_file.pieces, memory_order_relaxed) == count)
            piece_add(extent->size);
        atomic_store_explicit(&pp_file.growing, false, memory_order_release);
    }
}

bool pp_extent_claim(struct pp_extent *extent, uint64_t bytes)
{
    int saved_errno = errno;
    *extent = (struct pp_extent){ .size = pp_file_pages(bytes) };
    if (pp_run.header && !pp_file.broken && !atomic_load_explicit(&pp_file_is_lost, memory_order_relaxed) &&
        !piece_claim(extent)) {
        uint64_t offset;
        if (!pp_memory_fits(extent->size)) { /* it is not the disk that refuses */
            pp_loss(PP_LOSS_MEMORY, 1);
            errno = saved_errno;
            return false;
        }
        extent->address = range_claim(extent->size, &offset);
        if (extent->address)
            extent->offset = offset;
    }
    if (!extent->address) {
        pp_loss(PP_LOSS_DISK, 1);
        extent->address = pp_memory(extent->size);
    }
    errno = saved_errno;
    return extent->address;
}

static struct pp_mirror *mirror_next(struct pp_mirror *m)
{
    struct pp_mirror *next = atomic_load_explicit(&m->next, memory_order_acquire);
    if (next)
        return next;
    struct pp_mirror *made = pp_memory(sizeof *made);
    struct pp_extent chunk;
    if (!made || !pp_extent_claim(&chunk, PP_DIRECTORY_SIZE))
        return NULL;
    made->directory = chunk.address;
    made->own = chunk;
    if (atomic_compare_exchange_strong_explicit(&m->next, &next, made, memory_order_acq_rel, memory_order_acquire)) {
        if (chunk.offset) /* else the disk is full, and readers find nothing that follows */
            atomic_store_explicit((_Atomic uint64_t *)&m->directory->next, chunk.offset,
                                  memory_order_release); /* partner: reader */
        return made;
    }
    pp_unmap(made, sizeof *made); /* another thread was first; the claimed part of the file stays unused */
    pp_unmap(chunk.address, chunk.size);
    return next;
}

void pp_extent_publish(const struct pp_extent *extent, enum pp_extent_kind kind, uint32_t thread)
{
    bool left = thread == PP_EXTENT_LEFT;
    thread = left ? 0 : thread;
    for (struct pp_mirror *m = &pp_file_first; m; m = mirror_next(m)) {
        uint32_t i = atomic_fetch_add_explicit(&m->count, 1, memory_order_relaxed);
        if (i >= PP_DIRECTORY_ENTRIES) {
            atomic_store_explicit(&m->count, PP_DIRECTORY_ENTRIES, memory_order_relaxed);
            continue;
        }
        m->entry[i].extent = *extent;
        m->entry[i].thread = thread;
        m->entry[i].left = left;
        atomic_store_explicit((_Atomic uint32_t *)&m->entry[i].kind, (uint32_t)kind,
                              memory_order_release); /* partner: pp_extent_each */
        struct pp_directory_entry *e = &m->directory->entry[i];
        if (extent->offset) {
            e->offset = extent->offset;
            e->size = extent->size;
            e->thread = thread;
            _Atomic uint32_t *count = (_Atomic uint32_t *)&m->directory->count;
            uint32_t seen = atomic_load_explicit(count, memory_order_relaxed);
            while (seen < i + 1 && !atomic_compare_exchange_weak_explicit(count, &seen, i + 1, memory_order_relaxed,
                                                                          memory_order_relaxed)) {}
            atomic_store_explicit((_Atomic uint32_t *)&e->kind, (uint32_t)kind,
                                  memory_order_release); /* partner: reader */
        }
        return;
    }
    pp_loss(PP_LOSS_DISK, 1);
}

void pp_extent_withdraw(const struct pp_mapped *mapped)
{
    for (struct pp_mirror *m = &pp_file_first; m; m = atomic_load_explicit(&m->next, memory_order_acquire))
        if (mapped >= m->entry && mapped < m->entry + PP_DIRECTORY_ENTRIES) {
            m->entry[mapped - m->entry].kind = PP_EXTENT_NONE;
            m->directory->entry[mapped - m->entry].kind = PP_EXTENT_NONE;
        }
}

void pp_extent_each(void (*visit)(const struct pp_mapped *mapped, void *context), void *context)
{
    for (struct pp_mirror *m = &pp_file_first; m; m = atomic_load_explicit(&m->next, memory_order_acquire))
        for (uint32_t i = 0; i < PP_DIRECTORY_ENTRIES; i++)
            if (atomic_load_explicit((_Atomic uint32_t *)&m->entry[i].kind, memory_order_acquire))
                visit(&m->entry[i], context);
}

static bool holds(const struct pp_extent *e, uint64_t address)
{
    return (e->offset || e == &pp_file_first.own) && address - (uint64_t)(uintptr_t)e->address < e->size;
}

bool pp_file_holds(uint64_t address)
{
    for (size_t i = 0; i < PP_FILE_PIECES; i++)
        if (address - (uint64_t)(uintptr_t)pp_file_piece[i].address < pp_file_piece[i].size)
            return true;
    for (struct pp_mirror *m = &pp_file_first; m; m = atomic_load_explicit(&m->next, memory_order_acquire)) {
        if (holds(&m->own, address))
            return true;
        for (uint32_t i = 0; i < PP_DIRECTORY_ENTRIES; i++)
            if (atomic_load_explicit((_Atomic uint32_t *)&m->entry[i].kind, memory_order_acquire) &&
                holds(&m->entry[i].extent, address))
                return true;
    }
    return false;
}
