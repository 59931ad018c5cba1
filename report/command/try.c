/* SPDX-License-Identifier: MIT */
/* try.c: profplug try: runs a program, compares its time with an earlier attempt's, and notes what a finding promised
 * and what came of it. ledger.c keeps the notes, trial.c makes the runs, spread.c the intervals. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command/command.h"
#include "host/ledger.h"
#include "host/projectfile.h"
#include "host/runfile.h"
#include "host/spread.h"
#include "host/trial.h"
#include "load.h"
#include "words/diag.h"
#include "words/output.h"
#include "words/progress.h"
#include "words/figure.h"
#include "words/plural.h"
#include "words/quote.h"
#include "words/shortname.h"

enum { RUNS = 7, RUNS_MOST = 1000 };
enum way { OLD, NEW, WAYS };

struct request {
    struct arena arena;
    const char *before, *finding, *path;
    unsigned against;
    size_t runs;
    bool json, input_again;
    off_t input_start;
    char **argv, folder[32];
    int output;
    double *ns[WAYS];
    struct attempt made;
    struct attempt_finding *earlier; /* findings of the program as it was */
    size_t earlier_count, earlier_capacity, listed_capacity;
    bool output_differs;
    double confidence;
};

static int number_take(const char *option, const char *text, double least, double most, double *value)
{
    char *end;
    *value = strtod(text, &end);
    if (text[0] && !*end && *value >= least && *value <= most && *value == floor(*value))
        return 0;
    return diag_error(option, "'%s' is not such a number; expected one from %.0f to %.0f", text, least, most);
}

static int option_take(struct request *r, enum flag_id id, const struct flags *flags)
{
    const char *value = flags->value;
    double number = 0;
    int status;
    switch (id) {
    case FLAG_TRY_BEFORE: r->before = value; return 0;
    case FLAG_TRY_FINDING: r->finding = value; return 0;
    case FLAG_TRY_OUTPUT: r->path = value; return trial_output_check(value);
    case FLAG_TRY_RUNS:
        status = number_take("--runs", value, 2, RUNS_MOST, &number);
        r->runs = (size_t)number;
        return status;
    case FLAG_TRY_AGAINST:
        status = number_take("--against", value, 1, 1e9, &number);
        r->against = (unsigned)number;
        return status;
    case FLAG_TRY_FORMAT:
        if (strcmp(value, "text") != 0 && strcmp(value, "json") != 0)
            return diag_error("--format", "'%s' is not a format of try; expected text or json", value);
        r->json = value[0] == 'j';
        return 0;
    default: return flags_refuse(flags, id);
    }
}

/* ---- runs ---- */

static int exit_of(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

/* FNV-1a of what the run wrote. */
static uint64_t output_hash(int file)
{
    unsigned char block[1 << 16];
    uint64_t hash = 0xcbf29ce484222325u;
    off_t at = 0;
    for (ssize_t n; (n = pread(file, block, sizeof block, at)) > 0; at += n)
        for (ssize_t i = 0; i < n; i++)
            hash = (hash ^ block[i]) * 0x100000001b3u;
    return hash;
}

/* The findings of the run whose data lie in `folder`: of its first process. */
static void findings_read(struct request *r, const char *folder, enum way way)
{
    DIR *stream = opendir(folder);
    for (struct dirent *entry; stream && (entry = readdir(stream));) {
        struct model *model =
            entry->d_name[0] == '.' ? NULL : model_open(arena_print(&r->arena, "%s/%s", folder, entry->d_name));
        for (size_t i = 0; model && model->run.pid == model->run.root_pid && i < model->advice_count; i++) {
            const struct model_advice *a = &model->advice[i];
            struct attempt_finding f = { arena_copy(&r->arena, a->id), a->low_percent, a->high_percent };
            if (way == OLD)
                *ARRAY_PUSH(r->earlier, r->earlier_count, r->earlier_capacity) = f;
            else
                *ARRAY_PUSH(r->made.listed, r->made.listed_count, r->listed_capacity) = f;
        }
        if (model)
            model_free(model);
    }
    if (stream)
        closedir(stream);
}

static bool folder_has_data(const char *folder)
{
    bool found = false;
    DIR *stream = opendir(folder);
    for (struct dirent *entry; stream && (entry = readdir(stream));)
        found = found || entry->d_name[0] != '.';
    if (stream)
        closedir(stream);
    return found;
}

/* Run number 0 warms the caches, shows its standard error, and has the findings. All runs are profiled alike. */
static int run_once(struct request *r, enum way way, size_t number, struct trial_result *result)
{
    const char *folder = arena_print(&r->arena, "%s/%s", r->folder, number ? "rest" : way == OLD ? "old" : "new");
    const char *setting = getenv("PROFPLUG");
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
        return diag_error(folder, "%s; expected room for the data of a run", strerror(errno));
    struct trial trial = { .file = way == OLD ? r->before : r->argv[0],
                           .argv = r->argv,
                           .setting = arena_print(&r->arena, "%s%soutput=%s/%%p", setting ? setting : "",
                                                  setting && *setting ? "," : "", folder),
                           .input_again = r->input_again,
                           .input_start = r->input_start,
                           .output = r->output,
                           .speaks = !number };
    int status = trial_run(&trial, result);
    if (status || trial_ended || number)
        return status;
    if (!folder_has_data(folder))
        return runfile_refuse(trial.file, folder, "an instrumented program");
    findings_read(r, folder, way);
    return 0;
}

static int runs_make(struct request *r)
{
    struct trial_result result;
    int first[WAYS] = { 0 };
    uint64_t hash[WAYS];
    for (enum way way = r->before ? OLD : NEW; way < WAYS; way++) {
        if (run_once(r, way, 0, &result) || trial_ended)
            return DIAG_WRONG;
        first[way] = exit_of(result.status);
        hash[way] = output_hash(r->output);
        r->ns[way] = arena_take(&r->arena, r->runs * sizeof *r->ns[way]);
    }
    r->made.status = first[NEW];
    r->made.output = hash[NEW];
    r->output_differs = r->before && hash[OLD] != hash[NEW];
    if (r->before && first[OLD] != first[NEW])
        r->made.verdict = ATTEMPT_BROKEN;
    int status = 0;
    progress_begin("running the program", r->runs);
    for (size_t i = 0; i < r->runs && !status; i++)
        for (int turn = r->before ? 0 : 1; turn < WAYS && !status; turn++) {
            enum way way = r->before && i % 2 ? WAYS - 1 - turn : turn;
            progress_step(i);
            status = run_once(r, way, i + 1, &result) || trial_ended ? DIAG_WRONG : 0;
            r->ns[way][i] = (double)result.wall_ns;
            if (way == NEW && exit_of(result.status) != first[NEW])
                r->made.verdict = ATTEMPT_BROKEN;
        }
    progress_end();
    r->made.ns = r->ns[NEW];
    r->made.run_count = r->runs;
    return status;
}

/* ---- comparison ---- */

static const struct attempt *attempt_find(const struct ledger *l, const struct request *r)
{
    for (size_t i = l->count; i > 0; i--) {
        const struct attempt *a = &l->row[i - 1];
        bool base =
            strcmp(a->command, r->made.command) == 0 && (a->verdict == ATTEMPT_BEGIN || a->verdict == ATTEMPT_HELPED);
        if (r->against ? a->number == r->against : base)
            return a;
    }
    return NULL;
}

/* The logarithm of the new time by the old one. */
static struct spread change_find(struct request *r, const double *old, size_t count)
{
    const struct attempt *made = &r->made;
    size_t most = r->runs * (r->runs + 1) + count * r->runs;
    double *one = memory_zeroed(count + r->runs, sizeof *one), *two = memory_zeroed(r->runs, sizeof *two);
    double *room = memory_zeroed(most, sizeof *room);
    struct spread s;
    for (size_t i = 0; i < r->runs; i++)
        two[i] = log(made->ns[i]) - (r->before ? log(old[i]) : 0);
    for (size_t i = 0; i < count; i++)
        one[i] = log(old[i]);
    if (r->before) {
        s = spread_find_even(two, r->runs, room);
        spread_rank_even(r->runs, &r->confidence);
    } else {
        s = spread_find_shift(one, count, two, r->runs, room, &r->confidence);
    }
    free(one);
    free(two);
    free(room);
    return s;
}

static bool finding_is_listed(const struct attempt_finding *f, size_t count, const char *id)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(f[i].id, id) == 0)
            return true;
    return false;
}

/* The finding's ID with the function's short name. --finding takes both. */
static const char *id_short(struct arena *arena, const char *id)
{
    size_t rule = strcspn(id, "@"), whole = strlen(id), end = whole;
    while (end > rule && strchr("0123456789", id[end - 1]))
        end--;
    end = end > rule + 1 && end < whole && id[end - 1] == '+' ? end - 1 : whole; /* lines below the function's first */
    const char *place = arena_print(arena, "%.*s", end > rule ? (int)(end - rule - 1) : 0, id + rule + !!id[rule]);
    return id[rule] ? arena_print(arena, "%.*s@%s%s", (int)rule, id, name_short(arena, place), id + end) : id;
}

/* What was tried. False after one line: --finding names none that was there. */
static bool finding_choose(struct request *r, const struct attempt_finding *earlier, size_t count)
{
    const struct attempt_finding *best = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct attempt_finding *f = &earlier[i];
        if (r->finding ? strcmp(f->id, r->finding) == 0 || strcmp(id_short(&r->arena, f->id), r->finding) == 0
                       : !finding_is_listed(r->made.listed, r->made.listed_count, f->id) &&
                             (!best || f->high_percent > best->high_percent))
            best = f;
    }
    if (best)
        r->made.finding = *best;
    else if (r->finding)
        diag_error("--finding",
                   "'%s' is no finding of the program as it was; expected one that `profplug try list` or "
                   "`profplug report --section findings` prints",
                   r->finding);
    return best || !r->finding;
}

static enum attempt_verdict verdict_of(const struct attempt *a)
{
    double promised = a->finding.id[0] && a->finding.low_percent > 0 ? a->finding.low_percent : 3;
    return a->low > 0           ? ATTEMPT_HELPED
           : a->high < 0        ? ATTEMPT_SLOWER
           : a->high < promised ? ATTEMPT_NO_HELP
                                : ATTEMPT_UNCLEAR;
}

static int attempt_judge(struct request *r, const struct attempt *old)
{
    struct attempt *made = &r->made;
    made->saved = made->low = made->high = NAN;
    made->finding = (struct attempt_finding){ "", NAN, NAN };
    if (!r->before && !old)
        return r->finding ? diag_error("--finding", "there is nothing to compare with; expected an earlier attempt of "
                                                    "this program, or --before OLD")
                          : 0;
    if (!finding_choose(r, r->before ? r->earlier : old->listed, r->before ? r->earlier_count : old->listed_count))
        return DIAG_WRONG;
    struct spread s = change_find(r, r->before ? r->ns[OLD] : old->ns, r->before ? r->runs : old->run_count);
    made->saved = 100 * (1 - exp(s.median));
    made->low = 100 * (1 - exp(s.high));
    made->high = 100 * (1 - exp(s.low));
    made->against = r->before ? 0 : old->number;
    if (old && !r->before && old->status != made->status)
        made->verdict = ATTEMPT_BROKEN;
    if (old && !r->before)
        r->output_differs = old->output != made->output;
    if (made->verdict != ATTEMPT_BROKEN)
        made->verdict = verdict_of(made);
    return 0;
}

/* ---- what is said ---- */

static double middle(const double *ns, size_t count)
{
    double *copy = memory_zeroed(count, sizeof *copy), found;
    memcpy(copy, ns, count * sizeof *copy);
    found = spread_find(copy, count).median;
    free(copy);
    return found;
}

static const char *promise_text(struct arena *arena, const struct attempt_finding *f)
{
    return f->low_percent > 0 ? arena_print(arena, "promised %.1f to %.1f %%", f->low_percent, f->high_percent)
                              : arena_print(arena, "promised at most %.1f %%", f->high_percent);
}

/* What is slower does not "save" a negative part. Without the closing bracket. */
static const char *saving_text(struct arena *arena, const struct attempt *a)
{
    return a->saved < 0 ? arena_print(arena, "takes %.1f %% longer (%.1f to %.1f", -a->saved, -a->high, -a->low)
                        : arena_print(arena, "saves %.1f %% (%.1f to %.1f", a->saved, a->low, a->high);
}

static void text_print(FILE *out, struct request *r, const struct attempt *old, const struct ledger *ledger)
{
    const struct attempt *a = &r->made;
    char one[FIGURE_BYTES], two[FIGURE_BYTES];
    fprintf(out, "%u  %s  ", a->number, attempt_name(a->verdict));
    quote_print(out, a->note);
    fprintf(out, "\n   %s",
            isnan(a->saved)
                ? ""
                : figure_time(one, middle(r->before ? r->ns[OLD] : old->ns, r->before ? r->runs : old->run_count)));
    fprintf(out, "%s%s a run (median of %zu)", isnan(a->saved) ? "" : " to ",
            figure_time(two, middle(a->ns, a->run_count)), a->run_count);
    if (!isnan(a->saved))
        fprintf(out, ", %s, %.0f %% interval)", saving_text(&r->arena, a), r->confidence);
    fputc('\n', out);
    if (a->finding.id[0]) {
        fputs("   finding ", out);
        quote_print(out, id_short(&r->arena, a->finding.id));
        fprintf(out, ", %s; %s\n", promise_text(&r->arena, &a->finding),
                finding_is_listed(a->listed, a->listed_count, a->finding.id) ? "it is still there" : "it is gone");
        const char *rule = arena_print(&r->arena, "%.*s", (int)strcspn(a->finding.id, "@"), a->finding.id);
        struct ledger_rate rate = ledger_rate(ledger, rule);
        if (rate.tried)
            fprintf(out, "   findings of the rule %s helped in %u of %u %s\n", rule, rate.helped, rate.tried,
                    plural(rate.tried, "try", "tries"));
    }
    for (size_t i = 0; i < a->listed_count && i < 3 && a->verdict == ATTEMPT_BEGIN; i++) {
        fputs("   finding ", out);
        quote_print(out, id_short(&r->arena, a->listed[i].id));
        fprintf(out, ", %s\n", promise_text(&r->arena, &a->listed[i]));
    }
    if (a->verdict == ATTEMPT_BEGIN && strcmp(a->note, "begin") != 0)
        fputs("   there is no earlier attempt of this program and its arguments to compare with: this is the "
              "beginning.\n   Change the program, build it, and try again\n",
              out);
    if (a->verdict == ATTEMPT_BROKEN)
        fprintf(out, "   the exit status is %d, and differs from the earlier one's or from run to run\n", a->status);
    if (r->output_differs)
        fputs("   its standard output differs from the earlier one's\n", out);
    if (!isnan(a->saved) && !r->before)
        fputs("   measured at different times: with --before OLD both programs run in turn\n", out);
}

static void number_json(FILE *out, const char *name, double value)
{
    if (!isnan(value))
        fprintf(out, ", \"%s\": %.6g", name, value);
}

static void attempt_json(FILE *out, const struct attempt *a)
{
    fprintf(out, "{\"number\": %u, \"time\": ", a->number);
    quote_json(out, a->when);
    fputs(", \"commit\": ", out);
    quote_json(out, a->commit);
    fputs(", \"note\": ", out);
    quote_json(out, a->note);
    fputs(", \"command\": ", out);
    quote_json(out, a->command);
    fprintf(out, ", \"verdict\": \"%s\", \"against\": %u", attempt_name(a->verdict), a->against);
    if (a->finding.id[0]) {
        fputs(", \"finding\": ", out);
        quote_json(out, a->finding.id);
        number_json(out, "promised_low_percent", a->finding.low_percent);
        number_json(out, "promised_high_percent", a->finding.high_percent);
    }
    number_json(out, "saved_percent", a->saved);
    number_json(out, "saved_low_percent", a->low);
    number_json(out, "saved_high_percent", a->high);
    fprintf(out, ", \"exit_status\": %d, \"wall_ns\": [", a->status);
    for (size_t i = 0; i < a->run_count; i++)
        fprintf(out, "%s%.0f", i ? ", " : "", a->ns[i]);
    fputs("], \"findings\": [", out);
    for (size_t i = 0; i < a->listed_count; i++) {
        fputs(i ? ", " : "", out);
        quote_json(out, a->listed[i].id);
    }
    fputs("]}", out);
}

static void list_json(FILE *out, const struct attempt *row, size_t count)
{
    fputs("{\"schema\": \"profplug-try/1\", \"attempts\": [", out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ",\n " : "\n ", out);
        attempt_json(out, &row[i]);
    }
    fputs("\n]}\n", out);
}

static void rates_print(FILE *out, struct request *r, const struct ledger *ledger)
{
    for (size_t i = 0; i < ledger->count; i++) {
        const char *id = ledger->row[i].finding.id;
        size_t bytes = strcspn(id, "@");
        bool first = id[0] != 0;
        for (size_t k = 0; k < i && first; k++)
            first = strncmp(ledger->row[k].finding.id, id, bytes + 1) != 0;
        const char *rule = arena_print(&r->arena, "%.*s", (int)bytes, id);
        struct ledger_rate rate = first ? ledger_rate(ledger, rule) : (struct ledger_rate){ 0 };
        if (rate.tried)
            fprintf(out, "findings of the rule %s helped in %u of %u %s\n", quote_plain(&r->arena, rule), rate.helped,
                    rate.tried, plural(rate.tried, "try", "tries"));
    }
}

static void list_print(FILE *out, struct request *r, const struct ledger *ledger)
{
    for (size_t i = 0; i < ledger->count; i++) {
        const struct attempt *a = &ledger->row[i];
        char time[FIGURE_BYTES];
        fprintf(out, "%-3u %-16.16s  %-8s %9s", a->number, quote_plain(&r->arena, a->when), attempt_name(a->verdict),
                figure_time(time, middle(a->ns, a->run_count)));
        if (!isnan(a->saved))
            fprintf(out, "  %s)", saving_text(&r->arena, a));
        if (a->finding.id[0])
            fprintf(out, "  %s, %s", quote_plain(&r->arena, id_short(&r->arena, a->finding.id)),
                    promise_text(&r->arena, &a->finding));
        fprintf(out, "  %s\n", quote_plain(&r->arena, a->note));
    }
    if (!ledger->count)
        fprintf(out, "nothing was tried in %s\n", quote_plain(&r->arena, ledger->path));
    if (ledger->strange)
        fprintf(out, "note: %zu %s of %s %s no attempt\n", ledger->strange, plural(ledger->strange, "line", "lines"),
                quote_plain(&r->arena, ledger->path), plural(ledger->strange, "holds", "hold"));
    rates_print(out, r, ledger);
}

/* ---- the verb ---- */

static int entry_remove(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    remove(path);
    return 0;
}

static int attempt_make(struct request *r, struct ledger *ledger)
{
    char when[32];
    time_t now = time(NULL);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    const char *commit = project_commit(&r->arena), *command = "";
    for (char **word = r->argv; *word; word++)
        command = arena_print(&r->arena, "%s%s%s", command, word == r->argv ? "" : " ", quote_shell(&r->arena, *word));
    r->made.when = when;
    r->made.commit = commit ? commit : "";
    r->made.command = command;
    const struct attempt *found = r->before ? NULL : attempt_find(ledger, r);
    struct attempt copy = found ? *found : (struct attempt){ 0 }, *old = found ? &copy : NULL; /* the array will grow */
    if (r->against && !old)
        return diag_error("--against", "there is no attempt %u; expected one that `profplug try list` prints",
                          r->against);
    int status = runs_make(r);
    status = status || trial_ended ? DIAG_WRONG : attempt_judge(r, old);
    FILE *out = status ? NULL : output_open(r->path);
    if (!out)
        return DIAG_WRONG;
    bool noted = ledger_append(ledger, &r->made); /* if not, what was measured is shown nevertheless */
    *ARRAY_PUSH(ledger->row, ledger->count, ledger->capacity) = r->made;
    if (r->json)
        list_json(out, &r->made, 1);
    else
        text_print(out, r, old, ledger);
    return output_end(out, DIAG_DONE) || !noted ? DIAG_WRONG : DIAG_DONE;
}

static int attempt_run(struct request *r, struct ledger *ledger)
{
    struct stat input;
    r->input_again = fstat(0, &input) == 0 && S_ISREG(input.st_mode);
    r->input_start = r->input_again ? lseek(0, 0, SEEK_CUR) : 0;
    FILE *output = tmpfile();
    if (!output || !mkdtemp(r->folder))
        return diag_error(".", "%s; expected a folder to write the data of the runs to", strerror(errno));
    r->output = fileno(output);
    trial_begin();
    int status = attempt_make(r, ledger);
    nftw(r->folder, entry_remove, 8, FTW_DEPTH | FTW_PHYS);
    fclose(output);
    free(r->earlier);
    free(r->made.listed);
    if (trial_ended) { /* end by the signal, now that nothing is left behind */
        signal(trial_ended, SIG_DFL);
        raise(trial_ended);
    }
    return status;
}

static int list_show(struct request *r, const struct ledger *ledger)
{
    if (ledger->strange && !ledger->count)
        return diag_error(ledger->path, "none of its lines is an attempt; expected the file that profplug try writes");
    FILE *out = output_open(r->path);
    if (!out)
        return DIAG_WRONG;
    if (r->json)
        list_json(out, ledger->row, ledger->count);
    else
        list_print(out, r, ledger);
    return output_end(out, DIAG_DONE);
}

int command_try(int argc, char **argv)
{
    struct request r = { .runs = RUNS, .folder = "profplug-try-XXXXXX" };
    struct ledger ledger;
    struct flags flags;
    flags_begin(&flags, "try", argc, argv, true);
    for (enum flag_id id; (id = flags_next(&flags)) != FLAG_END;)
        if (option_take(&r, id, &flags))
            return DIAG_WRONG;
    char **word = argv + flags.next;
    bool parted = strcmp(word[-1], "--") == 0; /* already before the note: then it must stand behind it, too */
    bool listed = *word && strcmp(*word, "list") == 0 && (!word[1] || strcmp(word[1], "--") != 0);
    r.made.note = *word ? *word : "";
    if (*word) { /* options may stand behind the note or `list`, up to the program */
        struct flags more;
        flags_begin(&more, "try", argc - flags.next, word, !listed);
        for (enum flag_id id; (id = flags_next(&more)) != FLAG_END;)
            if (option_take(&r, id, &more))
                return DIAG_WRONG;
        word += more.next;
    }
    if (parted && strcmp(word[-1], "--") != 0)
        r.made.note = "";
    if (listed && *word)
        return diag_error(*word, "try list lists all attempts; expected nothing behind it, or -- before a program "
                                 "whose note is 'list'");
    r.argv = word;
    if (!listed && (!r.made.note[0] || !*word))
        return diag_error("try", "no %s given; expected profplug try \"note\" -- PROGRAM [ARGUMENTS]",
                          r.made.note[0] ? "program" : "note");
    int status = DIAG_WRONG;
    if (ledger_read(&ledger))
        status = listed ? list_show(&r, &ledger) : ledger_is_writable(&ledger) ? attempt_run(&r, &ledger) : DIAG_WRONG;
    ledger_free(&ledger);
    arena_free(&r.arena);
    return status;
}
