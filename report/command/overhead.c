/* SPDX-License-Identifier: MIT */
/* overhead.c: `profplug overhead`: measures what profiling costs by running a program plain and profiled in turn.
 * The profiler's own estimate is shown beside it. trial.c makes the runs, spread.c the intervals. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/command.h"
#include "words/diag.h"
#include "words/output.h"
#include "words/progress.h"
#include "words/figure.h"
#include "estimate/account.h"
#include "load.h"
#include "words/quote.h"
#include "host/runfile.h"
#include "host/spread.h"
#include "host/trial.h"

enum { ROUNDS = 13, ROUNDS_MOST = 1000, NOTES = 8, NOTE_BYTES = 256 };

/* A round is one run of each, in alternating order, so that a drift affects both. Rounds are independent, and delays
 * are equally frequent in both kinds of runs. So the logarithms of their ratios are distributed symmetrically around
 * the true one. This does not hold for the mean of two plain runs, which has delays twice as often, half as long. */
enum way { PLAIN, PROFILED, WAYS };
static const char *const way_names[] = { "plain", "profiled" };
enum { LEAST, MOST };

struct round {
    struct trial_result run[WAYS];
    bool status_differs[WAYS], output_differs[WAYS];
    /* the profiler's own estimate relative to the CPU time without it, LEAST and MOST; NaN: none */
    double reported[2];
};

struct overhead {
    const char *plain, *format, *path;
    char **argv;
    double max_percent, within_percent; /* NaN: not given */
    size_t rounds, rounds_least;
    char folder[32], note[NOTES][NOTE_BYTES];
    size_t note_count;
    const char *input; /* "file" or "empty" */
    off_t input_start, output_bytes;
    int first_output, output; /* output of the first plain run, and of the current run */
    int first_status;
    struct round *round;
    double *mean; /* room for spread_find_even */
    /* [0] CPU, [1] wall; reported: relative to the CPU time without profiling, LEAST and MOST */
    struct spread ratio[2], control[2], reported[2], reported_middle;
    double plain_ns[2], profiled_ns[2], budget_percent, confidence;
    size_t rank;
};

static void note_add(struct overhead *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note_add(struct overhead *o, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (o->note_count < NOTES)
        vsnprintf(o->note[o->note_count++], NOTE_BYTES, format, arguments);
    va_end(arguments);
}

/* ---- options ---- */

static int option_take(struct overhead *o, enum flag_id id, const struct flags *flags)
{
    const char *value = flags->value;
    char *end;
    double number;
    switch (id) {
    case FLAG_OVERHEAD_PLAIN: o->plain = value; return 0;
    case FLAG_OVERHEAD_OUTPUT: o->path = value; return 0;
    case FLAG_OVERHEAD_ROUNDS:
        number = strtod(value, &end);
        if (!*value || *end || !(number >= 2 && number <= ROUNDS_MOST) || number != floor(number))
            return diag_error("--rounds", "'%s' is not a number of rounds; expected a number from 2 to %d", value,
                              ROUNDS_MOST);
        o->rounds_least = (size_t)number;
        return 0;
    case FLAG_OVERHEAD_WITHIN:
        number = strtod(value, &end);
        if (!*value || *end || !(number > 0 && number <= 1e6))
            return diag_error("--within", "'%s' is not a width; expected a number of percentage points above 0", value);
        o->within_percent = number;
        return 0;
    case FLAG_OVERHEAD_MAX:
        number = strtod(value, &end);
        if (!*value || *end || !(number >= 0 && number <= 1e6))
            return diag_error("--max", "'%s' is not a percentage; expected a number of 0 or above", value);
        o->max_percent = number;
        return 0;
    case FLAG_OVERHEAD_FORMAT:
        if (strcmp(value, "text") && strcmp(value, "json"))
            return diag_error("--format", "'%s' is not a format of overhead; expected text or json", value);
        o->format = value;
        return 0;
    default: return flags_refuse(flags, id);
    }
}

/* The caller's PROFPLUG without `on`, with a comma at its end unless empty; NULL after one line. The caller frees
 * it. */
static char *setting_make(void)
{
    const char *now = getenv("PROFPLUG");
    char *copy = strdup(now ? now : ""), *rest = copy, *out = calloc(1, strlen(now ? now : "") + 2);
    bool off = false;
    for (char *pair; copy && out && (pair = strsep(&rest, ","));) {
        if (!strcmp(pair, "off") || !strncmp(pair, "level=", 6) || !strcmp(pair, "on"))
            off = !strcmp(pair, "off") || !strcmp(pair, "level=off");
        if (*pair && strcmp(pair, "on"))
            strcat(strcat(out, pair), ",");
    }
    free(copy);
    if (out && !off)
        return out;
    diag_error("PROFPLUG",
               off ? "'%s' switches profiling off; expected a setting whose cost can be measured" : "%s: out of memory",
               now ? now : "");
    free(out);
    return NULL;
}

static void input_find(struct overhead *o)
{
    struct stat status;
    o->input = "empty";
    if (fstat(0, &status))
        return;
    if (S_ISREG(status.st_mode) && (o->input_start = lseek(0, 0, SEEK_CUR)) >= 0)
        o->input = "file";
    else if (!S_ISCHR(status.st_mode) || status.st_rdev != makedev(1, 3))
        note_add(o, "standard input is not a file, so every run got an empty one");
}

/* ---- runs ---- */

/* Returns -1 if they cannot be read. */
static int files_differ(int one, int two)
{
    char a[1 << 16], b[1 << 16];
    for (off_t at = 0;;) {
        ssize_t n = pread(one, a, sizeof a, at), m = pread(two, b, sizeof b, at);
        if (n < 0 || m < 0)
            return -1;
        if (n != m || memcmp(a, b, (size_t)n))
            return 1;
        if (!n)
            return 0;
        at += n;
    }
}

static bool data_left(const char *folder)
{
    DIR *stream = opendir(folder);
    bool found = false;
    for (struct dirent *entry; stream && (entry = readdir(stream));)
        found |= entry->d_name[0] != '.';
    if (stream)
        closedir(stream);
    return found;
}

/* One run. Number 0 warms the caches and shows its standard error. Returns 0, or DIAG_WRONG after one line. */
static int run_once(struct overhead *o, enum way way, size_t number, const char *setting, struct trial_result *result)
{
    char folder[64], *said = NULL;
    snprintf(folder, sizeof folder, "%s/%zu", o->folder, number);
    if (way == PROFILED && mkdir(folder, 0700))
        return diag_error(folder, "%s; expected room for the data of a run", strerror(errno));
    if (way == PROFILED && asprintf(&said, "%soutput=%s/%%p", setting, folder) < 0)
        return diag_error("overhead", "out of memory");
    struct trial trial = {
        .file = way != PROFILED && o->plain ? o->plain : o->argv[0],
        .argv = o->argv,
        .setting = said ? said : "off",
        .input_again = o->input[0] == 'f',
        .input_start = o->input_start,
        .output = way == PLAIN && !number ? o->first_output : o->output,
        .speaks = !number,
    };
    int status = trial_run(&trial, result);
    free(said);
    if (!status && !trial_ended && way == PROFILED && !number && !data_left(folder))
        status = runfile_refuse(o->argv[0], folder, "an instrumented program");
    return status;
}

enum figure { FIGURE_RATIO, FIGURE_PLAIN, FIGURE_PROFILED };

static double round_figure(const struct round *round, bool wall, enum figure figure)
{
    double ns[WAYS];
    /* at least 1 ns, so that every run has a ratio */
    for (enum way way = PLAIN; way < WAYS; way++)
        ns[way] = fmax((double)(wall ? round->run[way].wall_ns : round->run[way].cpu_ns), 1);
    return figure == FIGURE_RATIO ? ns[PROFILED] / ns[PLAIN] : ns[figure == FIGURE_PLAIN ? PLAIN : PROFILED];
}

static struct spread rounds_spread(const struct overhead *o, bool wall, enum figure figure)
{
    double value[ROUNDS_MOST];
    for (size_t i = 0; i < o->rounds; i++)
        value[i] = round_figure(&o->round[i], wall, figure);
    return spread_find(value, o->rounds);
}

/* Ratios of each plain run to the one before. */
static struct spread rounds_control(const struct overhead *o, bool wall)
{
    double value[ROUNDS_MOST];
    for (size_t i = 1; i < o->rounds; i++)
        value[i - 1] =
            round_figure(&o->round[i], wall, FIGURE_PLAIN) / round_figure(&o->round[i - 1], wall, FIGURE_PLAIN);
    return spread_find(value, o->rounds - 1);
}

static struct spread rounds_ratio(const struct overhead *o, bool wall)
{
    double value[ROUNDS_MOST];
    for (size_t i = 0; i < o->rounds; i++)
        value[i] = log(round_figure(&o->round[i], wall, FIGURE_RATIO));
    struct spread s = spread_find_even(value, o->rounds, o->mean);
    return (struct spread){ .median = exp(s.median), .low = exp(s.low), .high = exp(s.high) };
}

/* Enough rounds, and with --within an interval that is narrow enough. */
static bool rounds_suffice(const struct overhead *o)
{
    if (o->rounds < o->rounds_least || o->rounds == ROUNDS_MOST || isnan(o->within_percent))
        return o->rounds >= o->rounds_least;
    struct spread s = rounds_ratio(o, false);
    return 100 * (s.high - s.low) <= o->within_percent;
}

static int rounds_run(struct overhead *o, const char *setting)
{
    struct trial_result warm;
    struct stat size;
    if (run_once(o, PLAIN, 0, setting, &warm) || trial_ended)
        return DIAG_WRONG;
    o->first_status = warm.status;
    if (!fstat(o->first_output, &size))
        o->output_bytes = size.st_size;
    if (run_once(o, PROFILED, 0, setting, &warm))
        return DIAG_WRONG;
    int status = 0;
    progress_begin("running rounds", WAYS * o->rounds_least);
    while (!rounds_suffice(o) && !trial_ended && !status) {
        size_t i = o->rounds;
        struct round *round = &o->round[i];
        for (size_t turn = 0; turn < WAYS && !trial_ended && !status; turn++) {
            enum way way = i % 2 ? WAYS - 1 - turn : turn;
            progress_step(WAYS * i + turn);
            status = run_once(o, way, i + 1, setting, &round->run[way]);
            round->status_differs[way] = round->run[way].status != o->first_status;
            round->output_differs[way] = files_differ(o->first_output, o->output) != 0;
        }
        o->rounds += !status;
    }
    progress_end();
    return status ? DIAG_WRONG : 0;
}

/* ---- the profiler's own estimate ---- */

static void line_drop(void *context, const char *line) {}

/* The estimate for one round, over all files that its processes left. */
static void reported_find(struct overhead *o, size_t i)
{
    char folder[64];
    double least_ns = 0, most_ns = 0;
    struct model_run sum = { 0 };
    snprintf(folder, sizeof folder, "%s/%zu", o->folder, i + 1);
    DIR *stream = opendir(folder);
    diag_redirect(line_drop, NULL);
    for (struct dirent *entry; stream && (entry = readdir(stream));) {
        char path[sizeof folder + sizeof entry->d_name + 1];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        struct model *model = entry->d_name[0] == '.' ? NULL : model_open(path);
        if (!model)
            continue;
        least_ns += model->run.cost_unknown && !model->run.cost_is_wide ? NAN : (double)model->run.self_ns;
        most_ns += (double)model->run.self_most_ns;
        sum.before_ns += model->run.before_ns;
        sum.user_ns += model->run.user_ns + model->run.system_ns;
        o->budget_percent = model->run.budget_permille / 10.0;
        model_free(model);
    }
    diag_redirect(NULL, NULL);
    if (stream)
        closedir(stream);
    bool known = sum.user_ns && !isnan(least_ns) && !account_is_wide(&sum, least_ns, most_ns);
    o->round[i].reported[LEAST] = known ? run_overhead_percent(&sum, least_ns) / 100 : NAN;
    o->round[i].reported[MOST] = known ? run_overhead_percent(&sum, most_ns) / 100 : NAN;
}

static double reported_percent(const struct round *round)
{
    return 50 * (round->reported[LEAST] + round->reported[MOST]);
}

/* Rounds whose runs do not know it are left out. If that is most of them, there is no estimate. */
static void reported_judge(struct overhead *o)
{
    double middle[ROUNDS_MOST], least[ROUNDS_MOST], most[ROUNDS_MOST];
    size_t n = 0;
    for (size_t i = 0; i < o->rounds; i++)
        if (!isnan(o->round[i].reported[LEAST])) {
            middle[n] = reported_percent(&o->round[i]);
            least[n] = o->round[i].reported[LEAST];
            most[n++] = o->round[i].reported[MOST];
        }
    bool known = 2 * n > o->rounds;
    struct spread none = { NAN, NAN, NAN };
    o->reported_middle = known ? spread_find(middle, n) : none;
    o->reported[LEAST] = known ? spread_find(least, n) : none;
    o->reported[MOST] = known ? spread_find(most, n) : none;
}

static void rounds_judge(struct overhead *o)
{
    size_t differs = 0;
    o->rank = spread_rank_even(o->rounds, &o->confidence);
    reported_judge(o);
    for (int wall = 0; wall < 2; wall++) {
        o->ratio[wall] = rounds_ratio(o, wall);
        o->control[wall] = rounds_control(o, wall);
        o->plain_ns[wall] = rounds_spread(o, wall, FIGURE_PLAIN).median;
        o->profiled_ns[wall] = rounds_spread(o, wall, FIGURE_PROFILED).median;
    }
    for (size_t i = 0; i < o->rounds; i++)
        differs += o->round[i].status_differs[PLAIN] || o->round[i].output_differs[PLAIN];
    if (differs)
        note_add(o,
                 "%zu of %zu plain runs differ from the first by themselves, "
                 "in exit status or standard output",
                 differs, o->rounds);
    if (!isnan(o->within_percent) && 100 * (o->ratio[0].high - o->ratio[0].low) > o->within_percent)
        note_add(o,
                 "after %d rounds the interval of the CPU time's overhead is still wider than the %g "
                 "points that --within asks for",
                 ROUNDS_MOST, o->within_percent);
    if (o->ratio[0].low - 1 > o->reported[MOST].high)
        note_add(o, "the overhead is above the profiler's own estimate, which does not see cache misses, "
                    "delays between threads, and what libraries do for the profiler");
    if (o->control[0].low > 1 || o->control[0].high < 1)
        note_add(o, "the control is not 1: the machine changed during the measurement, "
                    "so the ratio may be off by as much");
    if (o->plain_ns[0] < 100e6)
        note_add(o,
                 "a run takes only %.3g ms of CPU time, "
                 "so the profiler's start weighs more than in a longer run",
                 o->plain_ns[0] / 1e6);
}

static const char *status_text(char *to, size_t size, int status)
{
    if (WIFSIGNALED(status))
        snprintf(to, size, "signal %d", WTERMSIG(status));
    else
        snprintf(to, size, "exit %d", WEXITSTATUS(status));
    return to;
}

static size_t count_differing(const struct overhead *o, bool output)
{
    size_t count = 0;
    for (size_t i = 0; i < o->rounds; i++)
        count += output ? o->round[i].output_differs[PROFILED] : o->round[i].status_differs[PROFILED];
    return count;
}

/* ---- output ---- */

static void text_print(FILE *out, const struct overhead *o)
{
    char one[FIGURE_BYTES], two[FIGURE_BYTES], end[32];
    const char *control = o->plain ? "plain" : "off";
    for (char **word = o->argv; *word; word++) {
        quote_print(out, *word);
        fputc(' ', out);
    }
    fprintf(out, "  %zu rounds of %s and profiled in turn\n", o->rounds, control);
    fprintf(out, "%-6s %10s %10s %7s  %-16s  %s\n", "", control, "profiled", "ratio", "interval",
            "control (plain to plain)");
    for (int wall = 0; wall < 2; wall++) {
        struct spread r = o->ratio[wall], c = o->control[wall];
        char interval[48];
        snprintf(interval, sizeof interval, "%.3f to %.3f", r.low, r.high);
        fprintf(out, "%-6s %10s %10s %7.3f  %-16s  %.3f, %.3f to %.3f\n", wall ? "wall" : "cpu",
                figure_time(one, o->plain_ns[wall]), figure_time(two, o->profiled_ns[wall]), r.median, interval,
                c.median, c.low, c.high);
    }
    fprintf(out, "overhead: %.1f %% of CPU time (%.1f to %.1f), %.1f %% of wall time (%.1f to %.1f)\n",
            100 * (o->ratio[0].median - 1), 100 * (o->ratio[0].low - 1), 100 * (o->ratio[0].high - 1),
            100 * (o->ratio[1].median - 1), 100 * (o->ratio[1].low - 1), 100 * (o->ratio[1].high - 1));
    if (isnan(o->reported[LEAST].median))
        fputs("the profiler's own estimate: not measured\n", out);
    else
        fprintf(out, "the profiler's own estimate: %.1f %% of CPU time (%.1f to %.1f; budget %.1f %%)\n",
                o->reported_middle.median, 100 * o->reported[LEAST].median, 100 * o->reported[MOST].median,
                o->budget_percent);
    fprintf(out,
            "interval: signed-rank test on the rounds' ratios, "
            "from number %zu from below to number %zu from above of %zu means of two, "
            "%.1f %% confidence\n",
            o->rank, o->rank, o->rounds * (o->rounds + 1) / 2, o->confidence);
    size_t status = count_differing(o, false), output = count_differing(o, true);
    if (status)
        fprintf(out, "exit status: DIFFERENT in %zu of %zu profiled runs; plain %s\n", status, o->rounds,
                status_text(end, sizeof end, o->first_status));
    if (output)
        fprintf(out, "standard output: DIFFERENT in %zu of %zu profiled runs\n", output, o->rounds);
    if (!status && !output)
        fprintf(out, "exit status and standard output: the same (%s, %s)\n",
                status_text(end, sizeof end, o->first_status), figure_size(one, (double)o->output_bytes));
    for (size_t i = 0; i < o->note_count; i++) {
        fputs("note: ", out);
        quote_print(out, o->note[i]);
        fputc('\n', out);
    }
    if (!isnan(o->max_percent))
        fprintf(out, "--max %g: %s\n", o->max_percent,
                100 * (o->ratio[0].low - 1) > o->max_percent ? "the interval's lower end is above it"
                                                             : "not shown to be above it");
}

static void spread_print(FILE *out, const char *begin, struct spread s, int decimals)
{
    fprintf(out, "%s{\"median\": %.*f, \"low\": %.*f, \"high\": %.*f}", begin, decimals, s.median, decimals, s.low,
            decimals, s.high);
}

static void json_print(FILE *out, const struct overhead *o)
{
    fputs("{\"schema\": \"profplug-overhead/1\", \"program\": ", out);
    quote_json(out, o->argv[0]);
    fputs(", \"args\": [", out);
    for (char **word = o->argv; *word; word++) {
        fputs(word == o->argv ? "" : ", ", out);
        quote_json(out, *word);
    }
    fputs("], \"plain\": ", out);
    quote_json(out, o->plain ? o->plain : o->argv[0]);
    fprintf(out,
            ", \"baseline\": \"%s\",\n \"rounds\": %zu, "
            "\"interval\": {\"method\": \"signed-rank test\", \"rank\": %zu, "
            "\"confidence_percent\": %.4f},\n",
            o->plain ? "plain" : "off", o->rounds, o->rank, o->confidence);
    for (int wall = 0; wall < 2; wall++) {
        fprintf(out, " \"%s\": {", wall ? "wall" : "cpu");
        spread_print(out, "\"ratio\": ", o->ratio[wall], 6);
        spread_print(out, ", \"control\": ", o->control[wall], 6);
        fprintf(out, ", \"plain_ns\": %.0f, \"profiled_ns\": %.0f},\n", o->plain_ns[wall], o->profiled_ns[wall]);
    }
    if (!isnan(o->reported_middle.median)) {
        spread_print(out, " \"reported_percent\": ", o->reported_middle, 4);
        spread_print(out, ", \"reported_least\": ", o->reported[LEAST], 6);
        spread_print(out, ", \"reported_most\": ", o->reported[MOST], 6);
        fprintf(out, ", \"budget_percent\": %.1f,\n", o->budget_percent);
    }
    if (!isnan(o->within_percent))
        fprintf(out, " \"within_percent\": %g,\n", o->within_percent);
    fprintf(out, " \"same_status\": %s, \"same_output\": %s, \"output_bytes\": %jd, \"input\": \"%s\",\n",
            count_differing(o, false) ? "false" : "true", count_differing(o, true) ? "false" : "true",
            (intmax_t)o->output_bytes, o->input);
    if (!isnan(o->max_percent))
        fprintf(out, " \"max_percent\": %g, \"above_max\": %s,\n", o->max_percent,
                100 * (o->ratio[0].low - 1) > o->max_percent ? "true" : "false");
    fputs(" \"notes\": [", out);
    for (size_t i = 0; i < o->note_count; i++)
        fputs(i ? ", " : "", out), quote_prose(out, o->note[i]);
    fputs("],\n \"runs\": [", out);
    for (size_t i = 0; i < o->rounds; i++)
        for (size_t turn = 0; turn < WAYS; turn++) {
            enum way way = i % 2 ? WAYS - 1 - turn : turn;
            const struct trial_result *run = &o->round[i].run[way];
            fprintf(out,
                    "%s\n  {\"round\": %zu, \"way\": \"%s\", \"cpu_ns\": %" PRIu64 ", \"wall_ns\": %" PRIu64
                    ", \"%s\": %d, \"same_output\": %s",
                    i || turn ? "," : "", i + 1, way_names[way], run->cpu_ns, run->wall_ns,
                    WIFSIGNALED(run->status) ? "signal" : "exit_status",
                    WIFSIGNALED(run->status) ? WTERMSIG(run->status) : WEXITSTATUS(run->status),
                    o->round[i].output_differs[way] ? "false" : "true");
            if (way == PROFILED && !isnan(o->round[i].reported[LEAST]))
                fprintf(out, ", \"reported_percent\": %.4f", reported_percent(&o->round[i]));
            fputc('}', out);
        }
    fputs("\n]}\n", out);
}

static int result_print(const struct overhead *o)
{
    FILE *out = output_open(o->path);
    if (!out)
        return DIAG_WRONG;
    (*o->format == 'j' ? json_print : text_print)(out, o);
    bool above = !isnan(o->max_percent) && 100 * (o->ratio[0].low - 1) > o->max_percent;
    return output_end(out, above ? DIAG_FOUND : DIAG_DONE);
}

/* ---- the verb ---- */

static int entry_remove(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    remove(path);
    return 0;
}

static int overhead_measure(struct overhead *o, const char *setting)
{
    char path[2][64];
    snprintf(path[0], sizeof path[0], "%s/first", o->folder);
    snprintf(path[1], sizeof path[1], "%s/output", o->folder);
    o->first_output = open(path[0], O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    o->output = open(path[1], O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    size_t most = isnan(o->within_percent) ? o->rounds_least : ROUNDS_MOST;
    o->round = calloc(most, sizeof *o->round);
    o->mean = calloc(most * (most + 1) / 2, sizeof *o->mean);
    int status = o->first_output < 0 || o->output < 0 || !o->round || !o->mean
                     ? diag_error(o->folder, "%s; expected room for the output of a run", strerror(errno))
                     : rounds_run(o, setting);
    if (!status && !trial_ended) {
        for (size_t i = 0; i < o->rounds; i++)
            reported_find(o, i);
        rounds_judge(o);
        status = result_print(o);
    }
    free(o->round);
    free(o->mean);
    return status;
}

int command_overhead(int argc, char **argv)
{
    static struct overhead o = { .format = "text",
                                 .max_percent = NAN,
                                 .within_percent = NAN,
                                 .rounds_least = ROUNDS,
                                 .folder = "profplug-overhead-XXXXXX" };
    struct flags flags;
    flags_begin(&flags, "overhead", argc, argv, true);
    for (enum flag_id id; (id = flags_next(&flags)) != FLAG_END;)
        if (option_take(&o, id, &flags))
            return DIAG_WRONG;
    if (flags.next >= argc)
        return diag_error("overhead",
                          "no program given; expected profplug overhead [OPTIONS] [--] PROGRAM [ARGUMENTS]");
    o.argv = argv + flags.next;
    char *setting = setting_make();
    if (!setting)
        return DIAG_WRONG;
    input_find(&o);
    trial_begin();
    int status = mkdtemp(o.folder)
                     ? overhead_measure(&o, setting)
                     : diag_error(".", "%s; expected a folder to write the data of the runs to", strerror(errno));
    nftw(o.folder, entry_remove, 8, FTW_DEPTH | FTW_PHYS);
    free(setting);
    if (trial_ended) { /* end by the signal, now that nothing is left behind */
        signal(trial_ended, SIG_DFL);
        raise(trial_ended);
    }
    return status;
}
