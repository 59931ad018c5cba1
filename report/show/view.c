/* SPDX-License-Identifier: MIT */
/* view.c: which functions, lines and stages are shown, and in which order. It must not know formats. See
 * screen.h. */
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "show/screen.h"

static const struct model *sorted; /* qsort has no context */
static const char *sort_key;
static bool for_person;

static bool matches(const char *filter, const char *text)
{
    return text && (filter[strcspn(filter, "*?[")] ? fnmatch(filter, text, 0) == 0 : strstr(text, filter) != NULL);
}

bool view_matches(const struct view *view, const char *name, const char *place)
{
    return !view->filter || matches(view->filter, name) || matches(view->filter, place);
}

/* By its name, its file, or FILE:LINE. */
static bool line_matches(const struct view *view, const char *file, uint32_t line,
                         const char *name)
{
    char number[16];
    if (!view->filter || view_matches(view, name, file))
        return true;
    struct arena arena = { 0 };
    snprintf(number, sizeof number, ":%u", line);
    bool found = matches(view->filter, arena_print(&arena, "%s%s", path_short(file), number)) ||
                 matches(view->filter, arena_print(&arena, "%s%s", file, number)) ||
                 matches(view->filter, path_short(file));
    arena_free(&arena);
    return found;
}

/* a line that waits for this part of the run is shown even without samples */
#define WAITS_SHARE 0.01

static bool by(const char *key) { return sort_key && strcmp(sort_key, key) == 0; }

static int descending(double a, double b) { return a < b ? 1 : a > b ? -1 : 0; }

static double function_rank(const struct model_function *f)
{
    return by("total")     ? f->total.ns
           : by("calls")   ? (double)f->calls
           : by("mean")    ? (f->calls ? f->total.ns / (double)f->calls : 0)
           : by("samples") ? (double)f->samples
           : by("wait")    ? f->stalled.ns
                           : f->self.ns;
}

static int function_compare(const void *a, const void *b)
{
    const struct model_function *x = &sorted->function[*(const uint32_t *)a],
                                *y = &sorted->function[*(const uint32_t *)b];
    int order = by("name") ? strcmp(x->name, y->name) : descending(function_rank(x), function_rank(y));
    order = order ? order : descending(x->total.ns, y->total.ns);
    order = order ? order : descending((double)x->calls, (double)y->calls);
    return order ? order : strcmp(x->key, y->key);
}

/* For a person: CPU time, or waits that may hold somebody up. */
static double line_rank(const struct model_line *l)
{
    return by("total")     ? l->total.ns
           : by("calls")   ? (double)l->hits
           : by("samples") ? (double)l->samples
           : by("wait")    ? (double)traffic_wait_ns(&l->traffic)
           : by("mean")    ? (l->hits ? l->self.ns / (double)l->hits : 0)
           : for_person    ? fmax(l->self.ns, (double)traffic_wait_ns(&l->traffic) - l->idle_ns)
                           : l->self.ns;
}

static int line_compare(const void *a, const void *b)
{
    const struct model_line *x = &sorted->line[*(const uint32_t *)a], *y = &sorted->line[*(const uint32_t *)b];
    int order = by("name") ? 0 : descending(line_rank(x), line_rank(y));
    order = order ? order : strcmp(x->file, y->file);
    return order ? order : x->line < y->line ? -1 : x->line > y->line;
}

static double stage_rank(const struct model_stage *s)
{
    return by("self")      ? (double)s->times.self_ns
           : by("calls")   ? (double)s->times.calls
           : by("samples") ? (double)s->samples
           : by("mean")    ? s->times.mean_ns
           : by("p99")     ? times_percentile(&s->times, 0.99)
           : by("wait")    ? stage_off_cpu_ns(s)
                           : (double)s->times.wall_ns;
}

static int stage_compare(const void *a, const void *b)
{
    const struct model_stage *x = &sorted->stage[*(const uint32_t *)a], *y = &sorted->stage[*(const uint32_t *)b];
    int order = by("name") ? strcmp(x->name, y->name) : descending(stage_rank(x), stage_rank(y));
    return order ? order : x->id < y->id ? -1 : x->id > y->id;
}

static void list_sort(const struct model *model, const struct view *view, const char *key, uint32_t *list, size_t count,
                      int (*compare)(const void *, const void *))
{
    sorted = model;
    sort_key = key;
    for_person = view->for_person;
    if (count)
        qsort(list, count, sizeof *list, compare);
}

static void list_cut(const struct view *view, size_t *count, size_t *left_out)
{
    if (view->top && *count > view->top) {
        *left_out += *count - view->top;
        *count = view->top;
    }
}

/* Whether calls on its lines were recorded. An inlined function may have these and nothing else. */
static bool function_is_booked(const struct model_function *f)
{
    const struct model_traffic *t = &f->traffic;
    return t->reads || t->writes || t->wall_ns || f->stalled.ns > 0 || f->blocks.alloc_blocks ||
           f->blocks.free_blocks || f->mappings.alloc_blocks || f->copies.alloc_blocks || f->pools.alloc_blocks ||
           f->fills.alloc_blocks;
}

uint32_t *view_functions(const struct model *model, const struct view *view, size_t *count, size_t *left_out)
{
    uint32_t *list = memory_zeroed(model->function_count, sizeof *list);
    double whole = coverage_cpu_ns(model);
    *count = *left_out = 0;
    for (uint32_t i = 0; i < model->function_count; i++) {
        const struct model_function *f = &model->function[i];
        bool ran = f->calls || f->active || f->samples ||
                   ((f->total.ns > 0 || function_is_booked(f)) && !(view->for_person && path_is_system(f->file)));
        bool large = view->min_percent <= 0 || (whole > 0 && 100 * f->total.ns / whole >= view->min_percent);
        if (f->kind > PP_SITE_STAGE || !ran || !line_matches(view, f->file, f->line, f->name))
            continue;
        if (large)
            list[(*count)++] = i;
        else
            ++*left_out;
    }
    list_sort(model, view, view->sort, list, *count, function_compare);
    list_cut(view, count, left_out);
    return list;
}

uint32_t *view_lines(const struct model *model, const struct view *view, size_t *count, size_t *left_out)
{
    uint32_t *list = memory_zeroed(model->line_count, sizeof *list);
    double whole = coverage_cpu_ns(model);
    *count = *left_out = 0;
    for (uint32_t i = 0; i < model->line_count; i++) {
        double ns = model->line[i].total.ns;
        bool large = view->min_percent <= 0 || (whole > 0 && 100 * ns / whole >= view->min_percent);
        bool waits = (double)traffic_wait_ns(&model->line[i].traffic) >= WAITS_SHARE * (double)model->run.wall_ns &&
                     traffic_wait_ns(&model->line[i].traffic);
        if ((view->for_person && model->line[i].self.ns <= 0 && !waits) ||
            !line_matches(view, model->line[i].file, model->line[i].line,
                          model->function[model->line[i].function].name))
            continue;
        if (large)
            list[(*count)++] = i;
        else
            ++*left_out;
    }
    list_sort(model, view, view->sort, list, *count, line_compare);
    list_cut(view, count, left_out);
    return list;
}

/* By bytes, or by blocks with --sort calls. */
static int blocks_compare(const struct model_allocation *list, uint32_t m, uint32_t n)
{
    const struct model_blocks *x = &list[m].blocks, *y = &list[n].blocks;
    int order = by("calls") ? 0 : x->alloc_bytes < y->alloc_bytes ? 1 : x->alloc_bytes > y->alloc_bytes ? -1 : 0;
    order = order ? order : x->alloc_blocks < y->alloc_blocks ? 1 : x->alloc_blocks > y->alloc_blocks ? -1 : 0;
    return order ? order : m < n ? -1 : m > n;
}

static int allocation_compare(const void *a, const void *b)
{
    return blocks_compare(sorted->allocation, *(const uint32_t *)a, *(const uint32_t *)b);
}
static int mapping_compare(const void *a, const void *b)
{
    return blocks_compare(sorted->mapping, *(const uint32_t *)a, *(const uint32_t *)b);
}

static int volume_compare(const void *a, const void *b)
{
    return blocks_compare(sorted->volume, *(const uint32_t *)a, *(const uint32_t *)b);
}

static uint32_t *blocks_list(const struct model *model, const struct view *view, size_t all,
                             int (*compare)(const void *, const void *), size_t *count, size_t *left_out)
{
    uint32_t *list = memory_zeroed(all, sizeof *list);
    *left_out = 0;
    for (uint32_t i = 0; i < all; i++)
        list[i] = i;
    *count = all;
    list_sort(model, view, view->sort, list, *count, compare);
    list_cut(view, count, left_out);
    return list;
}

uint32_t *view_allocations(const struct model *model, const struct view *view, size_t *count, size_t *left_out)
{
    return blocks_list(model, view, model->allocation_count, allocation_compare, count, left_out);
}

uint32_t *view_mappings(const struct model *model, const struct view *view, size_t *count, size_t *left_out)
{
    return blocks_list(model, view, model->mapping_count, mapping_compare, count, left_out);
}

uint32_t *view_volumes(const struct model *model, const struct view *view, enum pp_callsite_kind kind, size_t *count,
                       size_t *left_out)
{
    size_t all = 0;
    uint32_t *list = memory_zeroed(model->volume_count, sizeof *list);
    *left_out = 0;
    for (uint32_t i = 0; i < model->volume_count; i++)
        if (model->volume[i].kind == kind)
            list[all++] = i;
    *count = all;
    list_sort(model, view, view->sort, list, *count, volume_compare);
    list_cut(view, count, left_out);
    return list;
}

/* A stage is shown if it is large enough, among the `top` by total time, and inside a stage that is shown. */
static uint32_t parent_shown(const struct model *model, uint32_t stage)
{
    uint32_t parent = model->stage[stage].parent;
    return parent != MODEL_NONE && stage_is_within(model, parent) ? parent : MODEL_NONE;
}

static bool *stages_choose(const struct model *model, const struct view *view, size_t *left_out)
{
    bool *chosen = memory_zeroed(model->stage_count, sizeof *chosen);
    uint32_t *order = memory_zeroed(model->stage_count, sizeof *order);
    size_t count = 0;
    *left_out = 0;
    for (uint32_t i = 0; i < model->stage_count; i++) {
        if (!stage_is_within(model, i) || !view_matches(view, model->stage[i].name, model->stage[i].key))
            continue;
        if (view->min_percent <= 0 || 100 * stage_share(model, &model->stage[i]) >= view->min_percent)
            order[count++] = i;
        else
            ++*left_out;
    }
    list_sort(model, view, view_is_flat(view) && view->sort ? view->sort : "total", order, count, stage_compare);
    list_cut(view, &count, left_out);
    for (size_t i = 0; i < count; i++)
        chosen[order[i]] = true;
    for (size_t i = model->stage_count; i-- > 0 && view->filter && !view->for_person;)
        if (chosen[i] && parent_shown(model, (uint32_t)i) != MODEL_NONE) /* rows refer to their parents */
            chosen[parent_shown(model, (uint32_t)i)] = true;
    for (uint32_t i = 0; i < model->stage_count && !view_is_flat(view); i++) { /* parents come before their children */
        uint32_t parent = parent_shown(model, i);
        if (chosen[i] && parent != MODEL_NONE && !chosen[parent]) {
            chosen[i] = false;
            ++*left_out;
        }
    }
    free(order);
    return chosen;
}

uint32_t *view_stages(const struct model *model, const struct view *view, size_t *count, size_t *left_out)
{
    bool *chosen = stages_choose(model, view, left_out);
    uint32_t *order = memory_zeroed(model->stage_count, sizeof *order);
    uint32_t *list = memory_zeroed(model->stage_count, sizeof *list),
             *stack = memory_zeroed(model->stage_count, sizeof *stack);
    uint32_t *first = memory_zeroed(model->stage_count + 1, sizeof *first),
             *next = memory_zeroed(model->stage_count, sizeof *next);
    size_t depth = 0, shown = 0;
    for (uint32_t i = 0; i < model->stage_count; i++)
        if (chosen[i])
            order[shown++] = i;
    list_sort(model, view, view->sort, order, shown, stage_compare);
    *count = 0;
    /* Linked lists of children, built from the back so that the first ends in front. */
    for (size_t i = 0; i <= model->stage_count; i++)
        first[i] = MODEL_NONE;
    for (size_t i = shown; i-- > 0;) {
        uint32_t parent = parent_shown(model, order[i]),
                 head = parent == MODEL_NONE ? (uint32_t)model->stage_count : parent;
        next[order[i]] = first[head];
        first[head] = order[i];
    }
    uint32_t at = first[model->stage_count];
    while (at != MODEL_NONE || depth) {
        if (at == MODEL_NONE) {
            at = next[stack[--depth]];
            continue;
        }
        list[(*count)++] = at;
        stack[depth++] = at;
        at = first[at];
    }
    if (view_is_flat(view)) { /* one order over all stages, no tree */
        memcpy(list, order, shown * sizeof *list);
        *count = shown;
    }
    free(chosen);
    free(order);
    free(stack);
    free(first);
    free(next);
    return list;
}

bool view_is_flat(const struct view *view) { return view->for_person && (view->sort || view->filter); }

static double loop_rank(const struct model_stage *s)
{
    return by("calls")  ? (double)s->times.calls
           : by("mean") ? s->iteration.mean_ns
           : by("p99")  ? times_percentile(&s->iteration, 0.99)
                        : (double)s->times.wall_ns;
}

static int loop_compare(const void *a, const void *b)
{
    const struct model_stage *x = &sorted->stage[*(const uint32_t *)a], *y = &sorted->stage[*(const uint32_t *)b];
    int order = by("name") ? strcmp(x->key, y->key) : descending(loop_rank(x), loop_rank(y));
    return order ? order : x->id < y->id ? -1 : x->id > y->id;
}

uint32_t *view_loops(const struct model *model, const struct view *view, size_t *count, size_t *left_out)
{
    uint32_t *list = memory_zeroed(model->stage_count, sizeof *list);
    *count = *left_out = 0;
    for (uint32_t i = 0; i < model->stage_count; i++) {
        const struct model_stage *s = &model->stage[i];
        if (s->kind != PP_SITE_LOOP || !stage_is_within(model, i) || !view_matches(view, s->name, s->key))
            continue;
        if (view->min_percent <= 0 || 100 * stage_share(model, s) >= view->min_percent)
            list[(*count)++] = i;
        else
            ++*left_out;
    }
    list_sort(model, view, view->sort, list, *count, loop_compare);
    list_cut(view, count, left_out);
    return list;
}

static double thread_rank(const struct model_thread *t)
{
    return (double)(by("total") ? t->wall_ns : by("samples") ? t->samples : by("wait") ? t->wait_ns : t->cpu_ns);
}

static int thread_compare(const void *a, const void *b)
{
    const struct model_thread *x = &sorted->thread[*(const uint32_t *)a], *y = &sorted->thread[*(const uint32_t *)b];
    int order = by("name") ? strcmp(x->name, y->name) : descending(thread_rank(x), thread_rank(y));
    order = order ? order : descending((double)x->wall_ns, (double)y->wall_ns);
    return order ? order : x->id < y->id ? -1 : x->id > y->id;
}

uint32_t *view_threads(const struct model *model, const struct view *view, size_t *count, size_t *left_out)
{
    uint32_t *list = memory_zeroed(model->thread_count, sizeof *list);
    char number[24];
    *count = *left_out = 0;
    for (uint32_t i = 0; i < model->thread_count; i++) {
        snprintf(number, sizeof number, "%llu", (unsigned long long)model->thread[i].id);
        if (view_matches(view, model->thread[i].name, number))
            list[(*count)++] = i;
    }
    list_sort(model, view, view->sort, list, *count, thread_compare);
    list_cut(view, count, left_out);
    return list;
}
