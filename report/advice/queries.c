/* SPDX-License-Identifier: MIT */
/* queries.c: a function that goes through the rows of one query, and it or one below it asks another one for each. A
 * database that is told of both at once joins them, and neither prepares nor starts a statement for each row. */
#include "advice/library.h"

#include <string.h>

#define LEAST_SHARE 0.05  /* of the CPU time, in the inner query */
#define LEAST_AGAIN 0.1   /* of that, in starting it again: less, and the queries are one after the other */
#define LEAST_LOOKS 500   /* questions for files, for queries that are asked one by one; */
#define LEAST_LOOKED 0.3  /* and the kernel's part of their time */
#define LEAST_PREPARE 0.2 /* of it: then a statement is made for each row */

struct nest { /* what one function spends */
    const struct library_line *outer, *inner, *prepare;
    double ns, prepare_ns;
    uint64_t samples;
};

static void nest_add(struct nest *n, const struct library_line *at)
{
    n->ns += at->ns;
    n->samples += at->samples;
}

/* Where the inner query is in a function of its own: a line of another function that steps through rows, and in which
 * the inner one's time is too. */
static const struct library_line *outer_of(const struct advice *a, const struct library_use *query,
                                           const struct nest *n, uint32_t function)
{
    for (size_t i = 0; i < query->count; i++) {
        uint32_t other = a->model->line[query->line[i].line].function;
        if (other != MODEL_NONE && other != function && strstr(query->line[i].name, "step") &&
            a->model->function[other].total.ns > 0.95 * n->ns + query->line[i].ns)
            return &query->line[i];
    }
    return NULL;
}

/* Which of two queries is the inner one is not seen, so it is taken to be the dearer one; what is saved is both of
 * those that are left out. */
static struct nest nest_of(const struct advice *a, const struct library_use *query, const struct library_use *around,
                           const struct library_use *prepare, uint32_t function)
{
    const struct model *model = a->model;
    struct nest n = { 0 };
    for (size_t i = 0; i < query->count; i++) {
        if (model->line[query->line[i].line].function != function)
            continue;
        n.outer = n.inner ? &query->line[i] : NULL;
        if (!n.inner)
            n.inner = &query->line[i];
    }
    if (!n.inner)
        return n;
    nest_add(&n, n.inner);
    for (size_t i = 0; i < prepare->count; i++)
        if (model->line[prepare->line[i].line].function == function && strstr(prepare->line[i].name, "prepare")) {
            n.prepare = n.prepare ? n.prepare : &prepare->line[i];
            nest_add(&n, &prepare->line[i]);
            n.prepare_ns += prepare->line[i].ns;
        }
    for (size_t i = 0; i < around->count; i++)
        if (model->line[around->line[i].line].function == function)
            nest_add(&n, &around->line[i]);
    n.outer = n.outer ? n.outer : outer_of(a, query, &n, function);
    return n;
}

/* Whether the function takes values from rows, or prepares as it goes: one that fills tables starts statements again,
 * too. */
static bool reads_rows(const struct advice *a, const struct nest *n, uint32_t function)
{
    if (n->prepare_ns > LEAST_PREPARE * n->ns)
        return true;
    struct library_use column = library_use(a, LIBRARY_COLUMN);
    for (size_t i = 0; i < column.count; i++)
        if (a->model->line[column.line[i].line].function == function)
            return true;
    return false;
}

/* What a database's library asks of its files at this line: it looks for journals where no transaction is open. */
static double looks_at(const struct model *model, uint32_t line)
{
    double calls = 0;
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        if (o->line == line && o->kind == PP_OPERATION_FILE && o->library != MODEL_NONE &&
            advice_is_database(model->module[o->library].path))
            calls += (double)o->sum.calls;
    }
    return calls;
}

/* Queries that are asked one by one, each in a transaction of its own: the file is locked, looked up and read anew. */
static void lone_tell(struct advice *a, const struct library_use *query, const struct library_use *around, size_t place)
{
    const struct library_line *at = &query->line[place];
    uint32_t function = a->model->line[at->line].function;
    double looks = looks_at(a->model, at->line);
    uint64_t samples = 0;
    double ns = looks >= LEAST_LOOKS ? library_function_ns(a, query, function, false, &samples) +
                                           library_function_ns(a, around, function, false, &samples)
                                     : 0;
    if (at->system_ns < LEAST_LOOKED * ns || library_share(a, ns) < LEAST_SHARE)
        return;
    struct model_advice *to = library_advise(a, ADVICE_queries, at, ns, samples, 0.7, 1.15);
    if (!to)
        return;
    char time[FIGURE_BYTES], count[FIGURE_BYTES];
    advice_title(a, to, advice_subject(a, at->line), "asks query after query, each in a transaction of its own");
    to->action = "ask for all rows by one query (a JOIN, or IN with a list); at least put BEGIN before the loop and "
                 "COMMIT after it, so that the file is locked and looked up once";
    to->before = "for (i = 0; i < n; i++) { bind(find, order[i].customer); sqlite3_step(find); sqlite3_reset(find); }";
    to->after = "sqlite3_exec(db, \"begin\", 0, 0, 0);\nfor (i = 0; i < n; i++) { bind(find, order[i].customer); "
                "sqlite3_step(find); sqlite3_reset(find); }\nsqlite3_exec(db, \"commit\", 0, 0, 0);";
    to->evidence =
        arena_print(&a->model->arena,
                    "%s and what ends it took %s, %.0f %% of the CPU time. For it the library asked %s times "
                    "whether its files are there, as it does where no transaction is open.",
                    at->name, figure_time(time, ns), 100 * library_share(a, ns), figure_count(count, looks));
    advice_figure(to, "file_calls", looks);
}

void advice_queries(struct advice *a)
{
    struct library_use query = library_use(a, LIBRARY_QUERY), around = library_use(a, LIBRARY_RESTART);
    struct library_use prepare = library_use(a, LIBRARY_PREPARE);
    for (size_t i = 0; i < query.count; i++) {
        uint32_t function = a->model->line[query.line[i].line].function;
        struct nest n = nest_of(a, &query, &around, &prepare, function);
        if (function == MODEL_NONE || n.inner != &query.line[i] || !n.outer || !reads_rows(a, &n, function) ||
            n.ns - n.inner->ns < LEAST_AGAIN * n.ns || library_share(a, n.ns) < LEAST_SHARE) {
            if (function != MODEL_NONE)
                lone_tell(a, &query, &around, i);
            continue;
        }
        const struct library_line *at = n.prepare && n.prepare->ns > n.inner->ns ? n.prepare : n.inner;
        struct model_advice *to = library_advise(a, ADVICE_queries, at, n.ns, n.samples, 0.75, 1.15);
        if (!to)
            continue;
        char time[FIGURE_BYTES];
        to->evidence = arena_print(
            &a->model->arena,
            "For each row of the query that line %u goes through, another one is run: that took %s, %.0f "
            "%% of the CPU time (%s and what prepares or resets it).",
            a->model->line[n.outer->line].line, figure_time(time, n.ns), 100 * library_share(a, n.ns), n.inner->name);
    }
}
