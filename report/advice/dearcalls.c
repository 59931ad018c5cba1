/* SPDX-License-Identifier: MIT */
/* dearcalls.c: library functions that do far more than their callers need of them, in each step: the kernel's clocks,
 * types of objects by their names, letters by the locale, locks of files. One call takes so little that much time in
 * them means many. */
#include <string.h>

#include "advice/library.h"

#define LEAST_SHARE 0.08 /* of the CPU time, at lines of one function */
#define FEWEST_LOCKS 1000
#define FEWEST_SAMPLES 5

static const struct dear {
    enum library kind;
    double least, most; /* the part of that time that goes */
    const char *predicate, *why, *action, *before, *after;
} dear[] = {
    { LIBRARY_CLOCK, 0.8, 1.15, "asks the clock again and again",
      "The clocks of CPU time enter the kernel; others take 20 to 50 ns.",
      "take the time once for many pieces, as for a batch or a block, or for one piece in a hundred; CLOCK_MONOTONIC "
      "does not enter the kernel, clock() and the clocks of CPU time do",
      "for (i = 0; i < n; i++) { start = now(); use(i); spent += now() - start; }",
      "start = now();\nfor (i = 0; i < n; i++) use(i);\nspent = now() - start;" },
    { LIBRARY_CAST, 0.55, 1.1, "asks for the type of an object in each step",
      "Each goes through the tables of the classes, and compares them.",
      "let a virtual function do what the type asks for, or keep a number for the type in the base class and switch on "
      "it; where the same objects are gone through often, ask once and keep the pointers",
      "if (auto *c = dynamic_cast<circle *>(s)) area += c->r * c->r * 3.14f;",
      "area += s->area();    // virtual: circle::area() returns r * r * 3.14f" },
    { LIBRARY_LETTER, 0.5, 1.15, "asks the locale about each letter",
      "Each looks up the locale and goes through its tables.",
      "take bytes below 128 from a table of 128 entries, which is made once, and call these only for other letters; or "
      "decode UTF-8 by a few lines of your own",
      "used = mbrtowc(&w, p, n, &state);\nuse(towlower(w));",
      "if ((unsigned char)*p < 128) { use(lower[(unsigned char)*p]); used = 1; }\n"
      "else { used = mbrtowc(&w, p, n, &state); use(towlower(w)); }" },
    { LIBRARY_FILELOCK, 0.8, 1.6, "locks the file for each little piece",
      "Each enters the kernel, to take the lock or to give it back.",
      "take the lock once for many records: collect them, then lock, write all, and unlock; records that are appended "
      "by one write each (O_APPEND) need no lock at all",
      "for (i = 0; i < n; i++) { flock(fd, LOCK_EX); put(&r[i]); flock(fd, LOCK_UN); }",
      "flock(fd, LOCK_EX);\nfor (i = 0; i < n; i++) put(&r[i]);\nflock(fd, LOCK_UN);" },
};

/* fcntl does much else: how often lines of the function lock files. Adds how long they waited: for
 * others that have the lock, of which nothing is known, or for a CPU. */
static double locks_of(const struct advice *a, uint32_t function, double *wait_ns)
{
    double calls = 0;
    for (size_t i = 0; i < a->use_count; i++)
        if (a->use[i].kind == PP_OPERATION_FILE_LOCK && a->model->line[a->use[i].line].function == function) {
            calls += (double)a->use[i].sum.calls;
            *wait_ns += (double)a->use[i].sum.wait_ns;
        }
    return calls;
}

static void dear_tell(struct advice *a, const struct dear *d)
{
    struct library_use use = library_use(a, d->kind);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        uint32_t function = a->model->line[at->line].function;
        uint64_t samples = 0;
        double ns = library_function_ns(a, &use, function, false, &samples), locks = 0, wait = 0;
        if (library_share(a, ns) < LEAST_SHARE || !library_is_first(a, &use, i) ||
            (d->kind == LIBRARY_FILELOCK && (locks = locks_of(a, function, &wait)) < FEWEST_LOCKS))
            continue;
        double low, high;
        library_gain(a, at->line, ns, samples, d->least, d->most, &low, &high);
        if (samples < FEWEST_SAMPLES)
            continue;
        struct model_advice *to = advice_add(a, ADVICE_dearcalls, at->line, low, high + wait, SAVING_MEASURED);
        char time[FIGURE_BYTES], count[FIGURE_BYTES];
        if (!to)
            continue;
        advice_title(a, to, advice_subject(a, at->line), d->predicate);
        to->evidence = arena_print(
            &a->model->arena, "Calls of %s took %s here, %.0f %% of the CPU time%s. %s", at->name,
            figure_time(time, ns), 100 * library_share(a, ns),
            locks > 0 ? arena_print(&a->model->arena, ", for %s locks", figure_count(count, locks)) : "", d->why);
        advice_figure(to, "cpu_ns", ns);
        advice_figure(to, "cpu_percent", 100 * library_share(a, ns));
        advice_figure(to, "samples", (double)samples);
        to->action = d->action;
        to->before = d->before;
        to->after = d->after;
    }
}

void advice_dearcalls(struct advice *a)
{
    for (size_t i = 0; i < sizeof dear / sizeof *dear; i++)
        dear_tell(a, &dear[i]);
}
