/* SPDX-License-Identifier: MIT */
/* notesheet.c: what is said of lines: findings, and remarks of the compiler. See sheet.h. */
#include "sheet/sheet.h"

void sheet_remarks(struct book *book)
{
    struct model *model = (struct model *)(uintptr_t)book->model; /* remark_text keeps what it makes in its arena */
    struct sheet *s = sheet_begin(book, "remarks");
    for (size_t i = 0; i < model->remark_count; i++) {
        const struct model_remark *r = &model->remark[i];
        if (!remark_is_telling(r->kind) && r->kind != PP_REMARK_LOOP)
            continue;
        sheet_text(s, "kind", remark_name(r->kind));
        sheet_text(s, "file", r->file);
        sheet_number(s, "line", r->line);
        sheet_index(s, "function", r->function);
        sheet_number(s, "loop_first", r->loop_first);
        sheet_number(s, "loop_last", r->loop_last);
        sheet_time(s, "self_ns", r->self_ns);
        sheet_known(s, "entries", r->is_counted, number_whole(r->entries));
        sheet_known(s, "steps", r->is_counted && r->steps > 0, number_whole(r->steps));
        sheet_text(s, "sentence", r->text);
        sheet_row(s);
    }
    sheet_end(s);
}

void sheet_advice(struct book *book)
{
    const struct model *model = book->model;
    struct sheet *s = sheet_begin(book, "advice");
    for (size_t i = 0; i < model->advice_count; i++) {
        const struct model_advice *a = &model->advice[i];
        sheet_text(s, "id", a->id);
        sheet_text(s, "title", a->title);
        sheet_text(s, "file", a->file);
        sheet_number(s, "line", a->at);
        sheet_index(s, "function", a->function);
        sheet_text(s, "action", a->action);
        sheet_percent(s, "low_percent", true, a->low_percent);
        sheet_percent(s, "high_percent", true, a->high_percent);
        sheet_number(s, "accepted", a->accepted != NULL);
        sheet_row(s);
    }
    sheet_end(s);
}
