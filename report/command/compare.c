/* SPDX-License-Identifier: MIT */
/* compare.c: `profplug compare`: runs two builds of a program in turn and compares what they left, and makes more runs
 * until these show as small a change as was asked for. trial.c makes the runs; the rest is diff's. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/command.h"
#include "command/diff.h"
#include "host/runfile.h"
#include "host/trial.h"
#include "load.h"
#include "words/diag.h"
#include "words/progress.h"

/* More samples than by default: both programs pay for them alike, and a change is found by them (decisions/difference).
 */
#define SAMPLED "budget=25,sample-hz=10000"
#define UNTIL 0.1 /* how much more of a function with a tenth of the CPU time is to be seen */
enum { RUNS = 5, RUNS_MOST = 1000, RUNS_BY_ITSELF = 20, RUNS_UNTIL = 100, NAME_BYTES = 4200 };
static const char *const arm_names[] = { "old", "new" };

struct comparison {
    struct diff_request request;
    size_t runs; /* 0: not given */
    double until; /* 0: not given */
    const char *keep;
    char **argv[ARMS];
    char *folder, *store; /* for the data of a run, and where they lie until they are compared */
    int output;
    bool input_again;
    off_t input_start;
    int status[ARMS]; /* of the first run */
};

static int option_take(struct comparison *c, enum flag_id id, const struct flags *flags)
{
    const char *value = flags->value;
    char *end;
    double number;
    switch (id) {
    case FLAG_COMPARE_FORMAT: return diff_format_take(&c->request, value);
    case FLAG_COMPARE_OUTPUT: c->request.output = value; return trial_output_check(value);
    case FLAG_COMPARE_TOP: return diff_top_take(&c->request, value);
    case FLAG_COMPARE_LEAST: return diff_limit_take(&c->request, value);
    case FLAG_COMPARE_KEEP: c->keep = value; return 0;
    case FLAG_COMPARE_RUNS:
        number = strtod(value, &end);
        if (!*value || *end || !(number >= 2 && number <= RUNS_MOST) || number != floor(number))
            return diag_error("--runs", "'%s' is not a number of runs; expected a number from 2 to %d", value,
                              RUNS_MOST);
        c->runs = (size_t)number;
        return 0;
    case FLAG_COMPARE_UNTIL:
        number = strtod(value, &end);
        if (!*value || *end || !(number >= 1 && number <= 100))
            return diag_error("--until", "'%s' is not a change; expected a percentage from 1 to 100", value);
        c->until = number / 100;
        return 0;
    default: return flags_refuse(flags, id);
    }
}

static void line_drop(void *context, const char *line) {}

/* The data file of the run: that of the process that started the others. The caller frees it; NULL: there is none. */
static char *file_find(const char *folder)
{
    diag_redirect(line_drop, NULL);
    char *path = load_newest_name(folder);
    diag_redirect(NULL, NULL);
    return path;
}

static void folder_empty(const char *folder)
{
    DIR *stream = opendir(folder);
    for (struct dirent *e; stream && (e = readdir(stream));)
        if (e->d_name[0] != '.')
            unlinkat(dirfd(stream), e->d_name, 0);
    if (stream)
        closedir(stream);
}

static void name_make(const struct comparison *c, enum difference_arm arm, size_t number, char *name, size_t room)
{
    snprintf(name, room, "%.4000s/%s-%zu.profplug", c->store, arm_names[arm], number);
}

/* One run; number 0 warms the caches. Returns 0, or DIAG_WRONG after one line. */
static int run_once(struct comparison *c, enum difference_arm arm, size_t number)
{
    const char *now = getenv("PROFPLUG");
    char kept[NAME_BYTES], *setting, *path;
    struct trial_result result = { 0 };
    if (asprintf(&setting, SAMPLED "%s%s,output=%s/%%p.profplug", now && *now ? "," : "", now ? now : "", c->folder) <
        0)
        return diag_error("compare", "out of memory");
    struct trial trial = { .file = c->argv[arm][0],
                           .argv = c->argv[arm],
                           .setting = setting,
                           .input_again = c->input_again,
                           .input_start = c->input_start,
                           .output = c->output,
                           .speaks = !number };
    folder_empty(c->folder);
    int status = trial_run(&trial, &result);
    free(setting);
    if (status || trial_ended)
        return DIAG_WRONG;
    if (!number)
        c->status[arm] = result.status;
    if (result.status != c->status[arm])
        return diag_error(c->argv[arm][0], "run %zu ended otherwise than the first one; expected runs that do the same",
                          number);
    path = file_find(c->folder);
    if (!path)
        return runfile_refuse(c->argv[arm][0], c->folder, "an instrumented program");
    name_make(c, arm, number, kept, sizeof kept);
    status =
        number && rename(path, kept) ? diag_error(kept, "%s; expected room for the data file", strerror(errno)) : 0;
    free(path);
    return status;
}

/* Runs until there are so many of each. */
static int runs_make(struct comparison *c, size_t made, size_t wanted)
{
    int status = 0;
    progress_begin("running both programs", ARMS * (wanted - made));
    for (size_t i = made; i < wanted && !status && !trial_ended; i++)
        for (int turn = 0; turn < ARMS && !status && !trial_ended; turn++) {
            progress_step(ARMS * (i - made) + (size_t)turn);
            status = run_once(c, (enum difference_arm)(i % 2 ? ARMS - 1 - turn : turn), i + 1);
        }
    progress_end();
    return status || trial_ended ? DIAG_WRONG : 0;
}

/* All runs, judged. NULL after one line. */
static struct difference *runs_compare(const struct comparison *c, size_t runs)
{
    struct difference *d = difference_open();
    char name[NAME_BYTES];
    int status = 0;
    progress_begin("reading runs", ARMS * runs);
    for (size_t i = 0; i < ARMS * runs && !status; i++) {
        enum difference_arm arm = i % ARMS ? ARM_NEW : ARM_OLD;
        progress_step(i);
        name_make(c, arm, i / ARMS + 1, name, sizeof name);
        status = diff_add(d, arm, name, NULL);
    }
    progress_end();
    if (status) {
        difference_free(d);
        return NULL;
    }
    difference_judge(d, &c->request.limits);
    return d;
}

/* How many runs there shall be: as many as there are, or so many more that what is asked for can be seen. */
static size_t runs_wanted(const struct comparison *c, const struct difference *d, size_t runs)
{
    double until = c->until > 0 ? c->until : UNTIL, needed = difference_runs_for(d, until);
    size_t most = c->until > 0 ? RUNS_UNTIL : c->runs ? c->runs : RUNS_BY_ITSELF;
    if (runs >= most || d->seen_least <= 1 + until || !(needed > 0) || isinf(needed))
        return runs;
    needed = fmin(fmax(needed, (double)runs + 1), fmin((double)most, 2 * (double)runs));
    return (size_t)needed;
}

/* Whether to go on is decided by errors alone, never by what seems to have changed: so verdicts are as likely wrong as
 * with a number of runs that is given. Data files stay until all is judged, because the next round reads them again. */
static struct difference *rounds_make(struct comparison *c)
{
    size_t made = 0, wanted = c->runs ? c->runs : RUNS;
    struct difference *d = NULL;
    if (run_once(c, ARM_OLD, 0) || run_once(c, ARM_NEW, 0))
        return NULL;
    while (wanted > made) {
        difference_free(d);
        d = runs_make(c, made, wanted) ? NULL : runs_compare(c, wanted);
        if (!d)
            return NULL;
        made = wanted;
        wanted = runs_wanted(c, d, made);
    }
    return d;
}

/* Words of the command: A ARGUMENTS, and B ARGUMENTS. */
static char **words_make(char *program, char **argument, int count)
{
    char **words = memory_zeroed((size_t)count + 2, sizeof *words);
    words[0] = program;
    for (int i = 0; i < count; i++)
        words[i + 1] = argument[i];
    return words;
}

/* A folder for the data of a run at a time: where they are kept, so that they can be moved, or a temporary one. */
static int folders_make(struct comparison *c)
{
    const char *temporary = getenv("TMPDIR");
    if (c->keep && mkdir(c->keep, 0777) && errno != EEXIST)
        return diag_error(c->keep, "%s; expected a folder, or room for one", strerror(errno));
    const char *outer = c->keep ? c->keep : temporary && *temporary ? temporary : "/tmp";
    if (asprintf(&c->folder, "%s/profplug-XXXXXX", outer) < 0)
        return diag_error("compare", "out of memory");
    if (!mkdtemp(c->folder))
        return diag_error(c->folder, "%s; expected room for the data of runs", strerror(errno));
    if (asprintf(&c->store, "%s%s", c->keep ? c->keep : c->folder, c->keep ? "" : "-runs") < 0)
        return diag_error("compare", "out of memory");
    if (!c->keep && mkdir(c->store, 0700))
        return diag_error(c->store, "%s; expected room for the data of runs", strerror(errno));
    return 0;
}

static void folders_remove(struct comparison *c)
{
    folder_empty(c->folder);
    rmdir(c->folder);
    if (!c->keep) {
        folder_empty(c->store);
        rmdir(c->store);
    }
    free(c->folder);
    free(c->store);
}

static int comparison_run(struct comparison *c)
{
    struct stat input;
    c->input_again = !fstat(0, &input) && S_ISREG(input.st_mode) && (c->input_start = lseek(0, 0, SEEK_CUR)) >= 0;
    c->output = memfd_create("output", MFD_CLOEXEC); /* emptied before each run */
    if (c->output < 0 || folders_make(c))
        return c->output < 0 ? diag_error("compare", "%s; expected room for the program's output", strerror(errno))
                             : DIAG_WRONG;
    trial_begin();
    struct difference *d = rounds_make(c);
    int status = d ? diff_print(&c->request, d) : DIAG_WRONG;
    difference_free(d);
    folders_remove(c);
    close(c->output);
    return trial_ended ? 128 + trial_ended : status;
}

int command_compare(int argc, char **argv)
{
    struct comparison c = { .request = diff_begin() };
    struct flags flags;
    flags_begin(&flags, "compare", argc, argv, true);
    for (enum flag_id id; (id = flags_next(&flags)) != FLAG_END;)
        if (option_take(&c, id, &flags))
            return DIAG_WRONG;
    if (argc - flags.next < 2)
        return diag_error("compare", "%s; expected A B, two builds of a program",
                          argc > flags.next ? "only one program" : "nothing to compare");
    struct flags more; /* options may stand behind the programs, up to their arguments */
    int last = flags.next + 1;
    flags_begin(&more, "compare", argc - last, argv + last, true);
    for (enum flag_id id; (id = flags_next(&more)) != FLAG_END;)
        if (option_take(&c, id, &more))
            return DIAG_WRONG;
    int first = last + more.next;
    if (first < argc && strcmp(argv[first - 1], "--") != 0)
        return diag_error(argv[first], "a third program; expected -- before the programs' arguments");
    for (int arm = 0; arm < ARMS; arm++)
        c.argv[arm] = words_make(argv[flags.next + arm], argv + first, argc - first);
    int status = comparison_run(&c);
    free(c.argv[ARM_OLD]);
    free(c.argv[ARM_NEW]);
    return status;
}
