/* SPDX-License-Identifier: MIT */
/* library.c: see library.h. It must not know any rule. */
#include "advice/library.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "words/shortname.h"

#define FEWEST 5 /* samples, below which chance may do it */

static const char *const names[LIBRARY_COUNT] = {
#define LIBRARY(kind, names) [LIBRARY_##kind] = names,
#include "advice/library.def"
};

static bool ends_with_operator(const char *plain, size_t used)
{
    return used >= 8 && memcmp(plain + used - 8, "operator", 8) == 0;
}

/* Whether the list has the name, which may have template arguments: std::vector<int>::erase is std::vector::erase. What
 * it returns and takes, which the program's own copies of such functions name, is left out. */
static bool list_has(const char *list, const char *name)
{
    char plain[256];
    size_t used = 0;
    int depth = 0;
    bool gap = false;
    for (const char *p = name; *p && used + 1 < sizeof plain; p++) {
        /* the sign of an operator is no template's */
        bool sign = !depth && ends_with_operator(plain, used);
        size_t signs = sign ? strspn(p, *p == '<' ? "<=" : *p == '>' ? ">=" : "") : 0;
        if (signs && signs < 3 && used + signs < sizeof plain - 1) {
            memcpy(plain + used, p, signs);
            used += signs;
            p += signs - 1;
        } else if (*p == '<')
            depth++;
        else if (*p == '>' && !(used && plain[used - 1] == '-'))
            depth -= depth > 0;
        else if (!depth && strncmp(p, "__cxx11::", 9) == 0)
            p += 8;
        else if (!depth && *p == '(' && used && !sign && plain[used - 1] != ':')
            break;
        else if (!depth && *p == ' ' && !sign)
            gap = true;
        else if (!depth) {
            used = gap ? 0 : used;
            gap = false;
            plain[used++] = *p;
        }
    }
    plain[used] = 0;
    while (used && plain[used - 1] == ' ')
        plain[--used] = 0;
    for (const char *at = list; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
        if (strncmp(at, plain, used) == 0 && (at[used] == '|' || !at[used]))
            return used > 0;
    return false;
}

bool library_has(enum library kind, const char *name) { return list_has(names[kind], name); }

bool library_makes(const char *name)
{
    const char *last = NULL, *before = name, *end = name + strcspn(name, "(");
    for (const char *at = strstr(name, "::"); at && at < end; at = strstr(at + 2, "::")) {
        before = last ? last : name;
        last = at + 2;
    }
    size_t length = last ? (size_t)(last - 2 - before) : 0;
    last += last && *last == '~';
    return last && length && strncmp(last, before, length) == 0 && last + length == end;
}

static int by_time(const void *a, const void *b)
{
    const struct library_line *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns < y->ns ? 1 : -1;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* Whether the compiler remarks that the line moves a part of some memory on or back. To other memory it only copies. */
static bool moves_within(const struct model *model, uint32_t at)
{
    const struct model_remark *r;
    for (size_t next = 0; (r = remark_at_line(model, model->line[at].file, model->line[at].line, &next));)
        if (r->kind == PP_REMARK_GAP || r->kind == PP_REMARK_SHIFT)
            return true;
    return false;
}

struct library_use library_use(const struct advice *a, enum library kind)
{
    struct model *model = a->model;
    struct library_use use = { arena_take(&model->arena, (model->entry_count + 1) * sizeof *use.line), 0, 0, 0 };
    for (size_t i = 0; i < model->entry_count; i++) {
        const struct model_callee *c = &model->entry[i];
        const char *name = c->name && list_has(names[kind], c->name)     ? c->name
                           : c->inner && list_has(names[kind], c->inner) ? c->inner
                                                                         : NULL;
        /* a constructor or std::copy that was inlined copies by memmove; nothing moves up */
        bool copies = kind == LIBRARY_MOVE && c->name && name != c->name && list_has(names[LIBRARY_COPY], c->name);
        if (!name || copies || !model->line[c->line].callee_count)
            continue;
        if (kind == LIBRARY_MOVE && name == c->name && !strstr(name, "::") && !moves_within(model, c->line))
            continue;
        if (!use.count || use.line[use.count - 1].line != c->line)
            use.line[use.count++] = (struct library_line){ .line = c->line };
        struct library_line *at = &use.line[use.count - 1];
        at->ns += c->self_ns;
        at->system_ns += c->system_ns;
        at->samples += c->samples;
        if (c->self_ns > at->most_ns || !at->name) {
            at->most_ns = c->self_ns;
            at->name = name;
        }
        use.ns += c->self_ns;
        use.samples += c->samples;
    }
    if (use.count)
        qsort(use.line, use.count, sizeof *use.line, by_time);
    return use;
}

double library_function_ns(const struct advice *a, const struct library_use *use, uint32_t function, bool user_only,
                           uint64_t *samples)
{
    double ns = 0;
    for (size_t i = 0; i < use->count; i++)
        if (a->model->line[use->line[i].line].function == function) {
            ns += use->line[i].ns - (user_only ? use->line[i].system_ns : 0);
            *samples += use->line[i].samples;
        }
    return ns;
}

bool library_is_first(const struct advice *a, const struct library_use *use, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (a->model->line[use->line[i].line].function == a->model->line[use->line[at].line].function)
            return false;
    return true;
}

double library_share(const struct advice *a, double ns)
{
    double cpu = coverage_cpu_ns(a->model);
    return cpu > 0 ? ns / cpu : 0;
}

double library_call_ns(const struct advice *a, const struct library_line *at)
{
    const struct model_function *f = &a->model->function[a->model->line[at->line].function];
    return f->calls_known && f->calls && !f->has_copies ? at->ns / (double)f->calls : -1;
}

void library_gain(const struct advice *a, uint32_t line, double ns, uint64_t samples, double least, double most,
                  double *low_ns, double *high_ns)
{
    double error = 1 / sqrt((double)samples + 1);
    advice_gain(a, line, ns, 0, low_ns, high_ns);
    *low_ns *= least * (1 - fmin(0.2, error));
    double more = fmax(1, (1 + error) / (1 + advice_error(a, line))); /* the gain has the line's error in it */
    *high_ns = fmin(*high_ns * most * more, advice_faster(a, ns));
}

struct model_advice *library_advise(struct advice *a, enum advice_id id, const struct library_line *at, double ns,
                                    uint64_t samples, double least, double most)
{
    double low, high;
    if (samples < FEWEST)
        return NULL;
    library_gain(a, at->line, ns, samples, least, most, &low, &high);
    struct model_advice *to = advice_add(a, id, at->line, low, high, SAVING_MEASURED);
    if (to) {
        advice_figure(to, "cpu_ns", ns);
        advice_figure(to, "cpu_percent", 100 * library_share(a, ns));
        advice_figure(to, "samples", (double)samples);
    }
    return to;
}
