/* SPDX-License-Identifier: MIT */
/* gate.c: regressions as text, markdown for a job's summary, JSON, JUnit, SARIF 2.1.0 and GitLab's code quality. See
 * regression.h. */
#include <stdlib.h>
#include <string.h>

#include "show/document.h"
#include "show/regression.h"
#include "words/plural.h"
#include "words/quote.h"

enum { RESULTS_MOST = 5000, RUNS_ENOUGH = 5 }; /* GitHub shows no more of a SARIF file; 5 are a beginning */

static const struct difference_site *site_of(const struct regressions *found, const struct regression *r)
{
    return &found->difference->site[r->site];
}

static const char *rule_of(const struct regression *r) { return r->slower ? "slower" : "more-often"; }

/* Whether no time is known well enough, of too few runs or of some that seem to differ much. */
static bool is_undecided(const struct regressions *found)
{
    const struct difference *d = found->difference;
    bool few = d->runs[ARM_OLD] < RUNS_ENOUGH || d->runs[ARM_NEW] < RUNS_ENOUGH;
    return found->unclear && !found->decided && !found->count && (few || found->suspect);
}

/* What was compared, in one sentence. */
static const char *compared_text(struct arena *arena, const struct regressions *found)
{
    const struct difference *d = found->difference;
    const char *factor = !d->factor_known ? "the machine's part is not known"
                                          : arena_print(arena, "the machine's part, %+.1f +-%.1f %%, is taken out",
                                                        100 * (d->factor - 1), 100 * d->factor_error);
    const char *result =
        arena_print(arena, "%zu of %zu stages, functions and lines are worse", found->count, found->compared);
    if (is_undecided(found))
        result = arena_print(arena,
                             "nothing is decided: by these runs no time of %zu stages, functions and lines is known "
                             "well enough to be called worse, and no count is",
                             found->compared);
    return arena_print(arena, "%s; %zu %s of the baseline, %zu of the new program%s; %s", result, d->runs[ARM_OLD],
                       plural(d->runs[ARM_OLD], "run", "runs"), d->runs[ARM_NEW],
                       found->newest ? arena_print(arena, " (%s, the newest here)", found->newest) : "", factor);
}

static const char *doubt_text(struct arena *arena, const struct regressions *found)
{
    const struct difference *d = found->difference;
    const char *suspect = found->suspect ? arena_print(arena, "Not decided: %s.", found->suspect) : "";
    if (!found->unclear || d->runs[ARM_OLD] < 2 || d->runs[ARM_NEW] < 2) /* of one run, a notice says it */
        return suspect;
    return arena_print(arena,
                       "Of %zu, a change of %.0f %% of their time could hide in the errors: more runs would tell.%s%s",
                       found->unclear, 100 * d->limits.least_effect, suspect[0] ? " " : "", suspect);
}

static size_t shown_of(const struct regressions *found, const struct view *view)
{
    return view->top && view->top < found->count ? view->top : found->count;
}

static void text_regressions(FILE *out, const struct regressions *found, const struct view *view)
{
    struct arena arena = { 0 };
    const char *doubt = doubt_text(&arena, found);
    size_t shown = shown_of(found, view);
    for (size_t i = 0; i < shown; i++) {
        const struct regression *r = &found->row[i];
        fprintf(out, "%sworse%s  ", paint(view, "\033[31m"), paint(view, "\033[0m"));
        if (r->file[0]) {
            quote_print(out, r->file);
            fprintf(out, ":%u  ", r->line);
        }
        quote_print(out, r->text);
        fputc('\n', out);
    }
    if (shown < found->count)
        fprintf(out, "and %zu more (--top 0)\n", found->count - shown);
    text_wrap(out, compared_text(&arena, found), 0, 0, view->width);
    fputc('\n', out);
    if (doubt[0]) {
        text_wrap(out, doubt, 0, 0, view->width);
        fputc('\n', out);
    }
    for (size_t i = 0; i < found->difference->notice_count; i++) {
        const char *notice = quote_plain(&arena, found->difference->notice[i]);
        text_wrap(out, arena_print(&arena, "note: %s", notice), 0, 0, view->width);
        fputc('\n', out);
    }
    arena_free(&arena);
}

static void markdown_regressions(FILE *out, const struct regressions *found, const struct view *view)
{
    struct arena arena = { 0 };
    const char *doubt = doubt_text(&arena, found);
    size_t shown = shown_of(found, view);
    fprintf(out, "### Performance: %s\n\n",
            found->count          ? "worse than the baseline"
            : is_undecided(found) ? "not decided"
                                  : "no regression");
    if (shown)
        fputs("| where | what |\n|---|---|\n", out);
    for (size_t i = 0; i < shown; i++) {
        const struct regression *r = &found->row[i];
        fputs("| ", out);
        if (r->file[0]) {
            markdown_text(out, r->file);
            fprintf(out, ":%u", r->line);
        }
        fputs(" | ", out);
        markdown_text(out, r->text);
        fputs(" |\n", out);
    }
    if (shown < found->count)
        fprintf(out, "\nand %zu more\n", found->count - shown);
    fprintf(out, "%s%s.\n", shown ? "\n" : "", compared_text(&arena, found));
    fprintf(out, doubt[0] ? "\n%s\n" : "%s", doubt);
    for (size_t i = 0; i < found->difference->notice_count; i++) {
        fputc('\n', out);
        markdown_text(out, found->difference->notice[i]);
        fputc('\n', out);
    }
    arena_free(&arena);
}

static void field(FILE *out, const char *name, const char *text)
{
    fprintf(out, "\"%s\": ", name);
    quote_prose(out, text);
    fputs(", ", out);
}

static void json_regressions(FILE *out, const struct regressions *found, const struct view *view)
{
    const struct difference *d = found->difference;
    size_t shown = shown_of(found, view);
    fprintf(out,
            "{\"schema\": \"profplug-check/1\", \"met\": %s, \"broken\": %zu, \"compared\": %zu, \"unclear\": %zu, "
            "\"runs_old\": %zu, \"runs_new\": %zu, \"objectives\": [],\n \"regressions\": [",
            found->count ? "false" : "true", found->count, found->compared, found->unclear, d->runs[ARM_OLD],
            d->runs[ARM_NEW]);
    for (size_t i = 0; i < shown; i++) {
        const struct regression *r = &found->row[i];
        const struct difference_site *s = site_of(found, r);
        fputs(i ? ",\n  {" : "\n  {", out);
        field(out, "rule", rule_of(r));
        field(out, "kind", difference_kind_name(s->kind));
        field(out, "name", s->name);
        field(out, "key", s->key);
        if (r->file[0]) {
            field(out, "file", r->file);
            fprintf(out, "\"line\": %u, ", r->line);
        }
        if (r->slower)
            fprintf(out, "\"cause\": \"%s\", \"ratio\": %.6g, ", difference_cause_name(s->cause), s->ratio);
        fputs("\"text\": ", out);
        quote_prose(out, r->text);
        fputc('}', out);
    }
    fputs(shown ? "\n ]}\n" : "]}\n", out);
}

/* A test for each stage and function, and for each line that is worse. */
static void junit_regressions(FILE *out, const struct regressions *found, const struct view *view)
{
    const struct difference *d = found->difference;
    size_t tests = found->count;
    bool *worse = memory_zeroed(d->site_count + 1, sizeof *worse);
    for (size_t i = 0; i < found->count; i++)
        worse[found->row[i].site] = true;
    for (size_t i = 0; i < d->site_count; i++)
        tests += d->site[i].kind != DIFFERENCE_LINE && !worse[i];
    junit_begin(out, tests, found->count);
    for (size_t i = 0; i < d->site_count; i++) {
        if (d->site[i].kind == DIFFERENCE_LINE || worse[i])
            continue;
        fprintf(out, "  <testcase classname=\"%s\" name=\"", difference_kind_name(d->site[i].kind));
        xml_text(out, d->site[i].name);
        fputs("\" time=\"0\"/>\n", out);
    }
    for (size_t i = 0; i < found->count; i++) {
        const struct regression *r = &found->row[i];
        fprintf(out, "  <testcase classname=\"%s\" name=\"", difference_kind_name(site_of(found, r)->kind));
        xml_text(out, site_of(found, r)->name);
        fputs("\" time=\"0\"><failure message=\"", out);
        xml_text(out, r->text);
        fprintf(out, "\" type=\"%s\">", rule_of(r));
        xml_text(out, r->file);
        fprintf(out, ":%u</failure></testcase>\n", r->line);
    }
    junit_end(out);
    free(worse);
}

static void sarif_regressions(FILE *out, const struct regressions *found, const struct view *view)
{
    size_t shown = found->count < RESULTS_MOST ? found->count : RESULTS_MOST;
    fprintf(out,
            "{\"version\": \"2.1.0\", \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n"
            " \"runs\": [{\"tool\": {\"driver\": {\"name\": \"profplug\", \"version\": \"" PROFPLUG_VERSION
            "\", \"rules\": [\n"
            "   {\"id\": \"slower\", \"shortDescription\": {\"text\": \"slower than the baseline\"}},\n"
            "   {\"id\": \"more-often\", \"shortDescription\": {\"text\": \"a count grew\"}}]}},\n"
            "  \"properties\": {\"resultsLeftOut\": %zu},\n  \"results\": [",
            found->count - shown);
    for (size_t i = 0; i < shown; i++) {
        const struct regression *r = &found->row[i];
        fprintf(out, "%s\n   {\"ruleId\": \"%s\", \"level\": \"error\", \"message\": {\"text\": ", i ? "," : "",
                rule_of(r));
        quote_prose(out, r->text);
        fputs("}, \"partialFingerprints\": {\"profplugSite/v1\": ", out);
        fingerprint_print(out, rule_of(r), site_of(found, r)->key);
        fputc('}', out);
        if (r->file[0]) {
            fputs(", \"locations\": [{\"physicalLocation\": {\"artifactLocation\": {\"uri\": ", out);
            uri_print(out, r->file);
            fprintf(out, "}, \"region\": {\"startLine\": %u}}}]", r->line ? r->line : 1);
        }
        fputc('}', out);
    }
    fputs("]}]}\n", out);
}

static void gitlab_regressions(FILE *out, const struct regressions *found, const struct view *view)
{
    const char *between = "";
    fputc('[', out);
    for (size_t i = 0; i < found->count; i++) {
        const struct regression *r = &found->row[i];
        fprintf(out, "%s\n {\"description\": ", between);
        quote_prose(out, r->text);
        fprintf(out, ", \"check_name\": \"profplug %s\", \"severity\": \"%s\", \"fingerprint\": ", rule_of(r),
                r->slower ? "major" : "minor");
        fingerprint_print(out, rule_of(r), site_of(found, r)->key);
        fputs(", \"location\": {\"path\": ", out);
        quote_prose(out, r->file[0] ? r->file : "unknown");
        fprintf(out, ", \"lines\": {\"begin\": %u}}}", r->line ? r->line : 1);
        between = ",";
    }
    fputs("]\n", out);
}

regression_print regression_format(const char *name)
{
    static const struct {
        const char *name;
        regression_print print;
    } formats[] = { { "text", text_regressions },   { "markdown", markdown_regressions },
                    { "json", json_regressions },   { "junit", junit_regressions },
                    { "sarif", sarif_regressions }, { "gitlab", gitlab_regressions } };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, name) == 0)
            return formats[i].print;
    return NULL;
}
