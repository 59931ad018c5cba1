/* SPDX-License-Identifier: MIT */
/* gather.c: see gather.h. The run as a whole. Files of one run at a time lie on
 * one clock, ranks begin together, repeats and shards follow each other. */
#include "gather/gathering.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/ancestry.h"

static uint64_t header_end_ns(const struct pp_header *h)
{
    return h->end_ns ? h->end_ns : h->heartbeat_ns > h->start_ns ? h->heartbeat_ns : h->start_ns;
}

static uint64_t header_wall_ns(const struct pp_header *h) { return above(header_end_ns(h), h->start_ns); }

static uint64_t sum_bound(uint64_t a, uint64_t b) { return b > UINT64_MAX / 4 - a ? UINT64_MAX / 4 : a + b; }

/* Of processes that one started: how that one ended, as its last image. NULL: they have no such, or several. */
static const struct pp_header *root_find(const struct gather *g)
{
    const struct pp_header *first = g->files, *root = NULL;
    for (size_t i = 0; i < g->file_count; i++)
        first = g->files[i].start_realtime_ns < first->start_realtime_ns ? &g->files[i] : first;
    for (size_t i = 0; i < g->file_count; i++) {
        const struct pp_header *h = &g->files[i];
        struct ancestry kin = ancestry_make(NULL, h);
        if (!first->pid || !ancestry_descends(&kin, first->pid))
            return NULL;
        if (h->pid == first->pid && (!root || h->start_realtime_ns > root->start_realtime_ns))
            root = h;
    }
    return root;
}

struct gather *gather_begin(enum pp_merge_as as, const struct pp_header *files, size_t count)
{
    struct gather *g = memory_zeroed(1, sizeof *g);
    uint64_t first = UINT64_MAX;
    g->as = as;
    g->files = files;
    g->file_count = count;
    g->key_count = 1; /* key 0 is none */
    g->offset_ns = memory_zeroed(count + 1, sizeof *g->offset_ns);
    for (size_t i = 0; i < count; i++)
        first = files[i].start_realtime_ns < first ? files[i].start_realtime_ns : first;
    for (size_t i = 0; i < count; i++) {
        uint64_t wall_ns = header_wall_ns(&files[i]);
        bool follows = as == PP_MERGE_REPEATS || as == PP_MERGE_SHARDS;
        g->offset_ns[i] = follows ? g->wall_ns : as == PP_MERGE_RANKS ? 0 : files[i].start_realtime_ns - first;
        uint64_t end_ns = sum_bound(g->offset_ns[i] < UINT64_MAX / 4 ? g->offset_ns[i] : UINT64_MAX / 4, wall_ns);
        g->wall_ns = end_ns > g->wall_ns ? end_ns : g->wall_ns;
    }
    while (g->window_shift < PP_WINDOW_SHIFT_MOST && g->wall_ns >> (PP_WINDOW_BITS + g->window_shift) >= PP_WINDOWS)
        g->window_shift++;
    g->root = as == PP_MERGE_PROCESSES ? root_find(g) : NULL;
    g->header = count ? files[0] : (struct pp_header){ .version = PP_FORMAT_VERSION };
    /* the number of a process would make those that it started children of this file, too */
    g->header.pid = g->header.parent_pid = g->header.root_pid = 0;
    memset(g->header.ancestors, 0, sizeof g->header.ancestors);
    g->header.start_realtime_ns = count ? first : 0;
    g->header.start_ns = above(g->header.start_ns, g->offset_ns[0]);
    g->header.start_ns = g->header.start_ns < UINT64_MAX / 4 ? g->header.start_ns : 0;
    g->header.heartbeat_ns = g->header.end_ns = g->header.start_ns + g->wall_ns + !g->wall_ns;
    /* block 0 is that of no thread */
    ARRAY_PUSH(g->block, g->block_count, g->block_capacity)->row = UINT32_MAX;
    return g;
}

/* ---- the run ---- */

static void header_add(struct gather *g, const struct pp_header *h)
{
    struct pp_header *to = &g->header;
    bool failed = (h->exit_kind != PP_EXIT_EXIT && h->exit_kind != PP_EXIT_EXEC) || h->exit_status;
    if (!g->added) {
        return; /* it is the first file's */
    }
    if (strcmp(to->host, h->host) != 0)
        strcpy(to->host, "several hosts");
    if (h->cpu_model[0] && strcmp(to->cpu_model, h->cpu_model) != 0) /* a process of a millisecond does not say it */
        strcpy(to->cpu_model, to->cpu_model[0] ? "several CPUs" : h->cpu_model);
    if (h->exit_kind != PP_EXIT_EXIT && h->exit_kind != PP_EXIT_EXEC && !(h->features_ignorable & PP_IGNORABLE_CPU))
        to->features_ignorable &= ~PP_IGNORABLE_CPU;
    if (g->root) {
        to->exit_kind = g->root->exit_kind;
        to->exit_status = g->root->exit_status;
    } else if (to->exit_kind == PP_EXIT_EXEC || (failed && to->exit_kind == PP_EXIT_EXIT && !to->exit_status)) {
        to->exit_kind = h->exit_kind; /* the first that failed; one that became another program did not end */
        to->exit_status = h->exit_status;
    }
    to->user_ns = sum_bound(to->user_ns, h->user_ns);
    to->system_ns = sum_bound(to->system_ns, h->system_ns);
    to->collectors |= h->collectors;
    to->metrics_measured &= h->metrics_measured;
    to->sample_period_ns = h->sample_period_ns > to->sample_period_ns ? h->sample_period_ns : to->sample_period_ns;
    to->sample_source = to->sample_source ? to->sample_source : h->sample_source;
    to->self_ns += h->self_ns;
    to->events_timed += h->events_timed;
    to->events_sampled += h->events_sampled;
    to->sample_signals += h->sample_signals;
    to->before_ns += h->before_ns;
    to->calls_ns += h->calls_ns;
    to->switches += h->switches;
    to->heap_calls += h->heap_calls;
    to->moves += h->moves;
    to->draws += h->draws;
    to->draws_ns += h->draws_ns;
    to->blocks_mean = h->blocks_mean > to->blocks_mean ? h->blocks_mean : to->blocks_mean;
    to->count_ps = h->count_ps > to->count_ps ? h->count_ps : to->count_ps;
    to->frame_ns = h->frame_ns > to->frame_ns ? h->frame_ns : to->frame_ns;
    to->arming_ns = h->arming_ns > to->arming_ns ? h->arming_ns : to->arming_ns;
    to->fault_ns = h->fault_ns > to->fault_ns ? h->fault_ns : to->fault_ns;
    to->account_known = to->account_known && h->account_known;
    to->io_known = to->io_known && h->io_known;
    to->io_read_bytes += h->io_read_bytes;
    to->io_write_bytes += h->io_write_bytes;
    for (unsigned i = 0; i < PP_LOSS_COUNT; i++)
        to->losses[i] += h->losses[i];
    for (unsigned i = 0; i < PP_GIVEN_COUNT; i++) {
        uint64_t since_ns = h->given_up_ns[i] ? h->given_up_ns[i] + g->offset_ns[g->added] : 0;
        to->given_up[i] += h->given_up[i];
        to->given_up_ns[i] = !to->given_up_ns[i] || (since_ns && since_ns < to->given_up_ns[i]) ? since_ns
                                                                                                : to->given_up_ns[i];
    }
    if (h->peak_rss_bytes <= to->peak_rss_bytes)
        return;
    to->peak_rss_bytes = h->peak_rss_bytes; /* a peak is that of one file, and so is the allocator's state */
    to->arena_known = h->arena_known;
    to->arena_bytes = h->arena_bytes;
    to->arena_used_bytes = h->arena_used_bytes;
    to->arena_free_bytes = h->arena_free_bytes;
    to->arena_top_bytes = h->arena_top_bytes;
    to->arena_mapped_bytes = h->arena_mapped_bytes;
    to->arena_mapped_blocks = h->arena_mapped_blocks;
}

static void part_add(struct adding *a)
{
    struct gather *g = a->g;
    const struct pp_header *h = &a->p->header;
    *ARRAY_PUSH(g->part, g->part_count, g->part_capacity) =
        (struct profile_part){ { .as = g->as,
                                 .exit_kind = h->exit_kind,
                                 .exit_status = h->exit_status,
                                 .threads = (uint32_t)a->p->thread_seen,
                                 .start_realtime_ns = h->start_realtime_ns,
                                 .wall_ns = header_wall_ns(h),
                                 .cpu_ns = sum_bound(h->user_ns, h->system_ns),
                                 .peak_rss_bytes = h->peak_rss_bytes },
                               arena_copy(&g->arena, a->p->path) };
}

enum collector {
#define PP_COLLECTOR(id, key, level, available, help) COLLECTOR_##id,
#include <profplug/abi/options.def>
};

/* The same counters are those of calls in one file, and only those of lines in the other. */
static bool counts_same(const struct adding *a, char error[READER_ERROR_BYTES])
{
    bool counts = a->p->header.collectors >> COLLECTOR_CALLTREE & 1;
    if (!a->g->added || counts == (a->g->header.collectors >> COLLECTOR_CALLTREE & 1))
        return true;
    snprintf(error, READER_ERROR_BYTES, "recorded with calltree=%s; expected calltree=%s, as in the first file",
             counts ? "on" : "off", counts ? "off" : "on");
    return false;
}

bool gather_add(struct gather *g, const struct profile *profile, char error[READER_ERROR_BYTES])
{
    struct adding a = { .g = g,
                        .p = profile,
                        .start_ns = profile->header.start_ns,
                        .now_ns = header_end_ns(&profile->header),
                        .offset_ns = g->offset_ns[g->added] };
    bool good = counts_same(&a, error) && identities_add(&a, error);
    if (good) {
        header_add(g, &profile->header);
        part_add(&a);
        rows_add(&a);
        uint32_t **stage_of = memory_zeroed(profile->block_count + 1, sizeof *stage_of);
        for (size_t i = 0; i < profile->block_count; i++)
            block_add(&a, i, &stage_of[i]);
        bookings_add(&a, stage_of);
        for (size_t i = 0; i < profile->block_count; i++)
            free(stage_of[i]);
        free(stage_of);
        g->added++;
    }
    map_free(&a.module_of);
    map_free(&a.place_of);
    map_free(&a.target_of);
    map_free(&a.point_of);
    map_free(&a.number_of);
    map_free(&a.block_of);
    map_free(&a.title_of);
    arena_free(&a.arena);
    free(a.range);
    return good;
}

void gather_free(struct gather *g)
{
    if (!g)
        return;
    for (size_t i = 0; i < g->block_count; i++) {
        struct gathered_block *b = &g->block[i];
        for (size_t k = 0; k < b->stage_count; k++)
            free(b->stage[k]);
        void *array[] = { b->stage, b->node, b->sample, b->stall, b->path, b->tally, b->operation, b->spread_stage };
        for (size_t k = 0; k < sizeof array / sizeof *array; k++)
            free(array[k]);
        struct map *map[] = { &b->nodes, &b->stages, &b->samples, &b->stalls, &b->paths, &b->tallies, &b->operations };
        for (size_t k = 0; k < sizeof map / sizeof *map; k++)
            map_free(map[k]);
    }
    for (size_t i = 0; i < g->answers_count; i++)
        free(g->answers[i].histogram);
    void *array[] = { g->block,   g->answers, g->text,          g->module,        g->object,       g->place,
                      g->target,  g->number,  g->point,         g->sum,           g->record,       g->use,
                      g->counter, g->child,   g->row,           g->part,          g->stage,        g->offset_ns,
                      g->cpu.item, g->calls.item, g->stage_wall.item, g->stage_calls.item, g->sample_block,
                      g->sample_row, g->function_name, g->function_file };
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        free(array[k]);
    struct map *map[] = { &g->texts, &g->modules, &g->objects, &g->places,    &g->targets, &g->points, &g->numbers,
                          &g->answer, &g->lines,  &g->line_files, &g->uses, &g->functions, &g->stages, &g->blocks };
    for (size_t k = 0; k < sizeof map / sizeof *map; k++)
        map_free(map[k]);
    arena_free(&g->arena);
    writer_close(g->writer);
    free(g);
}
