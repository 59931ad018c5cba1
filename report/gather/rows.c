/* SPDX-License-Identifier: MIT */
/* rows.c: threads of all files, and which of them are added up: those that have the same name, and the first ones.
 * See gathering.h. */
#include "gather/gathering.h"
#include "read/threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 1 << 16 };

static uint32_t block_named(struct gather *g, const char *name, bool first)
{
    char key[24];
    snprintf(key, sizeof key, "%d%s", first, first ? "" : name);
    uint32_t found = map_get(&g->blocks, key, strlen(key));
    if (found != MAP_FRESH)
        return found;
    bool many = g->block_count + 1 >= GATHER_BLOCKS;
    if (many) { /* the rest together */
        strcpy(key, "2");
        found = map_get(&g->blocks, key, strlen(key));
        if (found != MAP_FRESH)
            return found;
    }
    found = (uint32_t)g->block_count;
    *map_at_text(&g->blocks, key) = found;
    struct gathered_block *b = ARRAY_PUSH(g->block, g->block_count, g->block_capacity);
    b->first = first;
    b->row = UINT32_MAX;
    snprintf(b->name, sizeof b->name, "%s", name);
    return found;
}

/* Of processes and ranks that ran side by side, none is the one whose end is the end of the run. */
static bool is_first(const struct adding *a, size_t row)
{
    bool follows = a->g->as == PP_MERGE_REPEATS || a->g->as == PP_MERGE_SHARDS;
    return (follows || a->g->file_count == 1) && thread_leads(a->p, row);
}

uint32_t block_new(struct adding *a, size_t block)
{
    const struct profile_block *b = &a->p->block[block];
    bool known = b->row < a->p->thread_count;
    return block_named(a->g, known ? a->p->thread[b->row].name : "", known && thread_leads(a->p, b->row));
}

void rows_add(struct adding *a)
{
    struct gather *g = a->g;
    for (size_t i = 0; i < a->p->block_count; i++)
        if (a->p->block[i].id)
            *map_at(&a->block_of, &a->p->block[i].id, sizeof a->p->block[i].id) = block_new(a, i);
    g->thread_seen += a->p->thread_seen;
    for (size_t i = 0; i < a->p->thread_count && g->row_count < ROWS_MOST; i++) {
        struct pp_thread_row row = a->p->thread[i];
        if (!row.tid)
            continue;
        uint32_t block = number_new(&a->block_of, row.block);
        uint64_t end_ns = row.end_ns ? row.end_ns : a->now_ns;
        uint64_t start_ns = a->offset_ns + above(row.start_ns, a->start_ns);
        row.block = block;
        row.end_ns = g->header.start_ns + start_ns + above(end_ns, row.start_ns);
        row.start_ns = g->header.start_ns + start_ns;
        row.started = number_new(&a->point_of, row.started);
        row.joined = number_new(&a->point_of, row.joined);
        row.handle = is_first(a, i);
        if (g->block[block].row == UINT32_MAX)
            g->block[block].row = (uint32_t)g->row_count;
        *ARRAY_PUSH(g->row, g->row_count, g->row_capacity) = row;
    }
}
