/* SPDX-License-Identifier: MIT */
/* transactions.c: statements of a database, each of which is a transaction of its own: the library asks the disk to
 * confirm each. One transaction around them asks once. */
#include "advice/advice.h"
#include "words/quote.h"

#include <string.h>

#define LEAST_SYNCS 8
#define CONFIRMS 4.0 /* that one transaction asks for: journal, database, folder */

/* Libraries of databases that keep their files in the process; docs/advice.md lists them. */
static bool is_database(const char *path)
{
    static const char *const name[] = { "libsqlite3.", "libsqlcipher.", "libduckdb.",
                                        "liblmdb.",    "libdb-",        "libgdbm." };
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
            is_database(model->module[o->library].path))
            return model->module[o->library].path;
    }
    return NULL;
}

void advice_transactions(struct advice *a)
{
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        double syncs = (double)use->sum.calls, low, high;
        const char *library = use->kind == PP_OPERATION_SYNC && syncs >= LEAST_SYNCS && use->line != MODEL_NONE
                                  ? database_of(a->model, use->line)
                                  : NULL;
        if (!library)
            continue;
        struct model_operations all = { 0 }; /* what the library does at this line for a transaction */
        for (size_t k = 0; k < a->use_count; k++)
            if (a->use[k].line == use->line && operation_is_call(a->use[k].kind))
                operations_add(&all, &a->use[k].sum);
        advice_gain_part(a, &all, 1 - CONFIRMS / syncs, &low, &high);
        struct model_advice *to = advice_add(a, ADVICE_transactions, use->line, low * 0.85, high, SAVING_MEASURED);
        if (!to)
            continue;
        char count[FIGURE_BYTES], time[FIGURE_BYTES], each[FIGURE_BYTES];
        const char *slash = strrchr(library, '/');
        double took = (double)use->sum.wall_ns;
        to->evidence =
            arena_print(&a->model->arena, "%s asked the disk %s times to confirm; that took %s, %s each.",
                        quote_plain(&a->model->arena, slash ? slash + 1 : library), figure_count(count, syncs),
                        figure_time(time, took), figure_time(each, took / syncs));
        advice_figure(to, "calls", syncs);
        advice_figure(to, "wall_ns", (double)all.wall_ns);
        advice_figure(to, "wait_ns", (double)all.wait_ns);
        advice_rule_out(a, to, "the program's own fsync: the library makes these calls");
    }
}
