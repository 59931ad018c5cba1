/* SPDX-License-Identifier: MIT */
/* jsondifference.c: see jsondifference.h. Sites whose times could not be tested and whose counts did not change are
 * counted, not listed. */
#include "export/jsondifference.h"

#include <math.h>
#include <stdlib.h>

#include "export/jsonrow.h"
#include "words/quote.h"

static const char *const arm_names[] = { "old", "new" };

static cJSON *array_to(cJSON *root, const char *name) { return cJSON_AddArrayToObject(root, name); }
static cJSON *row_to(cJSON *array)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddItemToArray(array, row);
    return row;
}

static void runs_write(cJSON *root, const struct difference *d)
{
    cJSON *runs = array_to(root, "runs");
    for (size_t i = 0; i < d->run_count; i++) {
        const struct difference_run *r = &d->run[i];
        cJSON *row = row_to(runs);
        add_text(row, "arm", arm_names[r->arm]);
        add_text(row, "path", r->path);
        add_text(row, "program", r->program);
        add_text(row, "input", r->input);
        add_text(row, "host", r->host);
        add_text_known(row, "cpu_model", r->cpu_model);
        add_integer(row, "wall_ns", r->wall_ns);
        add_integer(row, "cpu_ns", r->cpu_ns);
        add_integer(row, "peak_rss_bytes", r->peak_rss_bytes);
        add_real(row, "machine_factor", r->factor);
    }
}

static void machine_write(cJSON *root, const struct difference *d)
{
    cJSON *machine = cJSON_AddObjectToObject(root, "machine");
    cJSON_AddBoolToObject(machine, "known", d->factor_known);
    if (d->factor_known) {
        add_real(machine, "factor", d->factor);
        add_real(machine, "factor_error", d->factor_error);
    }
    add_integer(machine, "controls", d->control_count);
    add_real(machine, "scatter", d->scatter);
    add_real(machine, "run_scatter", d->run_scatter);
    if (d->seen_least > 0)
        add_real(machine, "seen_ratio", d->seen_least);
}

static void matched_write(cJSON *root, const struct difference *d)
{
    cJSON *matched = cJSON_AddObjectToObject(root, "matched");
    for (int kind = 0; kind < DIFFERENCE_KINDS; kind++) {
        cJSON *row = cJSON_AddObjectToObject(matched, difference_kind_name((enum difference_kind)kind));
        add_integer(row, "pairs", d->matched[kind]);
        add_integer(row, "old", d->sites[ARM_OLD][kind]);
        add_integer(row, "new", d->sites[ARM_NEW][kind]);
    }
}

static bool site_is_listed(const struct difference_site *s)
{
    bool listed = s->verdict != VERDICT_NOT_TESTED;
    for (int i = 0; i < COUNTERS; i++)
        listed |= s->count[i].changed;
    return listed;
}

static void counts_write(cJSON *row, const struct difference_site *s)
{
    cJSON *counts = cJSON_AddObjectToObject(row, "counts");
    for (int i = 0; i < COUNTERS; i++) {
        const struct difference_count *c = &s->count[i];
        if (!c->known || !(c->high[ARM_OLD] || c->high[ARM_NEW]))
            continue;
        cJSON *to = cJSON_AddObjectToObject(counts, difference_counter_name((enum difference_counter)i));
        add_integer(to, "old_low", c->low[ARM_OLD]);
        add_integer(to, "old_high", c->high[ARM_OLD]);
        add_integer(to, "new_low", c->low[ARM_NEW]);
        add_integer(to, "new_high", c->high[ARM_NEW]);
        cJSON_AddBoolToObject(to, "steady", c->steady);
        cJSON_AddBoolToObject(to, "changed", c->changed);
    }
}

static void times_write(cJSON *row, const struct difference_site *s)
{
    cJSON *times = cJSON_AddObjectToObject(row, "times");
    for (int i = 0; i < CLOCKS; i++) {
        const struct difference_time *t = &s->time[i];
        if (!t->known)
            continue;
        cJSON *to = cJSON_AddObjectToObject(times, difference_clock_name((enum difference_clock)i));
        add_real(to, "old_ns", t->ns[ARM_OLD]);
        add_real(to, "new_ns", t->ns[ARM_NEW]);
        cJSON_AddBoolToObject(to, "tested", t->tested);
        if (!t->tested)
            continue;
        add_real(to, "cost_ratio", exp(t->change));
        add_real(to, "cost_ratio_low", t->low);
        add_real(to, "cost_ratio_high", t->high);
        add_real(to, "error", t->error);
        if (isfinite(t->freedom))
            add_real(to, "freedom", t->freedom);
        add_real(to, "probability", t->probability);
        add_real(to, "least_ratio", t->least);
        if (t->runs_needed > 0 && t->runs_needed < 1e9)
            add_whole(to, "runs_needed", t->runs_needed);
    }
}

static void site_write(cJSON *array, const struct difference_site *s)
{
    cJSON *row = row_to(array);
    add_text(row, "kind", difference_kind_name(s->kind));
    add_text(row, "key", s->key);
    add_text(row, "name", s->name);
    for (int arm = 0; arm < ARMS; arm++) {
        if (s->file[arm][0])
            add_text(row, arm ? "new_file" : "old_file", s->file[arm]);
        if (s->line[arm])
            add_integer(row, arm ? "new_line" : "old_line", s->line[arm]);
    }
    if (s->code_known)
        cJSON_AddBoolToObject(row, "code_same", s->code_same);
    cJSON_AddBoolToObject(row, "control", s->is_control);
    add_text(row, "verdict", difference_verdict_name(s->verdict));
    add_text(row, "cause", difference_cause_name(s->cause));
    if (s->verdict != VERDICT_NOT_TESTED) {
        add_text(row, "clock", difference_clock_name(s->clock));
        add_real(row, "ratio", s->ratio);
    }
    add_real(row, "old_share", s->share[ARM_OLD]);
    add_real(row, "new_share", s->share[ARM_NEW]);
    add_integer(row, "old_samples", s->samples[ARM_OLD]);
    add_integer(row, "new_samples", s->samples[ARM_NEW]);
    add_real(row, "old_kernel_ns", s->kernel_ns[ARM_OLD]);
    add_real(row, "new_kernel_ns", s->kernel_ns[ARM_NEW]);
    counts_write(row, s);
    times_write(row, s);
}

static void singles_write(cJSON *root, const struct difference *d)
{
    cJSON *array = array_to(root, "unmatched");
    for (size_t i = 0; i < d->single_count; i++) {
        const struct difference_single *s = &d->single[i];
        cJSON *row = row_to(array);
        add_text(row, "arm", arm_names[s->arm]);
        add_text(row, "kind", difference_kind_name(s->kind));
        add_text(row, "name", s->name);
        if (s->file[0])
            add_text(row, "file", s->file);
        if (s->line)
            add_integer(row, "line", s->line);
        add_real(row, "cpu_ns", s->cpu_ns);
        add_real(row, "share", s->share);
        add_integer(row, "hits", s->hits);
        cJSON_AddBoolToObject(row, "hits_known", s->hits_known);
    }
}

void difference_json(FILE *out, const struct difference *d, const struct view *view)
{
    json_begin();
    cJSON *root = cJSON_CreateObject(), *limits;
    size_t left = 0;
    json_integers_as_text = view->int64_strings;
    add_text(root, "schema", "profplug-diff/1");
    limits = cJSON_AddObjectToObject(root, "limits");
    add_real(limits, "q", d->limits.q);
    add_real(limits, "least_effect", d->limits.least_effect);
    if (d->stage[ARM_OLD]) {
        cJSON *stages = cJSON_AddObjectToObject(root, "stages");
        for (int arm = 0; arm < ARMS; arm++)
            add_text(stages, arm_names[arm], d->stage[arm]);
    }
    runs_write(root, d);
    cJSON_AddBoolToObject(root, "same_input", d->same_input);
    machine_write(root, d);
    matched_write(root, d);
    cJSON *notices = array_to(root, "notices");
    for (size_t i = 0; i < d->notice_count; i++)
        cJSON_AddItemToArray(notices, cJSON_CreateString(d->notice[i]));
    cJSON *verdicts = cJSON_AddObjectToObject(root, "verdicts");
    for (int i = 0; i < VERDICTS; i++)
        add_integer(verdicts, difference_verdict_name((enum difference_verdict)i), d->verdict_count[i]);
    add_integer(root, "count_changes", d->count_changes);
    cJSON *sites = array_to(root, "sites");
    for (size_t i = 0; i < d->site_count; i++)
        if (site_is_listed(&d->site[i]))
            site_write(sites, &d->site[i]);
        else
            left++;
    add_integer(root, "sites_not_listed", left);
    singles_write(root, d);
    json_end(out, root);
}
