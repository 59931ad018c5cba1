/* SPDX-License-Identifier: MIT */
/* json.c: the model as profplug-report/2. An absent field was not measured. It must not know files, ELF or DWARF. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "export/export.h"
#include "export/jsonrow.h"
#include "words/quote.h"

static cJSON *texts(const char **text, size_t count)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < count; i++)
        cJSON_AddItemToArray(list, cJSON_CreateString(text[i]));
    return list;
}

/* ---- run, metrics, modules ---- */

static cJSON *run_json(const struct model *model)
{
    const struct model_run *r = &model->run;
    cJSON *run = cJSON_CreateObject();
    time_t seconds = (time_t)(r->start_realtime_ns / UINT64_C(1000000000));
    struct tm broken;
    char stamp[64] = "";
    add_text(run, "program", r->program);
    cJSON_AddItemToObject(run, "args", texts(r->argument, r->argument_count));
    add_integer(run, "pid", r->pid);
    add_integer(run, "root_pid", r->root_pid);
    add_text(run, "host", r->host);
    cJSON_AddItemToObject(run, "labels", texts(r->label, r->label_count));
    cJSON_AddItemToObject(run, "options", texts(r->option, r->option_count));
    if (gmtime_r(&seconds, &broken)) {
        size_t n = strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%S", &broken);
        snprintf(stamp + n, sizeof stamp - n, ".%09uZ", (unsigned)(r->start_realtime_ns % UINT64_C(1000000000)));
        add_text(run, "start_time", stamp);
    }
    add_integer(run, "wall_ns", r->wall_ns);
    add_integer(run, "cpu_ns", r->user_ns + r->system_ns);
    add_integer(run, "user_ns", r->user_ns);
    if (run_is_cut(r) && !r->cpu_closed)
        add_text(run, "cpu_note",
                 r->user_ns + r->system_ns
                     ? "at least: from the last readings before the process ended, and from samples, "
                       "which do not separate user from system time"
                     : "not known: the process ended before its CPU time was read");
    add_integer(run, "system_ns", r->system_ns);
    if (r->peak_rss_bytes)
        add_integer(run, "peak_rss_bytes", r->peak_rss_bytes);
    if (r->peak_rss_bytes && run_is_cut(r))
        add_text(run, "peak_note", "at least: from the last reading before the process ended");
    if (r->arena_known == 1) {
        add_integer(run, "arena_bytes", r->arena_bytes);
        add_integer(run, "arena_used_bytes", r->arena_used_bytes);
        add_integer(run, "arena_free_bytes", r->arena_free_bytes);
        add_integer(run, "arena_top_bytes", r->arena_top_bytes);
        add_real(run, "fragmentation_percent", 100 * run_fragmentation(r));
        add_integer(run, "arena_mapped_bytes", r->arena_mapped_bytes);
        add_integer(run, "arena_mapped_blocks", r->arena_mapped_blocks);
    }
    add_integer(run, "thread_count", r->thread_count);
    add_text_known(run, "compiler", r->compiler);
    add_text_known(run, "cpu_model", r->cpu_model);
    add_text_known(run, "clock", r->clock_name);
    add_text(run, "level", level_name(r->level));
    add_text(run, "exit_kind", exit_name(r->exit_kind));
    if (r->exit_kind == MODEL_EXIT_EXIT || r->exit_kind == MODEL_EXIT_SIGNAL)
        add_signed(run, "exit_status", r->exit_status);
    if (r->cost_unknown) {
        cJSON_AddNullToObject(run, "overhead_percent");
        add_text(run, "overhead_reason", r->cost_unknown);
    } else {
        double least = run_overhead_percent(r, (double)r->self_ns),
               most = run_overhead_percent(r, (double)r->self_most_ns);
        add_real(run, "overhead_percent", (least + most) / 2);
        add_real(run, "overhead_least_percent", least);
        add_real(run, "overhead_most_percent", most);
    }
    add_real(run, "budget_percent", r->budget_permille / 10.0);
    add_integer(run, "events_counted", r->events_counted);
    add_integer(run, "events_timed", r->events_timed);
    add_integer(run, "events_sampled", run_samples_taken(model));
    add_integer(run, "events_skipped", model->coverage.samples - run_samples_taken(model));
    if (r->sample_period_ns)
        add_integer(run, "sample_period_ns", r->sample_period_ns);
    cJSON *losses = cJSON_AddObjectToObject(run, "losses");
    for (unsigned i = 0; i < PP_LOSS_COUNT; i++)
        add_integer(losses, loss_name(i), r->losses[i]);
    json_counters(run, model, model->outside);
    cJSON *given = cJSON_AddObjectToObject(run, "given_up");
    for (unsigned i = 0; i < PP_GIVEN_COUNT; i++)
        if (r->given_up[i]) {
            cJSON *row = cJSON_AddObjectToObject(given, given_name(i));
            add_integer(row, "count", r->given_up[i]);
            add_integer(row, "from_ns", r->given_up_ns[i]);
        }
    if (r->unrecorded || r->crowded)
        add_integer(run, "unrecorded_processes", r->unrecorded + r->crowded);
    cJSON *files = cJSON_AddArrayToObject(run, "files");
    for (size_t i = 0; i < r->child_count; i++) {
        cJSON *file = cJSON_CreateObject();
        add_integer(file, "pid", r->child[i].pid);
        add_text(file, "path", r->child[i].path);
        if (r->child[i].readable) {
            add_integer(file, "wall_ns", r->child[i].wall_ns);
            add_integer(file, "cpu_ns", r->child[i].cpu_ns);
            add_text(file, "exit_kind", exit_name(r->child[i].exit_kind));
            if (r->child[i].exit_kind == MODEL_EXIT_EXIT || r->child[i].exit_kind == MODEL_EXIT_SIGNAL)
                add_signed(file, "exit_status", r->child[i].exit_status);
        }
        cJSON_AddItemToArray(files, file);
    }
    cJSON *notices = cJSON_AddArrayToObject(run, "notices");
    for (unsigned i = 0; i < PP_LOSS_COUNT; i++) {
        char text[WORDS_BYTES + 40], words[WORDS_BYTES];
        snprintf(text, sizeof text, "lost: %" PRIu64 " %s", r->losses[i], loss_text(words, i, r->losses[i]));
        if (r->losses[i])
            cJSON_AddItemToArray(notices, cJSON_CreateString(text));
    }
    struct arena arena = { 0 };
    for (size_t i = 0; i < model->notice_count; i++)
        cJSON_AddItemToArray(notices, cJSON_CreateString(quote_plain(&arena, model->notice[i])));
    arena_free(&arena);
    if (r->io_known) {
        add_integer(run, "read_bytes", r->io_read_bytes);
        add_integer(run, "write_bytes", r->io_write_bytes);
    }
    if (r->io_known && model->has_operations) {
        add_signed(run, "unhooked_read_bytes", r->unhooked_read_bytes);
        add_signed(run, "unhooked_write_bytes", r->unhooked_write_bytes);
    }
    if (model->undrawn_blocks)
        add_integer(run, "undrawn_blocks", model->undrawn_blocks);
    add_prose(run, "memory_note", r->memory_note);
    add_prose(run, "sample_note", r->sample_note);
    add_prose(run, "empty_reason", model->empty_reason);
    if (model->narrowed_to)
        add_prose(run, "part", model->narrowed_to);
    return run;
}

static cJSON *metrics_json(void)
{
    static const struct {
        const char *name, *unit, *kind;
        bool exact;
        const char *meaning;
    } rows[] = {
#define PP_METRIC(id, name, unit, kind, fold, exact, meaning) { #name, #unit, #kind, exact, meaning },
#include <profplug/abi/metric.def>
    };
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cJSON *row = cJSON_CreateObject();
        add_text(row, "name", rows[i].name);
        add_text(row, "unit", rows[i].unit);
        add_text(row, "kind", rows[i].kind[0] == 'C' ? "counter" : rows[i].kind[0] == 'S' ? "size" : "time");
        cJSON_AddBoolToObject(row, "exact", rows[i].exact);
        add_text(row, "meaning", rows[i].meaning);
        cJSON_AddItemToArray(list, row);
    }
    return list;
}

static cJSON *modules_json(const struct model *model)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < model->module_count; i++) {
        const struct model_module *m = &model->module[i];
        cJSON *row = cJSON_CreateObject();
        add_integer(row, "id", m->id);
        add_text(row, "path", m->path);
        add_text_known(row, "build_id", m->build_id);
        cJSON_AddBoolToObject(row, "instrumented", m->instrumented);
        add_integer(row, "samples", m->samples);
        add_prose(row, "complaint", m->complaint);
        cJSON_AddItemToArray(list, row);
    }
    return list;
}

/* ---- stages and loops ---- */

static void add_named(cJSON *to, const char *prefix, const char *name, uint64_t value)
{
    char whole[64];
    snprintf(whole, sizeof whole, "%s%s", prefix, name);
    add_integer(to, whole, value);
}

static void times_json(cJSON *row, const char *prefix, const struct model_times *t)
{
    add_named(row, prefix, "timed_calls", t->timed_calls);
    add_named(row, prefix, "wall_total_ns", t->wall_ns);
    add_named(row, prefix, "wall_self_ns", t->self_ns);
    if (!t->timed_calls)
        return;
    add_named(row, prefix, "wall_mean_ns", (uint64_t)llround(fmin(fmax(t->mean_ns, 0), 9e18)));
    add_named(row, prefix, "wall_min_ns", t->min_ns);
    add_named(row, prefix, "wall_max_ns", t->max_ns);
    add_named(row, prefix, "wall_stddev_ns", (uint64_t)llround(fmin(times_deviation_ns(t), 9e18)));
    add_named(row, prefix, "wall_p50_ns", (uint64_t)llround(times_percentile(t, 0.50)));
    add_named(row, prefix, "wall_p95_ns", (uint64_t)llround(times_percentile(t, 0.95)));
    add_named(row, prefix, "wall_p99_ns", (uint64_t)llround(times_percentile(t, 0.99)));
}

static void slowest_json(cJSON *row, const struct model_times *t)
{
    cJSON *list = cJSON_AddArrayToObject(row, "slowest");
    for (uint32_t i = 0; i < t->slowest_count; i++) {
        cJSON *slow = cJSON_CreateObject();
        add_integer(slow, "index", t->slowest[i].index);
        add_integer(slow, "wall_ns", t->slowest[i].wall_ns);
        add_integer(slow, "start_offset_ns", t->slowest[i].start_ns);
        if (t->slowest[i].thread_id)
            add_integer(slow, "thread_id", t->slowest[i].thread_id);
        cJSON_AddItemToArray(list, slow);
    }
}

static cJSON *stage_json(const struct model *model, const struct model_stage *s)
{
    cJSON *row = cJSON_CreateObject();
    add_integer(row, "id", s->id);
    add_text(row, "key", s->key);
    add_text(row, "name", s->name);
    add_text(row, "kind", s->kind == PP_SITE_LOOP ? "loop" : s->kind == PP_SITE_SCOPE ? "scope" : "stage");
    add_text(row, "category", category_name(s->category));
    if (s->parent != MODEL_NONE) {
        add_integer(row, "parent", model->stage[s->parent].id);
    }
    add_text_known(row, "file", s->file);
    if (s->line)
        add_integer(row, "line", s->line);
    add_text_known(row, "function", s->function);
    add_integer(row, "calls", s->times.calls);
    if (s->times.open)
        add_integer(row, "open", s->times.open);
    times_json(row, "", &s->times);
    json_throughput(row, s);
    json_growth(row, s);
    json_counters(row, model, s->tally);
    add_integer(row, "samples", s->samples);
    if (s->user.ns > 0) {
        add_whole(row, "user_ns", s->user.ns);
        add_real(row, "user_error_percent", value_error_percent(s->user));
    }
    if (stage_off_cpu_ns(s) >= 0)
        add_whole(row, "off_cpu_ns", stage_off_cpu_ns(s));
    if (model->has_operations)
        json_stage_waits(row, s);
    for (unsigned i = 0; i < PP_METRIC_COUNT; i++) {
        char name[64], *unit;
        if (!s->metric_known[i])
            continue;
        add_metric(row, i, s->metric[i]);
        snprintf(name, sizeof name, "%s", metric_name(i));
        unit = strstr(name, "_ns");
        snprintf(unit ? unit : name + strlen(name), 20, "_error_percent");
        if (!s->metric_exact[i] && s->metric[i] != 0)
            add_real(row, name, value_error_percent((struct value){ s->metric[i], s->metric_variance[i] }));
    }
    for (unsigned i = 0; i < PP_METRIC_COUNT; i++)
        if (metric_is_level(i) && s->level_ns[0]) {
            char name[64];
            snprintf(name, sizeof name, "entry_%s", metric_name(i));
            add_whole(row, name, s->entered[i]);
        }
    if (stage_fragmentation(s, true) >= 0)
        add_real(row, "entry_fragmentation_percent", 100 * stage_fragmentation(s, true));
    if (stage_fragmentation(s, false) >= 0)
        add_real(row, "fragmentation_percent", 100 * stage_fragmentation(s, false));
    if (s->metric_known[PP_METRIC_ALLOC_BYTES])
        add_signed(row, "net_bytes", llround(s->metric[PP_METRIC_ALLOC_BYTES] - s->metric[PP_METRIC_FREE_BYTES]));
    if (s->metric_known[PP_METRIC_ALLOC_BYTES])
        add_error(row, "net_bytes", s->metric[PP_METRIC_ALLOC_BYTES] - s->metric[PP_METRIC_FREE_BYTES],
                  sqrt(s->metric_exact[PP_METRIC_FREE_BYTES] ? 0 : s->metric_variance[PP_METRIC_FREE_BYTES]));
    slowest_json(row, s->kind == PP_SITE_LOOP && s->iteration.slowest_count ? &s->iteration : &s->times);
    return row;
}

static cJSON *loop_json(const struct model *model, const struct model_stage *s)
{
    cJSON *row = stage_json(model, s);
    add_integer(row, "iterations", s->iteration.calls);
    add_integer(row, "left_runs", loop_left_runs(s));
    if (s->loop_runs) {
        add_integer(row, "trips_min", s->trips_min);
        add_real(row, "trips_mean", loop_trips_mean(s));
        add_integer(row, "trips_max", s->trips_max);
    }
    times_json(row, "iteration_", &s->iteration);
    return row;
}

/* ---- functions, lines, call tree ---- */

/* live_*: what was not freed. It is negative in a fork's child that frees its parent's blocks. */
static void add_blocks(cJSON *to, bool has_peak, const struct model_blocks *b)
{
    struct blocks_errors error = blocks_errors(b);
    add_integer(to, "alloc_blocks", b->alloc_blocks);
    add_integer(to, "alloc_bytes", b->alloc_bytes);
    add_integer(to, "free_blocks", b->free_blocks);
    add_integer(to, "free_bytes", b->free_bytes);
    add_signed(to, "live_blocks", (int64_t)(b->alloc_blocks - b->free_blocks));
    add_signed(to, "live_bytes", (int64_t)(b->alloc_bytes - b->free_bytes));
    add_integer(to, "temporary_blocks", b->temporary_blocks);
    add_error(to, "alloc_blocks", (double)b->alloc_blocks, error.alloc_blocks);
    add_error(to, "alloc_bytes", (double)b->alloc_bytes, error.alloc_bytes);
    add_error(to, "free_blocks", (double)b->free_blocks, error.free_blocks);
    add_error(to, "free_bytes", (double)b->free_bytes, error.free_bytes);
    add_error(to, "temporary_blocks", (double)b->temporary_blocks, error.temporary_blocks);
    add_error(to, "live_blocks", (double)(int64_t)(b->alloc_blocks - b->free_blocks), error.live_blocks);
    add_error(to, "live_bytes", (double)(int64_t)(b->alloc_bytes - b->free_bytes), error.live_bytes);
    if (has_peak) {
        add_error(to, "peak_blocks", (double)(int64_t)b->peak_blocks, error.peak_blocks);
        add_error(to, "peak_bytes", (double)(int64_t)b->peak_bytes, error.peak_bytes);
        add_signed(to, "peak_blocks", (int64_t)b->peak_blocks);
        add_signed(to, "peak_bytes", (int64_t)b->peak_bytes);
    }
}

static void add_volumes(cJSON *to, const struct model_blocks *copies, const struct model_blocks *pools,
                        const struct model_blocks *fills)
{
    if (fills->alloc_blocks) {
        add_integer(to, "fills", fills->alloc_blocks);
        add_integer(to, "fill_bytes", fills->alloc_bytes);
    }
    if (copies->alloc_blocks) {
        add_integer(to, "copies", copies->alloc_blocks);
        add_integer(to, "copy_bytes", copies->alloc_bytes);
    }
    if (pools->alloc_blocks) {
        add_integer(to, "pool_blocks", pools->alloc_blocks);
        add_integer(to, "pool_bytes", pools->alloc_bytes);
    }
}

/* Where it is. */
static cJSON *allocation_json(const struct model *model, const struct model_allocation *a)
{
    cJSON *row = cJSON_CreateObject();
    if (a->line != MODEL_NONE) {
        add_text(row, "file", model->line[a->line].file);
        add_integer(row, "line", model->line[a->line].line);
    }
    if (a->function != MODEL_NONE) {
        add_text(row, "function", model->function[a->function].name);
        add_integer(row, "function_id", model->function[a->function].id);
    }
    if (a->module != MODEL_NONE)
        add_text(row, "module", model->module[a->module].path);
    if (a->library != MODEL_NONE)
        add_text(row, "library", model->module[a->library].path);
    cJSON_AddBoolToObject(row, "attributed", a->attributed);
    json_touched(row, model, &a->blocks, NULL);
    return row;
}

/* Waits, including those of callees. */
static void add_stalled(cJSON *row, struct value stalled)
{
    if (stalled.ns <= 0)
        return;
    add_whole(row, "wait_total_ns", stalled.ns);
    add_real(row, "wait_total_error_percent", value_error_percent(stalled));
}

/* So that they add up to self_ns as it is written. */
static void add_user_and_system(cJSON *row, double self_ns, double system_ns)
{
    uint64_t self = (uint64_t)llround(fmin(fmax(self_ns, 0), 9.2e18)), system = (uint64_t)llround(fmax(system_ns, 0));
    system = system < self ? system : self;
    add_integer(row, "user_ns", self - system);
    add_integer(row, "system_ns", system);
}

static cJSON *function_json(const struct model *model, const struct model_function *f)
{
    cJSON *row = cJSON_CreateObject();
    add_integer(row, "id", f->id);
    add_text(row, "key", f->key);
    add_text(row, "name", f->name);
    add_text_known(row, "symbol", f->symbol);
    if (f->merged_count)
        cJSON_AddItemToObject(row, "merged", texts(f->merged, f->merged_count));
    add_text_known(row, "file", f->file);
    if (f->line)
        add_integer(row, "line", f->line);
    if (f->module_id)
        add_integer(row, "module_id", f->module_id);
    if (f->has_site) {
        add_text(row, "mode", mode_name(f->mode));
        add_text_known(row, "reason", reason_text(f->reason));
    }
    if (f->wrapper)
        cJSON_AddBoolToObject(row, "wrapper", true);
    if (f->calls_known)
        add_integer(row, "calls", f->calls);
    cJSON_AddBoolToObject(row, "inlined", f->inlined || f->has_copies);
    if (f->timed_calls || f->active)
        add_integer(row, "timed_calls", f->timed_calls);
    if (f->wall_known)
        add_integer(row, "wall_total_ns", f->wall_ns);
    add_integer(row, "samples", f->samples);
    if (f->self.ns > 0) {
        add_whole(row, "self_ns", f->self.ns);
        add_user_and_system(row, f->self.ns, f->system_ns);
        add_real(row, "self_error_percent", value_error_percent(f->self));
        if (value_is_vague(f->self))
            cJSON_AddTrueToObject(row, "few_samples");
        add_whole(row, "library_ns", f->library_ns);
        if (f->remainder_ns > 0)
            add_whole(row, "remainder_ns", f->remainder_ns);
    }
    if (f->total.ns > 0) {
        add_whole(row, "cpu_total_ns", f->total.ns);
        add_real(row, "cpu_total_error_percent", value_error_percent(f->total));
    }
    add_stalled(row, f->stalled);
    if (f->blocks.alloc_blocks || f->blocks.free_blocks)
        add_blocks(row, model->has_peak, &f->blocks);
    json_traffic(row, &f->traffic);
    if (f->mappings.alloc_blocks || f->mappings.free_bytes)
        json_mappings(row, &f->mappings);
    add_volumes(row, &f->copies, &f->pools, &f->fills);
    return row;
}

/* The places in headers whose costs the line has. */
static void add_inner(cJSON *row, const struct model *model, const struct model_line *l)
{
    size_t count;
    const struct model_inner **inner = inner_list(model, l, &count);
    cJSON *list = count ? cJSON_AddArrayToObject(row, "inner") : NULL;
    for (size_t i = 0; i < count; i++) {
        const struct model_line *at = &model->line[inner[i]->line];
        cJSON *place = cJSON_CreateObject();
        add_text(place, "file", at->file);
        add_integer(place, "line", at->line);
        add_text(place, "function", model->function[at->function].name);
        add_integer(place, "function_id", model->function[at->function].id);
        add_whole(place, "self_ns", inner[i]->self_ns);
        add_integer(place, "samples", inner[i]->samples);
        if (inner[i]->blocks.alloc_blocks || inner[i]->blocks.free_blocks)
            add_blocks(place, model->has_peak, &inner[i]->blocks);
        json_traffic(place, &inner[i]->traffic);
        cJSON_AddItemToArray(list, place);
    }
    free(inner);
}

static cJSON *line_json(const struct model *model, const struct model_line *l)
{
    cJSON *row = cJSON_CreateObject();
    add_text(row, "file", l->file);
    add_integer(row, "line", l->line);
    add_text(row, "function", model->function[l->function].name);
    add_integer(row, "function_id", model->function[l->function].id);
    if (l->hits_known)
        add_integer(row, "hits", l->hits);
    add_whole(row, "self_ns", l->self.ns);
    add_user_and_system(row, l->self.ns, l->system_ns);
    add_whole(row, "total_ns", l->total.ns);
    add_whole(row, "library_ns", l->library_ns);
    add_real(row, "total_error_percent", value_error_percent(l->total));
    add_real(row, "error_percent", value_error_percent(l->self.ns > 0 ? l->self : l->total));
    if (value_is_vague(l->self.ns > 0 ? l->self : l->total))
        cJSON_AddTrueToObject(row, "few_samples");
    if (l->hits_known && l->hits && l->self.ns > 0)
        add_real(row, "per_hit_ns", l->self.ns / (double)l->hits);
    add_integer(row, "samples", l->samples);
    if (l->stray_samples)
        add_integer(row, "stray_samples", l->stray_samples);
    if (l->blocks.alloc_blocks || l->blocks.free_blocks)
        add_blocks(row, model->has_peak, &l->blocks);
    json_faults(row, model, l);
    json_traffic(row, &l->traffic);
    add_stalled(row, l->stalled);
    if (l->mappings.alloc_blocks || l->mappings.free_bytes)
        json_mappings(row, &l->mappings);
    add_volumes(row, &l->copies, &l->pools, &l->fills);
    add_inner(row, model, l);
    json_callees(row, model, l);
    return row;
}

static cJSON *tree_json(const struct model *model)
{
    cJSON *list = cJSON_CreateArray();
    for (uint32_t i = 1; i < model->node_count; i++) {
        const struct model_node *n = &model->node[i];
        const struct model_function *f = &model->function[n->function];
        cJSON *row = cJSON_CreateObject();
        add_integer(row, "id", i);
        if (n->parent)
            add_integer(row, "parent_id", n->parent);
        add_integer(row, "function_id", f->id);
        add_text(row, "name", f->name);
        if (n->stage != MODEL_NONE)
            add_integer(row, "stage_id", model->stage[n->stage].id);
        if (f->line)
            add_integer(row, "line", f->line);
        if (!n->sampled_only) {
            add_integer(row, "calls", n->calls);
            add_integer(row, "timed_calls", n->timed_calls);
        }
        if (node_timed(n))
            add_integer(row, "wall_total_ns", n->timed_ns);
        add_integer(row, "samples", n->samples);
        add_whole(row, "self_ns", n->sampled_ns);
        add_whole(row, "cpu_total_ns", n->below.ns);
        if (n->below_samples)
            add_real(row, "cpu_total_error_percent", value_error_percent(n->below));
        add_stalled(row, n->stalled);
        if (n->overflow)
            cJSON_AddBoolToObject(row, "path_lost", true);
        cJSON_AddItemToArray(list, row);
    }
    return list;
}

/* ---- findings, coverage ---- */

static cJSON *findings_json(const struct model *model, size_t count)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < count; i++) {
        const struct model_finding *f = &model->finding[i];
        cJSON *row = cJSON_CreateObject(), *evidence;
        add_text(row, "rule", f->rule);
        add_text(row, "subject_kind", f->is_stage ? "stage" : "function");
        add_integer(row, "subject_id", f->is_stage ? model->stage[f->subject].id : model->function[f->subject].id);
        add_text(row, "name", f->name);
        add_text_known(row, "file", f->file);
        if (f->line)
            add_integer(row, "line", f->line);
        if (f->function != MODEL_NONE)
            add_text(row, "function", model->function[f->function].name);
        add_text(row, "category", category_name(f->category));
        add_text(row, "severity", severity_name(f->severity));
        add_text(row, "priority", priority_name(f->priority));
        add_prose(row, "text", f->text);
        add_whole(row, "cost_ns", f->cost_ns);
        add_real(row, "threshold", f->threshold);
        evidence = cJSON_AddObjectToObject(row, "evidence");
        for (uint32_t k = 0; k < f->evidence_count; k++)
            add_whole(evidence, f->evidence[k].name, f->evidence[k].value);
        cJSON_AddItemToArray(list, row);
    }
    return list;
}

static cJSON *coverage_json(const struct model *model)
{
    const struct model_coverage *c = &model->coverage;
    cJSON *row = cJSON_CreateObject();
    double n = (double)c->samples, cpu = coverage_cpu_ns(model);
    add_integer(row, "samples", c->samples);
    add_integer(row, "samples_known_line", c->known_line);
    if (model->has_hits)
        add_integer(row, "samples_stray_line", c->stray);
    add_integer(row, "samples_unknown_line", c->unknown_line);
    add_integer(row, "samples_no_debug", c->no_debug);
    add_integer(row, "samples_library", c->library);
    add_integer(row, "samples_outside", c->outside);
    add_integer(row, "samples_profiler", c->profiler);
    add_integer(row, "samples_on_lines", coverage_line_samples(model));
    if (c->samples) {
        add_real(row, "known_line_percent", 100 * (double)c->known_line / n);
        add_real(row, "unknown_line_percent", 100 * (double)c->unknown_line / n);
        add_real(row, "no_debug_percent", 100 * (double)c->no_debug / n);
        add_real(row, "library_percent", 100 * (double)c->library / n);
        add_real(row, "outside_percent", 100 * (double)c->outside / n);
        add_real(row, "profiler_percent", 100 * (double)c->profiler / n);
    }
    add_whole(row, "sampled_ns", c->sampled_ns);
    add_whole(row, "not_sampled_ns", c->not_sampled_ns);
    add_whole(row, "kernel_ns", c->kernel_ns);
    add_whole(row, "kernel_placed_ns", c->placed_ns);
    add_whole(row, "kernel_on_lines_ns", coverage_line_kernel_ns(model));
    add_whole(row, "kernel_profiler_ns", c->toll_ns);
    json_faults_all(row, model);
    add_whole(row, "cpu_ns", cpu);
    add_integer(row, "functions_framed", c->framed);
    add_integer(row, "functions_counted", c->counted);
    add_integer(row, "functions_left_out", c->left_out);
    add_integer(row, "functions_inlined", c->inlined);
    return row;
}

void export_json(FILE *out, const struct model *model, const struct view *view)
{
    json_begin();
    cJSON *root = cJSON_CreateObject();
    size_t functions, lines, stages, functions_cut, lines_cut, stages_cut;
    size_t findings = view->top && model->finding_count > view->top ? view->top : model->finding_count;
    uint32_t *function = view_functions(model, view, &functions, &functions_cut);
    uint32_t *line = view_lines(model, view, &lines, &lines_cut),
             *stage = view_stages(model, view, &stages, &stages_cut);
    json_integers_as_text = view->int64_strings;
    add_text(root, "schema", "profplug-report/2");
    cJSON_AddItemToArray(cJSON_AddArrayToObject(root, "runs"), run_json(model));
    cJSON_AddItemToObject(root, "metrics", metrics_json());
    cJSON_AddItemToObject(root, "modules", modules_json(model));
    cJSON *list = cJSON_AddArrayToObject(root, "stages"), *loops = cJSON_AddArrayToObject(root, "loops");
    for (size_t i = 0; i < stages; i++) {
        cJSON_AddItemToArray(list, stage_json(model, &model->stage[stage[i]]));
        if (model->stage[stage[i]].kind == PP_SITE_LOOP)
            cJSON_AddItemToArray(loops, loop_json(model, &model->stage[stage[i]]));
    }
    list = cJSON_AddArrayToObject(root, "functions");
    for (size_t i = 0; i < functions; i++)
        cJSON_AddItemToArray(list, function_json(model, &model->function[function[i]]));
    list = cJSON_AddArrayToObject(root, "lines");
    for (size_t i = 0; i < lines; i++)
        cJSON_AddItemToArray(list, line_json(model, &model->line[line[i]]));
    if (model->has_blocks) {
        size_t allocations, allocations_cut;
        uint32_t *allocation = view_allocations(model, &(struct view){ 0 }, &allocations, &allocations_cut);
        list = cJSON_AddArrayToObject(root, "allocations");
        for (size_t i = 0; i < allocations; i++) {
            cJSON *row = allocation_json(model, &model->allocation[allocation[i]]);
            add_blocks(row, model->has_peak, &model->allocation[allocation[i]].blocks);
            cJSON_AddItemToArray(list, row);
        }
        free(allocation);
    }
    if (model->has_operations)
        json_operations(root, model);
    if (model->run.metrics_measured >> PP_METRIC_MAPS & 1) {
        size_t mappings, mappings_cut;
        uint32_t *mapping = view_mappings(model, &(struct view){ 0 }, &mappings, &mappings_cut);
        list = cJSON_AddArrayToObject(root, "mappings");
        for (size_t i = 0; i < mappings; i++) {
            cJSON *row = allocation_json(model, &model->mapping[mapping[i]]);
            json_mappings(row, &model->mapping[mapping[i]].blocks);
            cJSON_AddItemToArray(list, row);
        }
        free(mapping);
    }
    for (enum pp_callsite_kind kind = PP_CALLSITE_COPIES; kind <= PP_CALLSITE_FILLS; kind++) {
        size_t volumes, volumes_cut;
        uint32_t *volume = view_volumes(model, &(struct view){ 0 }, kind, &volumes, &volumes_cut);
        list = volumes ? cJSON_AddArrayToObject(root, kind == PP_CALLSITE_COPIES  ? "copies"
                                                      : kind == PP_CALLSITE_FILLS ? "fills"
                                                                                  : "pools")
                       : NULL;
        for (size_t i = 0; i < volumes; i++) {
            const struct model_allocation *v = &model->volume[volume[i]];
            cJSON *row = allocation_json(model, v);
            const struct model_blocks none = { 0 };
            add_volumes(row, kind == PP_CALLSITE_COPIES ? &v->blocks : &none,
                        kind == PP_CALLSITE_POOLS ? &v->blocks : &none, kind == PP_CALLSITE_FILLS ? &v->blocks : &none);
            cJSON_AddItemToArray(list, row);
        }
        free(volume);
    }
    json_snapshots(root, model, view->between);
    cJSON_AddItemToObject(root, "call_tree", tree_json(model));
    json_threads(root, model);
    json_timeline(root, model);
    json_merged(root, model);
    cJSON_AddItemToObject(root, "bottlenecks", findings_json(model, findings));
    json_advice(root, model);
    cJSON_AddItemToObject(root, "coverage", coverage_json(model));
    json_remarks(root, model);
    if (view->explain) {
        list = cJSON_AddArrayToObject(root, "left_out");
        for (size_t i = 0; i < model->function_count; i++)
            if (model->function[i].has_site && model->function[i].mode <= PP_MODE_COUNTED &&
                model->function[i].kind <= PP_SITE_STAGE)
                cJSON_AddItemToArray(list, function_json(model, &model->function[i]));
    }
    list = cJSON_AddArrayToObject(root, "truncated");
    if (stages_cut || view->filter)
        cJSON_AddItemToArray(list, cJSON_CreateString("stages"));
    if (findings < model->finding_count)
        cJSON_AddItemToArray(list, cJSON_CreateString("bottlenecks"));
    if (functions_cut || view->filter)
        cJSON_AddItemToArray(list, cJSON_CreateString("functions"));
    if (lines_cut || view->filter)
        cJSON_AddItemToArray(list, cJSON_CreateString("lines"));
    json_end(out, root);
    free(function);
    free(line);
    free(stage);
}
