/* SPDX-License-Identifier: MIT */
/* crowd.c SEED.profplug FOLDER LINES NODES [FORMAT...]: writes FOLDER/crowd.html, the page of a run as large as a page may be: the seed's, but with LINES lines
 * in 20 times fewer functions, their sources in FOLDER, and a tree of NODES calls. Walks through a graph of calls make it; every choice is seeded.
 * FORMATs of `profplug export` are written beside it, as FOLDER/crowd.FORMAT: CPU time alone, so that others' pages have one tree to draw, too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange/tool.h"
#include "export/export.h"
#include "load.h"
#include "store/arena.h"
#include "store/map.h"

enum { LINES_EACH = 20, FUNCTIONS_A_FILE = 50, ROOM = 25, DEEPEST = 48 }; /* ROOM: lines of source from one function to the next */

static struct arena arena;
static uint64_t state = 88172645463325252u;

static uint32_t below(uint32_t most)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 11) % most);
}

/* Small numbers much more often than large ones. */
static uint32_t below_often_small(uint32_t most)
{
    uint32_t a = below(most), b = below(most), c = below(most);
    a = a < b ? a : b;
    return a < c ? a : c;
}

static void code_make(struct model *model, const char *folder, uint32_t lines)
{
    uint32_t functions = lines / LINES_EACH;
    struct model_function *function = memory_zeroed(functions, sizeof *function);
    struct model_line *line = memory_zeroed(lines, sizeof *line);
    FILE *out = NULL;
    const char *path = NULL;
    for (uint32_t f = 0; f < functions; f++) {
        if (f % FUNCTIONS_A_FILE == 0) {
            path = arena_print(&arena, "%s/part%u.c", folder, f / FUNCTIONS_A_FILE);
            if (out)
                fclose(out);
            out = fopen(path, "w");
            if (!out)
                exit(2);
        }
        uint32_t first = f % FUNCTIONS_A_FILE * ROOM + 1;
        const char *name = arena_print(&arena, "part%u_step_%u", f / FUNCTIONS_A_FILE, f);
        function[f] = (struct model_function){ .id = f + 1, .key = arena_print(&arena, "%s:%s", path, name), .name = name, .symbol = name, .file = path,
                                               .line = first, .module_id = 1, .has_site = true, .has_lines = true, .calls_known = true, .calls = below(1000000),
                                               .stage = MODEL_NONE };
        fprintf(out, "int %s(struct part *part, const char *name, int from)\n{\n", name);
        for (uint32_t i = 0; i < ROOM - 3; i++)
            fprintf(out, "    part->value[%u] += measure(part, name, from + %u); /* one of %u */\n", below(64), below(100), f + i);
        fputs("}\n", out);
        for (uint32_t i = 0; i < LINES_EACH; i++)
            line[f * LINES_EACH + i] = (struct model_line){ .file = path, .line = first + 2 + i, .function = f, .hits_known = true, .hits = below(5000000) };
    }
    fclose(out);
    model->function = function;
    model->function_count = functions;
    model->line = line;
    model->line_count = lines;
}

static uint32_t callee_of(uint32_t function, uint32_t which, uint32_t functions) { return (function * 7919u + (which + 1) * 104729u) % functions; }

static void sample_put(struct model *model, struct model_stack *stack, uint32_t leaf)
{
    uint64_t samples = 1 + below_often_small(4);
    struct model_line *line = &model->line[model->frame[leaf].line];
    struct model_function *function = &model->function[model->frame[leaf].function];
    double ns = 1000000.0 * (double)samples, kernel = below(8) ? 0 : ns;
    *stack = (struct model_stack){ .frame = leaf, .stage = MODEL_NONE, .user_ns = ns - kernel, .system_ns = kernel, .samples = samples };
    if (below(16) == 0)
        stack->wait_ns = 1000.0 * (1 + below(100000));
    line->samples += samples;
    function->samples += samples;
    line->self.ns += ns;
    line->system_ns += kernel;
    line->self.variance += ns * 1e6;
    function->self.ns += ns;
    function->self.variance += ns * 1e6;
}

static void tree_make(struct model *model, uint32_t nodes)
{
    uint32_t functions = (uint32_t)model->function_count;
    struct map known = { 0 };
    model->frame = memory_zeroed(nodes + DEEPEST, sizeof *model->frame);
    model->stack = memory_zeroed(nodes, sizeof *model->stack);
    model->frame[0] = (struct model_frame){ .function = MODEL_NONE, .line = MODEL_NONE };
    model->frame_count = 1;
    model->stack_count = 0;
    while (model->frame_count + DEEPEST < nodes) {
        uint32_t at = 0, function = 0, deep = 6 + below(DEEPEST - 6);
        bool fresh = false;
        for (uint32_t level = 0; level < deep; level++) {
            uint32_t key[2] = { at, function }, *found = map_at(&known, key, sizeof key);
            fresh = *found == MAP_FRESH;
            if (fresh) {
                *found = (uint32_t)model->frame_count;
                model->frame[model->frame_count++] =
                    (struct model_frame){ .parent = at, .function = function, .line = function * LINES_EACH + below_often_small(LINES_EACH) };
            }
            at = *found;
            function = callee_of(function, below_often_small(12), functions);
        }
        if (fresh)
            sample_put(model, &model->stack[model->stack_count++], at);
    }
    double *total = memory_zeroed(model->frame_count, sizeof *total);
    for (size_t i = 0; i < model->stack_count; i++)
        total[model->stack[i].frame] += model->stack[i].user_ns + model->stack[i].system_ns;
    for (size_t i = model->frame_count; i-- > 1;) {
        total[model->frame[i].parent] += total[i];
        model->function[model->frame[i].function].total.ns += total[i];
        model->line[model->frame[i].line].total.ns += total[i];
    }
    model->coverage.samples = 0;
    for (size_t i = 0; i < model->stack_count; i++)
        model->coverage.samples += model->stack[i].samples;
    model->coverage.known_line = model->coverage.samples;
    model->coverage.sampled_ns = total[0];
    free(total);
    map_free(&known);
}

static FILE *beside(const char *folder, const char *name)
{
    FILE *out = fopen(arena_print(&arena, "%s/crowd.%s", folder, name), "w");
    if (!out)
        exit(2);
    return out;
}

static void export_beside(const struct model *model, const char *folder, const char *format)
{
    const struct export_tool *tool = export_tools;
    struct export_request request = { .cost = stack_cost_find("cpu") };
    while (tool->name && strcmp(tool->name, format) != 0)
        tool++;
    if (!tool->name || !request.cost)
        exit(2);
    FILE *out = beside(folder, format);
    tool->write(out, model, &request);
    if (fclose(out) != 0)
        exit(2);
}

int main(int argc, char **argv)
{
    struct model *model = argc >= 5 ? model_open(argv[1]) : NULL;
    struct view view = { .width = 100 };
    if (!model)
        return 2;
    code_make(model, argv[2], (uint32_t)atoi(argv[3]));
    tree_make(model, (uint32_t)atoi(argv[4]));
    FILE *out = beside(argv[2], "html");
    export_html(out, model, &view);
    for (int i = 5; i < argc; i++)
        export_beside(model, argv[2], argv[i]);
    printf("%zu lines, %zu functions, %zu calls, %zu stacks\n", model->line_count, model->function_count, model->frame_count, model->stack_count);
    return fclose(out) != 0; /* the end gives back what the model had of its own */
}
