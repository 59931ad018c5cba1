/* SPDX-License-Identifier: MIT */
/* sites.c: objects' tables of sites, and the counters of their keys. See sites.h. */
#include "read/sites.h"

#include <stdlib.h>

/* A string of the table; NULL if the offset is beyond it. */
static const char *table_string(const char *strings, uint32_t size, uint32_t offset)
{
    return offset < size ? strings + offset : NULL;
}

uint32_t slot_key(uint32_t last_key, uint32_t slot) { return last_key - slot; }

static bool site_take(struct cursor *c, struct profile *p, const struct pp_sites *head, const struct pp_site *from,
                      const char *strings, const char *directory, const char *unit, const char *compiler,
                      uint64_t offset)
{
    const char *name = table_string(strings, head->strings_size, from->name);
    const char *symbol = table_string(strings, head->strings_size, from->symbol);
    const char *file = table_string(strings, head->strings_size, from->file);
    const char *stage = table_string(strings, head->strings_size, from->stage);
    if (!name || !symbol || !file || !stage)
        return cursor_fail(c, offset, "a site's string at %u, expected an offset below %u",
                           !name     ? from->name
                           : !symbol ? from->symbol
                           : !file   ? from->file
                                     : from->stage,
                           head->strings_size);
    bool counted = from->mode != PP_MODE_LEFT_OUT;
    if (counted && (from->slot >= head->slot_count || from->slot >= head->last_key))
        return cursor_fail(c, offset, "a site with slot %u, expected below %u", from->slot,
                           head->slot_count < head->last_key ? head->slot_count : head->last_key);
    *ARRAY_PUSH(p->site, p->site_count, p->site_capacity) =
        (struct profile_site){ .key = counted ? slot_key(head->last_key, from->slot) : 0,
                               .kind = from->kind,
                               .mode = from->mode,
                               .category = from->category,
                               .reason = from->reason,
                               .line = from->line,
                               .statements = from->statements,
                               .module = head->module,
                               .name = name,
                               .symbol = symbol,
                               .file = file,
                               .directory = directory,
                               .stage = stage,
                               .title = stage[0] ? stage : name,
                               .unit = unit,
                               .compiler = compiler };
    return true;
}

/* The table at `offset`, which has `room` bytes at most; *next: bytes to the one after it. */
static bool table_take(struct cursor *c, uint64_t offset, uint64_t room, struct profile *p, uint64_t *next)
{
    struct pp_sites head;
    if (!cursor_copy(c, &head, offset, sizeof head, "a site table"))
        return false;
    uint64_t sites = (uint64_t)head.site_count * sizeof(struct pp_site);
    if (!cursor_fits(room, sizeof head, sites + head.strings_size, 1))
        return cursor_fail(c, offset, "%u sites and %u bytes of strings, expected them within %llu bytes",
                           head.site_count, head.strings_size, (unsigned long long)room);
    if (!table_next(c, offset, head.next, sizeof head + sites + head.strings_size, room))
        return false;
    *next = head.next;
    head.next = 0; /* a merged file has each table in an extent of its own */
    if (!cursor_hold(c, offset, sites + head.strings_size, "a site table"))
        return false;
    struct pp_site *site = arena_take(&p->arena, sites + 1);
    char *strings = arena_take(&p->arena, (size_t)head.strings_size + 1);
    if (!cursor_copy(c, site, offset + sizeof head, sites, "a site table") ||
        !cursor_copy(c, strings, offset + sizeof head + sites, head.strings_size, "a site table's strings"))
        return false;
    if (head.strings_size == 0 || strings[head.strings_size - 1] != 0)
        return cursor_fail(c, offset + sizeof head + sites, "a string table of %u bytes, expected it to end in 0",
                           head.strings_size);
    const char *directory = table_string(strings, head.strings_size, head.directory);
    const char *unit = table_string(strings, head.strings_size, head.unit);
    const char *compiler = table_string(strings, head.strings_size, head.compiler);
    if (!directory || !unit || !compiler)
        return cursor_fail(c, offset, "a site table's string at %u, expected an offset below %u",
                           !directory ? head.directory
                           : !unit    ? head.unit
                                      : head.compiler,
                           head.strings_size);
    *ARRAY_PUSH(p->object, p->object_count, p->object_capacity) = (struct profile_object){ head, site, strings };
    for (uint32_t i = 0; i < head.site_count; i++)
        if (!site_take(c, p, &head, &site[i], strings, directory, unit, compiler,
                       offset + sizeof head + i * sizeof *site))
            return false;
    return true;
}

bool sites_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    for (uint64_t at = 0, next = 1; next; at += next)
        if (!table_take(c, e->offset + at, e->size - at, p, &next))
            return false;
    return true;
}

/* ---- counters ---- */

static bool counter_take(struct cursor *c, struct profile *p, const struct extent *e, const struct row *row)
{
    const uint64_t *count = row->bytes;
    (void)c, (void)e;
    if (*count)
        *ARRAY_PUSH(p->counter, p->counter_count, p->counter_capacity) = (struct profile_counter){ row->index, *count };
    return true;
}

bool counters_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_counters head;
    if (!cursor_copy(c, &head, e->offset, sizeof head, "a counter table"))
        return false;
    if (!extent_fits(e, head.count))
        return cursor_fail(c, e->offset, "%llu counters, expected at most %llu", (unsigned long long)head.count,
                           (unsigned long long)extent_most(e));
    return rows_visit(c, p, e, head.count, "a counter table", counter_take);
}

/* A framed site has two counters, whose sum is its number of calls. Both get the site's key. */
void counters_settle(struct profile *p)
{
    uint64_t top = 0;
    for (size_t i = 0; i < p->counter_count; i++)
        top = p->counter[i].key > top ? p->counter[i].key : top;
    unsigned char *is_second = memory_zeroed((size_t)top + 1, 1);
    for (size_t i = 0; i < p->site_count; i++)
        if (p->site[i].mode == PP_MODE_FRAMED && p->site[i].key && p->site[i].key - 1 <= top)
            is_second[p->site[i].key - 1] = 1;
    for (size_t i = 0; i < p->counter_count; i++)
        p->counter[i].key += is_second[p->counter[i].key];
    free(is_second);
}
