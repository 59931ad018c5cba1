/* SPDX-License-Identifier: MIT */
/* verdict.c: see verdict.h. */
#include "show/verdict.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "show/document.h"
#include "words/figure.h"
#include "words/plural.h"
#include "words/quote.h"
#include "words/columns.h"
#include "show/screen.h"

#define SENTENCE 512

static const char *value_text(char *to, const struct objective *o, double value)
{
    if (o->unit == OBJECTIVE_NS)
        return figure_time(to, value);
    snprintf(to, FIGURE_BYTES, o->unit == OBJECTIVE_COUNT ? "%.6g" : "%.6g/s", value);
    return to;
}

/* "52.1 ms, of 40 entries; ..." */
static const char *finding_text(char to[SENTENCE], const struct verdict *v)
{
    char value[FIGURE_BYTES], low[FIGURE_BYTES], high[FIGURE_BYTES];
    const struct objective *o = v->objective;
    size_t used = (size_t)snprintf(to, SENTENCE, "%s of %" PRIu64 " %s", value_text(value, o, v->value), v->entries,
                                   plural_unit(v->entries, v->of));
    if (o->metric == OBJECTIVE_CALLS || o->metric == OBJECTIVE_ITERATIONS)
        used = (size_t)snprintf(to, SENTENCE, "%s %s", value, plural_unit(v->entries, v->of));
    if (v->timed < v->entries)
        used += (size_t)snprintf(to + used, SENTENCE - used, ", %" PRIu64 " of them timed", v->timed);
    if (v->low < o->limit && o->limit < v->high)
        snprintf(to + used, SENTENCE - used, "; the true value is between %s and %s: too close to the limit to be sure",
                 value_text(low, o, v->low), value_text(high, o, v->high));
    return to;
}

static void text_verdicts(FILE *out, const struct verdict *verdict, size_t count, bool colour)
{
    int wide = 0;
    bool several = false;
    char text[SENTENCE];
    struct arena arena = { 0 };
    for (size_t i = 0; i < count; i++) {
        int columns = text_columns(quote_plain(&arena, verdict[i].objective->text));
        wide = columns > wide && columns <= 60 ? columns : wide;
        several = several || strcmp(verdict[i].run, verdict[0].run) != 0;
    }
    for (size_t i = 0; i < count; i++) {
        const struct verdict *v = &verdict[i];
        const char *objective = quote_plain(&arena, v->objective->text);
        int missing = wide - text_columns(objective);
        fprintf(out, "%s%-6s%s  %s%*s  %s", colour ? v->met ? "\033[32m" : "\033[31m" : "", v->met ? "met" : "broken",
                colour ? "\033[0m" : "", objective, missing > 0 ? missing : 0, "",
                quote_plain(&arena, finding_text(text, v)));
        if (!v->met && v->file[0])
            fprintf(out, "  %s:%u", quote_plain(&arena, path_short(v->file)), v->line);
        if (several)
            fprintf(out, "  %s", quote_plain(&arena, v->run));
        fputc('\n', out);
    }
    arena_free(&arena);
}

/* ---- JSON and SARIF ---- */

static void field(FILE *out, const char *name, const char *text)
{
    fprintf(out, "\"%s\": ", name);
    quote_json(out, text);
    fputs(", ", out);
}

static void json_verdicts(FILE *out, const struct verdict *verdict, size_t count, bool colour)
{
    static const char *const unit[] = { "ns", "count", "per_second" };
    size_t broken = 0;
    for (size_t i = 0; i < count; i++)
        broken += !verdict[i].met;
    fprintf(out, "{\"schema\": \"profplug-check/1\", \"met\": %s, \"broken\": %zu,\n \"objectives\": [",
            broken ? "false" : "true", broken);
    for (size_t i = 0; i < count; i++) {
        const struct verdict *v = &verdict[i];
        fputs(i ? ",\n  {" : "\n  {", out);
        field(out, "slo", v->objective->text);
        field(out, "run", v->run);
        field(out, "stage", v->objective->stage);
        field(out, "metric", v->objective->metric_name);
        field(out, "relation", v->objective->relation);
        field(out, "of", v->of);
        if (v->file[0]) {
            field(out, "file", v->file);
            fprintf(out, "\"line\": %u, ", v->line);
        }
        fprintf(out,
                "\"unit\": \"%s\", \"limit\": %.17g, \"value\": %.17g, \"low\": %.17g, \"high\": %.17g, "
                "\"entries\": %" PRIu64 ", \"timed\": %" PRIu64 ", \"met\": %s}",
                unit[v->objective->unit], v->objective->limit, v->value, v->low, v->high, v->entries, v->timed,
                v->met ? "true" : "false");
    }
    fputs(count ? "\n ]}\n" : "]}\n", out);
}

static void sarif_verdicts(FILE *out, const struct verdict *verdict, size_t count, bool colour)
{
    const char *between = "";
    char text[SENTENCE], whole[SENTENCE + 300];
    fputs("{\"version\": \"2.1.0\", \"$schema\": "
          "\"https://json.schemastore.org/sarif-2.1.0.json\",\n"
          " \"runs\": [{\"tool\": {\"driver\": {\"name\": \"profplug\", \"version\": \"" PROFPLUG_VERSION
          "\", \"rules\": [{\"id\": \"slo\", "
          "\"shortDescription\": {\"text\": \"a stage missed its objective\"}}]}},\n"
          "  \"results\": [",
          out);
    for (size_t i = 0; i < count; i++) {
        const struct verdict *v = &verdict[i];
        if (v->met)
            continue;
        snprintf(whole, sizeof whole, "%s is broken: %s", v->objective->text, finding_text(text, v));
        fprintf(out, "%s\n   {\"ruleId\": \"slo\", \"level\": \"error\", \"message\": {\"text\": ", between);
        quote_prose(out, whole);
        fputs("}, \"partialFingerprints\": {\"profplugSite/v1\": ", out);
        fingerprint_print(out, "slo", v->objective->text);
        fputc('}', out);
        if (v->file[0]) {
            fputs(", \"locations\": [{\"physicalLocation\": {\"artifactLocation\": {\"uri\": ", out);
            uri_print(out, v->file);
            fprintf(out, "}, \"region\": {\"startLine\": %u}}}]", v->line ? v->line : 1);
        }
        fputc('}', out);
        between = ",";
    }
    fputs("]}]}\n", out);
}

/* ---- JUnit ---- */

static void junit_verdicts(FILE *out, const struct verdict *verdict, size_t count, bool colour)
{
    size_t broken = 0;
    char text[SENTENCE];
    for (size_t i = 0; i < count; i++)
        broken += !verdict[i].met;
    junit_begin(out, count, broken);
    for (size_t i = 0; i < count; i++) {
        const struct verdict *v = &verdict[i];
        fputs("  <testcase classname=\"", out);
        xml_text(out, v->run);
        fputs("\" name=\"", out);
        xml_text(out, v->objective->text);
        fputs(v->met ? "\" time=\"0\"/>\n" : "\" time=\"0\"><failure type=\"slo\" message=\"", out);
        if (v->met)
            continue;
        xml_text(out, finding_text(text, v));
        fputs("\"/></testcase>\n", out);
    }
    junit_end(out);
}

/* ---- markdown and GitLab's code quality ---- */

static void markdown_verdicts(FILE *out, const struct verdict *verdict, size_t count, bool colour)
{
    char text[SENTENCE];
    fputs("| objective | | found | where |\n|---|---|---|---|\n", out);
    for (size_t i = 0; i < count; i++) {
        const struct verdict *v = &verdict[i];
        fputs("| ", out);
        markdown_text(out, v->objective->text);
        fprintf(out, " | %s | ", v->met ? "met" : "**broken**");
        markdown_text(out, finding_text(text, v));
        fputs(" | ", out);
        markdown_text(out, path_short(v->file));
        fprintf(out, v->file[0] ? ":%u |\n" : " |\n", v->line);
    }
}

static void gitlab_verdicts(FILE *out, const struct verdict *verdict, size_t count, bool colour)
{
    const char *between = "";
    char text[SENTENCE], whole[SENTENCE + 300];
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        const struct verdict *v = &verdict[i];
        if (v->met)
            continue;
        snprintf(whole, sizeof whole, "%s is broken: %s", v->objective->text, finding_text(text, v));
        fprintf(out, "%s\n {\"description\": ", between);
        quote_prose(out, whole);
        fputs(", \"check_name\": \"profplug slo\", \"severity\": \"major\", \"fingerprint\": ", out);
        fingerprint_print(out, "slo", v->objective->text);
        fputs(", \"location\": {\"path\": ", out);
        quote_prose(out, v->file[0] ? v->file : "unknown");
        fprintf(out, ", \"lines\": {\"begin\": %u}}}", v->line ? v->line : 1);
        between = ",";
    }
    fputs("]\n", out);
}

verdict_print verdict_format(const char *name)
{
    static const struct {
        const char *name;
        verdict_print print;
    } formats[] = {
        { "text", text_verdicts },   { "markdown", markdown_verdicts }, { "json", json_verdicts },
        { "junit", junit_verdicts }, { "sarif", sarif_verdicts },       { "gitlab", gitlab_verdicts },
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, name) == 0)
            return formats[i].print;
    return NULL;
}
