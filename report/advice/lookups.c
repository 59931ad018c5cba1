/* SPDX-License-Identifier: MIT */
/* lookups.c: the kernel is asked again and again whether files are there, by their names. Who opens a file at once is
 * told the same by the error, and what was found by a name can be kept. A program that walks through folders asks for
 * each name once, but readdir has already told it which names are folders. */
#include "advice/library.h"

#include <string.h>

#define LEAST_SHARE 0.1 /* of the CPU time, at lines of one function, the kernel's part included */
#define LEAST_PART 0.7
#define MOST_PART 1.15 /* the names are not put together, either */
#define LEAST_WALKED 0.25 /* with fstatat below an open folder */
#define LEAST_READ 0.1    /* of the time of questions: so much that reads folders walks through them */
#define LEAST_OTHER 0.01  /* of the questions: other calls on names, as where folders are opened and read */
#define FEW_MISSING 0.1   /* of the questions: names that are there, as those that readdir gave are */

static bool reads_folders(const struct advice *a, uint32_t function)
{
    struct library_use use = library_use(a, LIBRARY_FOLDER);
    for (size_t i = 0; i < use.count; i++)
        if (a->model->line[use.line[i].line].function == function)
            return true;
    return false;
}

/* Whether it asks about files that are there, by the lines of one function. *asked_for: how often. */
static bool asks_of_present(const struct advice *a, const struct library_use *use, uint32_t function, double *asked_for)
{
    double calls = 0, missing = 0;
    for (size_t i = 0; i < use->count; i++) {
        if (a->model->line[use->line[i].line].function != function)
            continue;
        const struct advice_use *asked = advice_use(a, use->line[i].line, PP_OPERATION_FILE);
        calls += (double)asked->sum.calls;
        missing += (double)asked->sum.errors;
    }
    *asked_for = calls;
    return calls > 0 && missing <= FEW_MISSING * calls;
}

/* Whether the program reads folders, too: by samples, or, where it asks below open folders, by its calls, which are
 * counted: there are few samples in readdir. */
static bool goes_through(const struct advice *a, const struct library_use *use, const struct library_line *at,
                         double folders_ns, double ns, double asked)
{
    double others = 0;
    for (size_t i = 0; i < a->use_count; i++) {
        bool asks = a->use[i].kind != PP_OPERATION_FILE;
        for (size_t k = 0; k < use->count && !asks; k++)
            asks = use->line[k].line == a->use[i].line;
        others += asks ? 0 : (double)a->use[i].sum.calls;
    }
    return folders_ns >= LEAST_READ * ns || (strncmp(at->name, "fstatat", 7) == 0 && others >= LEAST_OTHER * asked);
}

void advice_lookups(struct advice *a)
{
    struct library_use use = library_use(a, LIBRARY_LOOK), folders = library_use(a, LIBRARY_FOLDER);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        uint64_t samples = 0;
        uint32_t function = a->model->line[at->line].function;
        double ns = library_function_ns(a, &use, function, false, &samples);
        if (library_share(a, ns) < LEAST_SHARE || !library_is_first(a, &use, i))
            continue;
        bool walks = reads_folders(a, function);
        double asked = 0;
        /* One function reads the folders, another asks about what is in them: what a walk needs, it asks once. */
        if (!walks && asks_of_present(a, &use, function, &asked) &&
            goes_through(a, &use, at, folders.ns, ns, asked))
            continue;
        struct model_advice *to =
            library_advise(a, ADVICE_lookups, at, ns, samples, walks ? LEAST_WALKED : LEAST_PART, MOST_PART);
        char time[FIGURE_BYTES];
        if (to)
            to->evidence = arena_print(&a->model->arena,
                                       "%s took %s here, %.0f %% of the CPU time, most of it in the kernel, which goes "
                                       "through the folders of each path.",
                                       at->name, figure_time(time, ns), 100 * library_share(a, ns));
        if (to && walks) {
            advice_title(a, to, advice_subject(a, at->line), "asks by its whole path for each name that readdir gives");
            to->action = "where only folders must be told from files, take d_type from readdir and do not ask; else "
                         "fstatat(dirfd(folder), entry->d_name, ...), which need not go through the path";
            to->before = "snprintf(path, sizeof path, \"%s/%s\", top, entry->d_name);\nif (!lstat(path, &st) && "
                                 "S_ISDIR(st.st_mode)) walk(path);";
            to->after = "if (entry->d_type == DT_DIR)\n    walk(openat(dirfd(folder), entry->d_name, O_RDONLY));";
        }
    }
}
