/* SPDX-License-Identifier: MIT */
/* section-heap.c: lines that allocated heap blocks or mapped memory, and the state of the allocator. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "words/figure.h"
#include "model/namesake.h"
#include "words/shortname.h"
#include "words/plural.h"
#include "show/source.h"
#include "show/table.h"
#include "section/section.h"

#define ALL_DRAWN 512 /* FIRST_BLOCKS of merge/blocks.c: of so few, each is at its line */

static const char *where_cell(struct arena *arena, const struct model *model, const struct model_allocation *a,
                              const struct view *view)
{
    if (!a->attributed)
        return "(lines not kept)";
    if (a->line != MODEL_NONE)
        return name_cut(arena,
                        arena_print(arena, "%s:%u", path_short(model->line[a->line].file), model->line[a->line].line),
                        view->width / 4);
    return arena_print(arena, "(in %s)",
                       a->module != MODEL_NONE ? path_short(model->module[a->module].path) : "no module");
}

/* A difference, negative if more was freed than allocated. */
static const char *signed_cell(struct arena *arena, const char *(*figure)(char *, double), uint64_t got, uint64_t back)
{
    char text[FIGURE_BYTES];
    return got == back  ? "-"
           : got > back ? arena_copy(arena, figure(text, (double)(got - back)))
                        : arena_print(arena, "-%s", figure(text, (double)(back - got)));
}

/* Of a figure from sampled blocks; "-" where it is exact. */
static const char *error_cell(struct arena *arena, double value, double error)
{
    double percent = value != 0 ? 100 * error / fabs(value) : 0;
    if (value_is_vague((struct value){ value, error * error }))
        return "few blocks";
    return error > 0 && value != 0 ? arena_print(arena, "%.*f%%", percent < 9.95 ? 1 : 0, percent) : "-";
}

static void function_cells(struct table *table, const struct model *model, const struct model_allocation *a,
                           const struct view *view)
{
    const struct source *source = a->line != MODEL_NONE ? source_get(model->line[a->line].file) : NULL;
    const char *what = source ? source_line(source, model->line[a->line].line, true) : NULL;
    table_cell(table, a->function != MODEL_NONE
                          ? label_fit(table->arena, function_label(table->arena, &model->function[a->function]),
                                      view->width / 5)
                          : "");
    table_cell(table, what ? what : "");
}

static void what_cells(struct table *table, const struct model *model, const struct model_allocation *a,
                       const struct view *view)
{
    table_cell(table, a->library != MODEL_NONE ? path_short(model->module[a->library].path) : "-");
    function_cells(table, model, a, view);
}

static const char *about_cell(struct arena *arena, const char *about, const char *figure)
{
    return *figure == '-' && !figure[1] ? figure : arena_print(arena, "%s%s", about, figure);
}

void text_allocations(FILE *out, const struct model *model, const struct view *view)
{
    static const struct table_column column[] = {
        { "ALLOCATIONS", true, 0 }, { "blocks", false, 0 }, { "+-", false, 58 },        { "bytes", false, 0 },
        { "+-", false, 59 },        { "share", false, 40 }, { "temporary", false, 20 }, { "live blocks", false, 35 },
        { "live", false, 60 },      { "+-", false, 57 },    { "at peak", false, 55 },   { "through", true, 50 },
        { "function", true, 30 },   { "what", true, 10 },
    };
    struct arena arena = { 0 };
    bool by_calls = view->sort && strcmp(view->sort, "calls") == 0;
    struct table table = { .arena = &arena,
                           .column = column,
                           .columns = sizeof column / sizeof *column,
                           .colour = view->colour,
                           .sorted = by_calls ? "blocks" : "bytes" };
    size_t count, left_out;
    uint32_t *list = view_allocations(model, view, &count, &left_out);
    struct model_blocks all = { 0 };
    char text[FIGURE_BYTES], bytes[FIGURE_BYTES], live[FIGURE_BYTES], peak[FIGURE_BYTES];
    for (size_t i = 0; i < model->allocation_count; i++) {
        all.alloc_blocks += model->allocation[i].blocks.alloc_blocks;
        all.alloc_bytes += model->allocation[i].blocks.alloc_bytes;
        all.free_bytes += model->allocation[i].blocks.free_bytes;
        all.peak_bytes += model->allocation[i].blocks.peak_bytes;
    }
    const char *some = model->blocks_vary > 0 ? "~" : "";
    bool uncounted = model->run.blocks_mean && !model->run.heap_calls && all.alloc_blocks >= ALL_DRAWN;
    for (size_t i = 0; i < count; i++) {
        const struct model_allocation *a = &model->allocation[list[i]];
        const struct model_blocks *b = &a->blocks;
        struct blocks_errors error = blocks_errors(b);
        table_cell(&table, where_cell(&arena, model, a, view));
        table_cell(&table, figure_count(text, (double)b->alloc_blocks));
        table_cell(&table, error_cell(&arena, (double)b->alloc_blocks, error.alloc_blocks));
        table_cell(&table, figure_size(text, (double)b->alloc_bytes));
        table_cell(&table, error_cell(&arena, (double)b->alloc_bytes, error.alloc_bytes));
        table_cell(&table, figure_share(text, all.alloc_bytes ? (double)b->alloc_bytes / (double)all.alloc_bytes : 0));
        const char *about = b->alloc_blocks_variance ? "~" : "";
        table_cell(&table, b->temporary_blocks && b->alloc_blocks
                               ? arena_print(&arena, "%s%s", about,
                                             figure_share(text, (double)b->temporary_blocks / (double)b->alloc_blocks))
                               : "-");
        table_cell(&table,
                   about_cell(&arena, about, signed_cell(&arena, figure_count, b->alloc_blocks, b->free_blocks)));
        table_cell(&table, signed_cell(&arena, figure_size, b->alloc_bytes, b->free_bytes));
        table_cell(&table, error_cell(&arena, (double)(int64_t)(b->alloc_bytes - b->free_bytes), error.live_bytes));
        table_cell(&table,
                   model->has_peak && b->peak_bytes
                       ? about_cell(&arena, about,
                                    signed_cell(&arena, figure_size, (int64_t)b->peak_bytes > 0 ? b->peak_bytes : 0,
                                                (int64_t)b->peak_bytes > 0 ? 0 : 0 - b->peak_bytes))
                       : "-");
        what_cells(&table, model, a, view);
    }
    if (count && model->undrawn_blocks) {
        table_cell(&table, "(not drawn)");
        table_cell(&table, arena_print(&arena, "~%s", figure_count(text, (double)model->undrawn_blocks)));
        for (size_t i = 2; i < sizeof column / sizeof *column; i++)
            table_cell(&table, i + 3 < sizeof column / sizeof *column ? "-" : "");
    }
    if (count) {
        fputc('\n', out);
        table_print(&table, out, view->width);
        text_more(out, left_out);
        text_foot(out, view, &table,
                  arena_print(
                      &arena,
                      "share: of %s%s in %s%s block%s; live: not freed %s, %s%s in all; "
                      "%s%s%s%s%stemporary: freed before the thread's next allocation; "
                      "through: the library that the line called",
                      some, figure_size(bytes, (double)all.alloc_bytes), some,
                      figure_count(text, (double)all.alloc_blocks), plural(all.alloc_blocks, "", "s"),
                      model->run.exit_kind == MODEL_EXIT_RUNNING ? "yet" : "at the end", some,
                      all.alloc_bytes >= all.free_bytes ? figure_size(live, (double)(all.alloc_bytes - all.free_bytes))
                                                        : "below 0",
                      model->blocks_vary > 0 ? "from sampled blocks: +- one sigma, none: exact, ~: an estimate; " : "",
                      model->undrawn_blocks
                          ? "not drawn: small blocks that were counted, at one or more of the lines; "
                      : uncounted ? "the program's end is not recorded, so small blocks that no sample met are not "
                                    "told, and lines may lack some; "
                                  : "",
                      model->has_peak ? "at peak: of " : "",
                      model->has_peak ? figure_size(peak, (double)(int64_t)all.peak_bytes) : "",
                      !model->has_peak         ? ""
                      : model->blocks_vary > 0 ? " that were live at the heap's peak, an estimate; "
                                               : " that were live at the heap's peak, within 2 %; "));
    }
    free(list);
    table_free(&table);
    arena_free(&arena);
}

void text_mappings(FILE *out, const struct model *model, const struct view *view)
{
    static const struct table_column column[] = {
        { "MAPPINGS", true, 0 }, { "calls", false, 0 },   { "bytes", false, 0 },    { "unmapped", false, 40 },
        { "mapped", false, 60 }, { "through", true, 50 }, { "function", true, 30 }, { "what", true, 10 },
    };
    struct arena arena = { 0 };
    bool by_calls = view->sort && strcmp(view->sort, "calls") == 0;
    struct table table = { .arena = &arena,
                           .column = column,
                           .columns = sizeof column / sizeof *column,
                           .colour = view->colour,
                           .sorted = by_calls ? "calls" : "bytes" };
    size_t count, left_out;
    uint32_t *list = view_mappings(model, view, &count, &left_out);
    char text[FIGURE_BYTES];
    for (size_t i = 0; i < count; i++) {
        const struct model_allocation *a = &model->mapping[list[i]];
        table_cell(&table, where_cell(&arena, model, a, view));
        table_cell(&table, figure_count(text, (double)a->blocks.alloc_blocks));
        table_cell(&table, figure_size(text, (double)a->blocks.alloc_bytes));
        table_cell(&table, a->blocks.free_bytes ? figure_size(text, (double)a->blocks.free_bytes) : "-");
        table_cell(&table, signed_cell(&arena, figure_size, a->blocks.alloc_bytes, a->blocks.free_bytes));
        what_cells(&table, model, a, view);
    }
    if (count) {
        fputc('\n', out);
        table_print(&table, out, view->width);
        text_more(out, left_out);
        text_foot(out, view, &table,
                  arena_print(&arena,
                              "calls: mmap and mremap, without the allocator's own; bytes: whole pages; mapped: %s; "
                              "through: the library that the line called",
                              model->run.exit_kind == MODEL_EXIT_RUNNING ? "still" : "at the end"));
    }
    free(list);
    table_free(&table);
    arena_free(&arena);
}

static void volumes_print(FILE *out, const struct model *model, const struct view *view, enum pp_callsite_kind kind)
{
    bool pools = kind == PP_CALLSITE_POOLS, by_calls = view->sort && strcmp(view->sort, "calls") == 0;
    const struct table_column column[] = {
        { pools                       ? "POOLS"
          : kind == PP_CALLSITE_FILLS ? "FILLS"
                                      : "COPIES",
          true, 0 },
        { pools ? "blocks" : "calls", false, 0 },
        { "bytes", false, 0 },
        { "each", false, 40 },
        { "function", true, 30 },
        { "what", true, 10 },
    };
    struct arena arena = { 0 };
    struct table table = { .arena = &arena,
                           .column = column,
                           .columns = sizeof column / sizeof *column,
                           .colour = view->colour,
                           .sorted = by_calls ? column[1].title : "bytes" };
    size_t count, left_out;
    uint32_t *list = view_volumes(model, view, kind, &count, &left_out);
    char text[FIGURE_BYTES];
    for (size_t i = 0; i < count; i++) {
        const struct model_allocation *a = &model->volume[list[i]];
        table_cell(&table, where_cell(&arena, model, a, view));
        table_cell(&table, figure_count(text, (double)a->blocks.alloc_blocks));
        table_cell(&table, a->blocks.alloc_bytes ? figure_size(text, (double)a->blocks.alloc_bytes) : "-");
        table_cell(&table, a->blocks.alloc_bytes
                               ? figure_size(text, (double)a->blocks.alloc_bytes / (double)a->blocks.alloc_blocks)
                               : "-");
        function_cells(&table, model, a, view);
    }
    if (count) {
        fputc('\n', out);
        table_print(&table, out, view->width);
        text_more(out, left_out);
        text_foot(out, view, &table,
                  kind == PP_CALLSITE_COPIES
                      ? "calls of memcpy, memmove and mempcpy in code compiled with copies=on; "
                        "copies in libraries, and those that the compiler makes inline (a few bytes, "
                        "structures), are not included"
                  : kind == PP_CALLSITE_FILLS
                      ? "calls of memset in code compiled with copies=on; "
                        "fills in libraries, and those that the compiler makes inline (a few bytes, structures), "
                        "are not included"
                      : "blocks from functions with the attribute malloc or alloc_size, "
                        "called by code compiled with allocators=on; not included in the heap's figures; "
                        "bytes: from alloc_size");
    }
    free(list);
    table_free(&table);
    arena_free(&arena);
}

void text_pools(FILE *out, const struct model *model, const struct view *view)
{
    volumes_print(out, model, view, PP_CALLSITE_POOLS);
}

void text_copies(FILE *out, const struct model *model, const struct view *view)
{
    volumes_print(out, model, view, PP_CALLSITE_COPIES);
    volumes_print(out, model, view, PP_CALLSITE_FILLS);
}

#define FRAGMENTED 0.05 /* share of the arena; below this there is no table, only JSON */
#define WORTH (1 << 20) /* smaller amounts are not shown */

/* Whether the free space at the stage's first entry or last end deserves a row. */
static bool is_fragmented(const struct model_stage *s)
{
    return s->level_ns[0] && s->level_ns[1] &&
           ((stage_fragmentation(s, true) >= FRAGMENTED && s->entered[PP_METRIC_ARENA_GAP_BYTES] >= WORTH) ||
            (stage_fragmentation(s, false) >= FRAGMENTED && s->metric[PP_METRIC_ARENA_GAP_BYTES] >= WORTH));
}

/* One row for each shown stage at whose boundaries the arena was inspected. */
static void arena_table(FILE *out, const struct model *model, const struct view *view)
{
    static const struct table_column column[] = {
        { "ARENA", true, 0 },        { "held", false, 0 },    { "in use", false, 30 },     { "fragmented", false, 40 },
        { "held after", false, 50 }, { "in use", false, 20 }, { "fragmented", false, 60 },
    };
    struct arena arena = { 0 };
    struct table table = { .arena = &arena,
                           .column = column,
                           .columns = sizeof column / sizeof *column,
                           .colour = view->colour,
                           .sorted = "" };
    size_t count, left_out, rows = 0;
    uint32_t *list = view_stages(model, view, &count, &left_out);
    char text[FIGURE_BYTES];
    for (size_t i = 0; i < count; i++) {
        const struct model_stage *s = &model->stage[list[i]];
        if (!is_fragmented(s))
            continue;
        table_cell(&table, name_cut(&arena, s->name, view->width / 4));
        for (unsigned after = 0; after < 2; after++) {
            const double *value = after ? s->metric : s->entered;
            table_cell(&table, figure_size(text, value[PP_METRIC_ARENA_BYTES]));
            table_cell(&table, figure_size(text, value[PP_METRIC_ARENA_USED_BYTES]));
            table_cell(&table, figure_share(text, stage_fragmentation(s, !after)));
        }
        rows++;
    }
    if (rows) {
        fputc('\n', out);
        table_print(&table, out, view->width);
        text_foot(out, view, &table,
                  "the C library's main arena, at the stage's first entry and after its last end; "
                  "in use: live blocks; fragmented: free space between live blocks, of what is held; "
                  "threads' arenas and large blocks with their own mapping are not included");
    }
    free(list);
    table_free(&table);
    arena_free(&arena);
}

void text_arena(FILE *out, const struct model *model, const struct view *view)
{
    const struct model_run *r = &model->run;
    char all[FIGURE_BYTES], used[FIGURE_BYTES], rest[FIGURE_BYTES], top[FIGURE_BYTES], share[FIGURE_BYTES],
        mapped[FIGURE_BYTES], line[512];
    arena_table(out, model, view);
    if (!r->arena_known || (r->arena_known == 1 && r->arena_bytes + r->arena_mapped_bytes < WORTH))
        return;
    text_heading(out, view, "ALLOCATOR", "of the C library, when the program ended");
    if (r->arena_known == 3)
        snprintf(line, sizeof line,
                 "not inspected: that takes a copy of the process, which would have exceeded the budget");
    else if (r->arena_known != 1)
        snprintf(line, sizeof line,
                 "not known: the program ended inside the allocator, or the allocator's lists are damaged");
    else
        snprintf(line, sizeof line,
                 "%s taken from the system: %s in use (including threads' caches), "
                 "%s free (%s of it at the end, the rest between blocks%s %s%s%s",
                 figure_size(all, (double)r->arena_bytes), figure_size(used, (double)r->arena_used_bytes),
                 figure_size(rest, (double)r->arena_free_bytes), figure_size(top, (double)r->arena_top_bytes),
                 r->thread_count > 1 ? " or at the ends of threads' arenas): fragmentation at most"
                                     : "): fragmentation",
                 figure_share(share, run_fragmentation(r)),
                 r->arena_mapped_blocks ? "; large blocks with their own mapping: " : "",
                 r->arena_mapped_blocks ? figure_size(mapped, (double)r->arena_mapped_bytes) : "");
    text_wrap(out, line, 0, 0, view->width);
    fputc('\n', out);
}
