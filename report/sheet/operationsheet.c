/* SPDX-License-Identifier: MIT */
/* operationsheet.c: operations on files and sockets, what they were on, waits, and locks with their holders. See
 * sheet.h. */
#include "sheet/sheet.h"

static void place_put(struct sheet *s, const struct model *model, uint32_t line, uint32_t function,
                      const char *const column[3])
{
    sheet_text(s, column[0], line != MODEL_NONE ? model->line[line].file : "");
    sheet_number(s, column[1], line != MODEL_NONE ? model->line[line].line : 0);
    sheet_text(s, column[2], function != MODEL_NONE ? model->function[function].name : "");
}
static const char *const at[3] = { "file", "line", "function" };
static const char *const holder[3] = { "holder_file", "holder_line", "holder_function" };

void sheet_operations(struct book *book)
{
    static const char *const size[PP_SIZES] = { "size0", "size1", "size2", "size3",
                                                "size4", "size5", "size6", "size7" };
    const struct model *model = book->model;
    struct sheet *s = sheet_begin(book, "operations");
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        const struct model_operations *sum = &o->sum;
        sheet_text(s, "operation", operation_name(o->kind));
        sheet_text(s, "wait", wait_name(operation_wait(model, o)));
        place_put(s, model, o->line, o->function, at);
        sheet_text(s, "module", o->module != MODEL_NONE ? path_short(model->module[o->module].path) : "");
        sheet_number(s, "attributed", o->attributed);
        sheet_index(s, "stage", o->stage);
        sheet_index(s, "target", o->target);
        sheet_number(s, "is_call", operation_is_call(o->kind));
        sheet_number(s, "has_bytes", operation_has_bytes(o->kind));
        sheet_number(s, "calls", sum->calls);
        sheet_number(s, "unfinished", sum->unfinished);
        sheet_number(s, "errors", sum->errors);
        sheet_number(s, "bytes", operation_has_bytes(o->kind) ? sum->bytes : 0);
        sheet_number(s, "wall_ns", sum->wall_ns);
        sheet_percent(s, "wall_error", sum->untimed && sum->wall_ns,
                      value_error_percent((struct value){ (double)sum->wall_ns, sum->variance }));
        sheet_number(s, "wait_ns", operation_is_call(o->kind) ? sum->wait_ns : 0);
        sheet_number(s, "max_ns", sum->most_ns);
        for (unsigned k = 0; k < PP_SIZES; k++)
            sheet_number(s, size[k], sum->size[k]);
        sheet_row(s);
    }
    sheet_end(s);
}

/* The sums of a target over all its operations, and of those that read, write, open. */
void sheet_targets(struct book *book)
{
    static const char *const kind[] = { "unknown", "file", "pipe", "socket", "other" };
    static const char *const answered[2][3] = { { "response_p50_ns", "response_p95_ns", "response_p99_ns" },
                                                { "served_p50_ns", "served_p95_ns", "served_p99_ns" } };
    const struct model *model = book->model;
    struct sheet *s = sheet_begin(book, "targets");
    for (uint32_t i = 0; i < model->target_count; i++) {
        struct model_operations sum[PP_OPERATION_COUNT] = { 0 };
        uint64_t wall = 0, wait = 0, calls = 0;
        operations_of_target(model, i, sum);
        for (unsigned k = 0; k < PP_OPERATION_COUNT; k++)
            if (operation_is_call(k)) {
                calls += sum[k].calls;
                wall += sum[k].wall_ns;
                wait += sum[k].wait_ns;
            }
        sheet_text(s, "name", model->target[i].name);
        sheet_text(s, "kind", kind[model->target[i].kind]);
        sheet_number(s, "calls", calls);
        sheet_number(s, "wall_ns", wall);
        sheet_number(s, "wait_ns", wait);
        for (unsigned side = 0; side < 2; side++) {
            enum pp_operation_kind answer = side ? PP_OPERATION_SERVED : PP_OPERATION_RESPONSE;
            for (int k = 0; k < 3; k++) {
                double ns = target_percentile(&model->target[i], answer, &sum[answer],
                                              (const double[]){ 0.5, 0.95, 0.99 }[k]);
                sheet_known(s, answered[side][k], sum[answer].calls && ns >= 0, number_whole(ns + 0.5));
            }
        }
        sheet_row(s);
    }
    sheet_end(s);
}

void sheet_waits(struct book *book)
{
    const struct model *model = book->model;
    struct sheet *s = sheet_begin(book, "waits");
    for (size_t i = 0; i < model->stall_count; i++) {
        const struct model_stall *w = &model->stall[i];
        sheet_text(s, "operation", operation_name(w->kind));
        place_put(s, model, w->line, w->line != MODEL_NONE ? model->line[w->line].function : MODEL_NONE, at);
        sheet_time(s, "wait_ns", w->time.ns);
        sheet_error(s, "wait_error", &w->time);
        sheet_number(s, "unfinished", w->unfinished);
        sheet_number(s, "idle", w->unfinished && w->idle == w->unfinished);
        sheet_row(s);
    }
    sheet_end(s);
}

void sheet_locks(struct book *book)
{
    const struct model *model = book->model;
    struct sheet *s = sheet_begin(book, "locks");
    for (size_t i = 0; i < model->hold_count; i++) {
        const struct model_hold *h = &model->hold[i];
        place_put(s, model, h->line, h->function, at);
        place_put(s, model, h->holder_line, h->holder_function, holder);
        sheet_number(s, "waits", h->waits);
        sheet_number(s, "wait_ns", h->wait_ns);
        sheet_number(s, "max_ns", h->most_ns);
        sheet_number(s, "held_io_ns", h->own_ns);
        sheet_text(s, "held_io_kind", h->own_ns ? operation_name(h->own_kind) : "");
        sheet_row(s);
    }
    sheet_end(s);
}
