/* SPDX-License-Identifier: MIT */
/* callgrind.c: the format of callgrind_annotate and KCachegrind (valgrind's cl-format.html): self costs of lines, and
 * costs of calls with all below them. A chain counts once for each call on it, so that a recursion is not counted
 * twice. Hits are of lines alone, and calls are the call tree's: 1 where only samples know of the call, as
 * callgrind_annotate takes what 0 calls cost for the caller's own. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "exchange/tool.h"
#include "store/map.h"
#include "words/quote.h"

enum { EVENT_CPU, EVENT_KERNEL, EVENT_WAIT, EVENT_SAMPLES, EVENT_HITS, EVENT_COUNT };

struct row { /* self costs of a line, or, if there is a callee, of the calls that the line makes */
    uint32_t function, line, callee;
    uint32_t anchor; /* the caller in the call tree: MODEL_NONE if it has none */
    uint64_t calls;
    size_t last_stack; /* plus one */
    double event[EVENT_COUNT];
};

struct writer {
    FILE *out;
    const struct model *model;
    uint32_t *of; /* of frames: see frame_functions */
    uint32_t *frame_of; /* by number: a frame that has that function */
    struct map known, files, names;
    uint32_t file_count, name_count;
    struct row *row;
    size_t row_count, row_capacity;
    uint64_t sum[EVENT_COUNT];
    struct arena arena;
};

/* The model's functions keep their index. Names of libraries' functions come after them. */
static uint32_t function_of(const struct writer *w, uint32_t frame)
{
    const struct model_frame *f = &w->model->frame[frame];
    return f->name ? (uint32_t)w->model->function_count + w->of[frame] : f->function;
}

static struct row *row_get(struct writer *w, uint32_t function, uint32_t line, uint32_t callee)
{
    uint32_t key[3] = { function, line, callee }, *found = map_at(&w->known, key, sizeof key);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)w->row_count;
        *ARRAY_PUSH(w->row, w->row_count, w->row_capacity) =
            (struct row){ .function = function, .line = line, .callee = callee, .anchor = MODEL_NONE };
    }
    return &w->row[*found];
}

static void row_add(struct row *row, const struct model_stack *s)
{
    row->event[EVENT_CPU] += s->user_ns + s->system_ns;
    row->event[EVENT_KERNEL] += s->system_ns;
    row->event[EVENT_WAIT] += s->wait_ns;
    row->event[EVENT_SAMPLES] += (double)s->samples;
}

/* By frame: the function itself, or else the nearest of its callers, that the call tree has. */
static uint32_t *anchors_find(const struct model *model)
{
    bool *in_tree = memory_zeroed(model->function_count + 1, sizeof *in_tree);
    uint32_t *anchor = memory_zeroed(model->frame_count + 1, sizeof *anchor);
    for (uint32_t i = 1; i < model->node_count; i++)
        if (!model->node[i].sampled_only && model->function[model->node[i].function].kind <= PP_SITE_STAGE)
            in_tree[model->node[i].function] = true;
    for (uint32_t i = 0; i < model->frame_count; i++) {
        const struct model_frame *f = &model->frame[i];
        bool there = i && !f->name && in_tree[f->function];
        anchor[i] = there ? f->function : i && f->parent ? anchor[f->parent] : MODEL_NONE;
    }
    free(in_tree);
    return anchor;
}

static void stacks_add(struct writer *w)
{
    const struct model *model = w->model;
    uint32_t *anchor = anchors_find(model);
    for (size_t i = 0; i < model->stack_count; i++) {
        const struct model_stack *s = &model->stack[i];
        row_add(row_get(w, function_of(w, s->frame), model->frame[s->frame].line, MODEL_NONE), s);
        for (uint32_t f = s->frame, up; (up = model->frame[f].parent); f = up) {
            struct row *call = row_get(w, function_of(w, up), model->frame[up].line, function_of(w, f));
            if (call->last_stack != i + 1)
                row_add(call, s);
            call->last_stack = i + 1;
            call->anchor = anchor[up];
        }
    }
    free(anchor);
}

static void hits_add(struct writer *w)
{
    for (uint32_t i = 0; i < w->model->line_count; i++) {
        const struct model_line *l = &w->model->line[i];
        if (l->hits_known && l->function != MODEL_NONE)
            row_get(w, l->function, i, MODEL_NONE)->event[EVENT_HITS] += (double)l->hits;
    }
}

struct edge { /* of the call tree; the rows that show it may be of functions that were inlined there */
    uint32_t caller, callee, best, rows;
    uint64_t calls;
};

struct edges {
    struct map known;
    struct edge *edge;
    size_t count, capacity;
};

static struct edge *edge_get(struct edges *edges, uint32_t caller, uint32_t callee)
{
    uint32_t key[2] = { caller, callee }, *found = map_at(&edges->known, key, sizeof key);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)edges->count;
        *ARRAY_PUSH(edges->edge, edges->count, edges->capacity) =
            (struct edge){ .caller = caller, .callee = callee, .best = MODEL_NONE };
    }
    return &edges->edge[*found];
}

static void edges_count(const struct model *model, struct edges *edges)
{
    for (uint32_t i = 1; i < model->node_count; i++) {
        const struct model_node *n = &model->node[i];
        uint32_t up = n->parent;
        while (up && model->function[model->node[up].function].kind > PP_SITE_STAGE)
            up = model->node[up].parent;
        if (up && !n->sampled_only && model->function[n->function].kind <= PP_SITE_STAGE)
            edge_get(edges, model->node[up].function, n->function)->calls += n->calls;
    }
}

/* Calls are known of functions, not of lines: they stand at the line whose calls cost most, less one for each other. */
static void calls_add(struct writer *w)
{
    struct edges edges = { .edge = NULL };
    edges_count(w->model, &edges);
    for (uint32_t i = 0; i < w->row_count; i++) {
        if (w->row[i].callee == MODEL_NONE || w->row[i].anchor == MODEL_NONE)
            continue;
        struct edge *e = edge_get(&edges, w->row[i].anchor, w->row[i].callee);
        if (!e->rows++ || w->row[e->best].event[EVENT_CPU] < w->row[i].event[EVENT_CPU])
            e->best = i;
    }
    for (size_t i = 0; i < edges.count; i++) {
        const struct edge *e = &edges.edge[i];
        struct row *row = e->rows ? &w->row[e->best] : row_get(w, e->caller, MODEL_NONE, e->callee);
        row->calls = e->rows && e->calls >= e->rows ? e->calls - (e->rows - 1) : e->calls;
    }
    map_free(&edges.known);
    free(edges.edge);
}

/* A name is written once; later its number stands for it. */
static void name_print(struct writer *w, const char *what, struct map *known, uint32_t *count, const char *key,
                       const char *name)
{
    uint32_t *found = map_at_text(known, key);
    bool fresh = *found == MAP_FRESH;
    if (fresh)
        *found = ++*count;
    fprintf(w->out, "%s=(%" PRIu32 ")%s%s\n", what, *found, fresh ? " " : "", fresh ? name : "");
}

static void file_print(struct writer *w, const char *what, const char *file)
{
    const char *name = file[0] ? quote_plain(&w->arena, file) : "???";
    name_print(w, what, &w->files, &w->file_count, name, name);
}

static const char *file_of(const struct writer *w, uint32_t function)
{
    return function < w->model->function_count ? w->model->function[function].file : "";
}

/* 0: not known. */
static uint32_t line_of(const struct writer *w, uint32_t function)
{
    return function < w->model->function_count ? w->model->function[function].line : 0;
}

static void function_print(struct writer *w, const char *what, uint32_t function)
{
    const struct model *model = w->model;
    const char *name = function < model->function_count
                           ? model->function[function].name
                           : frame_name(model, w->frame_of[function - model->function_count]);
    name_print(w, what, &w->names, &w->name_count, arena_print(&w->arena, "%" PRIu32, function),
               quote_plain(&w->arena, name));
}

static void costs_print(struct writer *w, uint32_t line, const struct row *row, bool self)
{
    fprintf(w->out, "%" PRIu32, line);
    for (unsigned k = 0; k < EVENT_COUNT; k++) {
        uint64_t whole = number_whole(row->event[k] + 0.5);
        fprintf(w->out, " %" PRIu64, whole);
        w->sum[k] += self ? whole : 0;
    }
    putc('\n', w->out);
}

/* callgrind_annotate stumbles over files that have no costs but those of calls or of line 0. So calls that come first
 * follow a row without costs, and a function without a line has its first one. first: of its function. */
static void row_print(struct writer *w, const struct row *row, bool first, const char **file)
{
    const struct model_line *l = row->line == MODEL_NONE ? NULL : &w->model->line[row->line];
    const char *in = l ? l->file : file_of(w, row->function);
    uint32_t line = l ? l->line : line_of(w, row->function);
    if (in != *file)
        file_print(w, "fe", in);
    if (row->callee != MODEL_NONE && (first || in != *file))
        costs_print(w, line, &(struct row){ .line = 0 }, true);
    *file = in;
    if (row->callee != MODEL_NONE) {
        file_print(w, "cfi", file_of(w, row->callee));
        function_print(w, "cfn", row->callee);
        fprintf(w->out, "calls=%" PRIu64 " %" PRIu32 "\n", row->calls ? row->calls : 1, line_of(w, row->callee));
    }
    costs_print(w, line, row, row->callee == MODEL_NONE);
}

static int by_function(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    return x->function != y->function ? (x->function < y->function ? -1 : 1)
           : x->line != y->line       ? (x->line < y->line ? -1 : 1)
           : x->callee != y->callee   ? (x->callee > y->callee ? -1 : 1) /* self costs first */
                                      : 0;
}

static void head_print(struct writer *w)
{
    const struct model_run *run = &w->model->run;
    fprintf(w->out, "# callgrind format\nversion: 1\ncreator: profplug\npid: %" PRIu32 "\ncmd: %s", run->pid,
            quote_plain(&w->arena, run->program));
    for (size_t i = 1; i < run->argument_count; i++)
        fprintf(w->out, " %s", quote_plain(&w->arena, run->argument[i]));
    fputs("\npart: 1\npositions: line\nevent: CPU : CPU time in ns, user and kernel\n"
          "event: Kernel : part of it in the kernel, in ns\nevent: Wait : time that calls waited, in ns\n"
          "event: Samples : samples taken\nevent: Hits : how often the line was reached\n"
          "events: CPU Kernel Wait Samples Hits\n", w->out);
}

void export_callgrind(FILE *out, const struct model *model, const struct export_request *request)
{
    (void)request;
    struct writer w = { .out = out, .model = model };
    uint32_t names = frame_functions(model, &w.of), function = MODEL_NONE;
    const char *file = NULL;
    w.frame_of = memory_zeroed(names + 1, sizeof *w.frame_of);
    for (uint32_t i = 1; i < model->frame_count; i++)
        w.frame_of[w.of[i]] = i;
    stacks_add(&w);
    hits_add(&w);
    calls_add(&w);
    if (w.row_count)
        qsort(w.row, w.row_count, sizeof *w.row, by_function);
    head_print(&w);
    for (size_t i = 0; i < w.row_count; i++) {
        bool first = w.row[i].function != function;
        if (first) {
            function = w.row[i].function;
            file = file_of(&w, function);
            putc('\n', out);
            file_print(&w, "fl", file);
            function_print(&w, "fn", function);
        }
        row_print(&w, &w.row[i], first, &file);
    }
    fputs("\ntotals:", out);
    for (unsigned k = 0; k < EVENT_COUNT; k++)
        fprintf(out, " %" PRIu64, w.sum[k]);
    putc('\n', out);
    free(w.of);
    free(w.frame_of);
    free(w.row);
    map_free(&w.known);
    map_free(&w.files);
    map_free(&w.names);
    arena_free(&w.arena);
}
