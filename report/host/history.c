/* SPDX-License-Identifier: MIT */
/* history.c: see history.h. */
#include "host/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "words/diag.h"

void history_runs_free(struct history_run *run, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(run[i].figure);
    free(run);
}

#ifdef PROFPLUG_SQLITE

#include <sqlite3.h>

enum {
    APPLICATION = 0x70706c67, /* tells the file from other programs' */
    VERSION = 1,              /* of the tables */
    WAIT_MS = 30000           /* for another writer */
};

static const char tables[] =
    "CREATE TABLE IF NOT EXISTS run(id INTEGER PRIMARY KEY, start_ns INTEGER NOT NULL, host TEXT NOT NULL,"
    " pid INTEGER NOT NULL, program TEXT NOT NULL, arguments TEXT NOT NULL, cpu TEXT NOT NULL,"
    " commit_id TEXT NOT NULL, options TEXT NOT NULL, path TEXT NOT NULL, end TEXT NOT NULL,"
    " failed INTEGER NOT NULL, wall_ns INTEGER NOT NULL, cpu_ns INTEGER NOT NULL, peak_bytes INTEGER NOT NULL,"
    " input_bytes INTEGER NOT NULL, UNIQUE(start_ns, host, pid));"
    "CREATE TABLE IF NOT EXISTS figure(run INTEGER NOT NULL REFERENCES run(id), kind TEXT NOT NULL,"
    " name TEXT NOT NULL, ns REAL NOT NULL, count INTEGER NOT NULL, PRIMARY KEY(run, kind, name)) WITHOUT ROWID;";

struct history {
    sqlite3 *base;
    char *path;
    struct arena arena;
};

/* Says what SQLite said. */
static bool refused(const struct history *h, const char *expected)
{
    diag_error(h->path, "%s; expected %s", sqlite3_errmsg(h->base), expected);
    return false;
}

static int64_t pragma_read(const struct history *h, const char *question)
{
    sqlite3_stmt *ask = NULL;
    int64_t value = -1;
    if (sqlite3_prepare_v2(h->base, question, -1, &ask, NULL) == SQLITE_OK && sqlite3_step(ask) == SQLITE_ROW)
        value = sqlite3_column_int64(ask, 0);
    sqlite3_finalize(ask);
    return value;
}

static bool command_run(struct history *h, const char *command)
{
    return sqlite3_exec(h->base, command, NULL, NULL, NULL) == SQLITE_OK;
}

/* Makes the tables of a new file. Another writer may make them at the same time. */
static bool tables_make(struct history *h)
{
    char set[128];
    snprintf(set, sizeof set, "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT;", APPLICATION, VERSION);
    if (command_run(h, "BEGIN IMMEDIATE;") && command_run(h, tables) && command_run(h, set))
        return true;
    refused(h, "a folder and a file that can be written");
    command_run(h, "ROLLBACK;");
    return false;
}

static bool base_check(struct history *h, bool written)
{
    command_run(h, "BEGIN;"); /* all three of one moment: another writer may be making the tables */
    int64_t rows = pragma_read(h, "SELECT count(*) FROM sqlite_master;");
    int64_t application = pragma_read(h, "PRAGMA application_id;"), version = pragma_read(h, "PRAGMA user_version;");
    if (application < 0 || rows < 0)
        return refused(h, "a history that `profplug history add` made");
    command_run(h, "COMMIT;");
    if (application == 0 && rows == 0) { /* new, or a writer was killed before it made the tables */
        if (written)
            return tables_make(h);
        diag_error(h->path, "the file is empty; expected runs that `profplug history add` put there");
        return false;
    }
    if (application != APPLICATION || version != VERSION) {
        diag_error(h->path,
                   application == APPLICATION ? "its tables are of version %lld; expected version %d"
                                              : "another program's SQLite file (%lld, not %d); expected a "
                                                "history that `profplug history add` made",
                   (long long)(application == APPLICATION ? version : application),
                   application == APPLICATION ? VERSION : APPLICATION);
        return false;
    }
    return true;
}

struct history *history_open(const char *path, bool written)
{
    struct history *h = memory_zeroed(1, sizeof *h);
    h->path = arena_copy(&h->arena, path);
    if (!written && access(path, F_OK) != 0) {
        diag_error(path, "no history here; expected runs that `profplug history add FILE...` put there");
        history_close(h);
        return NULL;
    }
    int flags = written ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE;
    bool good = sqlite3_open_v2(path, &h->base, flags, NULL) == SQLITE_OK;
    if (!good)
        refused(h, "a file that can be read and written");
    else
        sqlite3_busy_timeout(h->base, WAIT_MS);
    if (good && base_check(h, written))
        return h;
    history_close(h);
    return NULL;
}

void history_close(struct history *h)
{
    if (h)
        sqlite3_close(h->base);
    if (h)
        arena_free(&h->arena);
    free(h);
}

static void text_bind(sqlite3_stmt *put, int at, const char *text)
{
    sqlite3_bind_text(put, at, text ? text : "", -1, SQLITE_STATIC);
}

static bool run_put(struct history *h, const struct history_run *run)
{
    sqlite3_stmt *put = NULL;
    if (sqlite3_prepare_v2(h->base,
                           "INSERT OR IGNORE INTO run(start_ns, host, pid, program, arguments, cpu, commit_id, options,"
                           " path, end, failed, wall_ns, cpu_ns, peak_bytes, input_bytes)"
                           " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);",
                           -1, &put, NULL) != SQLITE_OK)
        return false;
    const char *text[] = { run->program, run->arguments, run->cpu, run->commit, run->options, run->path, run->end };
    uint64_t number[] = { run->failed, run->wall_ns, run->cpu_ns, run->peak_bytes, run->input_bytes };
    sqlite3_bind_int64(put, 1, (int64_t)run->start_ns);
    text_bind(put, 2, run->host);
    sqlite3_bind_int64(put, 3, run->pid);
    for (int i = 0; i < (int)(sizeof text / sizeof *text); i++)
        text_bind(put, 4 + i, text[i]);
    for (int i = 0; i < (int)(sizeof number / sizeof *number); i++)
        sqlite3_bind_int64(put, 11 + i, (int64_t)number[i]);
    bool done = sqlite3_step(put) == SQLITE_DONE;
    sqlite3_finalize(put);
    return done;
}

/* Figures of one kind and name are one row: two functions may have the same name. */
static bool figures_put(struct history *h, const struct history_run *run, int64_t id)
{
    sqlite3_stmt *put = NULL;
    bool done = sqlite3_prepare_v2(h->base,
                                   "INSERT INTO figure(run, kind, name, ns, count) VALUES(?, ?, ?, ?, ?)"
                                   " ON CONFLICT DO UPDATE SET ns = ns + excluded.ns, count = count + excluded.count;",
                                   -1, &put, NULL) == SQLITE_OK;
    for (size_t i = 0; done && i < run->figure_count; i++) {
        const struct history_figure *f = &run->figure[i];
        sqlite3_bind_int64(put, 1, id);
        text_bind(put, 2, f->kind);
        text_bind(put, 3, f->name);
        sqlite3_bind_double(put, 4, f->ns);
        sqlite3_bind_int64(put, 5, (int64_t)f->count);
        done = sqlite3_step(put) == SQLITE_DONE && sqlite3_reset(put) == SQLITE_OK;
    }
    sqlite3_finalize(put);
    return done;
}

bool history_add(struct history *h, const struct history_run *run, bool *known)
{
    *known = false;
    bool done = command_run(h, "BEGIN IMMEDIATE;") && run_put(h, run);
    *known = done && sqlite3_changes(h->base) == 0;
    done = done && (*known || figures_put(h, run, sqlite3_last_insert_rowid(h->base))) && command_run(h, "COMMIT;");
    if (done)
        return true;
    refused(h, "a history that can be written");
    command_run(h, "ROLLBACK;");
    return false;
}

static const char *text_read(struct arena *arena, sqlite3_stmt *ask, int at)
{
    const unsigned char *text = sqlite3_column_text(ask, at);
    return arena_copy(arena, text ? (const char *)text : "");
}

static bool figures_read(struct history *h, struct arena *arena, struct history_run *run, size_t count)
{
    sqlite3_stmt *ask = NULL;
    int step = sqlite3_prepare_v2(h->base, "SELECT kind, name, ns, count FROM figure WHERE run = ?;", -1, &ask, NULL);
    step = step == SQLITE_OK ? SQLITE_DONE : step;
    for (size_t i = 0; i < count && step == SQLITE_DONE; i++) {
        sqlite3_bind_int64(ask, 1, run[i].id);
        while ((step = sqlite3_step(ask)) == SQLITE_ROW) {
            struct history_figure *f = ARRAY_PUSH(run[i].figure, run[i].figure_count, run[i].figure_capacity);
            f->kind = text_read(arena, ask, 0);
            f->name = text_read(arena, ask, 1);
            f->ns = sqlite3_column_double(ask, 2);
            f->count = (uint64_t)sqlite3_column_int64(ask, 3);
        }
        sqlite3_reset(ask);
    }
    sqlite3_finalize(ask);
    return step == SQLITE_DONE;
}

/* One transaction, so that the figures are those of the runs. */
struct history_run *history_read(struct history *h, struct arena *arena, size_t *count)
{
    struct history_run *run = NULL;
    size_t capacity = 0;
    sqlite3_stmt *ask = NULL;
    *count = 0;
    int step = command_run(h, "BEGIN;")
                   ? sqlite3_prepare_v2(h->base,
                                        "SELECT id, start_ns, pid, host, program, arguments, cpu, commit_id, options,"
                                        " path, end, failed, wall_ns, cpu_ns, peak_bytes, input_bytes"
                                        " FROM run ORDER BY start_ns, id;",
                                        -1, &ask, NULL)
                   : SQLITE_ERROR;
    while (ask && (step = sqlite3_step(ask)) == SQLITE_ROW) {
        struct history_run *r = ARRAY_PUSH(run, *count, capacity);
        r->id = sqlite3_column_int64(ask, 0);
        r->start_ns = (uint64_t)sqlite3_column_int64(ask, 1);
        r->pid = (uint32_t)sqlite3_column_int64(ask, 2);
        const char **text[] = { &r->host,   &r->program, &r->arguments, &r->cpu,
                                &r->commit, &r->options, &r->path,      &r->end };
        for (int i = 0; i < (int)(sizeof text / sizeof *text); i++)
            *text[i] = text_read(arena, ask, 3 + i);
        r->failed = sqlite3_column_int64(ask, 11) != 0;
        uint64_t *number[] = { &r->wall_ns, &r->cpu_ns, &r->peak_bytes, &r->input_bytes };
        for (int i = 0; i < (int)(sizeof number / sizeof *number); i++)
            *number[i] = (uint64_t)sqlite3_column_int64(ask, 12 + i);
    }
    sqlite3_finalize(ask);
    if (step == SQLITE_DONE && figures_read(h, arena, run, *count) && command_run(h, "COMMIT;")) {
        if (!run)
            run = memory_zeroed(1, sizeof *run);
        return run;
    }
    refused(h, "a history that can be read");
    history_runs_free(run, *count);
    return NULL;
}

#else /* built without SQLite */

struct history *history_open(const char *path, bool written)
{
    diag_error(path, "this profplug was built without SQLite; expected a build where sqlite3.h was found "
                     "(Debian: libsqlite3-dev)");
    return NULL;
}

void history_close(struct history *history) {}
bool history_add(struct history *history, const struct history_run *run, bool *known) { return false; }

struct history_run *history_read(struct history *history, struct arena *arena, size_t *count)
{
    *count = 0;
    return NULL;
}

#endif
