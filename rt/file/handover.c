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
#include <errno.h>
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
    return snapshot.thread && m->thread == snapshot.thread && m->extent.offset &&
           (m->kind == PP_EXTENT_THREAD || m->kind == PP_EXTENT_NODES || m->kind == PP_EXTENT_STAGES ||
            m->kind == PP_EXTENT_FRAMES);
}

static void snapshot_measure(const struct pp_mapped *m, void *unused)
{
    (void)unused;
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

static void snapshot_take(uint32_t thread)
{
    snapshot.thread = thread;
    snapshot.bytes = 0;
    pp_extent_each(snapshot_measure, NULL);
    if (snapshot.bytes > snapshot.room) {
        pp_unmap(snapshot.at, snapshot.room); /* of no bytes at first: then it does nothing */
        pp_memory_give(snapshot.room);
        snapshot.at = pp_memory(snapshot.bytes * 2);
        snapshot.room = snapshot.at ? snapshot.bytes * 2 : 0;
    }
    char *at = snapshot.at;
    if (at)
        pp_extent_each(snapshot_copy, &at);
    else
        snapshot.thread = 0;
}

/* Where the child says in the parent's file who it is, until it leaves that to its parent. */
static struct pp_child *told;
static uint32_t told_room;

void pp_file_fork_prepare(uint32_t path_room, uint32_t thread)
{
    snapshot_take(thread);
    pp_records_lock();
    pp_file_number++; /* the names of children before this one are taken */
    uint32_t size = (uint32_t)sizeof(struct pp_child) + path_room;
    struct pp_record *record = pp_record_reserve(PP_RECORD_CHILD, size);
    told = NULL;
    if (!record) {
        pp_loss(PP_LOSS_RECORDS, 1);
        return;
    }
    memset(record + 1, 0, size);
    pp_record_commit(record);
    told = (struct pp_child *)(record + 1);
    told_room = path_room;
}

void pp_file_fork_done(void) { pp_records_unlock(); }

struct move {
    int fd;
    bool failed;
    uint64_t end;
    const char *own; /* in the snapshot, of the next extent that is there */
};
typedef void visitor(const struct pp_extent *e, const char *content, struct move *m);

static void measure(const struct pp_extent *e, const char *content, struct move *m)
{
    (void)content;
    if (e->offset + e->size > m->end)
        m->end = e->offset + e->size;
}

/* What is written has its disk blocks, so that a store to the mapping later needs none. */
static void copy_out(const struct pp_extent *e, const char *content, struct move *m)
{
    for (uint64_t done = 0; !m->failed && done < e->size;) {
        ssize_t put = pp_pwrite(m->fd, content + done, e->size - done, e->offset + done);
        m->failed = put <= 0;
        done += (uint64_t)put;
    }
}

/* Maps the new file at the extent's address, or else private memory with the same bytes. */
static void map_over(const struct pp_extent *e, const char *content, struct move *m)
{
    if (!m->failed) {
        if (pp_map(e->address, e->size, MAP_SHARED | MAP_FIXED, m->fd, (off_t)e->offset) != MAP_FAILED)
            return;
        pp_loss(PP_LOSS_DISK, 1);
    }
    void *copy = pp_map(0, e->size, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED)
        return; /* without memory, the child writes into the parent's page */
    memcpy(copy, content, e->size);
    pp_remap(copy, e->size, e->size, MREMAP_MAYMOVE | MREMAP_FIXED, e->address);
}

/* Visits what the parent's file backs and the child takes along. */
static void each_taken(visitor *visit, struct move *m)
{
    m->own = snapshot.at;
    for (struct pp_mirror *c = &pp_file_first; c; c = atomic_load(&c->next)) {
        if (c->own.offset || c == &pp_file_first)
            visit(&c->own, c->own.address, m);
        for (uint32_t i = 0; i < PP_DIRECTORY_ENTRIES; i++) {
            const struct pp_mapped *mapped = &c->entry[i];
            const char *content = mapped->extent.address;
            if (!mapped->kind || mapped->left || !mapped->extent.offset)
                continue;
            if (is_own(mapped)) {
                content = m->own;
                m->own += mapped->extent.size;
            }
            visit(&mapped->extent, content, m);
        }
    }
}

/* The copied directory lists neither what the child leaves nor what the parent's other threads published meanwhile. */
static void directory_settle(void)
{
    for (struct pp_mirror *c = &pp_file_first; c; c = atomic_load(&c->next)) {
        struct pp_mirror *next = atomic_load(&c->next);
        c->directory->next = next ? next->own.offset : 0;
        for (uint32_t i = 0; i < PP_DIRECTORY_ENTRIES; i++)
            if (!c->entry[i].kind || c->entry[i].left)
                c->directory->entry[i].kind = PP_EXTENT_NONE;
    }
}

static void leave_behind(const struct pp_mapped *m, void *unused)
{
    (void)unused;
    if (!m->left)
        return;
    pp_unmap(m->extent.address, m->extent.size);
    pp_extent_withdraw(m);
}

bool pp_file_fork_named(uint32_t pid, bool *first)
{
    bool named = !pp_file.broken && (!pp_file.unnamed || pp_file_name(pp_run.path, pp_file.fd) >= 0);
    pp_file.unnamed = false;
    if (named && told && strlen(pp_run.path) < told_room) {
        strcpy(told->path, pp_run.path);
        atomic_store_explicit((_Atomic uint32_t *)&told->pid, pid, memory_order_release); /* partner: reader */
    }
    int why = pp_file.broken ? pp_file.broken : errno;
    *first = !named && why != PP_FILE_COUNTED && pp_records_fileless();
    pp_records_fork_child();
    pp_extent_each(leave_behind, NULL);
    errno = why;
    return named;
}

void pp_file_fork_child(void)
{
    int parent_fd = pp_file_is_ours(pp_file.fd) ? pp_file.fd : -1;
    struct move m = { .fd = pp_run.path[0] ? pp_file_new(pp_run.path, &pp_file.unnamed) : -1 };
    each_taken(measure, &m);
    /* The last page first: what limits the size of files would end the child at a write. */
    m.failed = m.fd < 0 || !pp_total_leaves(m.fd) || !pp_total_process(m.end) ||
               !pp_file_blocks(m.fd, m.end - pp_run.page_bytes, pp_run.page_bytes);
    int why = errno;
    each_taken(copy_out, &m);
    each_taken(map_over, &m);
    for (size_t i = 0; i < PP_FILE_PIECES; i++)
        pp_file_piece[i].size = 0; /* what no extent took of it still maps the parent's file */
    pp_file.pieces = 0;
    pp_file.growing = false;
    if (parent_fd >= 0)
        pp_close(parent_fd);
    pp_file.fd = -1;
    if (m.failed) {
        pp_file.broken = why;
        if (m.fd >= 0) {
            pp_close(m.fd);
            if (!pp_file.unnamed)
                pp_unlink(pp_run.path);
        }
        return;
    }
    pp_file_remember(m.fd);
    pp_file.broken = 0;
    atomic_store_explicit(&pp_file.bytes, m.end, memory_order_relaxed);
    pp_run.header->file_end = m.end;
    directory_settle();
}
