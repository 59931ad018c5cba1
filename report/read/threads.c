/* SPDX-License-Identifier: MIT */
/* threads.c: see threads.h. */
#include "read/threads.h"

#include "store/map.h"

bool threads_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_thread_rows head;
    if (!cursor_copy(c, &head, e->offset, sizeof head, "the thread table"))
        return false;
    if (!extent_fits(e, head.capacity))
        return cursor_fail(c, e->offset, "room for %u threads, expected at most %llu", head.capacity,
                           (unsigned long long)extent_most(e));
    uint64_t count = head.count < head.capacity ? head.count : head.capacity;
    if (!cursor_hold(c, e->offset, count * sizeof(struct pp_thread_row), "threads"))
        return false;
    struct pp_thread_row *row = p->thread =
        array_extended(p->thread, p->thread_count, p->thread_count + count, sizeof *row);
    if (!cursor_copy(c, row + p->thread_count, e->offset + sizeof head, count * sizeof *row, "the thread table"))
        return false;
    for (size_t i = p->thread_count; i < p->thread_count + count; i++)
        row[i].name[sizeof row[i].name - 1] = 0;
    p->thread_count += count;
    p->thread_seen += head.count;
    return true;
}

void threads_number(struct profile *p)
{
    struct map seen = { 0 };
    p->thread_id = memory_zeroed(p->thread_count + 1, sizeof *p->thread_id);
    for (size_t i = 0; i < p->thread_count; i++) {
        uint32_t *times = map_at(&seen, &p->thread[i].tid, sizeof p->thread[i].tid);
        *times = *times == MAP_FRESH ? 0 : *times + 1;
        p->thread_id[i] = (uint64_t)*times << 32 | p->thread[i].tid;
    }
    map_free(&seen);
}

bool thread_leads(const struct profile *p, size_t row)
{
    bool merged = !p->header.pid; /* it has the first threads of several processes, and they may have ended */
    return row < p->thread_count && (merged ? p->thread[row].handle == 1 : p->thread_id[row] == p->header.pid);
}

bool thread_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_thread thread, again;
    struct profile_block *b = &p->block[e->block];
    if (!cursor_copy(c, &thread, e->offset, sizeof thread, "a thread block") ||
        !cursor_copy(c, &again, e->offset, sizeof again, "a thread block"))
        return false;
    b->row = thread.row;
    for (unsigned i = 0; i < PP_UNFINISHED; i++) {
        const struct pp_unfinished *u = &thread.unfinished[i];
        if (!u->start_ns || memcmp(u, &again.unfinished[i], sizeof *u) != 0)
            continue; /* there is none, or it ended while we looked */
        if (u->kind >= PP_OPERATION_COUNT)
            return cursor_fail(c, e->offset + offsetof(struct pp_thread, unfinished) + i * sizeof *u,
                               "an unfinished operation of kind %u, expected below %u", u->kind, PP_OPERATION_COUNT);
        b->unfinished[i] = *u;
        if (u->start_ns > p->header.heartbeat_ns)
            p->header.heartbeat_ns = u->start_ns; /* the process was alive then */
    }
    return true;
}
