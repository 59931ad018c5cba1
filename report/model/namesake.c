/* SPDX-License-Identifier: MIT */
/* namesake.c: see namesake.h. Names are compared in groups that have the same short name. */
#include "model/namesake.h"

#include <stdlib.h>
#include <string.h>

#include "store/map.h"
#include "words/shortname.h"

#define PARTS_MOST 16 /* arguments of templates that are compared, or parameters */

/* The arguments of a name's templates, in order, or its parameters as one. */
struct parts {
    const char *at[PARTS_MOST];
    size_t bytes[PARTS_MOST], count;
};

static void part_add(struct parts *to, const char *from, const char *end)
{
    end = end < from ? from : end; /* of a bracket that does not close */
    while (from < end && *from == ' ')
        from++;
    while (end > from && end[-1] == ' ')
        end--;
    if (to->count < PARTS_MOST) {
        to->at[to->count] = from;
        to->bytes[to->count++] = (size_t)(end - from);
    }
}

/* The parts of the bracket at `open`, which ends before `end`. */
static void bracket_parts(struct parts *to, const char *open, const char *end)
{
    const char *from = open + 1;
    int depth = 0;
    for (const char *p = from; p < end - 1; p++) {
        depth += strchr("<([{", *p) != NULL;
        depth -= strchr(">)]}", *p) != NULL && !(*p == '>' && p[-1] == '-');
        if (*p == ',' && !depth) {
            part_add(to, from, p);
            from = p + 1;
        }
    }
    part_add(to, from, end - 1);
}

/* `name` is the whole name. What name_short leaves out of it stands in brackets, which it meets in the same order. */
static struct parts parts_of(const char *name, bool parameters)
{
    struct parts all = { .count = 0 };
    struct name_bracket bracket[PARTS_MOST];
    size_t count = name_brackets(name, bracket, PARTS_MOST);
    for (size_t i = 0; i < count; i++)
        if (!parameters && bracket[i].kind == '<')
            bracket_parts(&all, bracket[i].open, bracket[i].end);
        else if (parameters && bracket[i].kind == '(' && i + 1 == count)
            part_add(&all, bracket[i].open + 1, bracket[i].end - 1);
    return all;
}

static bool part_is_same(const struct parts *a, const struct parts *b, size_t i)
{
    return a->count == b->count && a->bytes[i] == b->bytes[i] && memcmp(a->at[i], b->at[i], a->bytes[i]) == 0;
}

/* The short name with each <...> replaced by the arguments that differ. */
static const char *with_arguments(struct arena *arena, const char *name, const char *brief, const struct parts *mine,
                                  const bool *differs)
{
    struct name_bracket bracket[PARTS_MOST];
    size_t count = name_brackets(name, bracket, PARTS_MOST), next = 0;
    const char *text = "";
    for (size_t i = 0; i < count; i++) {
        const char *hole = bracket[i].kind == '<' ? strstr(brief, "<...>") : NULL;
        struct parts here = { .count = 0 };
        if (!hole)
            continue;
        bracket_parts(&here, bracket[i].open, bracket[i].end);
        text = arena_print(arena, "%s%.*s<", text, (int)(hole - brief), brief);
        for (size_t k = 0; k < here.count; k++, next++) {
            bool shown = next < mine->count && differs[next];
            const char *part = arena_print(arena, "%.*s", (int)here.bytes[k], here.at[k]);
            text = arena_print(arena, "%s%s%s", text, k ? ", " : "", shown ? part : "...");
        }
        text = arena_print(arena, "%s>", text);
        brief = hole + 5;
    }
    return arena_print(arena, "%s%s", text, brief);
}

/* Tells the functions of one short name apart by what stands in their brackets. False: nothing there differs. */
static bool group_tell(struct model *model, const uint32_t *member, size_t count, bool parameters)
{
    struct arena *arena = &model->arena;
    bool differs[PARTS_MOST] = { false }, any = false;
    struct parts first = parts_of(model->function[member[0]].name, parameters);
    for (size_t i = 1; i < count; i++) {
        struct parts more = parts_of(model->function[member[i]].name, parameters);
        for (size_t k = 0; k < PARTS_MOST && (k < first.count || k < more.count); k++)
            any = (differs[k] = differs[k] || k >= first.count || k >= more.count || !part_is_same(&first, &more, k)) ||
                  any;
    }
    for (size_t i = 0; any && i < count; i++) {
        struct model_function *f = &model->function[member[i]];
        struct parts mine = parts_of(f->name, parameters);
        f->label = !parameters  ? with_arguments(arena, f->name, f->label, &mine, differs)
                   : mine.count ? arena_print(arena, "%s(%.*s)", f->label, (int)mine.bytes[0], mine.at[0])
                                : f->label;
    }
    return any;
}

/* A lambda has the line at which it begins in place of its number. */
static const char *lambda_label(struct arena *arena, const struct model_function *f, const char *brief)
{
    static const char mark[] = "{lambda#";
    const char *last = NULL;
    for (const char *at = brief; (at = strstr(at, mark)); at++)
        last = at;
    const char *end = last ? strchr(last, '}') : NULL;
    if (!end || !f->line || strncmp(end, "}::", 3) != 0 || strstr(end + 3, "::"))
        return brief;
    return f->lambda_column
               ? arena_print(arena, "%.*s{lambda:%u:%u%s", (int)(last - brief), brief, f->line, f->lambda_column, end)
               : arena_print(arena, "%.*s{lambda:%u%s", (int)(last - brief), brief, f->line, end);
}

/* Lambdas of one line whose columns are not known, since no sample hit them, keep their numbers. */
static void lambdas_tell(struct model *model, const uint32_t *member, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct model_function *f = &model->function[member[i]];
        const char *brief = name_short(&model->arena, f->name), *number = NULL, *at = NULL;
        for (const char *next = brief; (next = strstr(next, "{lambda#")); next++)
            number = next + sizeof "{lambda" - 1;
        for (const char *next = f->label; (next = strstr(next, "{lambda:")); next++)
            at = strchr(next, '}');
        if (number && at)
            f->label = arena_print(&model->arena, "%.*s%.*s%s", (int)(at - f->label), f->label,
                                   (int)strcspn(number, "}"), number, at);
    }
}

/* A region of OpenMP, "main._omp_fn.0", has the function's name and the line of its pragma. */
static const char *region_label(struct arena *arena, const struct model_function *f, const char *brief)
{
    const char *region = f->symbol ? strstr(f->symbol, PP_REGION_MARK) : NULL, *end = strstr(brief, PP_REGION_MARK);
    int bytes = (int)(end ? (size_t)(end - brief) : strlen(brief));
    if (!region || !f->line)
        return brief;
    return arena_print(arena, "%.*s{omp:%u}", bytes, brief, f->line);
}

static int by_label(const void *a, const void *b, void *model)
{
    const struct model_function *f = ((const struct model *)model)->function;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = strcmp(f[x].label, f[y].label);
    return order ? order : x < y ? -1 : x > y;
}

enum telling { BY_ARGUMENTS, BY_PARAMETERS, BY_NUMBERS };

static void labels_tell(struct model *model, uint32_t *order, enum telling by)
{
    size_t count = model->function_count;
    qsort_r(order, count, sizeof *order, by_label, model);
    for (size_t i = 0, end; i < count; i = end) {
        const char *label = model->function[order[i]].label;
        for (end = i + 1; end < count && strcmp(model->function[order[end]].label, label) == 0;)
            end++;
        if (end - i > 1 && by == BY_NUMBERS)
            lambdas_tell(model, order + i, end - i);
        else if (end - i > 1)
            group_tell(model, order + i, end - i, by == BY_PARAMETERS);
    }
}

/* Functions of the same code, which the compiler merged: whatever is known of one may be another's. */
static void merged_tell(struct model *model, struct model_function *f)
{
    struct arena *arena = &model->arena;
    const char *others = arena_print(arena, "%u others", f->merged_count);
    f->label = arena_print(arena, "%s or %s", f->label, f->merged_count > 1 ? others : name_short(arena, f->merged[0]));
    for (uint32_t i = 0; f->merged_count > 1 && i < f->merged_count; i++)
        others = arena_print(arena, "%s%s%s", i ? others : "", i ? ", " : "", f->merged[i]);
    model_notice(model,
                 "GCC merged %s with %s, whose code is the same: calls, times and bytes may be either's; "
                 "-fno-ipa-icf keeps them apart",
                 f->name, f->merged_count > 1 ? others : f->merged[0]);
}

void namesakes_tell(struct model *model)
{
    uint32_t *order = memory_zeroed(model->function_count, sizeof *order);
    for (uint32_t i = 0; i < model->function_count; i++) {
        struct model_function *f = &model->function[i];
        f->label = lambda_label(&model->arena, f, name_short(&model->arena, f->name));
        f->label = region_label(&model->arena, f, f->label);
        order[i] = i;
    }
    labels_tell(model, order, BY_ARGUMENTS);
    labels_tell(model, order, BY_PARAMETERS);
    labels_tell(model, order, BY_NUMBERS);
    for (size_t i = 0; i < model->function_count; i++)
        if (model->function[i].merged_count)
            merged_tell(model, &model->function[i]);
    free(order);
}

const char *function_label(struct arena *arena, const struct model_function *function)
{
    return function->label ? function->label : name_short(arena, function->name);
}

const char *jump_label(struct arena *arena, const char *name)
{
    return arena_print(arena, "%s (jump)", name_short(arena, name));
}

bool thread_is_first(const struct model *model, const struct model_thread *t)
{
    return t->leads || t->id == model->run.pid;
}

const char *thread_label(struct arena *arena, const struct model *model, const struct model_thread *t)
{
    bool marked = thread_is_first(model, t) && model->thread_count > 1;
    return marked ? arena_print(arena, "%s (main)", t->name[0] ? t->name : "(no name)") : t->name;
}
