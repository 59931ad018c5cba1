/* SPDX-License-Identifier: MIT */
/* analyse.c: samples are scaled to the clocks and added up over functions, lines, stages and the call tree. Every
 * estimate gets its variance here. Must not know the file's bytes, ELF or output.
 *
 * What samples are worth, and how sure that is, is region.c's. Samples see user CPU time alone: time in the kernel and
 * waiting are rows of their own, and so is the profiler's runtime. */
#include "estimate/account.h"
#include "estimate/analyse.h"
#include "estimate/callee.h"
#include "merge/paths.h"
#include "store/map.h"
#include "words/plural.h"
#include "words/shortname.h"
#include "estimate/kernel.h"
#include "merge/pagefault.h"
#include "estimate/reconcile.h"
#include "estimate/region.h"
#include "estimate/stacks.h"
#include "merge/stalls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OTHERS_PART 0.9  /* of that: surely of other processes */
#define DELAY_PART 0.1   /* of the CPU time: above this, waiting for a CPU is reported */
#define ELSEWHERE_PART 0.1 /* of the wall time: above this, time that is neither CPU nor a known wait is reported */
#define TURNS_PER_S 5000 /* waits in a second of CPU time */
#define STEP_SIGNALS 256 /* of ticks with which a program keeps step: more do not tell more */

struct sums {
    struct model *model;
    const struct locations *where;
    struct regions regions;
    struct callees callees;
    uint32_t *function_seen, *line_seen; /* the last sample that counted for them, plus one */
};

/* Adds a sample's CPU time: of user code, and of the kernel there. */
static void cpu_add(struct sums *s, const struct model_sample *sample, struct value *to)
{
    if (sample->ns || sample->system.ns > 0)
        region_share(&s->regions, sample, to);
    to->ns += sample->system.ns;
    to->variance += sample->system.variance + sample->joint;
}

static void function_hit(struct sums *s, uint32_t function, uint32_t sample)
{
    struct model_function *f = &s->model->function[function];
    if (s->function_seen[function] == sample + 1)
        return;
    s->function_seen[function] = sample + 1;
    f->total_samples += s->model->sample[sample].count;
    cpu_add(s, &s->model->sample[sample], &f->total);
}

static uint32_t node_function(const struct model *model, uint32_t node)
{
    while (node) {
        uint32_t f = model->node[node].function;
        if (f != MODEL_NONE && model->function[f].kind <= PP_SITE_STAGE)
            return f;
        node = model->node[node].parent;
    }
    return MODEL_NONE;
}

static void sample_cover(struct model *model, const struct model_sample *s, const struct locate_place *place,
                         bool called)
{
    struct model_coverage *c = &model->coverage;
    if (place->kind == PLACE_OUTSIDE && !s->module)
        c->outside += s->count;
    else if (s->profiler)
        c->profiler += s->count, c->profiler_excess += s->excess,
            c->characters += callee_is_character(place->callee) ? s->count : 0;
    else if (s->library || !place->instrumented)
        c->library += s->count, c->called[0] += called ? s->count : 0;
    else if (place->kind == PLACE_KNOWN_LINE)
        c->known_line += s->count;
    else if (place->kind == PLACE_UNKNOWN_LINE)
        c->unknown_line += s->count, c->called[1] += called ? s->count : 0;
    else
        c->no_debug += s->count, c->called[2] += called ? s->count : 0;
}

/* Adds the sample to a step on its path. Each function and line counts once for a sample. */
static void step_pass(struct sums *s, uint32_t i, const struct locate_step *step)
{
    struct model_sample *sample = &s->model->sample[i];
    function_hit(s, step->function, i);
    if (step->line == MODEL_NONE || s->line_seen[step->line] == i + 1)
        return;
    s->line_seen[step->line] = i + 1;
    s->model->line[step->line].total_samples += sample->count;
    cpu_add(s, sample, &s->model->line[step->line].total);
    s->model->line[step->line].total.variance += sample->astray;
}

static void path_pass(struct sums *s, uint32_t i, uint32_t path)
{
    uint32_t of = s->where->of_path[path];
    const struct locate_place *place = of == MODEL_NONE ? NULL : &s->where->place[of];
    for (uint32_t k = 0; place && k < place->count; k++)
        if (paths_show(s->model, &s->where->step[place->first + k]))
            step_pass(s, i, &s->where->step[place->first + k]);
}

static void sample_add(struct sums *s, uint32_t i)
{
    struct model *model = s->model;
    struct model_sample *sample = &model->sample[i];
    const struct locate_place *place = &s->where->place[s->where->of_sample[i]];
    const struct locate_step *step = s->where->step + place->first;
    double user_ns = region_ns(&s->regions, sample), ns = user_ns + sample->system.ns;
    const struct locate_step *user = locations_user(model, s->where, s->where->of_sample[i], sample->path);
    sample_cover(model, sample, place, user && user->line != MODEL_NONE);
    for (size_t k = 0; k < model->module_count; k++)
        if (model->module[k].id == sample->module)
            model->module[k].samples += sample->count;
    /* the node's chain makes the call tree: a caller has at least what stands below it */
    for (uint32_t n = sample->node; n; n = model->node[n].parent) {
        function_hit(s, model->node[n].function, i);
        cpu_add(s, sample, &model->node[n].below);
    }
    for (uint32_t n = sample->probed_node; n; n = model->node[n].parent)
        function_hit(s, model->node[n].function, i);
    for (uint32_t stage = model->node[sample->node].stage; stage != MODEL_NONE; stage = model->stage[stage].parent)
        model->stage[stage].samples += sample->count;
    model->node[sample->probed_node].probed_ns += ns;
    for (uint32_t p = sample->path; p; p = model->path[p].parent)
        path_pass(s, i, p);
    if (sample->profiler) { /* counts for the calling path, but for no line */
        model->node[sample->node].profiler_samples += sample->count;
        model->node[sample->node].profiler_ns += ns;
        return;
    }

    uint32_t inner = user ? locations_inner(s->where, s->where->of_sample[i], user) : MODEL_NONE;
    bool library = sample->library || user != (place->count ? step : NULL);
    sample->function = user ? user->function : node_function(model, sample->node);
    sample->line = user ? user->line : MODEL_NONE;
    if (sample->function != MODEL_NONE) {
        struct model_function *f = &model->function[sample->function];
        f->samples += sample->count;
        cpu_add(s, sample, &f->self);
        region_book(sample, &f->booked);
        f->self.variance += sample->mixed ? sample->astray : 0;
        f->system_ns += sample->system.ns;
        f->library_ns += library ? user_ns : 0;
    }
    if (sample->line != MODEL_NONE) {
        struct model_line *line = &model->line[sample->line];
        line->samples += sample->count;
        cpu_add(s, sample, &line->self);
        line->self.variance += sample->astray;
        line_column_add(line, user->column, ns);
        region_book(sample, &line->booked);
        line->system_ns += sample->system.ns;
        line->library_ns += library ? user_ns : 0;
        callees_add(&s->callees, i, ns);
    }
    if (sample->line != MODEL_NONE && inner != MODEL_NONE) {
        struct model_inner *row = inner_row(model, sample->line, inner);
        row->samples += sample->count;
        row->self_ns += ns;
    }
    for (uint32_t k = 0; k < place->count; k++)
        step_pass(s, i, &step[k]);
    model->node[sample->node].samples += sample->count;
    model->node[sample->node].sampled_ns += ns;
}

/* A stage's user time, including inner stages: its lines and functions sum to that. Samples tell regions apart, so
 * their errors are independent. */
static void stages_user(struct sums *s)
{
    struct model *model = s->model;
    for (uint32_t i = 0; i < model->stage_count; i++)
        for (uint32_t stage = i; stage != MODEL_NONE; stage = model->stage[stage].parent) {
            model->stage[stage].user.ns += s->regions.region[i + 1].user.ns;
            model->stage[stage].user.variance += s->regions.region[i + 1].user.variance;
        }
}

/* ---- the call tree ---- */

static void nodes_sum(struct model *model)
{
    for (size_t i = model->node_count; i-- > 0;) {
        struct model_node *n = &model->node[i];
        n->below_samples += n->samples + n->profiler_samples;
        if (i)
            model->node[n->parent].below_samples += n->below_samples;
    }
}

/* Whether clocks measured all calls of a function: every call of each of its nodes was timed, its nodes have all its
 * calls, and none was inlined. */
static void walls_find(struct model *model)
{
    bool *partly = memory_zeroed(model->function_count, sizeof *partly);
    uint64_t *calls = memory_zeroed(model->function_count, sizeof *calls);
    for (uint32_t i = 1; i < model->node_count; i++) {
        const struct model_node *n = &model->node[i];
        if (n->sampled_only)
            continue;
        calls[n->function] += n->calls;
        partly[n->function] = partly[n->function] || !node_timed(n) || n->overflow;
    }
    for (size_t i = 0; i < model->function_count; i++) {
        struct model_function *f = &model->function[i];
        f->wall_known = calls[i] && !partly[i] && f->calls <= calls[i] && !f->has_copies;
    }
    free(partly);
    free(calls);
}

/* While a thread was ready, other threads of the program ran for no longer than their CPU time. For the rest of the
 * time other processes did. How many CPUs there were is not recorded. */
static void delay_tell(struct model *model, double cpu)
{
    double all = 0, others = 0, delay = run_crowded_ns(model), part = delay / (double)model->run.delay_ns;
    for (size_t i = 0; i < model->thread_count; i++)
        all += (double)model->thread[i].cpu_ns;
    for (size_t i = 0; i < model->thread_count; i++)
        others += fmax(0, part * (double)model->thread[i].delay_ns - (all - (double)model->thread[i].cpu_ns));
    const char *who =
        others >= OTHERS_PART * delay ? "other processes ran"
        : others >= DELAY_PART * delay
            ? arena_print(&model->arena, "its own threads or other processes ran (these for %.1f ms at least)",
                          others / 1e6)
            : "its own threads or other processes ran";
    model_doubt(
        model, DOUBT_TIMES,
        "the machine was busy: threads waited for a free CPU %.0f %% of the time they could have run; trust CPU "
        "times, wall times include that wait",
        100 * delay / (cpu + delay));
    model_notice(model,
                 "threads were ready to run and had no CPU for %.1f ms, %.0f %% of the time that they could have run: "
                 "%s; wall times include that, CPU times do not, and waits do in part",
                 delay / 1e6, 100 * delay / (cpu + delay), who);
}

/* The runtime lists so many threads of a run, and no more. */
static void threads_tell(struct model *model)
{
    uint64_t all = model->run.thread_count, listed = model->thread_count;
    if (all > listed && listed)
        model_notice(
            model,
            "%llu of %llu threads are not listed one by one, only the first %llu are: what the others did is in "
            "all numbers but those of single threads",
            (unsigned long long)(all - listed), (unsigned long long)all, (unsigned long long)listed);
}

static bool stage_is_there(const struct model *model, const struct model_function *f)
{
    for (size_t i = 0; i < model->stage_count; i++)
        if (model->stage[i].line == f->line && !strcmp(model->stage[i].file, f->file))
            return true;
    return false;
}

/* Calls may be known of stages whose times found no room. */
static void stages_tell(struct model *model)
{
    const char *names = "";
    size_t lost = 0;
    if (!model->run.losses[PP_LOSS_DISK] && !model->run.losses[PP_LOSS_MEMORY])
        return;
    for (size_t i = 0; i < model->function_count; i++) {
        const struct model_function *f = &model->function[i];
        if (!f->has_site || f->mode != PP_MODE_TIMED || f->kind == PP_SITE_FUNCTION || !f->calls ||
            stage_is_there(model, f))
            continue;
        if (lost++ < 3)
            names = arena_print(&model->arena, "%s%s%s", names, names[0] ? ", " : "",
                                name_short(&model->arena, f->label ? f->label : f->name));
    }
    if (!lost)
        return;
    names = arena_print(&model->arena, "%s%s", names, lost > 3 ? " and others" : "");
    model_doubt(model, DOUBT_STAGES, "the times of %zu stage%s found no room and are lost: %s", lost,
                plural(lost, "", "s"), names);
    model_notice(model, "the times of %zu stage%s found no room and are lost, only calls are known: %s", lost,
                 plural(lost, "", "s"), names);
}

static bool delay_is_much(const struct model_run *r, double delay)
{
    return delay > 1e6 && delay > DELAY_PART * (double)(r->user_ns + r->system_ns);
}

/* Where samples come at the kernel's ticks, and threads lose their CPU there, a program that repeats itself meets the
 * ticks in the same few places. Then a longer run does not make its samples more certain. */
static bool samples_keep_step(const struct model *model)
{
    return model->run.ticked && delay_is_much(&model->run, (double)model->run.delay_ns);
}

/* Threads that switch so often are sampled at ticks, whatever samples the others (rt/sample/rate.c). */
static bool threads_turn(const struct model *model)
{
    double cpu_s = (double)(model->run.user_ns + model->run.system_ns) / 1e9;
    return delay_is_much(&model->run, (double)model->run.delay_ns) && operations_waits(model) > TURNS_PER_S * cpu_s;
}

static double samples_widen(struct model *model)
{
    double times = (double)model->run.sample_signals / STEP_SIGNALS;
    if (!samples_keep_step(model) || times <= 1)
        return 1;
    for (size_t i = 0; i < model->sample_count; i++) {
        struct model_sample *s = &model->sample[i];
        s->excess += (times - 1) * ((double)s->count + s->excess);
    }
    return times;
}

static void sample_clocked(struct model *model, uint32_t node, uint32_t probed, double ns)
{
    *ARRAY_PUSH(model->sample, model->sample_count, model->sample_capacity) =
        (struct model_sample){ .node = node,
                               .probed_node = probed,
                               .function = MODEL_NONE,
                               .line = MODEL_NONE,
                               .thread = MODEL_NONE, .ns = number_whole(ns) };
}

/* Such ticks may never meet a function, although clocks say that it takes more than one tick's part of the time. Its
 * time is then kept in a sample without a place, whose count is 0. So is that of calls from a timed one, of which some
 * were timed, unless the caller itself did not take so long. */
static void nodes_meet(struct model *model)
{
    if (!samples_keep_step(model) || !model->run.off_known)
        return;
    double *on_ns = memory_zeroed(model->node_count + 1, sizeof *on_ns),
           *total_ns = memory_zeroed(model->node_count + 1, sizeof *total_ns),
           least_ns = (double)(model->run.user_ns + model->run.system_ns) / STEP_SIGNALS;
    bool *met = memory_zeroed(model->node_count + 1, sizeof *met);
    for (size_t i = 1; i < model->node_count; i++)
        on_ns[i] = (double)model->node[i].self_ns - (double)model->node[i].off_ns;
    for (size_t i = 0; i < model->stall_count; i++)
        on_ns[model->stall[i].node] -= model->stall[i].time.ns;
    for (size_t i = model->node_count; i-- > 1;) {
        total_ns[i] += on_ns[i];
        total_ns[model->node[i].parent] += total_ns[i];
    }
    for (size_t i = 0; i < model->sample_count; i++)
        met[model->sample[i].node] = true;
    for (uint32_t i = 1; i < model->node_count; i++) {
        uint32_t caller = model->node[i].parent;
        double others_ns = calls_untimed_ns(model, &model->node[i], total_ns[i]);
        if (!met[i] && on_ns[i] > least_ns)
            sample_clocked(model, i, i, on_ns[i]);
        if (!met[i] && caller && others_ns > least_ns && others_ns < on_ns[caller])
            sample_clocked(model, i, caller, others_ns);
    }
    free(on_ns);
    free(total_ns);
    free(met);
}

/* A run that was killed has no word of the kernel on this. Rows of several threads are of different times, so only one
 * thread tells: what it neither computed nor waited in known calls. */
static double unclear_of_one(const struct model *model)
{
    bool one = model->thread_count == 1 && model->run.exit_kind != MODEL_EXIT_RUNNING && model->has_operations;
    return one ? run_unclear_ns(model) : 0;
}

static void unclear_tell(struct model *model, double cpu, double unclear)
{
    double percent = 100 * unclear / (cpu + unclear);
    model_doubt(model, DOUBT_TIMES,
                "for %.0f %% of the time that the program could have run it had no CPU, or waited in calls that are "
                "not known; trust CPU times, wall times include that",
                percent);
    model_notice(model,
                 "for %.1f ms, %.0f %% of the time that the program could have run, it neither computed nor waited in "
                 "known calls: other processes had the CPU, most likely; wall times include that, CPU times do not",
                 unclear / 1e6, percent);
}

/* Known of a program of one thread. The others of several wait for each other in ways that nobody counts. */
static void elsewhere_tell(struct model *model, double elsewhere)
{
    double faults = 0;
    for (size_t i = 0; i < model->stage_count; i++)
        if (model->stage[i].parent == MODEL_NONE && model->stage[i].metric_known[PP_METRIC_FAULTS_MAJOR])
            faults += model->stage[i].metric[PP_METRIC_FAULTS_MAJOR];
    const char *cause = "page faults that read a disk, most likely, or system calls of its own";
    if (faults >= 1)
        cause = arena_print(&model->arena, "its stages had %.0f page faults that read a disk", faults);
    double percent = 100 * elsewhere / (double)model->run.wall_ns;
    model_doubt(model, DOUBT_TIMES, "for %.0f %% of the time it neither computed nor waited in known calls: %s",
                percent, cause);
    model_notice(model, "for %.1f ms, %.0f %% of the time, it neither computed nor waited in known calls: %s",
                 elsewhere / 1e6, percent, cause);
}

static void load_tell(struct model *model)
{
    const struct model_run *r = &model->run;
    const struct model_coverage *c = &model->coverage;
    double cpu = (double)(r->user_ns + r->system_ns), elsewhere = run_elsewhere_ns(model);
    bool is_much = elsewhere > 20e6 && elsewhere > ELSEWHERE_PART * (double)r->wall_ns,
         is_more = elsewhere > run_crowded_ns(model);
    threads_tell(model);
    stages_tell(model);
    if (is_much && is_more)
        elsewhere_tell(model, elsewhere);
    if (delay_is_much(r, run_crowded_ns(model)))
        delay_tell(model, cpu);
    else if (delay_is_much(r, unclear_of_one(model)))
        unclear_tell(model, cpu, unclear_of_one(model));
    if (is_much && !is_more)
        elsewhere_tell(model, elsewhere);
    if (samples_keep_step(model))
        model_notice(model,
                     "samples came at the kernel's ticks, at which threads also lost their CPU: a program that repeats "
                     "itself can keep step with the ticks, so errors are printed as if there were %d of them at most, "
                     "where clocks do not tell better",
                     STEP_SIGNALS);
    double nowhere_ns = c->kernel_ns - c->placed_ns - c->toll_ns;
    if (cpu > 20e6 && nowhere_ns >= 0.1 * cpu) {
        model_doubt(model, DOUBT_TIMES, "%.0f %% of the CPU time is the kernel's, for no known line",
                    100 * nowhere_ns / cpu);
        model_notice(model,
                     "%.0f %% of the CPU time, %.1f ms, was spent in the kernel, and nothing tells for which line: it "
                     "stands in the stages' cpu only",
                     100 * nowhere_ns / cpu, nowhere_ns / 1e6);
    }
}

static void metrics_known(struct model *model)
{
    for (size_t i = 0; i < model->stage_count; i++)
        for (unsigned k = 0; k < PP_METRIC_COUNT; k++)
            if (!(model->run.metrics_measured >> k & 1))
                model->stage[i].metric_known[k] = false;
}

static void functions_cover(struct model *model)
{
    struct model_coverage *c = &model->coverage;
    for (size_t i = 0; i < model->function_count; i++) {
        const struct model_function *f = &model->function[i];
        if (f->kind > PP_SITE_STAGE)
            continue;
        c->inlined += f->inlined;
        if (f->has_site) {
            c->framed += f->mode >= PP_MODE_FRAMED;
            c->counted += f->mode == PP_MODE_COUNTED;
            c->left_out += f->mode == PP_MODE_LEFT_OUT;
        }
    }
}

/* ---- what is missing, in words ---- */

static void modules_complain(struct model *model)
{
    for (size_t i = 0; i < model->module_count; i++) {
        const struct model_module *module = &model->module[i];
        if (module->complaint && module->samples && module->instrumented) {
            model_doubt(model, DOUBT_PLACES, "lines are missing: %s", module->complaint);
            model_notice(model,
                         "%s: names come from the program's own tables, lines are missing, and a static "
                         "function's own time may stand at a neighbour",
                         module->complaint);
        }
    }
}

/* Objects without -g in a program whose other parts (the runtime, at least) have it. */
static void lines_complain(struct model *model)
{
    uint64_t all = 0, own = 0, without = 0, foreign = 0, frameless = 0, most = 0, *sum;
    const char *name = NULL;
    sum = memory_zeroed(model->function_count, sizeof *sum);
    for (size_t i = 0; i < model->sample_count; i++) {
        const struct model_sample *s = &model->sample[i];
        const struct model_module *in = NULL;
        for (size_t k = 0; k < model->module_count && !in; k++)
            in = model->module[k].id == s->module ? &model->module[k] : NULL;
        bool outside = model->narrowed_to && s->function == MODEL_NONE; /* of the part that is shown */
        if (!in || !in->instrumented || in->complaint || s->library == s->module || outside || s->profiler)
            continue;
        /* what the plugin saw is the user's to compile; a static library, such as the C library, is not */
        bool seen = s->function != MODEL_NONE && model->function[s->function].has_site,
             lineless = s->line == MODEL_NONE;
        all += s->count;
        /* what is only there inlined has no site, and is known by its lines: the compiler gave some of its code none */
        bool inlined = s->function != MODEL_NONE && model->function[s->function].inlined;
        own += seen || inlined ? s->count : 0;
        without += seen && lineless ? s->count : 0;
        foreign += !seen && !inlined && lineless ? s->count : 0;
        frameless += !seen && !inlined && lineless && in->frameless ? s->count : 0;
        if (!seen && !inlined && lineless && s->function != MODEL_NONE && (sum[s->function] += s->count) > most) {
            most = sum[s->function];
            name = model->function[s->function].name;
        }
    }
    free(sum);
    /* one sample or two may have hit what the compiler gave no line */
    if (own > all / 20 && without == own) {
        model_doubt(model, DOUBT_PLACES, "no line information: compile with -g");
        model_notice(model, "no line information: compile with -g");
    } else if (without > all / 10) {
        model_doubt(model, DOUBT_SOME_PLACES,
                    "%.0f %% of the samples are in code without lines: compile all of it with -g",
                    100 * (double)without / (double)all);
        model_notice(model, "%.0f %% of the samples are in code without line information: compile all of it with -g",
                     100 * (double)without / (double)all);
    }
    if (foreign > all / 10 && frameless > foreign / 2) {
        model_doubt(model, DOUBT_SOME_PLACES,
                    "%.0f %% of the samples are in code without lines%s%s, and nobody knows which lines called it: "
                    "link with profplug-gcc or -Wl,--eh-frame-hdr",
                    100 * (double)foreign / (double)all, name ? ", most in " : "", name ? name : "");
        model_notice(model,
                     "%.0f %% of the samples are in code without line information%s%s, and which lines called it is "
                     "not known: the executable was linked without the table of call frames. Link it with "
                     "profplug-gcc, or with -Wl,--eh-frame-hdr",
                     100 * (double)foreign / (double)all, name ? ", most in " : "", name ? name : "");
    } else if (foreign > all / 10) {
        model_doubt(model, DOUBT_SOME_PLACES,
                    "%.0f %% of the samples are in code that was not compiled with profplug%s%s: compile it with "
                    "profplug-gcc, or read the lines that call it",
                    100 * (double)foreign / (double)all, name ? ", most in " : "", name ? name : "");
        model_notice(model,
                     "%.0f %% of the samples are in code without line information that was not compiled with profplug, "
                     "such as a static library's%s%s",
                     100 * (double)foreign / (double)all, name ? ": most in " : "", name ? name : "");
    }
}

/* Objects that have lines, but were compiled without the plugin: none of the functions in their files has a site. */
static void strangers_complain(struct model *model)
{
    struct map files = { 0 }, named = { 0 };
    uint64_t all = 0, strange = 0;
    const char *names = "";
    for (size_t i = 0; i < model->function_count; i++)
        if (model->function[i].has_site || model->function[i].inlined)
            *map_at_text(&files, model->function[i].file) = 0;
    for (size_t i = 0; i < model->sample_count; i++) {
        const struct model_sample *s = &model->sample[i];
        const struct model_function *f = s->function != MODEL_NONE ? &model->function[s->function] : NULL;
        all += s->profiler ? 0 : s->count;
        if (s->profiler || s->line == MODEL_NONE || !f || !path_is_compiled(f->file))
            continue;
        uint32_t *known = map_at_text(&files, f->file);
        if (*known != MAP_FRESH && *known != 1)
            continue;
        *known = 1;
        strange += s->count;
        uint32_t *said = map_at_text(&named, f->file);
        if (*said == MAP_FRESH && named.count <= 3) {
            const char *slash = strrchr(f->file, '/');
            names = arena_print(&model->arena, "%s%s%s", names, names[0] ? ", " : "", slash ? slash + 1 : f->file);
        }
        *said = 0;
    }
    if (all && strange * 10 >= all) {
        double percent = 100 * (double)strange / (double)all;
        model_doubt(model, DOUBT_SOME_PLACES,
                    "%.0f %% of the samples are in files compiled without profplug (%s): use "
                    "profplug-gcc for them, too",
                    percent, names);
        model_notice(model,
                     "%.0f %% of the samples are in files that were compiled without profplug: %s%s. Their calls, hits "
                     "and stages are not known. Compile them with profplug-gcc, or with the plugin's option",
                     percent, names, named.count > 3 ? " and others" : "");
    }
    map_free(&files);
    map_free(&named);
}

static const char *empty_find(struct model *model)
{
    const struct model_run *r = &model->run;
    uint64_t calls = r->events_counted;
    for (size_t i = 0; i < model->stage_count; i++)
        calls += model->stage[i].times.calls;
    if (calls || model->coverage.samples || model->allocation_count || model->operation_count)
        return NULL;
    if (r->level == PP_LEVEL_OFF)
        return "level=off: nothing was recorded";
    if (r->losses[PP_LOSS_DISK])
        return arena_print(&model->arena,
                           "%llu piece%s of the data file found no room: the disk, max-file=SIZE, max-total=SIZE or a "
                           "limit of the process (ulimit, seccomp) refused",
                           (unsigned long long)r->losses[PP_LOSS_DISK], plural(r->losses[PP_LOSS_DISK], "", "s"));
    if (r->losses[PP_LOSS_MEMORY])
        return arena_print(&model->arena,
                           "%llu piece%s of memory %s refused, by the system or by a limit of the process (ulimit -d, "
                           "ulimit -v, seccomp): profplug takes a sixteenth of such a limit at most",
                           (unsigned long long)r->losses[PP_LOSS_MEMORY], plural(r->losses[PP_LOSS_MEMORY], "", "s"),
                           plural(r->losses[PP_LOSS_MEMORY], "was", "were"));
    if (!model->function_count)
        return "no instrumented function: were the sources compiled with the plugin, and, under -flto, "
               "was it given at the link too?";
    size_t left_out = 0;
    for (size_t i = 0; i < model->function_count; i++)
        left_out += model->function[i].mode == PP_MODE_LEFT_OUT;
    if (left_out == model->function_count)
        return left_out == 1
                   ? arena_print(&model->arena,
                                 "the only function was left out by the selection (%s): nothing is instrumented",
                                 reason_text(model->function[0].reason))
                   : arena_print(&model->arena,
                                 "all %zu functions were left out by the selection (%s): nothing is instrumented",
                                 left_out, reason_text(model->function[0].reason));
    if (r->exit_kind == MODEL_EXIT_RUNNING)
        return "the program runs and has not called an instrumented function yet";
    if (model->function_count - left_out == 1)
        return arena_print(&model->arena, "the only instrumented function was not called in %.3f ms",
                           (double)r->wall_ns / 1e6);
    return arena_print(&model->arena, "none of the %zu instrumented functions was called in %.3f ms",
                       model->function_count - left_out, (double)r->wall_ns / 1e6);
}

void analyse(struct model *model, struct names *names, const struct profile *profile)
{
    struct locations where = { 0 };
    double widened = samples_widen(model);
    nodes_meet(model);
    locate(model, names, profile, &where);
    paths_descend(model, &where);
    callees_own(model, &where);
    kernel_place(model, &where);
    blocks_sum(model, &where);
    operations_sum(model, &where);
    holds_sum(model, &where);
    stalls_sum(model, &where);
    threads_sum(model, &where);
    timeline_sum(model, &where);
    struct sums s = { .model = model,
                      .where = &where,
                      .regions = { .widened = widened },
                      .callees = { .model = model, .where = &where },
                      .function_seen = memory_zeroed(model->function_count, sizeof(uint32_t)),
                      .line_seen = memory_zeroed(model->line_count, sizeof(uint32_t)) };
    nodes_reconcile(model, &where);
    if (samples_keep_step(model) || threads_turn(model))
        regions_rake(&s.regions, model, &where, samples_keep_step(model));
    regions_open(&s.regions, model);
    struct value narrowed[2] = { { 0, 0 } }; /* user and kernel */
    uint64_t samples = 0;
    for (uint32_t i = 0; i < model->sample_count; i++) {
        const struct model_sample *sample = &model->sample[i];
        if (!stage_is_within(model, model->node[sample->node].stage))
            continue;
        narrowed[0].ns += region_ns(&s.regions, sample);
        narrowed[1].ns += sample->system.ns;
        samples += sample->count;
        sample_add(&s, i);
    }
    callees_close(&s.callees);
    pagefaults_close(model);
    stages_user(&s);
    if (model->narrowed) {
        model->coverage.sampled_ns = narrowed[0].ns;
        model->coverage.kernel_ns = model->coverage.placed_ns = narrowed[1].ns;
        model->coverage.not_sampled_ns = model->coverage.toll_ns = 0;
        model->coverage.samples = samples;
    }
    stacks_build(model, &where, &s.regions);
    regions_close(&s.regions);
    nodes_sum(model);
    walls_find(model);
    account_find(model);
    if (model->narrowed)
        model->run.cost_unknown = "a part of the run is shown";
    load_tell(model);
    metrics_known(model);
    functions_cover(model);
    modules_complain(model);
    lines_complain(model);
    strangers_complain(model);
    model->empty_reason = empty_find(model);
    free(s.function_seen);
    free(s.line_seen);
    locations_free(&where);
}
