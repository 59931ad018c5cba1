/* SPDX-License-Identifier: MIT */
/* handover.c: at a fork the child gets a data file of its own, with a copy of its parent's, at the same addresses. All
 * of this runs with every signal blocked. It must not know what the extents mean, except for the forking thread's
 * own. */
#define _GNU_SOURCE
#include "file/memory.h"
#include "file/mirror.h"
#include "file/total.h"
#include "system/state.h"
#include "system/syscall.h"
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A copy of the forking thread's block. The child cannot copy it from the file, because its thread in the parent goes
 * on writing there. The memory is kept from fork to fork. */
static struct {
    char *at;
    uint64_t bytes, room;
    uint32_t thread;
} snapshot;

static bool is_own(const struct pp_mapped *m)
{
    return snapshot.thread && m->thread == snapshot.thread &&
           (m->kind == PP_EXTENT_THREAD || m->kind == PP_EXTENT_NODES || m->kind == PP_EXTENT_STAGES ||
            m->kind == PP_EXTENT_FRAMES);
}

static void snapshot_measure(const struct pp_mapped *m, void *unused)
{
    if (is_own(m))
        snapshot.bytes += m->extent.size;
}

static void snapshot_copy(const struct pp_mapped *m, void *at)
{
    char **to = at;
    if (!is_own(m))
        return;
    memcpy(*to, m->extent.address, m->extent.size);
    *to += m->extent.size;
}

static void snapshot_restore(const struct pp_mapped *m, void *at)
{
    char **from = at;
    if (!is_own(m))
        return;
    memcpy(m->extent.address, *from, m->extent.size);
    *from += m->extent.size;
}

static void snapshot_take(uint32_t thread)
{
    snapshot.thread = thread;
    snapshot.bytes = 0;
    pp_extent_each(snapshot_measure, NULL);
    if (snapshot.bytes > snapshot.room) {
        if (snapshot.at)
            pp_unmap(snapshot.at, snapshot.room);
        snapshot.at = pp_memory(snapshot.bytes * 2);
        snapshot.room = snapshot.at ? snapshot.bytes * 2 : 0;
    }
    char *at = snapshot.at;
    if (at)
        pp_extent_each(snapshot_copy, &at);
    else
        snapshot.thread = 0;
}

struct pp_child *pp_file_fork_prepare(uint32_t path_room, uint32_t thread)
{
    snapshot_take(thread);
    pp_records_lock();
    uint32_t size = (uint32_t)sizeof(struct pp_child) + path_room;
    struct pp_record *record = pp_record_reserve(size);
    if (!record) {
        pp_loss(PP_LOSS_RECORDS, 1);
        return 0;
    }
    record->kind = PP_RECORD_CHILD;
    record->size = size;
    memset(record + 1, 0, size);
    pp_record_commit(record);
    return (struct pp_child *)(record + 1);
}

void pp_file_fork_done(void) { pp_records_unlock(); }

struct move {
    int fd;
    bool failed;
    uint64_t end;
};

static void copy_out(const struct pp_extent *e, struct move *m)
{
    if (m->failed || (!e->offset && e != &pp_file.first.own))
        return;
    if (e->offset + e->size > m->end)
        m->end = e->offset + e->size;
    if (!pp_file_blocks(m->fd, e->offset, e->size)) {
        m->failed = true;
        return;
    }
    for (uint64_t done = 0; done < e->size;) {
        ssize_t put = pp_pwrite(m->fd, (char *)e->address + done, e->size - done, e->offset + done);
        if (put <= 0) {
            m->failed = true;
            return;
        }
        done += (uint64_t)put;
    }
}

/* Maps the new file at the extent's address, or else private memory with the same bytes. */
static void map_over(struct pp_extent *e, struct move *m)
{
    if (!e->offset && e != &pp_file.first.own)
        return;
    if (!m->failed) {
        if (pp_map(e->address, e->size, MAP_SHARED | MAP_FIXED, m->fd, (off_t)e->offset) != MAP_FAILED)
            return;
        pp_loss(PP_LOSS_DISK, 1);
    }
    void *copy = pp_map(0, e->size, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED)
        return; /* without memory, the child writes into the parent's page */
    memcpy(copy, e->address, e->size);
    pp_remap(copy, e->size, e->size, MREMAP_MAYMOVE | MREMAP_FIXED, e->address);
}

static void each_own(void (*visit)(struct pp_extent *, struct move *), struct move *m)
{
    for (struct pp_mirror *c = &pp_file.first; c; c = atomic_load(&c->next)) {
        visit(&c->own, m);
        for (uint32_t i = 0; i < PP_DIRECTORY_ENTRIES; i++)
            if (c->entry[i].kind)
                visit(&c->entry[i].extent, m);
    }
}

static void copy_each(struct pp_extent *e, struct move *m) { copy_out(e, m); }

/* The record in the parent's file that describes the child. The child maps it a second time, because its own file will
 * replace the first mapping. */
static struct {
    struct pp_child *told;
    void *at;
    uint64_t bytes;
} parent;

static void parent_keep(struct pp_child *child)
{
    uint64_t page = pp_run.page_bytes, from = (uint64_t)(uintptr_t)child / page * page;
    parent.told = 0;
    if (!child)
        return;
    parent.bytes = pp_file_pages((uint64_t)(uintptr_t)child + sizeof *child + sizeof pp_run.path - from);
    parent.at = pp_remap((void *)(uintptr_t)from, 0, parent.bytes, MREMAP_MAYMOVE, 0);
    if (parent.at != MAP_FAILED) /* private memory cannot be mapped twice, and nobody reads it */
        parent.told = (struct pp_child *)((char *)parent.at + ((uint64_t)(uintptr_t)child - from));
}

static void parent_release(void)
{
    if (parent.told)
        pp_unmap(parent.at, parent.bytes);
    parent.told = 0;
}

bool pp_file_fork_named(uint32_t pid)
{
    bool named = !pp_file.broken && (!pp_file.unnamed || pp_file_name(pp_run.path, pp_file.fd) >= 0);
    pp_file.unnamed = false;
    if (named && parent.told) {
        strcpy(parent.told->path, pp_run.path);
        atomic_store_explicit((_Atomic uint32_t *)&parent.told->pid, pid, memory_order_release); /* partner: reader */
    }
    parent_release();
    return named;
}

void pp_file_fork_child(struct pp_child *child)
{
    int parent_fd = pp_file_is_ours(pp_file.fd) ? pp_file.fd : -1;
    struct move m = { pp_run.path[0] ? pp_file_new(pp_run.path, &pp_file.unnamed) : -1, false, 0 };
    m.failed = m.fd < 0 || !pp_total_process(pp_run.header->file_end);
    parent_keep(child);
    each_own(copy_each, &m);
    each_own(map_over, &m);
    pp_file.piece.size = 0; /* what no extent took of it still maps the parent's file */
    char *from = snapshot.at;
    if (snapshot.thread)
        pp_extent_each(snapshot_restore, &from);
    if (parent_fd >= 0)
        pp_close(parent_fd);
    pp_file.fd = -1;
    if (m.failed) {
        pp_file.broken = true;
        if (m.fd >= 0) {
            pp_close(m.fd);
            if (!pp_file.unnamed)
                pp_unlink(pp_run.path);
        }
        return;
    }
    pp_file_remember(m.fd);
    pp_file.broken = false;
    atomic_store_explicit(&pp_file.bytes, m.end, memory_order_relaxed);
    pp_run.header->file_end = m.end;
    /* The copied directory may list extents that the parent's other threads published after the fork. */
    for (struct pp_mirror *c = &pp_file.first; c; c = atomic_load(&c->next)) {
        struct pp_mirror *next = atomic_load(&c->next);
        c->directory->next = next ? next->own.offset : 0;
        for (uint32_t i = 0; i < PP_DIRECTORY_ENTRIES; i++)
            if (!c->entry[i].kind)
                memset(&c->directory->entry[i], 0, sizeof c->directory->entry[i]);
    }
}
