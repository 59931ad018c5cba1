/* SPDX-License-Identifier: MIT */
/* factsheet.c: what is known of the run, of what profiling did and cost, and of where CPU time could be placed: facts
 * in groups, each with a name and its value in words. See sheet.h. */
#include "sheet/sheet.h"

#include <math.h>
#include <time.h>

#include "words/figure.h"

struct facts {
    struct sheet *sheet;
    struct arena *arena;
    const char *group;
};

/* An empty value is left out. The share, of what its group says, is negative where there is none. */
static void fact_add(struct facts *f, const char *name, const char *value, double share)
{
    if (!value || !value[0])
        return;
    sheet_text(f->sheet, "group", f->group);
    sheet_text(f->sheet, "name", name);
    sheet_text(f->sheet, "value", value);
    sheet_percent(f->sheet, "percent", share >= 0, 100 * share);
    sheet_row(f->sheet);
}

static void time_add(struct facts *f, const char *name, double ns)
{
    char text[FIGURE_BYTES];
    if (ns > 0)
        fact_add(f, name, arena_copy(f->arena, figure_time(text, ns)), -1);
}

static void count_add(struct facts *f, const char *name, uint64_t count)
{
    fact_add(f, name, arena_print(f->arena, "%llu", (unsigned long long)count), -1);
}

static void words_add(struct facts *f, const char *name, const char *const *word, size_t count)
{
    const char *all = "";
    for (size_t i = 0; i < count; i++)
        all = arena_print(f->arena, "%s%s%s", all, i ? ", " : "", word[i]);
    fact_add(f, name, all, -1);
}

static void run_add(struct facts *f, const struct model_run *r)
{
    char stamp[40] = "", text[FIGURE_BYTES];
    time_t seconds = (time_t)(r->start_realtime_ns / UINT64_C(1000000000));
    struct tm broken;
    f->group = "The run";
    fact_add(f, "program", r->program, -1);
    words_add(f, "arguments", r->argument + (r->argument_count > 0), r->argument_count - (r->argument_count > 0));
    fact_add(f, "in the folder", r->directory, -1);
    if (r->start_realtime_ns && gmtime_r(&seconds, &broken) && strftime(stamp, sizeof stamp, "%F %T UTC", &broken))
        fact_add(f, "started", arena_copy(f->arena, stamp), -1);
    fact_add(f, "ended", arena_print(f->arena, "%s %d", exit_name(r->exit_kind), r->exit_status), -1);
    time_add(f, "wall time", (double)r->wall_ns);
    time_add(f, "CPU time, user", (double)r->user_ns);
    time_add(f, "CPU time, kernel", (double)r->system_ns);
    time_add(f, "ready, but without a CPU", (double)r->delay_ns);
    count_add(f, "threads", r->thread_count);
    if (r->peak_rss_bytes)
        fact_add(f, "peak of resident memory",
                 arena_print(f->arena, "%s%s", run_peak_is_least(r) ? "at least " : "",
                             figure_size(text, (double)r->peak_rss_bytes)),
                 -1);
    fact_add(f, "host", r->host, -1);
    fact_add(f, "CPU", r->cpu_model, -1);
    fact_add(f, "compiler", r->compiler, -1);
    words_add(f, "labels", r->label, r->label_count);
    fact_add(f, "data file", r->path, -1);
}

static void profiling_add(struct facts *f, const struct model *model)
{
    const struct model_run *r = &model->run;
    char words[WORDS_BYTES];
    f->group = "Profiling";
    fact_add(f, "level", level_name(r->level), -1);
    words_add(f, "options", r->option, r->option_count);
    if (r->cost_unknown)
        fact_add(f, "its cost", arena_print(f->arena, "not measured: %s", r->cost_unknown), -1);
    else
        fact_add(f, "its cost",
                 arena_print(f->arena, "%.2f to %.2f %% of the CPU time left without it; the budget is %.1f %%",
                             run_overhead_percent(r, (double)r->self_ns),
                             run_overhead_percent(r, (double)r->self_most_ns), r->budget_permille / 10.0),
                 -1);
    count_add(f, "calls counted", r->events_counted);
    count_add(f, "calls timed", r->events_timed);
    count_add(f, "samples taken", run_samples_taken(model));
    count_add(f, "samples due and skipped", model->coverage.samples - run_samples_taken(model));
    time_add(f, "CPU time from one sample to the next", r->sample_period_ns);
    fact_add(f, "clock", r->clock_name, -1);
    f->group = "Lost or skipped";
    for (unsigned i = 0; i < PP_LOSS_COUNT; i++)
        if (r->losses[i])
            fact_add(f, loss_name(i),
                     arena_print(f->arena, "%llu %s", (unsigned long long)r->losses[i],
                                 loss_text(words, i, r->losses[i])),
                     -1);
    for (unsigned i = 0; i < PP_GIVEN_COUNT; i++)
        if (r->given_up[i])
            fact_add(f, given_name(i), arena_copy(f->arena, given_text(words, model, i)), -1);
    f->group = "Notes";
    fact_add(f, "samples", r->sample_note, -1);
    fact_add(f, "memory", r->memory_note, -1);
    for (size_t i = 0; i < model->notice_count; i++)
        fact_add(f, arena_print(f->arena, "%zu", i + 1), model->notice[i], -1);
}

static void part_add(struct facts *f, const char *name, double ns, double whole)
{
    char text[FIGURE_BYTES];
    if (whole > 0 && ns / whole >= 0.0005) /* less would be shown as 0.0 % */
        fact_add(f, name, arena_copy(f->arena, figure_time(text, ns)), ns / whole);
}

static void coverage_add(struct facts *f, const struct model *model)
{
    const struct model_coverage *c = &model->coverage;
    struct coverage_part part[COVERAGE_PARTS];
    double whole = coverage_cpu_ns(model);
    f->group = "Where CPU time is known";
    coverage_parts(model, part);
    for (unsigned i = 0; i < COVERAGE_PARTS; i++)
        part_add(f, part[i].what, part[i].ns, whole);
    f->group = "Functions";
    count_add(f, "can be timed", c->framed);
    count_add(f, "only counted", c->counted);
    count_add(f, "not instrumented", c->left_out);
    count_add(f, "seen only inlined", c->inlined);
}

void sheet_facts(struct book *book)
{
    struct facts f = { sheet_begin(book, "facts"), &book->arena, "" };
    run_add(&f, &book->model->run);
    profiling_add(&f, book->model);
    coverage_add(&f, book->model);
    sheet_end(f.sheet);
}

void sheet_modules(struct book *book)
{
    struct sheet *s = sheet_begin(book, "modules");
    for (size_t i = 0; i < book->model->module_count; i++) {
        const struct model_module *m = &book->model->module[i];
        sheet_text(s, "path", m->path);
        sheet_text(s, "build_id", m->build_id);
        sheet_text(s, "state", m->runtime ? "the profiler's runtime" : m->instrumented ? "instrumented" : "");
        sheet_text(s, "complaint", m->complaint);
        sheet_number(s, "samples", m->samples);
        sheet_row(s);
    }
    sheet_end(s);
}
