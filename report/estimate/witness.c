/* SPDX-License-Identifier: MIT */
/* witness.c: reads the compiler's remarks from the binaries that ran. See witness.h. A binary without them, such as one
 * compiled with remarks=off, has none, and nothing is said. Must not know what remarks mean. */
#include "estimate/witness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/nests.h"
#include "estimate/steps.h"
#include "symbol/image.h"
#include "symbol/remarksection.h"

struct loop_lines {
    uint32_t number, first, last;
    bool is_counted, is_uncounted;
};

struct hearing {
    struct model *model;
    const struct names *names;
    struct map files; /* of the section's texts to those of the model */
    const char **file;
    size_t file_count, file_capacity, capacity;
    struct map texts; /* each text once: copies of a function have the same */
    const char **text;
    size_t text_count, text_capacity;
    struct loop_lines *loop; /* of the current function */
    size_t loop_count, loop_capacity;
    size_t function_first; /* the first remark of the current function */
    uint32_t number, function;
    const char *symbol;
};

static const char *file_keep(struct hearing *h, const char *path)
{
    uint32_t *found = map_at_text(&h->files, path);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)h->file_count;
        *ARRAY_PUSH(h->file, h->file_count, h->file_capacity) = path_whole(&h->model->arena, "", path);
    }
    return h->file[*found];
}

static const char *text_once(struct hearing *h, const char *text)
{
    uint32_t *found = map_at_text(&h->texts, text);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)h->text_count;
        *ARRAY_PUSH(h->text, h->text_count, h->text_capacity) = arena_copy(&h->model->arena, text);
    }
    return h->text[*found];
}

static uint32_t function_find(const struct hearing *h, const struct section_remark *r)
{
    size_t length = symbol_base(r->symbol);
    char key[4608];
    int n = snprintf(key, sizeof key, "%s:%.*s", r->function_file, (int)length, r->symbol);
    uint32_t found = n > 0 && (size_t)n < sizeof key ? map_get(&h->names->by_key, key, (size_t)n) : MAP_FRESH;
    if (found == MAP_FRESH)
        found = map_get(&h->names->by_symbol, r->symbol, length);
    return found < NAMES_MANY ? found : MODEL_NONE;
}

/* Numbers of loops become lines: those of the function's LOOP remark of that number. */
static void loops_resolve(struct hearing *h)
{
    struct model *model = h->model;
    h->loop_count = 0;
    for (size_t i = h->function_first; i < model->remark_count; i++) {
        const struct model_remark *r = &model->remark[i];
        if (r->kind == PP_REMARK_LOOP)
            *ARRAY_PUSH(h->loop, h->loop_count, h->loop_capacity) =
                (struct loop_lines){ r->loop_first, r->line, r->value > 0 ? (uint32_t)r->value : 0, false, false };
    }
    for (size_t i = h->function_first; i < model->remark_count; i++)
        for (size_t k = 0; k < h->loop_count; k++)
            if (h->loop[k].number == model->remark[i].loop_first) {
                h->loop[k].is_counted |= model->remark[i].kind == PP_REMARK_COUNTED;
                h->loop[k].is_uncounted |= model->remark[i].kind == PP_REMARK_UNCOUNTED;
            }
    for (size_t i = h->function_first; i < model->remark_count; i++) {
        struct model_remark *r = &model->remark[i];
        uint32_t number = r->loop_first;
        r->loop_first = 0;
        for (size_t k = 0; number && k < h->loop_count; k++)
            if (h->loop[k].number == number) {
                r->is_counted = h->loop[k].is_counted && !h->loop[k].is_uncounted;
                r->loop_first = h->loop[k].first;
                r->loop_last = h->loop[k].last;
            }
    }
}

static void remark_hear(void *closure, const struct section_remark *r)
{
    struct hearing *h = closure;
    struct model *model = h->model;
    if (r->function != h->number) {
        loops_resolve(h);
        h->number = r->function;
        h->function = function_find(h, r);
        h->symbol = arena_copy(&model->arena, r->symbol);
        h->function_first = model->remark_count;
    }
    *ARRAY_PUSH(model->remark, model->remark_count, h->capacity) =
        (struct model_remark){ .kind = r->raw.kind,
                               .file = file_keep(h, r->file),
                               .line = r->raw.line,
                               .function = h->function,
                               .symbol = h->symbol,
                               .loop_first = r->raw.loop, /* its number, until loops_resolve */
                               .value = r->raw.value,
                               .detail = text_once(h, r->detail),
                               .why = text_once(h, r->why) };
}

/* Equal texts are usually the same. */
static int text_order(const char *a, const char *b) { return a == b ? 0 : strcmp(a, b); }

static int remark_order(const void *a, const void *b)
{
    const struct model_remark *x = a, *y = b;
    int order = text_order(x->file, y->file);
    if (order)
        return order;
    const uint64_t left[] = { x->line, x->loop_first, x->loop_last, x->kind, (uint64_t)x->value ^ 1ull << 63 },
                   right[] = { y->line, y->loop_first, y->loop_last, y->kind, (uint64_t)y->value ^ 1ull << 63 };
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    order = text_order(x->detail, y->detail);
    order = order ? order : text_order(x->why, y->why);
    /* of equal ones, that of a function that ran is kept */
    return order                      ? order
           : x->function < y->function ? -1
                                      : x->function > y->function;
}

static bool remark_is_same(const struct model_remark *a, const struct model_remark *b)
{
    return a->kind == b->kind && a->line == b->line && a->loop_first == b->loop_first &&
           a->loop_last == b->loop_last && a->value == b->value && text_order(a->file, b->file) == 0 &&
           text_order(a->detail, b->detail) == 0 && text_order(a->why, b->why) == 0;
}

/* Copies of a function, inlined or in other units, have the same remarks. */
static void copies_drop(struct model *model)
{
    size_t kept = 0;
    if (model->remark_count)
        qsort(model->remark, model->remark_count, sizeof *model->remark, remark_order);
    for (size_t i = 0; i < model->remark_count; i++)
        if (!kept || !remark_is_same(&model->remark[kept - 1], &model->remark[i]))
            model->remark[kept++] = model->remark[i];
    model->remark_count = kept;
    for (size_t i = 0; i < kept; i++)
        model->remark[i].text = remark_text(model, &model->remark[i]);
}

/* ---- what the lines cost ---- */

struct line_cost {
    const char *file;
    uint32_t line;
    struct value before; /* of all that stand before it */
};

static int cost_order(const void *a, const void *b)
{
    const struct line_cost *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    return order ? order : x->line < y->line ? -1 : x->line > y->line;
}

/* Index of the first that does not stand before this line. */
static size_t cost_first(const struct line_cost *cost, size_t count, const char *file, uint32_t line)
{
    struct line_cost wanted = { file, line, { 0, 0 } };
    size_t low = 0;
    while (low < count) {
        size_t middle = low + (count - low) / 2;
        if (cost_order(&cost[middle], &wanted) < 0)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

static void costs_find(struct model *model)
{
    size_t count = model->line_count;
    struct line_cost *cost = memory_zeroed(count + 1, sizeof *cost);
    for (size_t i = 0; i < count; i++)
        cost[i] = (struct line_cost){ model->line[i].file, model->line[i].line, model->line[i].self };
    qsort(cost, count, sizeof *cost, cost_order);
    struct value sum = { 0, 0 };
    for (size_t i = 0; i <= count; i++) {
        struct value own = cost[i].before;
        cost[i].before = sum;
        sum.ns += own.ns;
        sum.variance += own.variance;
    }
    for (size_t i = 0; i < model->remark_count; i++) {
        struct model_remark *r = &model->remark[i];
        uint32_t first = r->loop_first ? r->loop_first : r->line, last = r->loop_first ? r->loop_last : r->line;
        const struct value to = cost[cost_first(cost, count, r->file, last + 1)].before,
                           from = cost[cost_first(cost, count, r->file, first)].before;
        r->self_ns = to.ns - from.ns;
        r->self_variance = to.variance - from.variance;
        if (r->kind == PP_REMARK_UNOPTIMIZED)
            r->self_ns = r->function == MODEL_NONE ? 0 : model->function[r->function].self.ns;
    }
    free(cost);
}

void witness_hear(struct model *model, const struct names *names, const struct profile *profile)
{
    struct hearing h = { .model = model, .names = names };
    for (size_t i = 0; i < profile->module_count; i++) {
        const struct profile_module *module = &profile->module[i];
        struct image *image = NULL;
        const uint8_t *bytes;
        size_t size, left;
        if (!module->instrumented || module->path[0] != '/' ||
            image_open(module->path, module->build_id, module->build_id_size, &image, NULL, 0) != IMAGE_OK)
            continue;
        h.number = 0;
        h.function_first = model->remark_count;
        bytes = image_section(image, PP_REMARK_SECTION, &size);
        left = bytes ? remark_section_read(bytes, size, remark_hear, &h) : 0;
        loops_resolve(&h);
        if (left)
            model_notice(model, "%s: %zu of %zu bytes of the compiler's remarks cannot be read", module->path, left,
                         size);
        image_close(image);
    }
    nests_merge(model, profile);
    steps_merge(model, profile);
    copies_drop(model);
    costs_find(model);
    map_free(&h.files);
    map_free(&h.texts);
    free(h.text);
    free(h.file);
    free(h.loop);
}
