/* SPDX-License-Identifier: MIT */
/* timesheet.c: when things happened, where the collector timeline was on: spans of threads, values of counts and
 * gauges over time, and how much was let go. See sheet.h and model/timeline.h. */
#include "sheet/sheet.h"

void sheet_spans(struct book *book)
{
    const struct model *model = book->model;
    struct sheet *s = sheet_begin(book, "spans");
    for (size_t i = 0; i < model->timeline.span_count; i++) {
        const struct model_span *p = &model->timeline.span[i];
        bool placed = p->kind == SPAN_WAIT && p->line != MODEL_NONE;
        if (!stage_is_within(model, p->stage))
            continue;
        sheet_index(s, "thread", p->thread);
        sheet_number(s, "kind", p->kind);
        sheet_index(s, "stage", p->stage);
        sheet_number(s, "start_ns", p->start_ns);
        sheet_number(s, "wall_ns", p->wall_ns);
        sheet_number(s, "index", p->index);
        sheet_known(s, "live_bytes", p->live_bytes > 0, p->live_bytes - 1);
        sheet_number(s, "open", p->open);
        sheet_text(s, "operation", p->kind == SPAN_WAIT ? operation_name(p->operation) : "");
        sheet_text(s, "file", placed ? model->line[p->line].file : "");
        sheet_number(s, "line", placed ? model->line[p->line].line : 0);
        sheet_row(s);
    }
    sheet_end(s);
}

void sheet_readings(struct book *book)
{
    const struct model *model = book->model;
    struct sheet *s = sheet_begin(book, "readings");
    for (size_t i = 0; i < model->timeline.reading_count; i++) {
        const struct model_reading *r = &model->timeline.reading[i];
        sheet_text(s, "name", model->number[r->number].name);
        sheet_number(s, "at_ns", r->at_ns);
        sheet_signed(s, "value", r->value);
        sheet_row(s);
    }
    sheet_end(s);
}

void sheet_timefacts(struct book *book)
{
    const struct model_timeline *t = &book->model->timeline;
    struct sheet *s = sheet_begin(book, "timefacts");
    sheet_number(s, "recorded", t->recorded);
    sheet_number(s, "let_go", t->let_go[PP_TIMELINE_STAGES] + t->let_go[PP_TIMELINE_WAITS]);
    sheet_number(s, "values_let_go", t->let_go[PP_TIMELINE_VALUES]);
    sheet_row(s);
    sheet_end(s);
}
