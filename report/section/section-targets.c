/* SPDX-License-Identifier: MIT */
/* section-targets.c: operations by file and by address. */
#include <stdlib.h>
#include <string.h>

#include "words/figure.h"
#include "words/shortname.h"
#include "show/table.h"
#include "section/section.h"

struct target {
    uint32_t index;
    uint64_t wall_ns, bytes;
};
static int target_compare(const void *a, const void *b)
{
    const struct target *x = a, *y = b;
    return x->wall_ns != y->wall_ns ? (x->wall_ns < y->wall_ns ? 1 : -1)
           : x->index < y->index    ? -1
                                    : x->index > y->index;
}

static void targets_print(FILE *out, const struct model *model, const struct view *view, bool sockets)
{
    static const struct table_column files[] = {
        { "FILES", true, 0 },    { "read", false, 0 },    { "reads", false, 50 },    { "in order", false, 30 },
        { "written", false, 0 }, { "writes", false, 50 }, { "in order", false, 30 }, { "opened", false, 20 },
        { "synced", false, 20 }, { "time", false, 0 },
    };
    static const struct table_column ends[] = {
        { "ENDPOINTS", true, 0 },    { "received", false, 0 },   { "receives", false, 40 }, { "sent", false, 0 },
        { "sends", false, 40 },      { "accepted", false, 20 },  { "connects", false, 30 }, { "connect", false, 60 },
        { "answers", false, 50 },    { "answer in", false, 60 }, { "p50", false, 45 },      { "p95", false, 46 },
        { "p99", false, 44 },        { "slowest", false, 40 },   { "served", false, 48 },   { "served in", false, 58 },
        { "served p95", false, 43 }, { "failed", false, 15 },    { "time", false, 0 },
    };
    struct arena arena = { 0 };
    struct table table = { .arena = &arena,
                           .column = sockets ? ends : files,
                           .columns = sockets ? sizeof ends / sizeof *ends : sizeof files / sizeof *files,
                           .colour = view->colour,
                           .sorted = "time" };
    struct target *list = memory_zeroed(model->target_count + 1, sizeof *list);
    size_t count = 0;
    char text[FIGURE_BYTES];
    for (uint32_t i = 0; i < model->target_count; i++) {
        struct model_operations sum[PP_OPERATION_COUNT] = { 0 };
        struct target one = { .index = i };
        bool used = false;
        operations_of_target(model, i, sum);
        for (unsigned k = 0; k < PP_OPERATION_COUNT; k++) {
            one.wall_ns += operation_is_call(k) ? sum[k].wall_ns : 0;
            used = used || (sum[k].calls && k != PP_OPERATION_CLOSE);
        }
        if (used && (model->target[i].kind == PP_TARGET_SOCKET) == sockets)
            list[count++] = one;
    }
    qsort(list, count, sizeof *list, target_compare);
    size_t shown = view->top && count > view->top ? view->top : count;
    for (size_t i = 0; i < shown; i++) {
        struct model_operations sum[PP_OPERATION_COUNT] = { 0 };
        operations_of_target(model, list[i].index, sum);
        const struct model_operations *r = &sum[PP_OPERATION_READ], *w = &sum[PP_OPERATION_WRITE],
                                      *last = &sum[PP_OPERATION_LAST_WRITE], *got = &sum[PP_OPERATION_RECEIVE],
                                      *sent = &sum[PP_OPERATION_SEND], *answer = &sum[PP_OPERATION_RESPONSE],
                                      *connect = &sum[PP_OPERATION_CONNECT], *served = &sum[PP_OPERATION_SERVED],
                                      *later = &sum[PP_OPERATION_ESTABLISH], *accept = &sum[PP_OPERATION_ACCEPT];
        table_cell(&table, name_cut(&arena, model->target[list[i].index].name, view->width / 3));
        if (sockets) {
            operations_add(&sum[PP_OPERATION_RECEIVE], r);
            operations_add(&sum[PP_OPERATION_SEND], w);
            operations_add(&sum[PP_OPERATION_SEND], &sum[PP_OPERATION_COPIED]);
            table_cell(&table, got->calls ? figure_size(text, (double)got->bytes) : "-");
            table_cell(&table, got->calls ? figure_count(text, (double)got->calls) : "-");
            table_cell(&table, sent->calls ? figure_size(text, (double)sent->bytes) : "-");
            table_cell(&table, sent->calls ? figure_count(text, (double)sent->calls) : "-");
            table_cell(&table, accept->calls > accept->errors
                                   ? figure_count(text, (double)(accept->calls - accept->errors))
                                   : "-");
            table_cell(&table, connect->calls ? figure_count(text, (double)connect->calls) : "-");
            uint64_t ended = connect->calls + later->calls > connect->sequential
                                 ? connect->calls + later->calls - connect->sequential
                                 : 0;
            table_cell(&table, ended ? figure_time(text, (double)(connect->wall_ns + later->wall_ns) / (double)ended)
                               : connect->calls ? "not seen"
                                                : "-");
            table_cell(&table, answer->calls ? figure_count(text, (double)answer->calls) : "-");
            table_cell(&table,
                       answer->calls ? figure_time(text, (double)answer->wall_ns / (double)answer->calls) : "-");
            for (int k = 0; k < 3; k++) {
                double ns = target_percentile(&model->target[list[i].index], PP_OPERATION_RESPONSE, answer,
                                              (const double[]){ 0.5, 0.95, 0.99 }[k]);
                table_cell(&table, answer->calls > 1 && ns >= 0 ? figure_time(text, ns) : "-");
            }
            table_cell(&table, answer->calls ? figure_time(text, (double)answer->most_ns) : "-");
            double late = target_percentile(&model->target[list[i].index], PP_OPERATION_SERVED, served, 0.95);
            table_cell(&table, served->calls ? figure_count(text, (double)served->calls) : "-");
            table_cell(&table,
                       served->calls ? figure_time(text, (double)served->wall_ns / (double)served->calls) : "-");
            table_cell(&table, served->calls > 1 && late >= 0 ? figure_time(text, late) : "-");
            uint64_t failed = got->errors + sent->errors + accept->errors + connect->errors + later->errors;
            table_cell(&table, failed ? figure_count(text, (double)failed) : "-");
        } else {
            operations_add(&sum[PP_OPERATION_READ], &sum[PP_OPERATION_COPY]);
            uint64_t placed = w->calls - w->errors; /* of a copy it is not known where it was written */
            operations_add(&sum[PP_OPERATION_WRITE], &sum[PP_OPERATION_COPIED]);
            table_cell(&table, r->calls ? figure_size(text, (double)r->bytes) : "-");
            table_cell(&table, r->calls ? figure_count(text, (double)r->calls) : "-");
            table_cell(&table, figure_part(text, r->sequential, r->calls - r->errors));
            table_cell(&table, w->calls || last->calls ? figure_size(text, (double)(w->bytes + last->bytes)) : "-");
            table_cell(&table, w->calls ? figure_count(text, (double)w->calls) : "-");
            table_cell(&table, figure_part(text, w->sequential, placed));
            table_cell(&table,
                       sum[PP_OPERATION_OPEN].calls ? figure_count(text, (double)sum[PP_OPERATION_OPEN].calls) : "-");
            table_cell(&table,
                       sum[PP_OPERATION_SYNC].calls ? figure_count(text, (double)sum[PP_OPERATION_SYNC].calls) : "-");
        }
        table_cell(&table, figure_time(text, (double)list[i].wall_ns));
    }
    if (shown) {
        fputc('\n', out);
        table_print(&table, out, view->width);
        text_more(out, count - shown);
        text_foot(out, view, &table,
                  sockets ? "connect: mean; answer in: mean time from the last byte sent to the first received, "
                            "if this side spoke first; served in: "
                            "mean time from the last byte received to the first sent, if the other side spoke first; "
                            "time: spent in all calls on it, those that read and those that write, all threads"
                          : "");
    }
    free(list);
    table_free(&table);
    arena_free(&arena);
}

void text_files(FILE *out, const struct model *model, const struct view *view)
{
    targets_print(out, model, view, false);
}

void text_endpoints(FILE *out, const struct model *model, const struct view *view)
{
    targets_print(out, model, view, true);
}

const char *text_waits(char *to, size_t room, const struct model_stage *stage)
{
    double whole_ns = (double)stage->times.wall_ns;
    struct {
        const char *name;
        double ns;
    } best[2] = { { 0 } };
    *to = 0;
    for (unsigned i = 0; i <= PP_WAIT_COUNT; i++) {
        double ns = i < PP_WAIT_COUNT ? stage_wait_ns(stage, i) : stage_other_wait_ns(stage);
        const char *name = i < PP_WAIT_COUNT ? wait_name(i) : "other";
        if (whole_ns <= 0 || ns / whole_ns < 0.05)
            continue;
        if (ns > best[0].ns) {
            best[1] = best[0];
            best[0].name = name, best[0].ns = ns;
        } else if (ns > best[1].ns) {
            best[1].name = name, best[1].ns = ns;
        }
    }
    for (int i = 0; i < 2 && best[i].name; i++)
        snprintf(to + strlen(to), room - strlen(to), "%s%s %.0f%%", i ? ", " : "", best[i].name,
                 100 * best[i].ns / whole_ns);
    return to;
}
