/* SPDX-License-Identifier: MIT */
/* causal.c: `profplug causal`: what a speed-up of each stage would buy, found by slowing everything else (C.
 * Curtsinger, E. Berger: Coz, SOSP 2015). experiment.c makes a run, spread.c the intervals. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/command.h"
#include "host/experiment.h"
#include "host/spread.h"
#include "load.h"
#include "words/diag.h"
#include "words/output.h"
#include "words/progress.h"
#include "words/figure.h"
#include "words/quote.h"

enum { ROUNDS = 6, ROUNDS_MOST = 100, PERCENTS_MOST = 8, TARGETS = 8, TARGETS_MOST = 64, NOTES = 8, NOTE_BYTES = 256 };
enum { BASE_RUNS = 2 }; /* of each round, in which nothing is slowed: all others are compared with them */
static const double LEAST_SHARE = 0.01; /* of the run's time, of a stage that is tried unasked */
static const double LOOP_SHARE = 0.5;   /* of the run's time, of a loop whose time stands for the program's */

struct target {
    char *name;
    const char *kind;
    char *file;
    uint32_t line;
    uint64_t calls, wall_ns; /* of the first run, over all threads */
    double virtual_ns[PERCENTS_MOST][ROUNDS_MOST];
    /* by percent: the logarithm of base time by virtual time; and 1 minus their ratio */
    struct spread gain[PERCENTS_MOST];
    double target_ns, least_gain; /* least_gain: lower end at the greatest percentage */
};

struct causal {
    const char *format, *path, *library_path;
    char **argv, *progress;
    char library[4096], folder[32], note[NOTES][NOTE_BYTES];
    size_t note_count, rounds, done, target_count, percent_count, asked_count, left_out;
    unsigned percent[PERCENTS_MOST];
    const char *asked[TARGETS_MOST];
    struct target target[TARGETS_MOST];
    double base_ns[ROUNDS_MOST], one_ns[BASE_RUNS * ROUNDS_MOST]; /* of a round: geometric mean; of a run */
    uint64_t iterations;
    const char *progress_noun;
    double confidence;
    size_t rank, run_count, differing;
    uint64_t refused_threads;
    int output, first_status;
    bool input_again, run_is_unit; /* no loop is measured, but the run */
    off_t input_start;
    char *setting;
    uint64_t random;
    FILE *runs; /* JSON rows of the single runs */
    char *runs_text;
    size_t runs_size;
};

static void note_add(struct causal *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note_add(struct causal *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (c->note_count < NOTES)
        vsnprintf(c->note[c->note_count++], NOTE_BYTES, format, arguments);
    va_end(arguments);
}

/* ---- options ---- */

static int percents_take(struct causal *c, const char *value)
{
    const char *at = value;
    for (c->percent_count = 0;; at++) {
        char *end;
        unsigned long percent = strtoul(at, &end, 10);
        if (end == at || percent < 1 || percent > 100 || (*end && *end != ',') || c->percent_count == PERCENTS_MOST ||
            (c->percent_count && percent <= c->percent[c->percent_count - 1]))
            return diag_error("--percent",
                              "'%s' is not a list of percentages; expected up to %d of them, ascending, "
                              "from 1 to 100, with commas between",
                              value, PERCENTS_MOST);
        c->percent[c->percent_count++] = (unsigned)percent;
        if (!*end)
            return 0;
        at = end;
    }
}

static int option_take(struct causal *c, enum flag_id id, const struct flags *flags)
{
    const char *value = flags->value;
    char *end;
    unsigned long number;
    switch (id) {
    case FLAG_CAUSAL_ROUNDS:
        number = strtoul(value, &end, 10);
        if (!*value || *end || number < 2 || number > ROUNDS_MOST)
            return diag_error("--rounds", "'%s' is not a number of rounds; expected a number from 2 to %d", value,
                              ROUNDS_MOST);
        c->rounds = number;
        return 0;
    case FLAG_CAUSAL_PERCENT: return percents_take(c, value);
    case FLAG_CAUSAL_STAGE:
        if (c->asked_count == TARGETS_MOST)
            return diag_error("--stage", "more than %d stages; expected fewer", TARGETS_MOST);
        c->asked[c->asked_count++] = value;
        return 0;
    case FLAG_CAUSAL_PROGRESS: c->progress = strdup(value); return 0;
    case FLAG_CAUSAL_FORMAT:
        if (strcmp(value, "text") && strcmp(value, "json"))
            return diag_error("--format", "'%s' is not a format of causal; expected text or json", value);
        c->format = value;
        return 0;
    case FLAG_CAUSAL_OUTPUT: c->path = value; return trial_output_check(value);
    default: return flags_refuse(flags, id);
    }
}

/* ---- runs ---- */

static int entry_remove(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    remove(path);
    return 0;
}

/* Run number 0 shows its standard error. */
static int run_once(struct causal *c, size_t round, const struct target *target, unsigned percent, bool keeps,
                    struct experiment_result *result)
{
    char folder[64];
    struct experiment experiment = { target ? target->name : NULL, percent, c->run_is_unit ? NULL : c->progress };
    struct trial trial = { .file = c->argv[0],
                           .argv = c->argv,
                           .input_again = c->input_again,
                           .input_start = c->input_start,
                           .output = c->output,
                           .speaks = !c->run_count };
    snprintf(folder, sizeof folder, "%s/%zu", c->folder, c->run_count++);
    int status = experiment_run(&experiment, trial, c->setting, c->library, folder, result);
    if (!keeps)
        nftw(folder, entry_remove, 8, FTW_DEPTH | FTW_PHYS);
    if (status || trial_ended || !round)
        return status;
    c->differing += result->run.status != c->first_status;
    fprintf(c->runs, "%s\n  {\"round\": %zu, ", c->runs_size ? "," : "", round);
    if (target) {
        fputs("\"target\": ", c->runs);
        quote_json(c->runs, target->name);
        fprintf(c->runs, ", \"percent\": %u, ", percent);
    }
    fprintf(c->runs,
            "\"wall_ns\": %" PRIu64 ", \"took_ns\": %" PRIu64 ", \"delay_ns\": %" PRIu64 ", \"target_ns\": %" PRIu64
            ", \"looks\": %" PRIu64 "}",
            result->run.wall_ns, result->took_ns, result->delay_ns, result->target_ns, result->looks);
    fflush(c->runs);
    c->refused_threads += result->refused_threads;
    return 0;
}

/* ---- what is tried ---- */

static const char *kind_name(enum pp_site_kind kind)
{
    return kind == PP_SITE_LOOP ? "loop" : kind == PP_SITE_SCOPE ? "scope" : "stage";
}

static bool encloses(const struct model *model, uint32_t outer, uint32_t inner)
{
    for (uint32_t at = inner; at != MODEL_NONE; at = model->stage[at].parent)
        if (at == outer)
            return true;
    return false;
}

/* The outermost loop with most time, if it is most of the run. */
static uint32_t progress_find(const struct causal *c, const struct model *model)
{
    uint32_t best = MODEL_NONE;
    for (uint32_t i = 0; i < model->stage_count; i++) {
        const struct model_stage *s = &model->stage[i];
        bool outermost = s->kind == PP_SITE_LOOP;
        for (uint32_t up = s->parent; up != MODEL_NONE; up = model->stage[up].parent)
            outermost &= model->stage[up].kind != PP_SITE_LOOP;
        if (c->progress ? !strcmp(s->name, c->progress)
                        : outermost && (double)s->times.wall_ns >= LOOP_SHARE * (double)model->run.wall_ns)
            if (best == MODEL_NONE || s->times.wall_ns > model->stage[best].times.wall_ns)
                best = i;
    }
    return best;
}

static struct target *target_of(struct causal *c, const char *name)
{
    for (size_t i = 0; i < c->target_count; i++)
        if (!strcmp(c->target[i].name, name))
            return &c->target[i];
    return NULL;
}

static void target_add(struct causal *c, const struct model_stage *s)
{
    struct target *t = target_of(c, s->name);
    if (!t && c->target_count == TARGETS_MOST)
        return;
    if (!t) {
        t = &c->target[c->target_count++];
        *t = (struct target){
            .name = strdup(s->name), .kind = kind_name(s->kind), .file = strdup(s->file), .line = s->line
        };
    }
    t->calls += s->times.calls;
    t->wall_ns += s->times.wall_ns;
}

static int by_time(const void *a, const void *b)
{
    const struct target *one = a, *two = b;
    return (one->wall_ns < two->wall_ns) - (one->wall_ns > two->wall_ns);
}

static bool is_asked(const struct causal *c, const char *name)
{
    for (size_t i = 0; i < c->asked_count; i++)
        if (!strcmp(c->asked[i], name))
            return true;
    return false;
}

static int targets_choose(struct causal *c, const struct model *model)
{
    uint32_t progress = progress_find(c, model);
    if (c->progress && progress == MODEL_NONE)
        return diag_error("--progress", "the run has no stage, loop or scope '%s'; expected one that it has",
                          c->progress);
    c->run_is_unit = progress == MODEL_NONE;
    if (!c->run_is_unit) {
        const struct model_stage *s = &model->stage[progress];
        if (!c->progress)
            c->progress = strdup(s->name);
        c->progress_noun = s->kind == PP_SITE_LOOP ? "iterations" : "entries";
        for (uint32_t i = 0; i < model->stage_count; i++)
            if (!strcmp(model->stage[i].name, c->progress))
                c->iterations += model->stage[i].kind == PP_SITE_LOOP ? model->stage[i].iteration.calls
                                                                      : model->stage[i].times.calls;
    }
    for (uint32_t i = 0; i < model->stage_count; i++) {
        const struct model_stage *s = &model->stage[i];
        bool around = !c->run_is_unit && (encloses(model, i, progress) || !strcmp(s->name, c->progress));
        if (c->asked_count ? is_asked(c, s->name) : !around)
            target_add(c, s);
    }
    for (size_t i = 0; i < c->asked_count; i++)
        if (!target_of(c, c->asked[i]))
            return diag_error("--stage", "the run has no stage, loop or scope '%s'; expected one that it has",
                              c->asked[i]);
    qsort(c->target, c->target_count, sizeof *c->target, by_time);
    size_t all = c->target_count;
    while (!c->asked_count && c->target_count &&
           (c->target_count > TARGETS ||
            (double)c->target[c->target_count - 1].wall_ns < LEAST_SHARE * (double)model->run.wall_ns))
        c->target_count--;
    c->left_out = all - c->target_count;
    return c->target_count
               ? 0
               : diag_error(c->argv[0], "no stage, loop or scope to try; expected some with 1 %% of the run's "
                                        "time, besides the loop that is measured: see profplug.h");
}

static uint64_t draw(struct causal *c)
{
    c->random ^= c->random << 13;
    c->random ^= c->random >> 7;
    c->random ^= c->random << 17;
    return c->random;
}

/* One run of each, in an order drawn by lot, so that a drift of the machine is nobody's. */
static int round_run(struct causal *c)
{
    size_t order[BASE_RUNS + TARGETS_MOST * PERCENTS_MOST], count = BASE_RUNS + c->target_count * c->percent_count;
    size_t base = 0;
    c->base_ns[c->done] = 0;
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    for (size_t i = count; i > 1; i--) {
        size_t other = draw(c) % i, kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
    for (size_t i = 0; i < count && !trial_ended; i++) {
        struct experiment_result result;
        bool plain = order[i] < BASE_RUNS;
        size_t which = plain ? 0 : order[i] - BASE_RUNS, p = which % c->percent_count;
        struct target *t = plain ? NULL : &c->target[which / c->percent_count];
        progress_step(c->done * count + i);
        int status = run_once(c, c->done + 1, t, plain ? 0 : c->percent[p], false, &result);
        if (status || trial_ended)
            return status;
        double ns = fmax((double)result.virtual_ns, 1);
        if (plain) {
            c->one_ns[BASE_RUNS * c->done + base++] = ns;
            c->base_ns[c->done] += log(ns) / BASE_RUNS;
        } else {
            t->virtual_ns[p][c->done] = ns;
            t->target_ns += (double)result.target_ns / (double)(c->rounds * c->percent_count);
        }
    }
    c->base_ns[c->done] = exp(c->base_ns[c->done]);
    c->done++;
    return 0;
}

static int runs_make(struct causal *c)
{
    struct experiment_result first;
    int status = run_once(c, 0, NULL, 0, true, &first);
    if (status || trial_ended)
        return status;
    struct model *model = model_open(first.data);
    if (!model)
        return DIAG_WRONG;
    c->first_status = first.run.status;
    status = targets_choose(c, model);
    model_free(model);
    if (status)
        return status;
    if (first.processes > 1)
        note_add(
            c, "%u processes had stages; each slowed its own threads alone, and the one with most time in them counts",
            first.processes);
    size_t each = BASE_RUNS + c->target_count * c->percent_count;
    fprintf(stderr, "profplug: %zu rounds of %zu runs, %.1f s each: about %.0f s\n", c->rounds, each,
            (double)first.run.wall_ns / 1e9, (double)(c->rounds * each) * (double)first.run.wall_ns / 1e9);
    if (first.run.wall_ns < 200000000)
        note_add(c, "a run takes only %.0f ms, so few looks fall into a stage: intervals are wide",
                 (double)first.run.wall_ns / 1e6);
    progress_begin("running experiments", c->rounds * each);
    while (c->done < c->rounds && !trial_ended && !status)
        status = round_run(c);
    progress_end();
    return status;
}

/* ---- judging ---- */

static int by_gain(const void *a, const void *b)
{
    double one = ((const struct target *)a)->least_gain, two = ((const struct target *)b)->least_gain;
    return (one < two) - (one > two);
}

static void targets_judge(struct causal *c)
{
    double ratio[ROUNDS_MOST], mean[ROUNDS_MOST * (ROUNDS_MOST + 1) / 2];
    c->rank = spread_rank_even(c->rounds, &c->confidence);
    for (size_t i = 0; i < c->target_count; i++)
        for (size_t p = 0; p < c->percent_count; p++) {
            for (size_t r = 0; r < c->rounds; r++)
                ratio[r] = log(c->base_ns[r] / c->target[i].virtual_ns[p][r]);
            c->target[i].gain[p] = spread_find_even(ratio, c->rounds, mean);
            c->target[i].least_gain = c->target[i].gain[p].low;
        }
    qsort(c->target, c->target_count, sizeof *c->target, by_gain);
    if (c->differing)
        note_add(c, "%zu of %zu runs ended with another exit status than the first", c->differing, c->run_count - 1);
    if (c->refused_threads)
        note_add(c, "%" PRIu64 " threads were not slowed: too many at a time", c->refused_threads);
    if (c->left_out)
        note_add(c, "%zu more %s not tried, as they have less time; --stage NAME tries one", c->left_out,
                 c->left_out == 1 ? "stage, loop or scope was" : "stages, loops and scopes were");
}

static double gain_percent(double log_ratio) { return 100 * expm1(log_ratio); }
static double saving_share(double log_ratio) { return -expm1(-log_ratio); }
/* The interval leaves out that it makes no difference, and the difference is more than half a percent. */
static bool is_shown(const struct target *t, size_t p) { return t->gain[p].low > 0.005; }

static double base_median(const struct causal *c)
{
    double value[BASE_RUNS * ROUNDS_MOST];
    memcpy(value, c->one_ns, sizeof value);
    return spread_find(value, BASE_RUNS * c->rounds).median;
}

/* ---- output ---- */

static void text_print(FILE *out, const struct causal *c)
{
    char one[FIGURE_BYTES], two[FIGURE_BYTES];
    struct arena arena = { 0 };
    for (char **word = c->argv; *word; word++) {
        quote_print(out, *word);
        fputc(' ', out);
    }
    fprintf(out, " %zu rounds of %zu runs\n", c->rounds, BASE_RUNS + c->target_count * c->percent_count);
    double base_ns = base_median(c);
    if (c->run_is_unit) {
        fprintf(out, "throughput: runs, %s each\n", figure_time(one, base_ns));
    } else {
        fprintf(out, "throughput: %s %s of ", figure_count(two, (double)c->iterations), c->progress_noun);
        quote_print(out, c->progress);
        fprintf(out, " in %s, %.4g a second\n", figure_time(one, base_ns), (double)c->iterations / (base_ns / 1e9));
    }
    fprintf(out, "\n%-26s %9s   more throughput if it took less time by\n%-26s %9s", "", "", "", "time");
    for (size_t p = 0; p < c->percent_count; p++)
        fprintf(out, "  %15u %%", c->percent[p]);
    fputc('\n', out);
    for (size_t i = 0; i < c->target_count; i++) {
        const struct target *t = &c->target[i];
        const char *name = quote_plain(&arena, t->name);
        fprintf(out, "%-26s %9s", name, figure_time(one, (double)t->wall_ns));
        for (size_t p = 0; p < c->percent_count; p++) {
            char cell[64];
            snprintf(cell, sizeof cell, "%.0f (%.0f to %.0f)", gain_percent(t->gain[p].median),
                     gain_percent(t->gain[p].low), gain_percent(t->gain[p].high));
            fprintf(out, "  %15s %%", cell);
        }
        fputc('\n', out);
    }
    fputc('\n', out);
    size_t none = 0;
    for (size_t i = 0; i < c->target_count; i++)
        if (!is_shown(&c->target[i], c->percent_count - 1)) {
            fputs(none++ ? ", " : "no gain shown: ", out);
            quote_print(out, c->target[i].name);
        }
    fputs(none ? "\n" : "", out);
    fprintf(out, "interval: signed-rank test over the rounds, %.1f %% confidence each; time: all threads, first run\n",
            c->confidence);
    for (size_t i = 0; i < c->note_count; i++) {
        fputs("note: ", out);
        quote_print(out, c->note[i]);
        fputc('\n', out);
    }
    arena_free(&arena);
}

static void point_print(FILE *out, const struct causal *c, const struct target *t, size_t p)
{
    const struct spread *g = &t->gain[p];
    double base_ns = base_median(c);
    fprintf(out,
            "%s{\"percent\": %u, \"throughput_gain_percent\": {\"median\": %.4f, \"low\": %.4f, \"high\": %.4f}, "
            "\"saving_kind\": \"simulated\", \"saving_low_ns\": %.0f, \"saving_high_ns\": %.0f, "
            "\"saving_percent\": {\"median\": %.4f, \"low\": %.4f, \"high\": %.4f}}",
            p ? ",\n    " : "", c->percent[p], gain_percent(g->median), gain_percent(g->low), gain_percent(g->high),
            fmax(0, base_ns * saving_share(g->low)), fmax(0, base_ns * saving_share(g->high)),
            100 * saving_share(g->median), 100 * saving_share(g->low), 100 * saving_share(g->high));
}

static void json_print(FILE *out, const struct causal *c)
{
    double base_ns = base_median(c);
    fputs("{\"schema\": \"profplug-causal/1\", \"program\": ", out);
    quote_json(out, c->argv[0]);
    fputs(", \"args\": [", out);
    for (char **word = c->argv; *word; word++) {
        fputs(word == c->argv ? "" : ", ", out);
        quote_json(out, *word);
    }
    fprintf(out,
            "],\n \"rounds\": %zu, \"interval\": {\"method\": \"signed-rank test\", \"rank\": %zu, "
            "\"confidence_percent\": %.4f},\n \"progress\": {\"kind\": \"%s\", ",
            c->rounds, c->rank, c->confidence, c->run_is_unit ? "run" : "stage");
    if (!c->run_is_unit) {
        fputs("\"name\": ", out);
        quote_json(out, c->progress);
        fprintf(out, ", \"iterations\": %" PRIu64 ", ", c->iterations);
    }
    fprintf(out, "\"wall_ns\": %.0f, \"per_second\": %.6g},\n \"targets\": [", base_ns,
            (double)(c->run_is_unit ? 1 : c->iterations) / (base_ns / 1e9));
    for (size_t i = 0; i < c->target_count; i++) {
        const struct target *t = &c->target[i];
        fprintf(out, "%s\n  {\"name\": ", i ? "," : "");
        quote_json(out, t->name);
        fprintf(out, ", \"kind\": \"%s\"", t->kind);
        if (t->file[0]) {
            fputs(", \"file\": ", out);
            quote_json(out, t->file);
            fprintf(out, ", \"line\": %u", t->line);
        }
        fprintf(out,
                ", \"calls\": %" PRIu64 ", \"wall_ns\": %" PRIu64 ", \"seen_ns\": %.0f, \"gain_is_shown\": %s,\n"
                "   \"points\": [",
                t->calls, t->wall_ns, t->target_ns, is_shown(t, c->percent_count - 1) ? "true" : "false");
        for (size_t p = 0; p < c->percent_count; p++)
            point_print(out, c, t, p);
        fputs("]}", out);
    }
    fputs("],\n \"notes\": [", out);
    for (size_t i = 0; i < c->note_count; i++)
        fputs(i ? ", " : "", out), quote_prose(out, c->note[i]);
    fprintf(out, "],\n \"runs\": [%s\n]}\n", c->runs_text);
}

static int result_print(const struct causal *c)
{
    FILE *out = output_open(c->path);
    if (!out)
        return DIAG_WRONG;
    (*c->format == 'j' ? json_print : text_print)(out, c);
    return output_end(out, DIAG_DONE);
}

/* ---- the verb ---- */

static int setting_make(struct causal *c)
{
    const char *now = getenv("PROFPLUG");
    if (now && (!strcmp(now, "off") || strstr(now, "level=off")))
        return diag_error("PROFPLUG", "'%s' switches profiling off; expected stages to be recorded", now);
    return asprintf(&c->setting, "%s%s", now ? now : "", now && *now ? "," : "") < 0
               ? diag_error("causal", "out of memory")
               : 0;
}

static int causal_measure(struct causal *c)
{
    char path[64];
    struct stat input;
    snprintf(path, sizeof path, "%s/output", c->folder);
    c->output = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    c->runs = open_memstream(&c->runs_text, &c->runs_size);
    if (c->output < 0 || !c->runs)
        return diag_error(c->folder, "%s; expected room for the output of a run", strerror(errno));
    if (!fstat(0, &input) && S_ISREG(input.st_mode) && (c->input_start = lseek(0, 0, SEEK_CUR)) >= 0)
        c->input_again = true;
    int status = runs_make(c);
    fclose(c->runs);
    if (!status && !trial_ended) {
        targets_judge(c);
        status = result_print(c);
    }
    free(c->runs_text);
    return status;
}

int command_causal(int argc, char **argv)
{
    static struct causal c = { .format = "text",
                               .rounds = ROUNDS,
                               .percent = { 25, 50, 75 },
                               .percent_count = 3,
                               .random = 88172645463325252u,
                               .folder = "profplug-causal-XXXXXX" };
    struct flags flags;
    flags_begin(&flags, "causal", argc, argv, true);
    for (enum flag_id id; (id = flags_next(&flags)) != FLAG_END;)
        if (option_take(&c, id, &flags))
            return DIAG_WRONG;
    if (flags.next >= argc)
        return diag_error("causal", "no program given; expected profplug causal [OPTIONS] [--] PROGRAM [ARGUMENTS]");
    c.argv = argv + flags.next;
    if (setting_make(&c) || experiment_library(c.library, sizeof c.library))
        return DIAG_WRONG;
    trial_begin();
    int status = mkdtemp(c.folder)
                     ? causal_measure(&c)
                     : diag_error(".", "%s; expected a folder to write the data of the runs to", strerror(errno));
    nftw(c.folder, entry_remove, 8, FTW_DEPTH | FTW_PHYS);
    for (size_t i = 0; i < c.target_count; i++) {
        free(c.target[i].name);
        free(c.target[i].file);
    }
    free(c.progress);
    free(c.setting);
    if (trial_ended) { /* end by the signal, now that nothing is left behind */
        signal(trial_ended, SIG_DFL);
        raise(trial_ended);
    }
    return status;
}
