/* SPDX-License-Identifier: MIT */
/* heapsheet.c: memory by the line that asked for it, how it grew, and the allocator's state. See sheet.h. */
#include "sheet/sheet.h"

static void place_put(struct sheet *s, const struct model *model, const struct model_allocation *a)
{
    bool line = a->line != MODEL_NONE;
    sheet_text(s, "file", line ? model->line[a->line].file : "");
    sheet_number(s, "line", line ? model->line[a->line].line : 0);
    sheet_text(s, "function", a->function != MODEL_NONE ? model->function[a->function].name : "");
    sheet_text(s, "module", a->module != MODEL_NONE ? path_short(model->module[a->module].path) : "");
    sheet_text(s, "library", a->library != MODEL_NONE ? path_short(model->module[a->library].path) : "");
    sheet_number(s, "attributed", a->attributed);
}

static void allocations_put(struct sheet *s, const struct model *model, const struct model_allocation *list,
                            size_t count, const char *as)
{
    static const char *const volume[] = { [PP_CALLSITE_COPIES] = "copy", [PP_CALLSITE_POOLS] = "pool",
                                          [PP_CALLSITE_FILLS] = "fill" };
    for (size_t i = 0; i < count; i++) {
        const struct model_blocks *b = &list[i].blocks;
        sheet_text(s, "kind", as ? as : volume[list[i].kind]);
        place_put(s, model, &list[i]);
        sheet_number(s, "alloc_blocks", b->alloc_blocks);
        sheet_number(s, "alloc_bytes", b->alloc_bytes);
        sheet_number(s, "free_blocks", b->free_blocks);
        sheet_number(s, "free_bytes", b->free_bytes);
        sheet_signed(s, "live_blocks", (int64_t)(b->alloc_blocks - b->free_blocks));
        sheet_signed(s, "live_bytes", (int64_t)(b->alloc_bytes - b->free_bytes));
        sheet_number(s, "temporary_blocks", b->temporary_blocks);
        sheet_signed(s, "peak_blocks", (int64_t)b->peak_blocks);
        sheet_signed(s, "peak_bytes", (int64_t)b->peak_bytes);
        struct blocks_errors error = blocks_errors(b);
        sheet_number(s, "alloc_bytes_error", number_whole(error.alloc_bytes));
        sheet_number(s, "alloc_blocks_error", number_whole(error.alloc_blocks));
        sheet_number(s, "live_bytes_error", number_whole(error.live_bytes));
        sheet_row(s);
    }
}

void sheet_allocations(struct book *book)
{
    const struct model *model = book->model;
    struct sheet *s = sheet_begin(book, "allocations");
    allocations_put(s, model, model->allocation, model->allocation_count, "heap");
    allocations_put(s, model, model->mapping, model->mapping_count, "mapping");
    allocations_put(s, model, model->volume, model->volume_count, NULL);
    sheet_end(s);
}

void sheet_arena(struct book *book)
{
    const struct model_run *r = &book->model->run;
    bool known = r->arena_known == 1;
    struct sheet *s = sheet_begin(book, "arena");
    sheet_known(s, "bytes", known, r->arena_bytes);
    sheet_known(s, "used_bytes", known, r->arena_used_bytes);
    sheet_known(s, "free_bytes", known, r->arena_free_bytes);
    sheet_known(s, "top_bytes", known, r->arena_top_bytes);
    sheet_known(s, "mapped_bytes", known, r->arena_mapped_bytes);
    sheet_known(s, "mapped_blocks", known, r->arena_mapped_blocks);
    sheet_percent(s, "fragmentation_percent", known, known ? 100 * run_fragmentation(r) : 0);
    sheet_text(s, "note", r->memory_note);
    sheet_row(s);
    sheet_end(s);
}

/* What stages allocated, inner ones included: known without rows by line. */
void sheet_stageheap(struct book *book)
{
    static const struct {
        const char *name;
        unsigned metric;
    } column[] = { { "alloc_bytes", PP_METRIC_ALLOC_BYTES },
                   { "alloc_blocks", PP_METRIC_ALLOC_BLOCKS },
                   { "free_bytes", PP_METRIC_FREE_BYTES },
                   { "peak_bytes", PP_METRIC_PEAK_BYTES },
                   { "map_bytes", PP_METRIC_MAP_BYTES } };
    const struct model *model = book->model;
    struct sheet *s = sheet_begin(book, "stageheap");
    for (uint32_t i = 0; i < model->stage_count; i++) {
        const struct model_stage *stage = &model->stage[i];
        if (!stage->metric_known[PP_METRIC_ALLOC_BYTES] || !stage_is_within(model, i))
            continue;
        sheet_number(s, "stage", i);
        for (size_t k = 0; k < sizeof column / sizeof *column; k++)
            sheet_known(s, column[k].name, stage->metric_known[column[k].metric],
                        number_whole(stage->metric[column[k].metric] + 0.5));
        sheet_row(s);
    }
    sheet_end(s);
}

void sheet_growths(struct book *book)
{
    const struct model *model = book->model;
    struct sheet *s = sheet_begin(book, "growths");
    for (uint32_t i = 0; i < model->stage_count; i++) {
        const struct model_growth *g = &model->stage[i].growth;
        if (!g->step_count)
            continue;
        sheet_number(s, "stage", i);
        sheet_number(s, "steps", g->step_count);
        sheet_number(s, "rises", g->rise_count);
        sheet_number(s, "entries", g->entries);
        sheet_signed(s, "bytes", (int64_t)(g->last_bytes - g->first_bytes));
        sheet_signed(s, "millibytes_per_entry", (int64_t)(1000 * g->slope_bytes));
        sheet_number(s, "millibytes_error", number_whole(1000 * g->slope_error_bytes));
        sheet_percent(s, "confidence_percent", true, g->confidence_percent);
        sheet_number(s, "to_the_end", stage_grows(&model->stage[i]));
        sheet_row(s);
    }
    sheet_end(s);
}
