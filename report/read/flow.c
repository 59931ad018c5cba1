/* SPDX-License-Identifier: MIT */
/* flow.c: makes checked flow graphs of line records. See flow.h. It must not know what follows from a graph. */
#include "read/flow.h"

#include <stdlib.h>

#include <profplug/abi/line.h>

#include "read/sites.h"

struct payload {
    const unsigned char *at, *end;
    bool good;
};

static uint64_t number_take(struct payload *p)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (p->at == p->end)
            break;
        unsigned char byte = *p->at++;
        value |= (uint64_t)(byte & 127) << shift;
        if (!(byte & 128))
            return value;
    }
    p->good = false;
    return 0;
}

/* Reads a number that must be less than `end`. */
static uint32_t index_take(struct payload *p, uint64_t end)
{
    uint64_t value = number_take(p);
    p->good = p->good && value < end;
    return p->good ? (uint32_t)value : 0;
}

/* Reads how many elements follow, of at least `least` bytes each. */
static uint32_t count_take(struct payload *p, uint64_t least)
{
    uint64_t count = number_take(p);
    p->good = p->good && count <= (uint64_t)(p->end - p->at) / least;
    return p->good ? (uint32_t)count : 0;
}

static void edges_take(struct payload *p, struct profile_flow *flow)
{
    size_t capacity = 0;
    for (uint32_t block = 0; p->good && block < flow->block_count; block++)
        for (uint32_t left = count_take(p, 2); p->good && left; left--) {
            struct profile_edge *e = ARRAY_PUSH(flow->edge, flow->edge_count, capacity);
            e->from = block;
            e->to = index_take(p, flow->block_count);
            e->counter = index_take(p, (uint64_t)flow->counter_count + 2);
            e->again = e->counter == flow->counter_count + 1;
            e->counter = e->again ? 0 : e->counter;
        }
}

static void source_lines_take(struct payload *p, struct profile_flow *flow)
{
    size_t capacity = 0;
    for (uint32_t block = 0; p->good && block < flow->block_count; block++) {
        int64_t line = 0;
        for (uint32_t left = count_take(p, 2); p->good && left; left--) {
            struct profile_place *to = ARRAY_PUSH(flow->place, flow->place_count, capacity);
            to->block = block;
            to->file = index_take(p, flow->file_count);
            uint64_t change = number_take(p);
            line += change & 1 ? -(int64_t)(change >> 1) - 1 : (int64_t)(change >> 1);
            p->good = p->good && change <= UINT32_MAX && line >= 0 && line <= INT32_MAX;
            to->line = p->good ? (uint32_t)line : 0;
        }
        /* The block belongs to the highest line of its last file. So the third part of a for, at the end of the body,
         * does not take the body's line. */
        size_t main_place = flow->place_count;
        for (size_t i = flow->place_count; i-- > 0 && flow->place[i].block == block &&
                                           flow->place[i].file == flow->place[flow->place_count - 1].file;)
            if (main_place == flow->place_count || flow->place[i].line > flow->place[main_place].line)
                main_place = i;
        if (main_place < flow->place_count)
            flow->place[main_place].is_main = true;
    }
}

bool flow_read(struct arena *arena, struct profile_flow *flow, const unsigned char *payload, uint64_t bytes)
{
    struct payload p = { payload, payload + bytes, true };
    const unsigned char *symbol_end = memchr(payload, 0, bytes);
    if (!symbol_end)
        return false;
    flow->symbol = arena_copy(arena, (const char *)payload);
    p.at = symbol_end + 1;
    uint64_t counters = number_take(&p);
    flow->counter_count = (uint32_t)(counters < bytes ? counters : 0);
    flow->block_count = count_take(&p, 1);
    flow->file_count = count_take(&p, 8);
    flow->file = arena_take(arena, flow->file_count * sizeof *flow->file);
    for (uint32_t i = 0; i < flow->file_count; i++, p.at += 8)
        for (unsigned k = 0; k < 8; k++)
            flow->file[i] |= (uint64_t)p.at[k] << 8 * k;
    edges_take(&p, flow);
    source_lines_take(&p, flow);
    return p.good && flow->block_count && counters == flow->counter_count;
}

static bool record_take(struct cursor *c, struct profile *p, const struct pp_line_record *r,
                        const unsigned char *payload, uint64_t bytes, uint64_t offset)
{
    if (r->kind == PP_LINE_FILE) {
        if (!memchr(payload, 0, bytes))
            return cursor_fail(c, offset, "a source file's path of %llu bytes without its terminator",
                               (unsigned long long)bytes);
        *ARRAY_PUSH(p->line_file, p->line_file_count, p->line_file_capacity) =
            (struct profile_line_file){ r->id, arena_copy(&p->arena, (const char *)payload) };
    } else if (r->kind == PP_LINE_FUNCTION || r->kind == PP_LINE_FOLD) {
        struct profile_flow *flow = ARRAY_PUSH(p->flow, p->flow_count, p->flow_capacity);
        flow->id = r->id;
        flow->is_fold = r->kind == PP_LINE_FOLD;
        flow->payload = payload;
        flow->payload_bytes = bytes;
        if (!flow_read(&p->arena, flow, payload, bytes))
            return cursor_fail(c, offset, "lines of a function in %llu bytes, expected a flow graph",
                               (unsigned long long)bytes);
    }
    return true;
}

bool lines_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_lines head;
    if (!cursor_copy(c, &head, e->offset, sizeof head, "records of lines"))
        return false;
    if (!cursor_fits(e->size, sizeof head, head.bytes, 1))
        return cursor_fail(c, e->offset, "%llu bytes of records of lines, expected at most %llu",
                           (unsigned long long)head.bytes, (unsigned long long)(e->size - sizeof head));
    if (!cursor_hold(c, e->offset, head.bytes, "records of lines"))
        return false;
    unsigned char *bytes = arena_take(&p->arena, head.bytes + 1); /* flows keep their part of it */
    bool good = cursor_copy(c, bytes, e->offset + sizeof head, head.bytes, "records of lines");
    for (uint64_t at = 0; good && at < head.bytes;) {
        struct pp_line_record r = { 0 };
        uint64_t offset = e->offset + sizeof head + at, left = head.bytes - at;
        if (left >= sizeof r)
            memcpy(&r, bytes + at, sizeof r);
        if (left < sizeof r || r.size < sizeof r || r.size > left || r.size % 8)
            good = cursor_fail(c, offset, "a record of lines of %u bytes, expected a multiple of 8 from %zu to %llu",
                               left < sizeof r ? 0 : r.size, sizeof r, (unsigned long long)left);
        else
            good = record_take(c, p, &r, bytes + at + sizeof r, r.size - sizeof r, offset);
        at += good ? r.size : 0;
    }
    return good;
}

/* The ranges at `offset`, which have `room` bytes at most; *next: bytes to those after them. */
static bool uses_take(struct cursor *c, uint64_t offset, uint64_t room, struct profile *p, uint64_t *next)
{
    struct pp_hits head;
    if (!cursor_copy(c, &head, offset, sizeof head, "ranges of counters of lines"))
        return false;
    uint64_t bytes = sizeof head + (uint64_t)head.count * sizeof(struct pp_line_use);
    if (bytes > room)
        return cursor_fail(c, offset, "%u ranges of counters of lines, expected them within %llu bytes", head.count,
                           (unsigned long long)room);
    if (!table_next(c, offset, head.next, bytes, room))
        return false;
    *next = head.next;
    for (uint32_t i = 0; i < head.count; i++) {
        struct pp_line_use use;
        uint64_t at = offset + sizeof head + i * sizeof use;
        if (!cursor_copy(c, &use, at, sizeof use, "ranges of counters of lines"))
            return false;
        if (use.slot >= head.last_key || !use.counters || use.counters - 1 > use.slot)
            return cursor_fail(c, at, "%u counters of lines from slot %u down, expected them below slot %u",
                               use.counters, use.slot, head.last_key);
        *ARRAY_PUSH(p->use, p->use_count, p->use_capacity) =
            (struct profile_use){ use.id, slot_key(head.last_key, use.slot), use.counters };
    }
    return true;
}

bool hits_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    for (uint64_t at = 0, next = 1; next; at += next)
        if (!uses_take(c, e->offset + at, e->size - at, p, &next))
            return false;
    return true;
}
