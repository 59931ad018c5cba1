/* SPDX-License-Identifier: MIT */
/* codesheet.c: functions, lines, what lines have inlined and what they call. A row's number is the index in the model,
 * and so is what other sheets call `function` and `line`. See sheet.h. */
#include "sheet/sheet.h"

#include "model/namesake.h"

static void blocks_put(struct sheet *s, const struct model_blocks *b)
{
    sheet_number(s, "alloc_bytes", b->alloc_bytes);
    sheet_number(s, "alloc_blocks", b->alloc_blocks);
    sheet_signed(s, "live_bytes", (int64_t)(b->alloc_bytes - b->free_bytes));
    sheet_signed(s, "live_blocks", (int64_t)(b->alloc_blocks - b->free_blocks));
}

static void traffic_put(struct sheet *s, const struct model_traffic *t)
{
    sheet_number(s, "read_bytes", t->read_bytes);
    sheet_number(s, "write_bytes", t->write_bytes);
    sheet_number(s, "reads", t->reads);
    sheet_number(s, "writes", t->writes);
    sheet_number(s, "wait_ns", traffic_wait_ns(t));
}

void sheet_functions(struct book *book)
{
    const struct model *model = book->model;
    struct sheet *s = sheet_begin(book, "functions");
    for (size_t i = 0; i < model->function_count; i++) {
        const struct model_function *f = &model->function[i];
        sheet_number(s, "id", f->id);
        sheet_text(s, "name", f->name);
        sheet_text(s, "label", function_label(&book->arena, f));
        sheet_text(s, "file", f->file);
        sheet_number(s, "line", f->line);
        /* loops and scopes are steps of the call tree, and no functions */
        sheet_number(s, "step", f->kind > PP_SITE_STAGE);
        sheet_number(s, "inlined", f->inlined ? 2 : f->has_copies ? 1 : 0);
        sheet_known(s, "calls", f->calls_known, f->calls);
        sheet_known(s, "wall_ns", f->wall_known, f->wall_ns);
        sheet_time(s, "self_ns", f->self.ns);
        sheet_error(s, "self_error_percent", &f->self);
        sheet_time(s, "system_ns", f->system_ns);
        sheet_time(s, "library_ns", f->library_ns);
        sheet_time(s, "total_ns", f->total.ns);
        sheet_error(s, "total_error_percent", &f->total);
        sheet_time(s, "wait_total_ns", f->stalled.ns);
        sheet_number(s, "samples", f->samples);
        blocks_put(s, &f->blocks);
        traffic_put(s, &f->traffic);
        sheet_row(s);
    }
    sheet_end(s);
}

void sheet_lines(struct book *book)
{
    const struct model *model = book->model;
    struct sheet *s = sheet_begin(book, "lines");
    for (size_t i = 0; i < model->line_count; i++) {
        const struct model_line *l = &model->line[i];
        const struct value *time = l->self.ns > 0 ? &l->self : &l->total;
        sheet_text(s, "file", l->file);
        sheet_delta(s, "line", l->line);
        sheet_delta(s, "function", l->function);
        sheet_known(s, "hits", l->hits_known, l->hits);
        sheet_time(s, "self_ns", l->self.ns);
        sheet_error(s, "error_percent", time);
        sheet_time(s, "system_ns", l->system_ns);
        sheet_time(s, "library_ns", l->library_ns);
        sheet_time(s, "total_ns", l->total.ns);
        sheet_time(s, "wait_total_ns", l->stalled.ns);
        sheet_number(s, "samples", l->samples);
        blocks_put(s, &l->blocks);
        traffic_put(s, &l->traffic);
        sheet_row(s);
    }
    sheet_end(s);
}

/* Places in headers, and what costs there stand at which user's line. */
void sheet_inners(struct book *book)
{
    const struct model *model = book->model;
    struct sheet *s = sheet_begin(book, "inners");
    for (uint32_t i = 0; i < model->line_count; i++)
        for (uint32_t at = model->line[i].inner; at; at = model->inner[at].next) {
            const struct model_inner *inner = &model->inner[at];
            sheet_delta(s, "line", i);
            sheet_number(s, "inner_line", inner->line);
            sheet_time(s, "self_ns", inner->self_ns);
            sheet_number(s, "samples", inner->samples);
            blocks_put(s, &inner->blocks);
            sheet_row(s);
        }
    sheet_end(s);
}

void sheet_callees(struct book *book)
{
    const struct model *model = book->model;
    struct sheet *s = sheet_begin(book, "callees");
    for (size_t i = 0; i < model->callee_count; i++) {
        const struct model_callee *c = &model->callee[i];
        sheet_index(s, "line", c->line);
        sheet_text(s, "name", c->name ? c->name : "through a pointer");
        sheet_time(s, "self_ns", c->self_ns);
        sheet_time(s, "system_ns", c->system_ns);
        sheet_number(s, "samples", c->samples);
        sheet_row(s);
    }
    sheet_end(s);
}
