/* SPDX-License-Identifier: MIT */
/* transactions.c: statements of a database, each of which is a transaction of its own: the library asks the disk to
 * confirm each. One transaction around them asks once. */
#include "advice/advice.h"
#include "words/quote.h"

#include <string.h>

#define LEAST_SYNCS 8
#define LEAST_PART 0.9 /* of the calls' time: what else the library does for a transaction goes, too, */
#define MOST_PART 1.3  /* and the kernel's work after them */
#define CONFIRMS 4.0   /* that one transaction asks for: journal, database, folder */

/* Libraries of databases that keep their files in the process; docs/advice.md lists them. */
bool advice_is_database(const char *path)
{
    static const char *const name[] = {
        "libsqlite3.", "libsqlcipher.", "libduckdb.", "liblmdb.", "libdb-", "libgdbm."
    };
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        if (strncmp(base, name[i], strlen(name[i])) == 0)
            return true;
    return false;
}

/* The library that asks for a line's confirmations; NULL: no database does. */
static const char *database_of(const struct model *model, uint32_t line)
{
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        if (o->line == line && o->kind == PP_OPERATION_SYNC && o->library != MODEL_NONE &&
            advice_is_database(model->module[o->library].path))
            return model->module[o->library].path;
    }
    return NULL;
}

bool advice_is_committed(const struct advice *a, uint32_t line)
{
    return line != MODEL_NONE && database_of(a->model, line) &&
           advice_has(a, ADVICE_transactions, a->model->line[line].function);
}

struct confirmed {
    struct model_operations all; /* what the library does in the function for transactions */
    double syncs, took;
    size_t lines;
    bool first; /* no other line of the function takes longer for it */
};

/* One transaction around a function's statements holds those of all its lines. */
static struct confirmed function_confirms(const struct advice *a, const struct advice_use *use, const char *library)
{
    const struct model *model = a->model;
    struct confirmed sum = { .first = true };
    uint32_t function = model->line[use->line].function;
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *sync = &a->use[i];
        if (sync->kind != PP_OPERATION_SYNC || sync->line == MODEL_NONE || sync->sum.calls < LEAST_SYNCS ||
            (sync != use && (function == MODEL_NONE || model->line[sync->line].function != function)) ||
            database_of(model, sync->line) != library)
            continue;
        sum.lines++;
        sum.syncs += (double)sync->sum.calls;
        sum.took += (double)sync->sum.wall_ns;
        sum.first = sum.first && (sync->sum.wall_ns < use->sum.wall_ns || sync == use ||
                                  (sync->sum.wall_ns == use->sum.wall_ns && sync > use));
        for (size_t k = 0; k < a->use_count; k++)
            if (a->use[k].line == sync->line && operation_is_call(a->use[k].kind))
                operations_add(&sum.all, &a->use[k].sum);
    }
    return sum;
}

void advice_transactions(struct advice *a)
{
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        const char *library = use->kind == PP_OPERATION_SYNC && use->sum.calls >= LEAST_SYNCS && use->line != MODEL_NONE
                                  ? database_of(a->model, use->line)
                                  : NULL;
        struct confirmed c = library ? function_confirms(a, use, library) : (struct confirmed){ 0 };
        double low, high;
        if (!c.first)
            continue;
        advice_gain_part(a, &c.all, 1 - CONFIRMS / c.syncs, &low, &high);
        struct model_advice *to =
            advice_add(a, ADVICE_transactions, use->line, LEAST_PART * low, MOST_PART * high, SAVING_MEASURED);
        if (!to)
            continue;
        char count[FIGURE_BYTES], time[FIGURE_BYTES], each[FIGURE_BYTES];
        const char *slash = strrchr(library, '/');
        to->evidence =
            arena_print(&a->model->arena, "%s asked the disk %s times to confirm%s; that took %s, %s each.",
                        quote_plain(&a->model->arena, slash ? slash + 1 : library), figure_count(count, c.syncs),
                        c.lines > 1 ? arena_print(&a->model->arena, ", from %zu lines", c.lines) : "",
                        figure_time(time, c.took), figure_time(each, c.took / c.syncs));
        advice_figure(to, "calls", c.syncs);
        advice_figure(to, "wall_ns", (double)c.all.wall_ns);
        advice_figure(to, "wait_ns", (double)c.all.wait_ns);
        advice_rule_out(a, to, "the program's own fsync: the library makes these calls");
    }
}
