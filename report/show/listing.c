/* SPDX-License-Identifier: MIT */
/* listing.c: source lines with their costs. It finds the file or function that is meant; source.c reads the
 * lines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "words/figure.h"
#include "words/plural.h"
#include "store/map.h"
#include "words/quote.h"
#include "words/shortname.h"
#include "words/spelling.h"
#include "show/source.h"
#include "show/screen.h"

#define AROUND 4 /* lines shown before and after one with costs */
#define FOLDED 8 /* fewer lines without costs are shown */

/* Whether `name` is `path` or its last components. */
static bool path_is(const char *path, const char *name)
{
    size_t p = strlen(path), n = strlen(name);
    return n && n <= p && strcmp(path + p - n, name) == 0 && (n == p || path[p - n - 1] == '/' || name[0] == '/');
}

static enum name_match function_match(const struct model_function *f, const char *name)
{
    return f->kind > PP_SITE_STAGE || !f->file[0] || !f->line ? NAME_OTHER
           : strcmp(f->symbol, name) == 0                     ? NAME_WHOLLY
                                                              : name_match(f->name, name);
}

/* The best match among all functions. If several match by their last scopes only, `close` gets their names. */
static enum name_match functions_match(const struct model *model, const char *subject, bool *several, char close[256])
{
    struct arena arena = { 0 };
    enum name_match best = NAME_OTHER;
    const char *first = NULL;
    *several = false;
    for (size_t i = 0; i < model->function_count; i++) {
        enum name_match match = function_match(&model->function[i], subject);
        best = match > best ? match : best;
        if (match != NAME_PARTLY)
            continue;
        const char *brief = name_short(&arena, model->function[i].name);
        *several = *several || (first && strcmp(first, brief) != 0);
        first = first ? first : brief;
        size_t used = strlen(close);
        if (!strstr(close, brief) && used + strlen(brief) + 3 < 256)
            snprintf(close + used, 256 - used, "%s%s", used ? ", " : "", brief);
    }
    *several = *several && best == NAME_PARTLY;
    arena_free(&arena);
    return best;
}

/* ---- close names ---- */

static void close_names(const struct model *model, const char *subject, char close[256])
{
    struct spelling best = { .said = subject };
    struct arena arena = { 0 };
    for (size_t i = 0; i < model->stage_count; i++)
        spelling_offer(&best, model->stage[i].name);
    for (size_t i = 0; i < model->function_count; i++) {
        const struct model_function *f = &model->function[i];
        const char *brief = f->kind <= PP_SITE_STAGE ? name_short(&arena, f->name) : NULL, *scope = NULL;
        for (const char *p = brief; p && (p = strstr(p, "::")); p += 2)
            scope = p + 2;
        if (brief)
            spelling_offer(&best, brief);
        if (scope)
            spelling_offer(&best, scope);
        if (f->file[0])
            spelling_offer(&best, path_short(f->file));
    }
    close[0] = 0;
    for (int i = 0; i < SPELLINGS && best.name[i]; i++)
        snprintf(close + strlen(close), 256 - strlen(close), "%s%s", i ? ", " : "", name_cut(&arena, best.name[i], 60));
    arena_free(&arena);
}

/* ---- a range of lines of a file ---- */

struct stretch {
    const char *file;
    uint32_t first, last;
}; /* last 0: to the end of the file */

struct margin {
    uint32_t line;
    double self_ns;
    uint64_t samples, calls, hits;
    bool has_calls, has_hits;
    struct model_blocks blocks;
    struct model_traffic traffic;
};
struct margins {
    struct margin *item;
    size_t count, capacity;
};

/* A function is taken to reach up to the next one in its file. */
static struct stretch stretch_of(const struct model *model, const struct model_function *f)
{
    struct stretch s = { f->file, f->line, 0 };
    for (size_t i = 0; i < model->function_count; i++) {
        const struct model_function *other = &model->function[i];
        if (other->line > f->line && other->kind <= PP_SITE_STAGE && (!s.last || other->line <= s.last) &&
            strcmp(other->file, f->file) == 0)
            s.last = other->line - 1;
    }
    return s;
}

/* The colour of a line with this part of the CPU time, or of the threads' time in waits; empty below 1 %. */
static const char *heat(const struct model *model, const struct view *view, const struct margin *m)
{
    double cpu = coverage_cpu_ns(model), threads = run_threads_ns(model);
    double part =
        fmax(cpu > 0 ? m->self_ns / cpu : 0, threads > 0 ? (double)traffic_wait_ns(&m->traffic) / threads : 0);
    return part < 0.01   ? ""
           : part < 0.05 ? paint(view, "\033[33m")
           : part < 0.20 ? paint(view, "\033[31m")
                         : paint(view, "\033[1;31m");
}

static void margin_print(FILE *out, const struct model *model, const struct view *view, const struct margin *m)
{
    char self[FIGURE_BYTES] = "", share[FIGURE_BYTES] = "", samples[FIGURE_BYTES] = "", count[FIGURE_BYTES] = "";
    double whole = coverage_cpu_ns(model);
    if (m->self_ns > 0) {
        figure_time(self, m->self_ns);
        figure_share(share, whole > 0 ? m->self_ns / whole : 0);
        figure_count(samples, (double)m->samples);
    }
    if (m->has_calls)
        figure_count(count, (double)m->calls);
    const char *colour = heat(model, view, m);
    char hits[FIGURE_BYTES] = "";
    if (m->has_hits)
        snprintf(hits, sizeof hits, "%llu", (unsigned long long)m->hits); /* exact, so all digits are shown */
    char per_hit[FIGURE_BYTES] = "";
    if (m->has_hits && m->hits && m->self_ns > 0)
        figure_time(per_hit, m->self_ns / (double)m->hits);
    if (model->has_hits)
        fprintf(out, "%13s %8s ", hits, per_hit);
    char blocks[FIGURE_BYTES + 1] = "", bytes[FIGURE_BYTES + 1] = "", live[FIGURE_BYTES + 1] = "";
    const struct model_blocks *b = &m->blocks;
    if (b->alloc_blocks || b->free_blocks) {
        size_t about = b->alloc_blocks_variance != 0; /* estimates have a mark in front */
        if (about)
            strcpy(blocks, "~"), strcpy(bytes, "~");
        figure_count(blocks + about, (double)b->alloc_blocks);
        figure_size(bytes + about, (double)b->alloc_bytes);
        if (b->alloc_bytes > b->free_bytes && about)
            strcpy(live, "~");
        if (b->alloc_bytes > b->free_bytes)
            figure_size(live + about, (double)(b->alloc_bytes - b->free_bytes));
    }
    if (model->has_blocks)
        fprintf(out, "%8s %8s %8s ", blocks, bytes, live);
    char waits[FIGURE_BYTES] = "", in[FIGURE_BYTES] = "", gone[FIGURE_BYTES] = "";
    if (traffic_wait_ns(&m->traffic))
        figure_time(waits, (double)traffic_wait_ns(&m->traffic));
    if (m->traffic.reads)
        figure_size(in, (double)m->traffic.read_bytes);
    if (m->traffic.writes)
        figure_size(gone, (double)m->traffic.write_bytes);
    if (model->has_operations)
        fprintf(out, "%8s %8s %8s ", waits, in, gone);
    fprintf(out, "%s%8s %6s %7s%s %8s ", colour, self, share, samples, colour[0] ? paint(view, "\033[0m") : "", count);
}

static int margin_order(const void *a, const void *b)
{
    const struct margin *x = a, *y = b;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* The lines of the range that have numbers, sorted. #line allows any line number, so none is used as an array
 * index. */
static struct margins margins_find(const struct model *model, struct stretch s)
{
    struct margins m = { 0 };
    for (size_t i = 0; i < model->line_count; i++) {
        const struct model_line *l = &model->line[i];
        if (l->line < s.first || (s.last && l->line > s.last) || strcmp(l->file, s.file) != 0)
            continue;
        *ARRAY_PUSH(m.item, m.count, m.capacity) = (struct margin){ .line = l->line,
                                                                    .self_ns = l->self.ns,
                                                                    .samples = l->samples,
                                                                    .hits = l->hits,
                                                                    .has_hits = l->hits_known,
                                                                    .blocks = l->blocks,
                                                                    .traffic = l->traffic };
    }
    for (size_t i = 1; i < model->inner_count; i++) { /* a header's own listing has what its lines cost */
        const struct model_inner *inner = &model->inner[i];
        const struct model_line *l = &model->line[inner->line];
        if (l->line >= s.first && (!s.last || l->line <= s.last) && strcmp(l->file, s.file) == 0)
            *ARRAY_PUSH(m.item, m.count, m.capacity) = (struct margin){ .line = l->line,
                                                                        .self_ns = inner->self_ns,
                                                                        .samples = inner->samples,
                                                                        .blocks = inner->blocks,
                                                                        .traffic = inner->traffic };
    }
    for (size_t i = 0; i < model->function_count; i++) {
        const struct model_function *f = &model->function[i];
        if (f->kind > PP_SITE_STAGE || !f->line || f->line < s.first || (s.last && f->line > s.last) ||
            !f->calls_known || strcmp(f->file, s.file) != 0)
            continue;
        *ARRAY_PUSH(m.item, m.count, m.capacity) =
            (struct margin){ .line = f->line, .calls = f->calls, .has_calls = true };
    }
    if (m.count)
        qsort(m.item, m.count, sizeof *m.item, margin_order);
    size_t kept = 0;
    for (size_t i = 0; i < m.count; i++) {
        const struct margin *more = &m.item[i];
        if (!kept || m.item[kept - 1].line != more->line) {
            m.item[kept++] = *more;
            continue;
        }
        struct margin *to = &m.item[kept - 1];
        to->self_ns += more->self_ns;
        to->samples += more->samples;
        to->calls += more->calls; /* summed over all instances of a template */
        to->has_calls = to->has_calls || more->has_calls;
        to->hits += more->hits;
        to->blocks.alloc_blocks += more->blocks.alloc_blocks;
        to->blocks.alloc_bytes += more->blocks.alloc_bytes;
        to->blocks.free_blocks += more->blocks.free_blocks;
        to->blocks.free_bytes += more->blocks.free_bytes;
        to->traffic.reads += more->traffic.reads;
        to->traffic.writes += more->traffic.writes;
        to->traffic.read_bytes += more->traffic.read_bytes;
        to->traffic.write_bytes += more->traffic.write_bytes;
        for (unsigned k = 0; k < PP_WAIT_COUNT; k++)
            to->traffic.wait_ns[k] += more->traffic.wait_ns[k];
        to->has_hits = to->has_hits || more->has_hits;
    }
    m.count = kept;
    return m;
}

static bool has_numbers(const struct margin *m)
{
    return m->samples || m->calls || m->hits || m->blocks.alloc_blocks || m->blocks.free_blocks || m->traffic.reads ||
           m->traffic.writes || traffic_wait_ns(&m->traffic);
}

/* Time, memory or traffic: what counts alone do not tell. */
static bool has_costs(const struct margin *m)
{
    return m->samples || m->self_ns > 0 || m->blocks.alloc_blocks || m->blocks.free_blocks || m->traffic.reads ||
           m->traffic.writes || traffic_wait_ns(&m->traffic);
}

static bool stretch_has_numbers(const struct model *model, struct stretch s)
{
    struct margins m = margins_find(model, s);
    bool has = false;
    for (size_t i = 0; i < m.count && !has; i++)
        has = has_numbers(&m.item[i]);
    free(m.item);
    return has;
}

/* Source text keeps its tabs. */
static void text_print(FILE *out, const char *text)
{
    struct arena arena = { 0 };
    for (const char *tab; (tab = strchr(text, '\t')); text = tab + 1)
        fprintf(out, "%s\t", quote_plain(&arena, arena_print(&arena, "%.*s", (int)(tab - text), text)));
    quote_print(out, text);
    arena_free(&arena);
}

/* Those that say what to look at; the others are in JSON. Of a function without optimization, once. */
static void remarks_print(FILE *out, const struct model *model, const struct view *view, const char *file,
                          uint32_t line)
{
    int indent = (model->has_hits ? 57 : 34) + (model->has_blocks ? 27 : 0) + (model->has_operations ? 27 : 0);
    const struct model_remark *r;
    const char *last = "";
    for (size_t i = 0; view->remarks && (r = remark_at_line(model, file, line, &i));) {
        if (!remark_is_telling(r->kind) || strcmp(r->text, last) == 0)
            continue;
        last = r->text;
        fprintf(out, "%s%*s ^ ", paint(view, "\033[36m"), indent, "gcc");
        quote_print(out, r->text);
        fprintf(out, "%s\n", paint(view, "\033[0m"));
    }
}

static void line_print(FILE *out, const struct model *model, const struct view *view, const struct margin *margin,
                       const struct source *source, bool is_newer)
{
    const char *text = source ? source_line(source, margin->line, false) : NULL;
    margin_print(out, model, view, margin);
    const char *colour = heat(model, view, margin);
    fprintf(out, "%6u%s%s%s", margin->line,
            is_newer          ? "~"
            : text && text[0] ? " "
                              : "",
            text && text[0] ? " " : "", colour);
    text_print(out, text ? text : "");
    fprintf(out, "%s\n", colour[0] ? paint(view, "\033[0m") : "");
}

static void fold_print(FILE *out, const struct model *model, const struct view *view, size_t count)
{
    fprintf(out, "%s%*s  %zu line%s without cost%s\n", paint(view, "\033[2m"),
            (model->has_hits ? 57 : 34) + (model->has_blocks ? 27 : 0) + (model->has_operations ? 27 : 0), "...", count,
            plural(count, "", "s"), paint(view, "\033[0m"));
}

static void line_at_print(FILE *out, const struct model *model, const struct view *view, const struct margins *m,
                          const char *file, uint32_t line, const struct source *source, bool is_newer)
{
    struct margin none = { .line = line };
    const struct margin *found = &none;
    for (size_t i = 0; i < m->count && m->item[i].line <= line; i++)
        found = m->item[i].line == line ? &m->item[i] : found;
    line_print(out, model, view, found, source, is_newer);
    remarks_print(out, model, view, file, line);
}

static void stretch_print(FILE *out, const struct model *model, const struct view *view, struct stretch s)
{
    const struct source *source = source_get(s.file);
    struct margins m = margins_find(model, s);
    bool has_samples = false, is_newer = source && source_changed_ns(source) > model->run.start_realtime_ns;
    for (size_t i = 0; i < m.count; i++)
        has_samples = has_samples || m.item[i].samples;
    fputs(paint(view, "\033[1m"), out);
    quote_print(out, s.file);
    fprintf(out, "%s%s\n", paint(view, "\033[0m"),
            !source    ? "  (source not found: numbers only)"
            : is_newer ? "  (~ changed after the run: numbers may be at the wrong lines)"
            : !has_samples && !model->coverage.known_line && model->coverage.unknown_line + model->coverage.no_debug
                ? "  (no line information)"
                : "");
    fprintf(out, "%s%s%s%s%8s %6s %7s %8s %s%s\n", paint(view, "\033[1m"),
            model->has_hits ? "         hits  per hit " : "", model->has_blocks ? "  blocks    bytes     live " : "",
            model->has_operations ? "   waits     read  written " : "", "self", "% CPU", "samples", "calls", "  line",
            paint(view, "\033[0m"));
    size_t lines = source ? source_line_count(source) : 0, shown = 0, first = s.first ? s.first : 1;
    lines = lines > UINT32_MAX ? UINT32_MAX : lines;
    if (s.last && s.last < lines)
        lines = s.last;
    bool costs = false;
    for (size_t i = 0; i < m.count; i++)
        costs = costs || has_costs(&m.item[i]);
    /* next: the first row at or after this line; cold: the first line of those that were not shown yet */
    size_t next = 0, cold = first, warm_until = 0;
    for (size_t i = first; i <= lines + 1; i++) {
        while (next < m.count && m.item[next].line < i)
            next++;
        bool near = view->whole || i <= warm_until;
        for (size_t k = next; k < m.count && m.item[k].line <= i + (uint64_t)AROUND && !near; k++)
            near = m.item[k].line <= lines && (costs ? has_costs(&m.item[k]) : has_numbers(&m.item[k]));
        if (next < m.count && m.item[next].line == i && (costs ? has_costs(&m.item[next]) : has_numbers(&m.item[next])))
            warm_until = i + AROUND;
        if (!near && i <= lines)
            continue;
        bool short_gap = i - cold <= FOLDED && (s.first || cold > first);
        if (i > cold && !short_gap)
            fold_print(out, model, view, i - cold);
        for (size_t k = i > cold && !short_gap ? i : cold; k <= i && k <= lines; k++) {
            line_at_print(out, model, view, &m, s.file, (uint32_t)k, source, is_newer);
            shown = k;
        }
        cold = i + 1;
    }
    /* rows past the end of the source, or all rows if there is no source */
    for (size_t i = 0; i < m.count; i++)
        if (m.item[i].line > lines && has_numbers(&m.item[i])) {
            line_print(out, model, view, &m.item[i], source, is_newer);
            shown = m.item[i].line;
        }
    if (!shown)
        fputs("none of its lines was hit or called\n", out);
    free(m.item);
}

const char *text_hottest_file(const struct model *model)
{
    const char *best = NULL;
    double most = 0, *sum = memory_zeroed(model->line_count, sizeof *sum);
    struct map files = { 0 };
    for (uint32_t i = 0; i < model->line_count; i++) {
        uint32_t *first = map_at_text(&files, model->line[i].file);
        if (*first == MAP_FRESH)
            *first = i;
        sum[*first] += model->line[i].self.ns;
        if (sum[*first] > most) {
            most = sum[*first];
            best = model->line[i].file;
        }
    }
    map_free(&files);
    free(sum);
    return best;
}

static const char *hottest_file(const struct model *model)
{
    const char *best = text_hottest_file(model);
    for (size_t i = 0; i < model->function_count && !best; i++)
        if (model->function[i].file[0] && model->function[i].calls)
            best = model->function[i].file;
    return best;
}

/* Prints a function once per place, since a template has many functions there. Functions of the same name that did
 * not run, such as inlined ones of a header, are shown only if none of that name has numbers. */
static bool function_print(FILE *out, const struct model *model, const struct view *view,
                           const struct model_function *f, struct map *seen, bool parted, bool with_numbers)
{
    char place[4608];
    if (!f->file[0] || !f->line)
        return false;
    if (stretch_has_numbers(model, stretch_of(model, f)) != with_numbers)
        return false;
    snprintf(place, sizeof place, "%u:%s", f->line, f->file);
    uint32_t *again = map_at_text(seen, place);
    if (*again != MAP_FRESH)
        return false;
    *again = 0;
    if (parted)
        fputc('\n', out);
    stretch_print(out, model, view, stretch_of(model, f));
    return true;
}

/* The function that contains a stage, loop or scope. */
static bool stage_print(FILE *out, const struct model *model, const struct view *view, const struct model_stage *s,
                        struct map *seen, bool parted)
{
    const struct model_function *in = NULL;
    for (size_t i = 0; i < model->function_count; i++) {
        const struct model_function *f = &model->function[i];
        if (f->kind <= PP_SITE_STAGE && strcmp(f->file, s->file) == 0 && f->line <= s->line &&
            (!in || f->line > in->line))
            in = f;
    }
    return in && (function_print(out, model, view, in, seen, parted, true) ||
                  function_print(out, model, view, in, seen, parted, false));
}

enum annotated text_annotate(FILE *out, const struct model *model, const struct view *view, const char *subject,
                             char close[256])
{
    bool found = false, several;
    close[0] = 0;
    if (!subject) {
        const char *file = hottest_file(model);
        if (file)
            stretch_print(out, model, view, (struct stretch){ file, 0, 0 });
        return file ? ANNOTATED : ANNOTATED_NOTHING;
    }
    enum name_match best = functions_match(model, subject, &several, close);
    if (several)
        return ANNOTATED_SEVERAL;
    struct map seen = { 0 };
    size_t seen_count = 0;
    for (unsigned empty = 0; empty < 2 && !found; empty++)
        for (size_t i = 0; i < model->function_count; i++)
            if (best && function_match(&model->function[i], subject) == best)
                found = function_print(out, model, view, &model->function[i], &seen, found, !empty) || found;
    for (size_t i = 0; !found && i < model->stage_count; i++)
        if (strcmp(model->stage[i].name, subject) == 0 || strcmp(model->stage[i].key, subject) == 0)
            found = stage_print(out, model, view, &model->stage[i], &seen, found) || found;
    for (size_t i = 0; !found && i < model->function_count + model->line_count; i++) {
        const char *file = i < model->line_count ? model->line[i].file : model->function[i - model->line_count].file;
        bool numbers = path_is(file, subject) && stretch_has_numbers(model, (struct stretch){ file, 0, 0 });
        uint32_t *again =
            path_is(file, subject) && (numbers || i >= model->line_count) ? map_at_text(&seen, file) : NULL;
        if (!again || *again != MAP_FRESH || (seen_count && !numbers))
            continue;
        *again = 0;
        if (seen_count++)
            fputc('\n', out);
        stretch_print(out, model, view, (struct stretch){ file, 0, 0 });
    }
    found = found || seen_count;
    map_free(&seen);
    if (!found)
        close_names(model, subject, close);
    return found ? ANNOTATED : ANNOTATED_NOTHING;
}
