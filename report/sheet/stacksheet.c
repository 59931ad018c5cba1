/* SPDX-License-Identifier: MIT */
/* stacksheet.c: chains of calls and what each cost, as stack.h has them. A row of `frames` is a frame of the model; its
 * function is absent where it is that of its line, which is nearly always. See sheet.h. */
#include "sheet/sheet.h"

void sheet_frames(struct book *book)
{
    const struct model *model = book->model;
    struct sheet *s = sheet_begin(book, "frames");
    for (uint32_t i = 0; i < model->frame_count; i++) {
        const struct model_frame *f = &model->frame[i];
        sheet_delta(s, "parent", f->parent);
        bool same = f->line != MODEL_NONE && model->line[f->line].function == f->function;
        sheet_index(s, "function", same ? MODEL_NONE : f->function);
        sheet_index(s, "line", f->line);
        sheet_text(s, "name", f->name); /* empty: the function's */
        sheet_row(s);
    }
    sheet_end(s);
}

void sheet_stacks(struct book *book)
{
    const struct model *model = book->model;
    struct sheet *s = sheet_begin(book, "stacks");
    for (size_t i = 0; i < model->stack_count; i++) {
        const struct model_stack *k = &model->stack[i];
        sheet_delta(s, "frame", k->frame);
        sheet_index(s, "stage", k->stage);
        sheet_time(s, "cpu_ns", k->user_ns + k->system_ns);
        sheet_time(s, "kernel_ns", k->system_ns);
        sheet_time(s, "wait_ns", k->wait_ns);
        sheet_number(s, "samples", k->samples);
        sheet_time(s, "alloc_bytes", k->alloc_bytes);
        sheet_time(s, "alloc_blocks", k->alloc_blocks);
        sheet_time(s, "live_bytes", k->live_bytes);
        sheet_time(s, "live_blocks", k->live_blocks);
        sheet_row(s);
    }
    sheet_end(s);
}
