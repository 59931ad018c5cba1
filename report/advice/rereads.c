/* SPDX-License-Identifier: MIT */
/* rereads.c: a line that opens a file of which the same is read again each time. What was made of it the first time can
 * be kept, so that all passes but the first go, with what the function did with what it read. So with one that stays
 * open and is read from its start again. */
#include "advice/library.h"
#include "advice/passes.h"

#include <profplug/abi/further.h>

#include <math.h>
#include <string.h>

#define LEAST_OWN 0.3       /* of the time in calls: then the function that opens the file reads it, too */
#define LEAST_PASS_BYTES 64 /* less is a state that is looked at, not an input */

/* The time of all passes: of the function that opens the file, if it does so each time it is called. */
static double function_ns(const struct advice *a, const struct advice_use *use, const struct passes *p)
{
    uint32_t of = a->model->line[use->line].function;
    const struct model_function *f = of == MODEL_NONE ? NULL : &a->model->function[of];
    if (!f || (f->calls_known && (double)f->calls < 0.9 * p->opens) || p->opens < 0.5 * (double)f->calls)
        return 0;
    return passes_function_ns(a, use);
}

/* ---- a file that stays open, and is gone through from its start again ---- */

#define LEAST_REWINDS 3.0 /* for each open */
#define MOSTLY_KNOWN 0.33 /* of the function's time: less, and it does more than to read */

struct rewinds {
    struct advice_use use; /* of the reads, of files that are gone through again; its target has most of them */
    double passes, opens, pass_bytes;
};

/* To read it: who wrote it may have opened it once, too. */
static double opens_of(const struct model *model, uint32_t target)
{
    struct model_operations sum[PP_OPERATION_COUNT] = { 0 };
    operations_of_target(model, target, sum);
    bool is_written = sum[PP_OPERATION_WRITE].bytes > 0;
    return fmax(1, (double)sum[PP_OPERATION_OPEN].calls - is_written);
}

static bool rewinds_of(const struct advice *a, const struct advice_use *use, struct rewinds *r)
{
    const struct model *model = a->model;
    uint64_t most = 0;
    *r = (struct rewinds){ .use = *use };
    r->use.sum = (struct model_operations){ 0 };
    for (size_t i = 0; i < model->operation_count && operation_account(use->kind) == 1; i++) {
        const struct model_operation *o = &model->operation[i];
        if (o->line != use->line || o->kind != use->kind || o->target == MODEL_NONE ||
            model->target[o->target].kind != PP_TARGET_FILE || !strcmp(model->target[o->target].name, PP_FURTHER_FILES))
            continue;
        double opens = opens_of(model, o->target), calls = (double)o->sum.calls - (double)o->sum.errors;
        if (calls - (double)o->sum.sequential < LEAST_REWINDS * opens)
            continue;
        r->opens += opens;
        r->passes += opens + calls - (double)o->sum.sequential;
        operations_add(&r->use.sum, &o->sum);
        if (o->sum.calls > most) {
            most = o->sum.calls;
            r->use.target = o->target;
        }
    }
    r->pass_bytes = r->passes > 0 ? (double)r->use.sum.bytes / r->passes : 0;
    return r->passes > 0;
}

/* Whether the function reads, by lines that are known, and none of the files that are gone through again. */
static bool reads_others(const struct model *model, uint32_t function, const struct advice_use *use)
{
    bool reads = false;
    for (size_t i = 0; i < model->operation_count && function != MODEL_NONE; i++) {
        const struct model_operation *o = &model->operation[i];
        if (o->line == MODEL_NONE || operation_account(o->kind) != 1 || model->line[o->line].function != function)
            continue;
        if (o->target == MODEL_NONE || !strcmp(model->target[o->target].name, PP_FURTHER_FILES))
            return false;
        for (size_t k = 0; k < model->operation_count; k++)
            if (model->operation[k].line == use->line && model->operation[k].target == o->target)
                return false;
        reads = true;
    }
    return reads;
}

/* Whether what moves to another place is in a function that reads other files. */
static bool is_elsewhere(const struct model *model, const struct model_remark *moves, const struct advice_use *use)
{
    bool found = false;
    for (size_t i = 0; i < model->line_count; i++) {
        const struct model_line *line = &model->line[i];
        if (line->line != moves->line || strcmp(line->file, moves->file) != 0)
            continue;
        if (!reads_others(model, line->function, use))
            return false;
        found = true;
    }
    return found;
}

/* Whether the source moves to the start of files, as the compiler says, and nowhere else in these. */
static bool only_rewinds(const struct model *model, const struct advice_use *use)
{
    const char *file = model->line[use->line].file;
    bool found = false;
    for (size_t i = 0; i < model->remark_count; i++) {
        const struct model_remark *r = &model->remark[i];
        if ((r->kind != PP_REMARK_FIXED_PLACE && r->kind != PP_REMARK_OTHER_PLACE) || strcmp(r->file, file) != 0)
            continue;
        if (r->kind == PP_REMARK_OTHER_PLACE && is_elsewhere(model, r, use))
            continue;
        if (r->kind == PP_REMARK_OTHER_PLACE || r->value || !strncmp(r->detail, "pread", 5))
            return false;
        found = true;
    }
    return found;
}

/* CPU time in which the source turns text into numbers. */
static double parsing_ns(const struct advice *a, const char *file)
{
    struct library_use use = library_use(a, LIBRARY_PARSE);
    double ns = 0;
    for (size_t i = 0; i < use.count; i++)
        ns += strcmp(a->model->line[use.line[i].line].file, file) ? 0 : use.line[i].ns;
    return ns;
}

/* Whether the line asks zlib for what a packed file has. That library goes to no other place of it than its start: what
 * is asked for before the place where it is, it finds from there. */
static bool unpacks(const struct advice *a, uint32_t line)
{
    struct library_use use = library_use(a, LIBRARY_UNPACK);
    for (size_t i = 0; i < use.count; i++)
        if (use.line[i].line == line && strncmp(use.line[i].name, "gz", 2) == 0)
            return true;
    return false;
}

static void unpacked_tell(struct advice *a, struct model_advice *to)
{
    advice_title(a, to, advice_subject(a, to->line), "unpacks the same file again and again from its start");
    to->action = "unpack it once and keep what it has, or ask for the pieces in the order of the file; where single "
                 "pieces of a large file are wanted, pack blocks of them, each by itself, and keep where each begins";
    to->before = "for (i = 0; i < n; i++) { gzseek(in, wanted[i] * sizeof r, SEEK_SET); gzread(in, &r, sizeof r); }";
    to->after = "gzread(in, all, count * sizeof *all);\nfor (i = 0; i < n; i++) use(&all[wanted[i]]);";
}

static void epochs_show(struct model_advice *to)
{
    to->before = "for (e = 0; e < epochs; e++) { rewind(in); while (fgets(s, n, in)) { parse(s, &x); learn(&x); } }";
    to->after = "while (fgets(s, n, in)) parse(s, &all[count++]);\n"
                "for (e = 0; e < epochs; e++) for (i = 0; i < count; i++) learn(&all[i]);";
}

static void rewinds_tell(struct advice *a, const struct advice_use *use)
{
    struct rewinds r;
    bool packed = false;
    const char *file = a->model->line[use->line].file;
    if (!rewinds_of(a, use, &r) || r.pass_bytes < LEAST_PASS_BYTES || passes_made(a, &r.use) ||
        !((packed = unpacks(a, use->line)) || only_rewinds(a->model, use)))
        return;
    struct passes p = { .opens = r.passes, .pass_bytes = r.pass_bytes, .written_bytes = passes_written(a, &r.use) };
    if (passes_change(a, &r.use, &p))
        return;
    double part = 1 - r.opens / r.passes, own = passes_function_ns(a, use), low, high, unused;
    double stretch = advice_stretch(a, use->line);
    double reading = fmax(advice_calls_ns(a, &r.use.sum), a->model->line[use->line].self.ns * stretch);
    double known = reading + parsing_ns(a, file) * stretch;
    advice_gain(a, use->line, 0, part * known, &low, &unused);
    advice_gain(a, use->line, 0, part * fmax(known, own), &unused, &high);
    bool mostly = known > MOSTLY_KNOWN * own;
    struct model_advice *to = advice_add(a, ADVICE_rereads, use->line, mostly ? low * 0.75 : 0, high,
                                         mostly ? SAVING_MEASURED : SAVING_BOUND);
    if (!to)
        return;
    char count[FIGURE_BYTES], size[FIGURE_BYTES], time[FIGURE_BYTES];
    to->evidence = arena_print(&a->model->arena,
                               "It went through %s%s %s times from its start, %s each time. That and what its function "
                               "made of it took %s.",
                               passes_file(a, &r.use), r.opens > 1 ? " and others" : "",
                               figure_count(count, round(r.passes / r.opens)), figure_size(size, r.pass_bytes),
                               figure_time(time, fmax(known, own)));
    if (packed)
        unpacked_tell(a, to);
    else
        epochs_show(to);
    advice_figure(to, "calls", r.passes);
    advice_figure(to, "bytes", (double)r.use.sum.bytes);
    advice_figure(to, "wall_ns", fmax(known, own));
}

void advice_rereads(struct advice *a)
{
    for (size_t i = 0; i < a->use_count; i++)
        rewinds_tell(a, &a->use[i]);
    for (size_t i = 0; i < a->use_count; i++) {
        struct passes p;
        const struct advice_use *use = &p.use;
        double low, high;
        /* A file that is written meanwhile may be another one each time. */
        if (!passes_of(a, &a->use[i], &p) || p.pass_bytes < LEAST_PASS_BYTES || passes_change(a, use, &p) ||
            passes_made(a, use))
            continue;
        struct model_operations all = p.around;
        for (size_t k = 0; k < a->use_count; k++)
            if (operation_account(a->use[k].kind) == 1 && a->use[k].target == use->target)
                operations_add(&all, &a->use[k].sum);
        double in_calls = (double)all.wall_ns, own = function_ns(a, use, &p);
        /* The clocks around many short calls take time, too, and see when the CPU was taken away. */
        double took = own > LEAST_OWN * in_calls ? own : in_calls, most = took / fmax(1, advice_calls_ns(a, &all));
        double part = 1 - p.targets / p.opens;
        advice_gain_part(a, &all, part * most, &low, &high);
        struct model_advice *to = advice_add(a, ADVICE_rereads, use->line, low * 0.75, high * 1.25, SAVING_MEASURED);
        if (!to)
            continue;
        char count[FIGURE_BYTES], size[FIGURE_BYTES], time[FIGURE_BYTES], files[FIGURE_BYTES];
        const char *what = passes_file(a, use);
        if (p.targets > 1)
            what = arena_print(&a->model->arena, "each of %s files, such as %s,", figure_count(files, p.targets), what);
        to->evidence =
            arena_print(&a->model->arena, "It read %s %s times, %s each time; that and what it made of it took %s.",
                        what, figure_count(count, p.targets > 1 ? round(p.opens / p.targets) : p.again),
                        figure_size(size, p.pass_bytes), figure_time(time, took));
        advice_figure(to, "calls", p.again);
        advice_figure(to, "bytes", p.pass_bytes * p.again);
        advice_figure(to, "wall_ns", took);
        advice_rule_out(a, to, "the file changed meanwhile: %s",
                        p.written_bytes > 0 ? "this program wrote it before" : "it was not written by this program");
    }
}
