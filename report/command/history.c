/* SPDX-License-Identifier: MIT */
/* history.c: profplug history: adds runs to the history, and shows what it tells. host/series.h finds changes,
 * show/chart.h prints. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "host/history.h"
#include "host/projectfile.h"
#include "load.h"
#include "show/chart.h"
#include "words/diag.h"
#include "words/output.h"
#include "words/plural.h"

struct request {
    struct arena arena;
    const char *file, *program, *commit, *day, *output;
    uint64_t size;
    size_t top;
    bool top_given, json;
};

static int number_take(const char *option, const char *text, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || errno)
        return diag_error(option, "'%s' is not a number; expected a whole number", text);
    return 0;
}

static int option_take(struct request *r, enum flag_id id, const struct flags *flags)
{
    const char *value = flags->value;
    uint64_t number;
    int status;
    switch (id) {
    case FLAG_HISTORY_FILE: r->file = value; return 0;
    case FLAG_HISTORY_PROGRAM: r->program = value; return 0;
    case FLAG_HISTORY_COMMIT: r->commit = value; return 0;
    case FLAG_HISTORY_OUTPUT: r->output = value; return 0;
    case FLAG_HISTORY_SIZE: return number_take("--size", value, &r->size);
    case FLAG_HISTORY_TOP:
        status = number_take("--top", value, &number);
        r->top = (size_t)number;
        r->top_given = true;
        return status;
    case FLAG_HISTORY_DAY:
        if (strlen(value) != 10 || strspn(value, "0123456789-") != 10 || value[4] != '-' || value[7] != '-')
            return diag_error("--day", "'%s' is not a day; expected one such as 2026-11-24", value);
        r->day = value;
        return 0;
    case FLAG_HISTORY_FORMAT:
        if (strcmp(value, "text") != 0 && strcmp(value, "json") != 0)
            return diag_error("--format", "'%s' is not a format of history; expected text or json", value);
        r->json = value[0] == 'j';
        return 0;
    default: return flags_refuse(flags, id);
    }
}

/* ---- a model as a run of the history ---- */

static const char *joined(struct arena *arena, const char *const *text, size_t count)
{
    const char *all = "";
    for (size_t i = 0; i < count; i++)
        all = arena_print(arena, "%s%s%s", all, i ? " " : "", text[i]);
    return all;
}

/* The value of a label KEY:VALUE; NULL: the run has none. */
static const char *label_find(const struct model_run *run, const char *key)
{
    size_t bytes = strlen(key);
    for (size_t i = 0; i < run->label_count; i++)
        if (strncmp(run->label[i], key, bytes) == 0 && run->label[i][bytes] == ':')
            return run->label[i] + bytes + 1;
    return NULL;
}

/* What decides how much is measured, but not where it is written. */
static const char *options_joined(struct arena *arena, const struct model_run *run)
{
    const char *all = "";
    for (size_t i = 0; i < run->option_count; i++)
        if (strncmp(run->option[i], "output=", 7) != 0 && strncmp(run->option[i], "label=", 6) != 0)
            all = arena_print(arena, "%s%s%s", all, all[0] ? "," : "", run->option[i]);
    return all;
}

static const char *end_text(struct arena *arena, const struct model_run *run)
{
    switch (run->exit_kind) {
    case MODEL_EXIT_EXIT: return arena_print(arena, "exit %d", run->exit_status);
    case MODEL_EXIT_SIGNAL: return arena_print(arena, "signal %d", run->exit_status);
    case MODEL_EXIT_EXEC: return "exec";
    case MODEL_EXIT_KILLED: return "killed";
    case MODEL_EXIT_RUNNING: return "running";
    case MODEL_EXIT_UNKNOWN: break;
    }
    return "";
}

static void figure_add(struct arena *arena, struct history_run *to, const char *kind, const char *name, double ns,
                       uint64_t count)
{
    *ARRAY_PUSH(to->figure, to->figure_count, to->figure_capacity) =
        (struct history_figure){ .kind = kind, .name = arena_copy(arena, name), .ns = ns, .count = count };
}

static struct history_run run_from(struct arena *arena, const struct model *model)
{
    const struct model_run *run = &model->run;
    const char *size = label_find(run, "size"), *commit = label_find(run, "commit");
    struct history_run to = {
        .start_ns = run->start_realtime_ns,
        .pid = run->pid,
        .program = arena_copy(arena, run->program),
        .arguments = run->argument_count > 1 ? joined(arena, run->argument + 1, run->argument_count - 1) : "",
        .host = arena_copy(arena, run->host),
        .cpu = arena_copy(arena, run->cpu_model ? run->cpu_model : ""),
        .commit = arena_copy(arena, commit ? commit : ""),
        .options = options_joined(arena, run),
        .path = arena_copy(arena, run->path),
        .end = end_text(arena, run),
        .failed = !(run->exit_kind == MODEL_EXIT_EXIT && run->exit_status == 0) && run->exit_kind != MODEL_EXIT_EXEC &&
                  run->exit_kind != MODEL_EXIT_UNKNOWN && run->exit_kind != MODEL_EXIT_RUNNING,
        .wall_ns = run->wall_ns,
        .cpu_ns = run->user_ns + run->system_ns,
        .peak_bytes = run->peak_rss_bytes,
        .input_bytes = size            ? strtoull(size, NULL, 10)
                       : run->io_known ? run->io_read_bytes
                                       : 0,
    };
    for (size_t i = 0; i < model->stage_count; i++) {
        const struct model_times *t = &model->stage[i].times;
        figure_add(arena, &to, "stage", model->stage[i].key, (double)t->wall_ns, t->calls);
    }
    for (size_t i = 0; i < model->function_count; i++) {
        const struct model_function *f = &model->function[i];
        if (f->self.ns > 0 || (f->calls_known && f->calls))
            figure_add(arena, &to, "function", f->name, f->self.ns, f->calls_known ? f->calls : 0);
    }
    return to;
}

/* ---- add ---- */

static int runs_add(struct request *r, char **path)
{
    bool there, known;
    const char *file = r->file ? r->file : project_file(&r->arena, HISTORY_FILE, &there);
    const char *commit = r->commit ? r->commit : project_commit(&r->arena);
    size_t added = 0, old = 0;
    if (!*path)
        return diag_error("history add", "no runs given; expected their data files, such as profplug-*.profplug");
    struct history *history = history_open(file, true);
    if (!history)
        return DIAG_WRONG;
    int status = 0;
    bool good = true;
    for (; *path && good; path++) {
        struct model *model = model_open(*path);
        if (!model) { /* said; the others are runs all the same */
            status = DIAG_WRONG;
            continue;
        }
        struct history_run run = run_from(&r->arena, model);
        if ((r->commit || !run.commit[0]) && commit)
            run.commit = commit;
        run.input_bytes = r->size ? r->size : run.input_bytes;
        if (run.end[0] == 'r') /* its end is not known yet, and the row would stay */
            status = diag_error(*path, "the program still runs; expected a run that has ended");
        else if (!(good = history_add(history, &run, &known)))
            status = DIAG_WRONG;
        else
            *(known ? &old : &added) += 1;
        free(run.figure);
        model_free(model);
    }
    history_close(history);
    if (status && !added && !old)
        return status;
    printf("%zu %s added to %s", added, plural(added, "run", "runs"), file);
    if (old)
        printf(", %zu %s there before", old, plural(old, "was", "were"));
    putchar('\n');
    return status;
}

/* ---- what is read ---- */

static int start_compare(const void *a, const void *b)
{
    const struct history_run *one = a, *two = b;
    if (one->start_ns != two->start_ns)
        return one->start_ns < two->start_ns ? -1 : 1;
    return strcmp(one->path, two->path);
}

/* All data files of a folder; those that cannot be read are said and left out. NULL: there is no such folder. */
static struct history_run *folder_read(struct request *r, const char *folder, size_t *count)
{
    struct history_run *run = NULL;
    size_t capacity = 0;
    *count = 0;
    DIR *stream = opendir(folder);
    if (!stream) {
        diag_error(folder, "%s; expected a folder of data files", strerror(errno));
        return NULL;
    }
    for (struct dirent *entry; (entry = readdir(stream));) {
        const char *name = entry->d_name, *dot = strrchr(name, '.');
        if (!dot || strcmp(dot, ".profplug") != 0)
            continue;
        struct model *model = model_open_brief(arena_print(&r->arena, "%s/%s", folder, name));
        if (model)
            *ARRAY_PUSH(run, *count, capacity) = run_from(&r->arena, model);
        if (model)
            model_free(model);
    }
    closedir(stream);
    if (*count)
        qsort(run, *count, sizeof *run, start_compare);
    else
        diag_error(folder, "no run in it; expected *.profplug");
    return run;
}

static struct history_run *base_read(struct request *r, size_t *count)
{
    bool there;
    const char *file = r->file ? r->file : project_file(&r->arena, HISTORY_FILE, &there);
    struct history *history = history_open(file, false);
    struct history_run *run = history ? history_read(history, &r->arena, count) : NULL;
    history_close(history);
    if (!run || *count)
        return run;
    diag_error(file, "no runs in it; expected some that `profplug history add` put there");
    free(run);
    return NULL;
}

/* Keeps the runs of the day and of the program; those that go are freed. */
static void runs_choose(const struct request *r, struct history_run *run, size_t *count, const char *day)
{
    size_t kept = 0;
    char stamp[STAMP_BYTES];
    for (size_t i = 0; i < *count; i++)
        if ((day && strncmp(stamp_text(stamp, run[i].start_ns), day, 10) != 0) ||
            (r->program && !series_is_program(&run[i], r->program)))
            free(run[i].figure);
        else
            run[kept++] = run[i];
    *count = kept;
}

/* ---- show, trend, report ---- */

static int trend_print(const struct request *r, FILE *out, const struct view *view, const struct history_run *run,
                       size_t count, const char *name)
{
    struct series_set set;
    struct series_choice choice = { .program = r->program, .name = name, .top = view->top };
    series_make(&set, run, count, &choice);
    int status = 0;
    if (!set.newest)
        status = diag_error("--program", "no run of %s; expected one that `profplug history show` lists", r->program);
    else if (!set.count)
        status = diag_error(name, "no such series; expected a stage or function of the newest run, or one of 'wall "
                                  "time', 'cpu time' and 'peak memory'");
    else if (r->json)
        series_json(out, &set);
    else
        series_print(out, view, &set, name != NULL);
    series_free(&set);
    return status;
}

static int runs_tell(struct request *r, const char *what, const char *word)
{
    size_t count = 0;
    bool report = what[0] == 'r';
    struct history_run *run = report && word ? folder_read(r, word, &count) : base_read(r, &count);
    char newest[STAMP_BYTES];
    int status = 0;
    if (!run)
        return DIAG_WRONG;
    const char *day = r->day;
    if (report && !word && !day && count) {
        stamp_text(newest, run[count - 1].start_ns);
        newest[10] = 0;
        day = newest;
    }
    if (what[0] != 't')
        runs_choose(r, run, &count, day);
    FILE *out = count ? output_open(r->output) : NULL;
    struct view view = { .top = r->top_given ? r->top : what[0] == 's' ? 0 : 20 };
    if (!count)
        status = diag_error(r->program ? "--program" : "--day", "no such run; expected one that is there");
    else if (!out)
        status = DIAG_WRONG;
    if (out) {
        view_terminal(&view, out);
        if (what[0] == 't')
            status = trend_print(r, out, &view, run, count, word);
        else if (report && r->json)
            summary_json(out, run, count, word ? word : day);
        else if (report)
            summary_print(out, &view, run, count, word ? word : day);
        else if (r->json)
            runs_json(out, run, count);
        else
            runs_print(out, &view, run, count);
    }
    if (out)
        status = output_end(out, status);
    history_runs_free(run, count);
    return status;
}

int command_history(int argc, char **argv)
{
    static const char *const verbs[] = { "add", "show", "trend", "report" };
    struct request r = { 0 };
    struct flags flags;
    int status = 0;
    flags_begin(&flags, "history", argc, argv, false);
    for (enum flag_id id; !status && (id = flags_next(&flags)) != FLAG_END;)
        status = option_take(&r, id, &flags);
    char **word = argv + flags.next;
    const char *what = NULL;
    for (size_t i = 0; !status && *word && i < sizeof verbs / sizeof *verbs; i++)
        what = strcmp(*word, verbs[i]) == 0 ? verbs[i] : what;
    if (!status && !what)
        status = *word ? diag_error("history", "'%s' is no command of it; expected add, show, trend or report", *word)
                       : diag_error("history", "nothing to do; expected add, show, trend or report");
    else if (!status && what[0] == 'a')
        status = runs_add(&r, word + 1);
    else if (!status && word[1] && (what[0] == 's' || word[2]))
        status = diag_error(word[what[0] == 's' ? 1 : 2], "history %s takes %s; expected profplug history trend NAME, "
                                                          "or --program NAME", what,
                            what[0] == 's' ? "nothing behind it" : "one name or folder");
    else if (!status)
        status = runs_tell(&r, what, word[1]);
    arena_free(&r.arena);
    return status;
}
