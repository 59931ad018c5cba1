/* SPDX-License-Identifier: MIT */
/* whole.c: the run as a whole, from the file's header and records: what it was, what it used, which files it was made
 * of. See merge.h. */
#include <string.h>

#include "merge/merge.h"

static const char **texts_copy(struct arena *arena, const char **text, size_t count)
{
    const char **copy = arena_take(arena, (count + 1) * sizeof *copy);
    for (size_t i = 0; i < count; i++)
        copy[i] = arena_copy(arena, text[i]);
    return copy;
}

static enum model_exit exit_from(uint32_t kind)
{
    static const enum model_exit kinds[] = { [PP_EXIT_UNKNOWN] = MODEL_EXIT_UNKNOWN,
                                             [PP_EXIT_EXIT] = MODEL_EXIT_EXIT,
                                             [PP_EXIT_SIGNAL] = MODEL_EXIT_SIGNAL,
                                             [PP_EXIT_EXEC] = MODEL_EXIT_EXEC,
                                             [PP_EXIT_KILLED] = MODEL_EXIT_KILLED };
    return kind < sizeof kinds / sizeof *kinds ? kinds[kind] : MODEL_EXIT_UNKNOWN;
}

static void parts_merge(struct model *model, const struct profile *p)
{
    for (size_t i = 0; i < p->part_count; i++) {
        const struct pp_part *h = &p->part[i].head;
        model->merged_as = (enum pp_merge_as)h->as;
        *ARRAY_PUSH(model->part, model->part_count, model->part_capacity) =
            (struct model_part){ .path = arena_copy(&model->arena, p->part[i].path),
                                 .exit_kind = exit_from(h->exit_kind),
                                 .exit_status = h->exit_status,
                                 .threads = h->threads,
                                 .start_realtime_ns = h->start_realtime_ns,
                                 .wall_ns = h->wall_ns,
                                 .cpu_ns = h->cpu_ns,
                                 .peak_rss_bytes = h->peak_rss_bytes };
    }
    for (size_t i = 0; i < p->spread_count; i++) {
        const struct pp_spread *h = &p->spread[i].head;
        if (h->least_part < p->part_count && h->most_part < p->part_count)
            *ARRAY_PUSH(model->spread, model->spread_count, model->spread_capacity) =
                (struct model_spread){ .of = (enum pp_spread_of)h->of,
                                       .value = (enum pp_spread_value)h->value,
                                       .name = arena_copy(&model->arena, p->spread[i].name),
                                       .file = arena_copy(&model->arena, p->spread[i].file),
                                       .parts = h->parts,
                                       .least_part = h->least_part,
                                       .most_part = h->most_part,
                                       .by_chance = h->chance != 0,
                                       .least = h->least,
                                       .median = h->median,
                                       .most = h->most,
                                       .total = h->total,
                                       .most_variance = (double)h->most_error * (double)h->most_error };
    }
    if (model->part_count)
        model_notice(model,
                     "made of %zu files as %s: peaks are those of one file, the one with the largest; growth of the "
                     "heap and snapshots are in the files alone",
                     model->part_count, merge_as_name(model->merged_as));
}

void run_merge(struct model *model, const struct profile *p, uint64_t now_ns)
{
    const struct pp_header *h = &p->header;
    struct arena *arena = &model->arena;
    struct model_run *r = &model->run;
    *r = (struct model_run){ .path = arena_copy(arena, p->path),
                             .program = arena_copy(arena, h->program),
                             .directory = arena_copy(arena, h->directory_path),
                             .host = arena_copy(arena, h->host),
                             .cpu_model = arena_copy(arena, h->cpu_model),
                             .clock_name = arena_copy(arena, h->clock_name),
                             .compiler = "",
                             .argument = texts_copy(arena, p->argument, p->argument_count),
                             .argument_count = p->argument_count,
                             .label = texts_copy(arena, p->label, p->label_count),
                             .label_count = p->label_count,
                             .option = texts_copy(arena, p->option, p->option_count),
                             .option_count = p->option_count,
                             .pid = h->pid,
                             .root_pid = h->root_pid,
                             .level = (enum pp_level)h->level,
                             .sample_source = (enum pp_sample_source)h->sample_source,
                             .sample_period_ns = h->sample_period_ns,
                             .budget_permille = h->budget_permille,
                             .start_realtime_ns = h->start_realtime_ns,
                             .wall_ns = now_ns > h->start_ns ? now_ns - h->start_ns : 0,
                             .user_ns = h->user_ns,
                             .system_ns = h->system_ns,
                             .peak_rss_bytes = h->peak_rss_bytes,
                             .thread_count = p->thread_seen,
                             .file_bytes = p->file_bytes,
                             .sealed = h->end_ns != 0,
                             .cpu_closed = h->features_ignorable & PP_IGNORABLE_CPU,
                             .exit_kind = exit_from(h->exit_kind),
                             .exit_status = h->exit_status,
                             .metrics_measured = h->metrics_measured,
                             .self_ns = h->self_ns,
                             .count_ps = h->count_ps,
                             .frame_ns = h->frame_ns,
                             .before_ns = h->before_ns,
                             .calls_ns = h->calls_ns,
                             .switches = h->switches,
                             .heap_calls = h->heap_calls,
                             .moves = h->moves,
                             .draws = h->draws,
                             .draws_ns = h->draws_ns,
                             .blocks_mean = h->blocks_mean,
                             .arming_ns = h->arming_ns,
                             .fault_ns = h->fault_ns,
                             .account_known = h->account_known == 1,
                             .ticked = h->sample_source == PP_SAMPLE_TIMER ||
                                       h->features_ignorable & PP_IGNORABLE_TICKED,
                             .off_known = h->features_ignorable & PP_IGNORABLE_OFF,
                             .has_denormals = h->features_ignorable & PP_IGNORABLE_DENORMALS,
                             .events_timed = h->events_timed,
                             .events_sampled = h->events_sampled,
                             .sample_signals = h->sample_signals,
                             .memory_note = arena_copy(arena, h->memory_note),
                             .sample_note = arena_copy(arena, h->sample_note),
                             .io_known = h->io_known != 0,
                             .io_read_bytes = h->io_read_bytes,
                             .io_write_bytes = h->io_write_bytes,
                             .arena_known = h->arena_known,
                             .arena_bytes = h->arena_bytes,
                             .arena_used_bytes = h->arena_used_bytes,
                             .arena_free_bytes = h->arena_free_bytes,
                             .arena_top_bytes = h->arena_top_bytes,
                             .arena_mapped_bytes = h->arena_mapped_bytes,
                             .arena_mapped_blocks = h->arena_mapped_blocks };
    memcpy(r->losses, h->losses, sizeof r->losses);
    memcpy(r->given_up, h->given_up, sizeof r->given_up);
    memcpy(r->given_up_ns, h->given_up_ns, sizeof r->given_up_ns);
    for (size_t i = 0; i < p->site_count && !r->compiler[0]; i++)
        r->compiler = arena_copy(arena, p->site[i].compiler);
    r->child = arena_take(arena, (p->child_count + 1) * sizeof *r->child);
    for (size_t i = 0; i < p->child_count; i++)
        if (p->child[i].pid)
            r->child[r->child_count++] =
                (struct model_child){ .pid = p->child[i].pid, .path = arena_copy(arena, p->child[i].path) };
    parts_merge(model, p);
}
