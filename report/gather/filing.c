/* SPDX-License-Identifier: MIT */
/* filing.c: writes the sums as a data file. See gathering.h. */
#include "gather/gathering.h"

#include <stdlib.h>
#include <string.h>

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_part(const struct gather *g, const char *path)
{
    for (size_t i = 0; i < g->part_count; i++)
        if (strcmp(base_name(g->part[i].path), base_name(path)) == 0)
            return true;
    return false;
}

static void records_write(struct gather *g)
{
    struct writer *w = g->writer;
    size_t arguments = 0;
    for (size_t i = 0; i < g->text_count; i++) {
        const struct gathered_text *t = &g->text[i];
        bool common = t->kind == PP_RECORD_ARGUMENT ? !g->arguments_differ || !arguments++ : t->files == g->added;
        if (common)
            writer_record(w, t->kind, NULL, 0, &t->text, 1);
    }
    for (size_t i = 0; i < g->module_count; i++) {
        const struct profile_module *m = &g->module[i];
        struct pp_module head = { .id = m->id,
                                  .build_id_size = m->build_id_size,
                                  .low = m->low,
                                  .high = m->high,
                                  .bias = m->bias,
                                  .instrumented = m->instrumented,
                                  .runtime = m->runtime };
        memcpy(head.build_id, m->build_id, sizeof head.build_id);
        writer_record(w, PP_RECORD_MODULE, &head, sizeof head, &m->path, 1);
    }
    for (size_t i = 0; i < g->place_count; i++) {
        const struct profile_site *s = &g->place[i];
        struct pp_place head = { .key = s->key, .kind = s->kind, .category = s->category, .line = s->line };
        writer_record(w, PP_RECORD_PLACE, &head, sizeof head, (const char *[]){ s->stage, s->name, s->file }, 3);
    }
    for (size_t i = 0; i < g->target_count; i++) {
        struct pp_target head = { g->target[i].id, g->target[i].kind };
        writer_record(w, PP_RECORD_TARGET, &head, sizeof head, &g->target[i].name, 1);
    }
    for (size_t i = 0; i < g->number_count; i++) {
        struct pp_number head = { g->number[i].id, g->number[i].kind };
        writer_record(w, PP_RECORD_NUMBER, &head, sizeof head, &g->number[i].name, 1);
    }
    for (size_t i = 0; i < g->child_count; i++) {
        struct pp_child head = { .pid = g->child[i].pid };
        if (!is_part(g, g->child[i].path))
            writer_record(w, PP_RECORD_CHILD, &head, sizeof head, &g->child[i].path, 1);
    }
    for (size_t i = 0; i < g->part_count; i++)
        writer_record(w, PP_RECORD_PART, &g->part[i].head, sizeof g->part[i].head, &g->part[i].path, 1);
    writer_records(w);
}

static void sites_write(struct gather *g)
{
    for (size_t i = 0; i < g->object_count; i++) {
        const struct gathered_object *o = &g->object[i];
        uint64_t sites = o->head.site_count * sizeof *o->site;
        writer_begin(g->writer, PP_EXTENT_SITES, 0, sizeof o->head + sites + o->head.strings_size);
        writer_put(g->writer, &o->head, sizeof o->head);
        writer_put(g->writer, o->site, sites);
        writer_put(g->writer, o->strings, o->head.strings_size);
    }
}

static void lines_write(struct gather *g)
{
    struct pp_lines head = { .bytes = 0 };
    for (size_t i = 0; i < g->record_count; i++)
        head.bytes += sizeof(struct pp_line_record) + (g->record[i].bytes + 7) / 8 * 8;
    if (head.bytes) {
        unsigned char *all = memory_zeroed(1, head.bytes), *at = all;
        for (size_t i = 0; i < g->record_count; i++) {
            const struct gathered_record *r = &g->record[i];
            struct pp_line_record one = { r->kind, (uint32_t)(sizeof one + (r->bytes + 7) / 8 * 8), r->id };
            memcpy(at, &one, sizeof one);
            memcpy(at + sizeof one, r->payload, r->bytes);
            at += one.size;
        }
        writer_extent(g->writer, PP_EXTENT_LINES, 0, &head, sizeof head, all, head.bytes);
        free(all);
    }
    struct pp_hits hits = { .last_key = (uint32_t)g->key_count - 1, .count = (uint32_t)g->use_count };
    struct pp_line_use *use = memory_zeroed(g->use_count + 1, sizeof *use);
    for (size_t i = 0; i < g->use_count; i++)
        use[i] = (struct pp_line_use){ g->use[i].id, hits.last_key - (uint32_t)g->use[i].key, g->use[i].counters };
    if (g->use_count)
        writer_extent(g->writer, PP_EXTENT_HITS, 0, &hits, sizeof hits, use, g->use_count * sizeof *use);
    free(use);
    struct pp_counters counters = { .count = g->counter_capacity };
    if (g->counter_capacity)
        writer_extent(g->writer, PP_EXTENT_COUNTERS, 0, &counters, sizeof counters, g->counter,
                      g->counter_capacity * sizeof *g->counter);
}

static int tallies_by_number(const void *a, const void *b)
{
    const struct profile_tally *x = a, *y = b;
    return x->stage != y->stage ? (x->stage < y->stage ? -1 : 1) : x->number < y->number ? -1 : x->number > y->number;
}

/* One number an extent if they are not neighbours; a page each, as the runtime has it. */
static void tallies_write(struct gather *g, struct gathered_block *b, uint32_t id)
{
    if (b->tally_count)
        qsort(b->tally, b->tally_count, sizeof *b->tally, tallies_by_number);
    for (size_t i = 0, end; i < b->tally_count; i = end) {
        struct pp_tallies head = { .stage = b->tally[i].stage, .first = b->tally[i].number };
        struct pp_tally row[PP_TALLIES] = { { 0 } };
        for (end = i; end < b->tally_count && b->tally[end].stage == head.stage &&
                      b->tally[end].number - head.first < PP_TALLIES;
             end++) {
            row[b->tally[end].number - head.first] = b->tally[end].tally;
            head.count = b->tally[end].number - head.first + 1;
        }
        writer_extent(g->writer, PP_EXTENT_TALLIES, id, &head, sizeof head, row, head.count * sizeof *row);
    }
}

static void block_write(struct gather *g, struct gathered_block *b, uint32_t id)
{
    struct writer *w = g->writer;
    struct pp_thread thread = { .id = id, .row = b->row == UINT32_MAX ? (uint32_t)g->row_count : b->row };
    if (id)
        writer_extent(w, PP_EXTENT_THREAD, id, &thread, sizeof thread, NULL, 0);
    struct pp_nodes nodes = { .capacity = (uint32_t)b->node_count, .used = (uint32_t)b->node_count };
    if (b->node_count)
        writer_extent(w, PP_EXTENT_NODES, id, &nodes, sizeof nodes, b->node, b->node_count * sizeof *b->node);
    struct pp_stages stages = { .capacity = (uint32_t)b->stage_count, .used = (uint32_t)b->stage_count };
    if (b->stage_count) {
        writer_begin(w, PP_EXTENT_STAGES, id, sizeof stages + b->stage_count * sizeof **b->stage);
        writer_put(w, &stages, sizeof stages);
        for (size_t i = 0; i < b->stage_count; i++)
            writer_put(w, b->stage[i], sizeof **b->stage);
    }
    struct pp_samples samples = { .capacity = (uint32_t)b->sample_count, .used = (uint32_t)b->sample_count };
    if (b->sample_count)
        writer_extent(w, PP_EXTENT_SAMPLES, id, &samples, sizeof samples, b->sample,
                      b->sample_count * sizeof *b->sample);
    struct pp_blocked_table stalls = { .capacity = (uint32_t)b->stall_count, .used = (uint32_t)b->stall_count };
    if (b->stall_count)
        writer_extent(w, PP_EXTENT_BLOCKED, id, &stalls, sizeof stalls, b->stall, b->stall_count * sizeof *b->stall);
    struct pp_paths paths = { .capacity = (uint32_t)b->path_count, .used = (uint32_t)b->path_count };
    if (b->path_count)
        writer_extent(w, PP_EXTENT_PATHS, id, &paths, sizeof paths, b->path, b->path_count * sizeof *b->path);
    struct pp_operations operations = { .capacity = (uint32_t)b->operation_count,
                                        .used = (uint32_t)b->operation_count };
    if (b->operation_count)
        writer_extent(w, PP_EXTENT_OPERATIONS, id, &operations, sizeof operations, b->operation,
                      b->operation_count * sizeof *b->operation);
    tallies_write(g, b, id);
}

static void callsites_write(struct gather *g)
{
    struct pp_callsites points = { .capacity = (uint32_t)g->point_count,
                                   .peak_turn = g->has_peak ? 2 : 0,
                                   .peak_bytes = g->has_peak ? (uint64_t)g->peak_bytes : 0 };
    if (g->point_count)
        writer_extent(g->writer, PP_EXTENT_CALLSITES, 0, &points, sizeof points, g->point,
                      g->point_count * sizeof *g->point);
    size_t sums = g->sum_capacity < g->point_count + 1 ? g->sum_capacity : g->point_count + 1;
    bool any = false;
    for (size_t i = 0; i < sums; i++)
        any = any || g->sum[i].alloc_blocks || g->sum[i].free_blocks || g->sum[i].free_bytes;
    struct pp_blocks blocks = { .count = (uint32_t)sums };
    if (any)
        writer_extent(g->writer, PP_EXTENT_BLOCKS, 0, &blocks, sizeof blocks, g->sum, sums * sizeof *g->sum);
    for (size_t i = 0; i < g->answers_count; i++) {
        struct pp_answers head = { .target = g->answers[i].target, .kind = g->answers[i].kind };
        writer_extent(g->writer, PP_EXTENT_ANSWERS, 0, &head, offsetof(struct pp_answers, histogram),
                      g->answers[i].histogram, sizeof head.histogram);
    }
}

bool gather_write(struct gather *g, const char *path)
{
    g->writer = writer_open(path);
    if (!g->writer)
        return false;
    g->header.key_count = (uint32_t)g->key_count;
    records_write(g);
    sites_write(g);
    struct pp_thread_rows rows = { .count = (uint32_t)g->thread_seen, .capacity = (uint32_t)g->row_count };
    writer_extent(g->writer, PP_EXTENT_THREADS, 0, &rows, sizeof rows, g->row, g->row_count * sizeof *g->row);
    for (size_t i = 0; i < g->block_count; i++)
        block_write(g, &g->block[i], (uint32_t)i);
    callsites_write(g);
    lines_write(g);
    return writer_finish(g->writer, &g->header);
}
