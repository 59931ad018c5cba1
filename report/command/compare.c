/* SPDX-License-Identifier: MIT */
/* compare.c: `profplug compare`: runs two builds of a program in turn and compares what they left. trial.c makes the
 * runs; the rest is diff's. */
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
#include "host/options.h"
#include "host/runfile.h"
#include "host/trial.h"
#include "load.h"
#include "words/diag.h"
#include "words/progress.h"

/* More samples than by default: both programs pay for them alike, and a change is found by them (decisions/difference).
 */
#define SAMPLED "budget=10,sample-hz=5000"
enum { RUNS = 5, RUNS_MOST = 1000 };
static const char *const arm_names[] = { "old", "new" };

struct comparison {
    struct diff_request request;
    size_t runs;
    const char *keep;
    char **argv[ARMS];
    char *folder;
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
    case FLAG_COMPARE_OUTPUT: c->request.output = value; return 0;
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

/* One run; number 0 warms the caches. Returns 0, or DIAG_WRONG after one line. */
static int run_once(struct comparison *c, enum difference_arm arm, size_t number, struct difference *d)
{
    const char *now = getenv("PROFPLUG");
    char kept[4200], *setting, *path;
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
    if (!path) {
        struct options none = { 0 };
        char why[512];
        runfile_absence(c->argv[arm][0], &none, why, sizeof why);
        return diag_error(c->argv[arm][0], "no data file: %s; expected an instrumented program", why);
    }
    status = number ? diff_add(d, arm, path, NULL) : 0;
    if (!status && c->keep && number) {
        snprintf(kept, sizeof kept, "%.4000s/%s-%zu.profplug", c->keep, arm_names[arm], number);
        if (rename(path, kept))
            status = diag_error(kept, "%s; expected room for the data file", strerror(errno));
    }
    free(path);
    return status;
}

static int runs_make(struct comparison *c, struct difference *d)
{
    int status = run_once(c, ARM_OLD, 0, d);
    status = status ? status : run_once(c, ARM_NEW, 0, d);
    progress_begin("running both programs", ARMS * c->runs);
    for (size_t i = 0; i < c->runs && !status && !trial_ended; i++)
        for (int turn = 0; turn < ARMS && !status && !trial_ended; turn++) {
            progress_step(ARMS * i + (size_t)turn);
            status = run_once(c, (enum difference_arm)(i % 2 ? ARMS - 1 - turn : turn), i + 1, d);
        }
    progress_end();
    return status || trial_ended ? DIAG_WRONG : 0;
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
static int folder_make(struct comparison *c)
{
    const char *temporary = getenv("TMPDIR");
    if (c->keep && mkdir(c->keep, 0777) && errno != EEXIST)
        return diag_error(c->keep, "%s; expected a folder, or room for one", strerror(errno));
    const char *outer = c->keep ? c->keep : temporary && *temporary ? temporary : "/tmp";
    if (asprintf(&c->folder, "%s/profplug-XXXXXX", outer) < 0)
        return diag_error("compare", "out of memory");
    if (!mkdtemp(c->folder))
        return diag_error(c->folder, "%s; expected room for the data of runs", strerror(errno));
    return 0;
}

static int comparison_run(struct comparison *c)
{
    struct stat input;
    c->input_again = !fstat(0, &input) && S_ISREG(input.st_mode) && (c->input_start = lseek(0, 0, SEEK_CUR)) >= 0;
    c->output = memfd_create("output", MFD_CLOEXEC); /* emptied before each run */
    if (c->output < 0 || folder_make(c))
        return c->output < 0 ? diag_error("compare", "%s; expected room for the program's output", strerror(errno))
                             : DIAG_WRONG;
    struct difference *d = difference_open();
    trial_begin();
    int status = runs_make(c, d);
    status = status ? status : diff_print(&c->request, d);
    difference_free(d);
    folder_empty(c->folder);
    rmdir(c->folder);
    free(c->folder);
    close(c->output);
    return trial_ended ? 128 + trial_ended : status;
}

int command_compare(int argc, char **argv)
{
    struct comparison c = { .request = diff_begin(), .runs = RUNS };
    struct flags flags;
    flags_begin(&flags, "compare", argc, argv, true);
    for (enum flag_id id; (id = flags_next(&flags)) != FLAG_END;)
        if (option_take(&c, id, &flags))
            return DIAG_WRONG;
    if (argc - flags.next < 2)
        return diag_error("compare", "%s; expected A B, two builds of a program",
                          argc > flags.next ? "only one program" : "nothing to compare");
    int first = flags.next + 2;
    if (first < argc && strcmp(argv[first], "--") != 0)
        return diag_error(argv[first], "a third program; expected -- before the programs' arguments");
    first += first < argc;
    for (int arm = 0; arm < ARMS; arm++)
        c.argv[arm] = words_make(argv[flags.next + arm], argv + first, argc - first);
    int status = comparison_run(&c);
    free(c.argv[ARM_OLD]);
    free(c.argv[ARM_NEW]);
    return status;
}
