/* SPDX-License-Identifier: MIT */
/* prometheus.c: the run and its stages in Prometheus' text exposition format, version 0.0.4. Times are in seconds. */
#include <inttypes.h>

#include "exchange/tool.h"
#include "words/quote.h"

/* A label's value: backslash, quotation mark and line feed are escaped. */
static void label_print(FILE *out, const char *name, const char *value)
{
    struct arena arena = { 0 };
    fprintf(out, "%s=\"", name);
    for (const char *c = quote_plain(&arena, value); *c; c++) {
        if (*c == '\\' || *c == '"')
            putc('\\', out);
        putc(*c, out);
    }
    putc('"', out);
    arena_free(&arena);
}

static void head_print(FILE *out, const char *name, const char *type, const char *help)
{
    fprintf(out, "# HELP profplug_%s %s\n# TYPE profplug_%s %s\n", name, help, name, type);
}

static void run_print(FILE *out, const struct model *model, const char *name, const char *type, double value,
                      const char *help)
{
    head_print(out, name, type, help);
    fprintf(out, "profplug_%s{", name);
    label_print(out, "program", model->run.program);
    fprintf(out, "} %.9g\n", value);
}

struct column {
    const char *name, *type, *help;
    double (*of)(const struct model_stage *stage); /* negative: not measured */
};

static double calls_of(const struct model_stage *s) { return (double)s->times.calls; }
static double wall_of(const struct model_stage *s) { return (double)s->times.wall_ns / 1e9; }
static double cpu_of(const struct model_stage *s)
{
    double ns = stage_cpu_ns(s);
    return ns < 0 ? ns : ns / 1e9;
}
static double read_of(const struct model_stage *s) { return (double)s->traffic.read_bytes; }
static double written_of(const struct model_stage *s) { return (double)s->traffic.write_bytes; }

static const struct column columns[] = {
    { "stage_calls_total", "counter", "Entries of a stage, or runs of a loop.", calls_of },
    { "stage_wall_seconds_total", "counter", "Wall time of a stage and all that it calls, on all threads.", wall_of },
    { "stage_cpu_seconds_total", "counter", "CPU time of a stage and all that it calls, on all threads.", cpu_of },
    { "stage_read_bytes_total", "counter", "Bytes that a stage read.", read_of },
    { "stage_written_bytes_total", "counter", "Bytes that a stage wrote.", written_of },
};

static void stage_print(FILE *out, const struct model *model, const struct model_stage *s)
{
    label_print(out, "program", model->run.program);
    putc(',', out);
    label_print(out, "stage", s->key);
}

static void quantiles_print(FILE *out, const struct model *model)
{
    static const double quantile[] = { 0.5, 0.95, 0.99 };
    head_print(out, "stage_duration_seconds", "summary", "Wall times of a stage's entries, within 0.8 %.");
    for (size_t i = 0; i < model->stage_count; i++) {
        const struct model_stage *s = &model->stage[i];
        if (!s->times.timed_calls)
            continue;
        for (size_t k = 0; k < sizeof quantile / sizeof *quantile; k++) {
            fputs("profplug_stage_duration_seconds{", out);
            stage_print(out, model, s);
            fprintf(out, ",quantile=\"%g\"} %.9g\n", quantile[k], times_percentile(&s->times, quantile[k]) / 1e9);
        }
        fputs("profplug_stage_duration_seconds_sum{", out);
        stage_print(out, model, s);
        fprintf(out, "} %.9g\nprofplug_stage_duration_seconds_count{", (double)s->times.wall_ns / 1e9);
        stage_print(out, model, s);
        fprintf(out, "} %" PRIu64 "\n", s->times.timed_calls);
    }
}

void export_prometheus(FILE *out, const struct model *model, const struct export_request *request)
{
    (void)request;
    const struct model_run *r = &model->run;
    uint64_t lost = 0;
    for (unsigned i = 0; i < PP_LOSS_COUNT; i++)
        lost += r->losses[i];
    run_print(out, model, "run_start_timestamp_seconds", "gauge", (double)r->start_realtime_ns / 1e9,
              "When the run began, in seconds since 1970.");
    run_print(out, model, "run_wall_seconds", "gauge", (double)r->wall_ns / 1e9, "How long the run took.");
    run_print(out, model, "run_cpu_seconds", "gauge", (double)(r->user_ns + r->system_ns) / 1e9,
              "CPU time of the run, user and kernel.");
    run_print(out, model, "run_peak_rss_bytes", "gauge", (double)r->peak_rss_bytes,
              "The most memory that was resident.");
    run_print(out, model, "run_threads", "gauge", (double)r->thread_count, "Threads that the run had in all.");
    run_print(out, model, "run_losses", "gauge", (double)lost, "Observations that were lost.");
    for (size_t k = 0; k < sizeof columns / sizeof *columns && model->stage_count; k++) {
        head_print(out, columns[k].name, columns[k].type, columns[k].help);
        for (size_t i = 0; i < model->stage_count; i++) {
            double value = columns[k].of(&model->stage[i]);
            if (value < 0)
                continue;
            fprintf(out, "profplug_%s{", columns[k].name);
            stage_print(out, model, &model->stage[i]);
            fprintf(out, "} %.9g\n", value);
        }
    }
    if (model->stage_count)
        quantiles_print(out, model);
}
