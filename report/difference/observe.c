/* SPDX-License-Identifier: MIT */
/* observe.c: what a comparison keeps of a run: its stages, functions and lines with their counts and times. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "difference/match.h"
#include "model/model.h"

#define KEY_BYTES 4608
#define ENTRIES_LEAST 16 /* of which the middle half is typical */

struct observing {
    struct arena *arena;
    struct observed_program *program;
    const struct model *model;
    size_t run;
};

static struct observed_site *site_at(struct observing *o, enum difference_kind kind, const char *key)
{
    struct observed_program *p = o->program;
    uint32_t *found = map_at_text(&p->by_key, key);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)p->site_count;
        *ARRAY_PUSH(p->site, p->site_count, p->site_capacity) = (struct observed_site){
            .kind = kind, .key = arena_copy(o->arena, key), .owner = DIFFERENCE_NONE, .partner = DIFFERENCE_NONE
        };
    }
    return &p->site[*found];
}

static struct observed *run_of(struct observing *o, struct observed_site *site)
{
    size_t wanted = o->run + 1;
    if (site->run_capacity < wanted) {
        site->run = array_extended(site->run, site->run_capacity, wanted, sizeof *site->run);
        site->run_capacity = wanted;
    }
    if (!site->run[o->run])
        site->run[o->run] = arena_take(o->arena, sizeof **site->run);
    site->run[o->run]->seen = true;
    return site->run[o->run];
}

static void count_set(struct observed *to, enum difference_counter counter, uint64_t count)
{
    to->counted[counter] = true;
    to->count[counter] += count;
}

static void clock_set(struct observed *to, enum difference_clock clock, struct value value)
{
    to->timed[clock] = true;
    to->ns[clock] += value.ns;
    to->variance[clock] += value.variance;
}

static void user_add(struct observed *to, struct value value)
{
    to->user.ns += value.ns;
    to->user.variance += value.variance;
}

static void costs_set(const struct model *model, struct observed *to, const struct model_blocks *blocks,
                      const struct model_traffic *traffic)
{
    if (model->has_blocks && !model->run.blocks_mean) { /* counts are compared as exact ones */
        count_set(to, COUNTER_ALLOC_BLOCKS, blocks->alloc_blocks);
        count_set(to, COUNTER_ALLOC_BYTES, blocks->alloc_bytes);
    }
    if (!model->has_operations)
        return;
    count_set(to, COUNTER_READS, traffic->reads);
    count_set(to, COUNTER_READ_BYTES, traffic->read_bytes);
    count_set(to, COUNTER_WRITES, traffic->writes);
    count_set(to, COUNTER_WRITE_BYTES, traffic->write_bytes);
}

/* ---- stages ---- */

/* The stage's key within `outer`: empty for that itself. NULL: it is not within. */
static const char *stage_key_within(const struct model *model, const struct model_stage *stage, const char *outer)
{
    if (!outer)
        return stage->key;
    if (!stage_is_within(model, (uint32_t)(stage - model->stage)))
        return NULL;
    const struct model_stage *s = stage;
    for (; s->parent != MODEL_NONE && stage_is_within(model, s->parent); s = &model->stage[s->parent]) {}
    const char *rest = stage->key + strlen(s->key);
    return *rest == '/' ? rest + 1 : rest;
}

static void metric_take(struct observed *to, const struct model_stage *s, enum difference_counter counter,
                        unsigned metric)
{
    if (s->metric_known[metric] && s->metric_exact[metric] && s->metric[metric] >= 0)
        count_set(to, counter, number_whole(s->metric[metric]));
}

static bool entries_timed(const struct model_stage *s)
{
    return s->times.timed_calls && s->times.timed_calls == s->times.calls;
}

/* The clocks of a stage's entries: CPU and elapsed time if they are known. */
static void stage_times_add(struct observed *run, const struct model_stage *s, bool cpu, bool wall, uint64_t least)
{
    count_set(run, COUNTER_HITS, s->times.calls);
    if (cpu)
        clock_set(run, CLOCK_CPU, (struct value){ stage_cpu_ns(s), s->metric_variance[PP_METRIC_CPU] });
    if (wall)
        clock_set(run, CLOCK_WALL, (struct value){ (double)s->times.wall_ns, 0 });
    if (wall && s->times.calls >= least)
        run->typical_ns += times_typical(&s->times) * (double)s->times.calls;
    clock_set(run, CLOCK_WAIT, (struct value){ (double)traffic_wait_ns(&s->traffic), 0 });
    run->samples += s->samples;
}

static bool same_stage(const struct model_stage *a, const struct model_stage *b)
{
    return a->line == b->line && !strcmp(a->name, b->name) && !strcmp(a->file ? a->file : "", b->file ? b->file : "");
}

static bool within_itself(const struct model *m, const struct model_stage *s)
{
    for (uint32_t p = s->parent; p != MODEL_NONE; p = m->stage[p].parent)
        if (same_stage(s, &m->stage[p]))
            return true;
    return false;
}

/* A stage that is entered from several others is compared as a whole, too: that is less uncertain than each place. */
static void totals_observe(struct observing *o)
{
    const struct model *m = o->model;
    char key[KEY_BYTES];
    for (size_t i = 0; i < m->stage_count; i++) {
        const struct model_stage *s = &m->stage[i];
        size_t places = 0;
        bool cpu = true, wall = true;
        for (size_t k = 0; k < m->stage_count; k++)
            if (same_stage(s, &m->stage[k]) && !within_itself(m, &m->stage[k])) {
                places++;
                cpu &= stage_cpu_ns(&m->stage[k]) >= 0;
                wall &= entries_timed(&m->stage[k]);
            }
        if (places < 2 || within_itself(m, s))
            continue;
        snprintf(key, sizeof key, STAGE_TOTAL "%s", s->name);
        struct observed_site *site = site_at(o, DIFFERENCE_STAGE, key);
        site->name = arena_copy(o->arena, s->name);
        site->symbol = site->name;
        site->file = arena_copy(o->arena, s->file);
        site->line = s->line;
        stage_times_add(run_of(o, site), s, cpu, wall, 1);
    }
}

static void stages_observe(struct observing *o, const char *outer)
{
    static const struct {
        enum difference_counter counter;
        unsigned metric;
    } metrics[] = { { COUNTER_ALLOC_BLOCKS, PP_METRIC_ALLOC_BLOCKS }, { COUNTER_ALLOC_BYTES, PP_METRIC_ALLOC_BYTES } };
    char key[KEY_BYTES];
    uint32_t *made = memory_zeroed(o->model->stage_count + 1, sizeof *made);
    for (size_t i = 0; i < o->model->stage_count; i++) {
        const struct model_stage *s = &o->model->stage[i];
        const char *within = stage_key_within(o->model, s, outer);
        made[i] = DIFFERENCE_NONE;
        if (!within)
            continue;
        snprintf(key, sizeof key, "stage:%s", within);
        struct observed_site *site = site_at(o, DIFFERENCE_STAGE, key);
        site->name = arena_copy(o->arena, s->name);
        site->symbol = arena_copy(o->arena, *within ? s->name : "");
        site->file = arena_copy(o->arena, s->file);
        site->line = s->line;
        site->owner = s->parent == MODEL_NONE ? DIFFERENCE_NONE : made[s->parent]; /* parents stand before children */
        made[i] = (uint32_t)(site - o->program->site);
        struct observed *run = run_of(o, site);
        stage_times_add(run, s, stage_cpu_ns(s) >= 0, entries_timed(s), ENTRIES_LEAST);
        if (s->kind == PP_SITE_LOOP)
            count_set(run, COUNTER_TRIPS, s->iteration.calls);
        for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++)
            metric_take(run, s, metrics[m].counter, metrics[m].metric);
        if (o->model->has_operations) {
            count_set(run, COUNTER_READS, s->traffic.reads);
            count_set(run, COUNTER_READ_BYTES, s->traffic.read_bytes);
            count_set(run, COUNTER_WRITES, s->traffic.writes);
            count_set(run, COUNTER_WRITE_BYTES, s->traffic.write_bytes);
        }
    }
    free(made);
    if (!outer)
        totals_observe(o);
}

/* ---- functions and lines ---- */

static uint32_t function_observe(struct observing *o, const struct model_function *f, bool whole)
{
    char key[KEY_BYTES];
    snprintf(key, sizeof key, "function:%s", f->key);
    struct observed_site *site = site_at(o, DIFFERENCE_FUNCTION, key);
    site->name = arena_copy(o->arena, f->label ? f->label : f->name);
    site->symbol = arena_copy(o->arena, f->symbol);
    site->file = arena_copy(o->arena, f->file);
    site->line = f->line;
    site->shape = f->shape;
    site->code_bytes = f->code_bytes;
    struct observed *run = run_of(o, site);
    if (f->calls_known && !f->has_copies && whole)
        count_set(run, COUNTER_HITS, f->calls);
    clock_set(run, CLOCK_CPU, f->self);
    user_add(run, f->booked);
    if (f->wall_known && whole)
        clock_set(run, CLOCK_WALL, (struct value){ (double)f->wall_ns, 0 });
    clock_set(run, CLOCK_WAIT, (struct value){ (double)traffic_wait_ns(&f->traffic), 0 });
    if (whole)
        costs_set(o->model, run, &f->blocks, &f->traffic);
    run->kernel_ns += f->system_ns;
    run->samples += f->samples;
    return (uint32_t)(site - o->program->site);
}

static void line_observe(struct observing *o, const struct model_line *l, uint32_t owner, bool whole)
{
    char key[KEY_BYTES];
    snprintf(key, sizeof key, "line:%u:%u:%s", owner, l->line, l->file);
    struct observed_site *site = site_at(o, DIFFERENCE_LINE, key);
    const struct model_callee *callee = line_callee(o->model, l);
    if (!site->name) {
        site->name = owner != DIFFERENCE_NONE ? o->program->site[owner].name : "";
        site->symbol = "";
        site->file = arena_copy(o->arena, l->file);
        site->line = l->line;
        site->owner = owner;
    }
    site->shape = l->shape;
    if (!site->callee && callee && callee->name)
        site->callee = arena_copy(o->arena, callee->name);
    struct observed *run = run_of(o, site);
    if (l->hits_known && whole)
        count_set(run, COUNTER_HITS, l->hits);
    clock_set(run, CLOCK_CPU, l->self);
    user_add(run, l->booked);
    clock_set(run, CLOCK_WAIT, (struct value){ (double)traffic_wait_ns(&l->traffic), 0 });
    if (whole)
        costs_set(o->model, run, &l->blocks, &l->traffic);
    run->kernel_ns += l->system_ns;
    run->samples += l->samples;
}

static bool function_is_kept(const struct model_function *f)
{
    return f->kind != PP_SITE_LOOP && f->kind != PP_SITE_SCOPE && !f->wrapper &&
           (f->has_site || f->samples || f->calls || f->shape);
}

void observe_model(struct arena *arena, struct observed_program *program, const struct model *model, const char *stage)
{
    struct observing o = { .arena = arena, .program = program, .model = model, .run = program->runs++ };
    uint32_t *site = memory_zeroed(model->function_count + 1, sizeof *site);
    stages_observe(&o, stage);
    for (size_t i = 0; i < model->function_count; i++)
        site[i] =
            function_is_kept(&model->function[i]) ? function_observe(&o, &model->function[i], !stage) : DIFFERENCE_NONE;
    for (size_t i = 0; i < model->line_count; i++) {
        const struct model_line *l = &model->line[i];
        if (l->hits || l->samples || l->shape)
            line_observe(&o, l, l->function == MODEL_NONE ? DIFFERENCE_NONE : site[l->function], !stage);
    }
    for (size_t i = 0; i < program->site_count; i++) {
        struct observed_site *s = &program->site[i];
        if (s->run_capacity > o.run && s->run[o.run])
            s->cpu_ns += s->run[o.run]->ns[CLOCK_CPU];
    }
    for (size_t i = 0; i < model->line_count; i++)
        program->cpu_ns += model->line[i].self.ns;
    free(site);
}
