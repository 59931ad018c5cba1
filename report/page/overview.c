/* SPDX-License-Identifier: MIT */
/* overview.c: what ran, how it ended, what it used, what profiling cost, and what changes how to read the rest. */
#include "page/page.h"

#include "page/markup.h"
#include "section/section.h"
#include "words/figure.h"

void plain_place(FILE *out, const char *file, unsigned line)
{
    if (!file || !file[0])
        return;
    if (!line) {
        markup_print(out, "<code>%s</code>", path_short(file));
        return;
    }
    markup_print(out, "<a class=\"place\" href=\"#%s:%u\" title=\"%s\">%s:%u</a>", file, line, file, path_short(file),
                 line);
}

static void fact_write(FILE *out, const char *name, const char *value, const char *detail)
{
    markup_print(out, "<div><dt>%s</dt><dd>%s", name, value);
    if (detail && detail[0])
        markup_print(out, " <small>%s</small>", detail);
    fputs("</dd></div>\n", out);
}

static void cost_write(FILE *out, struct arena *arena, const struct model *model)
{
    const struct model_run *r = &model->run;
    char a[FIGURE_BYTES], b[FIGURE_BYTES], c[FIGURE_BYTES];
    double least = run_overhead_percent(r, (double)r->self_ns), most = run_overhead_percent(r, (double)r->self_most_ns);
    if (r->cost_unknown)
        fact_write(out, "Cost of profiling",
                   r->cost_is_wide ? arena_print(arena, "%.0f to %.0f %%", least, most) : "not measured",
                   r->cost_unknown);
    else if (run_is_short(r))
        fact_write(out, "Cost of profiling", figure_time(a, (double)(r->self_ns + r->self_most_ns) / 2),
                   arena_print(arena, "%s to %s", figure_time(b, (double)r->self_ns),
                               figure_time(c, (double)r->self_most_ns)));
    else
        fact_write(out, "Cost of profiling", arena_print(arena, "%.1f %%", (least + most) / 2),
                   arena_print(arena, "%.1f to %.1f", least, most));
}

static void facts_write(FILE *out, struct arena *arena, const struct model *model)
{
    const struct model_run *r = &model->run;
    char a[FIGURE_BYTES], b[FIGURE_BYTES];
    uint64_t cpu = r->user_ns + r->system_ns;
    fact_write(out, "Wall time", figure_time(a, (double)r->wall_ns), "");
    fact_write(out, "CPU time", cpu ? figure_time(a, (double)cpu) : "unknown",
               cpu ? arena_print(arena, "%s in the kernel", figure_time(b, (double)r->system_ns)) : "");
    fact_write(out, "Threads", figure_count(a, (double)r->thread_count), "");
    if (r->peak_rss_bytes)
        fact_write(out, "Peak memory", figure_size(a, (double)r->peak_rss_bytes),
                   run_peak_is_least(r) ? "resident, at least" : "resident");
    fact_write(out, "Ended", text_end(arena, r), "");
    cost_write(out, arena, model);
    if (coverage_cpu_ns(model) > 0)
        fact_write(out, "On known lines", figure_share(a, coverage_known_share(model)), "of CPU time");
    uint64_t taken = run_samples_taken(model), due = model->coverage.samples; /* views tell lines those that were due */
    fact_write(out, "Samples", figure_count(a, (double)taken),
               due > taken ? arena_print(arena, "of %s due", figure_count(b, (double)due)) : "");
}

/* What was lost or is in doubt. */
static void notes_write(FILE *out, const struct model *model)
{
    char words[WORDS_BYTES], count[FIGURE_BYTES];
    fputs("<ul class=\"notes\">\n", out);
    if (model->empty_reason)
        markup_print(out, "<li><strong>The profile is empty:</strong> %s</li>\n", model->empty_reason);
    if (model->narrowed_to)
        markup_print(
            out,
            "<li><strong>Shown: %s only.</strong> Hits, memory by line, snapshots%s are still the whole run's.</li>\n",
            model->narrowed_to, model->narrowed ? ", calls of functions, bottlenecks" : "");
    for (unsigned i = 0; i < PP_LOSS_COUNT; i++)
        if (model->run.losses[i] && i != PP_LOSS_HEALED)
            markup_print(out, "<li><strong>Lost:</strong> %s %s</li>\n",
                         figure_count(count, (double)model->run.losses[i]),
                         loss_text(words, i, model->run.losses[i]));
    if (!model->empty_reason && model->run.sample_note && model->run.sample_note[0])
        markup_print(out, "<li><strong>Samples:</strong> %s</li>\n", model->run.sample_note);
    if (model->run.memory_note && model->run.memory_note[0])
        markup_print(out, "<li><strong>Memory:</strong> %s</li>\n", model->run.memory_note);
    for (size_t i = 0; i < model->notice_count; i++)
        markup_print(out, "<li>%s</li>\n", model->notice[i]);
    fputs("</ul>\n", out);
}

void plain_head(FILE *out, const struct model *model)
{
    const struct model_run *r = &model->run;
    markup_print(out, "<header id=\"head\">\n<h1><span class=\"program\">%s</span>", path_short(r->program));
    for (size_t i = 1; i < r->argument_count && i < 24; i++)
        markup_print(out, " <span class=\"argument\">%s</span>", r->argument[i]);
    fputs("</h1>\n</header>\n", out);
}

void plain_run(FILE *out, const struct model *model)
{
    struct arena arena = { 0 };
    fputs("<section id=\"run\" aria-label=\"The run\">\n<dl class=\"facts\">\n", out);
    facts_write(out, &arena, model);
    fputs("</dl>\n", out);
    notes_write(out, model);
    fputs("</section>\n", out);
    arena_free(&arena);
}
