/* SPDX-License-Identifier: MIT */
/* runsheet.c: what holds of the whole run: one row, with what shares are shares of. See sheet.h. */
#include "sheet/sheet.h"

void sheet_run(struct book *book)
{
    const struct model *model = book->model;
    const struct model_run *r = &model->run;
    struct sheet *s = sheet_begin(book, "run");
    sheet_text(s, "program", path_short(r->program));
    sheet_text(s, "narrowed_to", model->narrowed_to);
    sheet_number(s, "wall_ns", r->wall_ns);
    sheet_number(s, "cpu_ns", r->user_ns + r->system_ns);
    sheet_time(s, "whole_cpu_ns", coverage_cpu_ns(model)); /* what shares of CPU time are of */
    sheet_time(s, "threads_ns", run_threads_ns(model));    /* what shares of waits are of */
    sheet_number(s, "samples", run_samples_taken(model));
    sheet_number(s, "has_hits", model->has_hits);
    sheet_number(s, "has_blocks", model->has_blocks);
    sheet_text(s, "alloc", model->blocks_vary > 0 ? "~ allocated" : "allocated"); /* what lines and functions did */
    sheet_text(s, "about", model->blocks_vary > 0 ? "~" : "");
    sheet_number(s, "has_peak", model->has_peak);
    sheet_number(s, "has_operations", model->has_operations);
    sheet_number(s, "peak_rss_bytes", r->peak_rss_bytes);
    sheet_number(s, "thread_count", r->thread_count);
    sheet_time(s, "advised_ns", model->advised_ns);
    sheet_row(s);
    sheet_end(s);
}
