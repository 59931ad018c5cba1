/* SPDX-License-Identifier: MIT */
/* difference.c: see difference.h. Runs in, pairs of sites with their counts out; assess.c judges their times. */
#include "difference/difference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "difference/assess.h"
#include "difference/match.h"
#include "model/model.h"

#define COMPILED_APART 0.5 /* of the functions */
#define MOSTLY_RECODED 0.5 /* of the CPU time */
#define CROWDING_SAID 0.1
enum { SAMPLES_LEAST = 25 };

struct difference *difference_open(void)
{
    struct difference *d = memory_zeroed(1, sizeof *d);
    d->observations = memory_zeroed(1, sizeof *d->observations);
    return d;
}

static void observations_free(struct difference_observations *o)
{
    for (int arm = 0; o && arm < ARMS; arm++) {
        struct observed_program *p = &o->program[arm];
        for (size_t i = 0; i < p->site_count; i++)
            free(p->site[i].run);
        free(p->site);
        map_free(&p->by_key);
    }
    free(o);
}

void difference_free(struct difference *d)
{
    if (!d)
        return;
    observations_free(d->observations);
    free(d->run);
    free(d->site);
    free(d->single);
    free(d->notice);
    arena_free(&d->arena);
    free(d);
}

static void notice(struct difference *d, const char *text)
{
    *ARRAY_PUSH(d->notice, d->notice_count, d->notice_capacity) = text;
}

void difference_add(struct difference *d, enum difference_arm arm, const struct model *model, const char *stage)
{
    const struct model_run *from = &model->run;
    struct difference_run *run = ARRAY_PUSH(d->run, d->run_count, d->run_capacity);
    char *input = arena_copy(&d->arena, "");
    for (size_t i = 1; i < from->argument_count; i++)
        input = arena_print(&d->arena, "%s%s%s", input, i > 1 ? " " : "", from->argument[i]);
    *run = (struct difference_run){ .arm = arm,
                                    .path = arena_copy(&d->arena, from->path),
                                    .program = arena_copy(&d->arena, from->program),
                                    .host = arena_copy(&d->arena, from->host),
                                    .cpu_model = arena_copy(&d->arena, from->cpu_model),
                                    .compiler = arena_copy(&d->arena, from->compiler ? from->compiler : ""),
                                    .input = input,
                                    .start_realtime_ns = from->start_realtime_ns,
                                    .wall_ns = from->wall_ns,
                                    .cpu_ns = from->user_ns + from->system_ns,
                                    .peak_rss_bytes = from->peak_rss_bytes,
                                    .crowding = 1,
                                    .factor = 1 };
    if (run->cpu_ns)
        run->crowding += (double)from->delay_ns / (double)run->cpu_ns;
    d->runs[arm]++;
    d->stage[arm] = stage ? arena_copy(&d->arena, stage) : NULL;
    observe_model(&d->arena, &d->observations->program[arm], model, stage);
}

/* ---- what was seen ---- */

const struct observed *observed_at(const struct observed_site *site, size_t run)
{
    return run < site->run_capacity ? site->run[run] : NULL;
}

/* ---- pairs ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static double program_cpu(const struct difference *d, enum difference_arm arm)
{
    double sum = 0;
    for (size_t i = 0; i < d->run_count; i++)
        sum += d->run[i].arm == arm ? (double)d->run[i].cpu_ns : 0;
    return sum;
}

static void code_compare(struct difference_site *to, const struct observed_site *const code[ARMS])
{
    const struct observed_site *a = code[ARM_OLD], *b = code[ARM_NEW];
    bool shapes = a->shape && b->shape, bytes = a->code_bytes && b->code_bytes;
    to->code_known = shapes || bytes;
    to->code_same = to->code_known && (!shapes || a->shape == b->shape) && a->code_bytes == b->code_bytes;
}

static void pair_add(struct difference *d, uint32_t old, const uint32_t *site_of)
{
    const struct observed_program *program = d->observations->program;
    const struct observed_site *side[ARMS] = { &program[ARM_OLD].site[old] };
    side[ARM_NEW] = &program[ARM_NEW].site[side[ARM_OLD]->partner];
    uint32_t owner = side[ARM_NEW]->owner;
    struct difference_site *to = ARRAY_PUSH(d->site, d->site_count, d->site_capacity);
    *to = (struct difference_site){ .kind = side[ARM_OLD]->kind, .parent = DIFFERENCE_NONE };
    to->name = side[ARM_NEW]->name;
    to->parent = owner == DIFFERENCE_NONE ? DIFFERENCE_NONE : site_of[owner];
    for (int arm = 0; arm < ARMS; arm++) {
        double cpu = program_cpu(d, (enum difference_arm)arm);
        to->file[arm] = side[arm]->file ? side[arm]->file : "";
        to->line[arm] = side[arm]->line;
        to->share[arm] = cpu > 0 ? side[arm]->cpu_ns / cpu : 0;
        for (size_t r = 0; r < d->runs[arm]; r++) {
            const struct observed *o = observed_at(side[arm], r);
            to->samples[arm] += o ? o->samples : 0;
            to->kernel_ns[arm] += o ? o->kernel_ns / (double)d->runs[arm] : 0;
        }
    }
    if (to->kind == DIFFERENCE_LINE) {
        /* of the line's function: its code decides, since a line has none of its own */
        const struct observed_site *code[ARMS] = { NULL, NULL };
        for (int arm = 0; arm < ARMS; arm++)
            code[arm] = side[arm]->owner == DIFFERENCE_NONE ? NULL : &program[arm].site[side[arm]->owner];
        if (code[ARM_OLD] && code[ARM_NEW])
            code_compare(to, code);
    } else if (to->kind == DIFFERENCE_FUNCTION) {
        code_compare(to, side);
    }
    to->key = to->kind == DIFFERENCE_STAGE
                  ? side[ARM_NEW]->key
                  : arena_print(&d->arena, "%s:%s:%s", difference_kind_name(to->kind), base_name(to->file[ARM_NEW]),
                                to->kind == DIFFERENCE_LINE ? to->name : side[ARM_NEW]->symbol);
}

/* A line's key ends with its place among its function's lines: they are in order. */
static void keys_number(struct difference *d)
{
    struct map seen = { 0 };
    for (size_t i = 0; i < d->site_count; i++) {
        struct difference_site *s = &d->site[i];
        if (s->kind != DIFFERENCE_LINE)
            continue;
        uint32_t *before = map_at_text(&seen, s->key);
        *before = *before == MAP_FRESH ? 1 : *before + 1;
        s->key = arena_print(&d->arena, "%s:%u", s->key, *before);
    }
    map_free(&seen);
}

static const struct observed_program *ordered;
static int pair_order(const void *a, const void *b)
{
    const struct observed_site *x = &ordered->site[*(const uint32_t *)a], *y = &ordered->site[*(const uint32_t *)b];
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->kind == DIFFERENCE_LINE && (x->owner != y->owner || x->line != y->line))
        return x->owner != y->owner ? (x->owner < y->owner ? -1 : 1) : x->line < y->line ? -1 : 1;
    return strcmp(x->key, y->key);
}

static void pairs_add(struct difference *d, struct assess_pair **pair)
{
    struct observed_program *old = &d->observations->program[ARM_OLD], *new = &d->observations->program[ARM_NEW];
    uint32_t *order = memory_zeroed(old->site_count + 1, sizeof *order), count = 0;
    uint32_t *site_of = memory_zeroed(new->site_count + 1, sizeof *site_of);
    for (uint32_t i = 0; i < new->site_count; i++)
        site_of[i] = DIFFERENCE_NONE;
    for (uint32_t i = 0; i < old->site_count; i++)
        if (old->site[i].partner != DIFFERENCE_NONE)
            order[count++] = i;
    ordered = old;
    qsort(order, count, sizeof *order, pair_order);
    *pair = memory_zeroed(count + 1, sizeof **pair);
    for (uint32_t i = 0; i < count; i++) {
        site_of[old->site[order[i]].partner] = i;
        (*pair)[i] = (struct assess_pair){ { &old->site[order[i]], &new->site[old->site[order[i]].partner] } };
        pair_add(d, order[i], site_of);
        d->matched[d->site[i].kind] += !site_is_total(d->site[i].key);
    }
    keys_number(d);
    free(order);
    free(site_of);
}

static int single_order(const void *a, const void *b)
{
    const struct difference_single *x = a, *y = b;
    if (x->share != y->share)
        return x->share < y->share ? 1 : -1;
    int files = strcmp(x->file, y->file);
    return files ? files : x->line < y->line ? -1 : x->line > y->line;
}

/* A line or function without counters and with few samples: the other program may have it, too, without any. */
static bool seen_by_chance(const struct observed_site *s)
{
    uint64_t samples = 0;
    bool counted = s->shape != 0;
    for (size_t r = 0; r < s->run_capacity; r++)
        if (s->run[r]) {
            samples += s->run[r]->samples;
            counted |= s->run[r]->counted[COUNTER_HITS];
        }
    return s->kind != DIFFERENCE_STAGE && !counted && samples < SAMPLES_LEAST;
}

static void singles_list(struct difference *d)
{
    for (int arm = 0; arm < ARMS; arm++) {
        const struct observed_program *p = &d->observations->program[arm];
        double cpu = program_cpu(d, (enum difference_arm)arm);
        for (size_t i = 0; i < p->site_count; i++) {
            const struct observed_site *s = &p->site[i];
            if (site_is_total(s->key) || (s->partner == DIFFERENCE_NONE && seen_by_chance(s)))
                continue;
            d->sites[arm][s->kind]++;
            if (s->partner != DIFFERENCE_NONE)
                continue;
            struct difference_single *to = ARRAY_PUSH(d->single, d->single_count, d->single_capacity);
            *to = (struct difference_single){ .kind = s->kind,
                                              .arm = (enum difference_arm)arm,
                                              .name = s->name,
                                              .file = s->file ? s->file : "",
                                              .line = s->line,
                                              .cpu_ns = s->cpu_ns / (double)(p->runs ? p->runs : 1),
                                              .share = cpu > 0 ? s->cpu_ns / cpu : 0 };
            for (size_t r = 0; r < p->runs; r++) {
                to->hits_known |= observed_at(s, r) && observed_at(s, r)->counted[COUNTER_HITS];
                if (observed_at(s, r) && observed_at(s, r)->count[COUNTER_HITS] > to->hits)
                    to->hits = observed_at(s, r)->count[COUNTER_HITS];
            }
        }
    }
    if (d->single_count)
        qsort(d->single, d->single_count, sizeof *d->single, single_order);
}

/* ---- what to know ---- */

/* Of functions that look alike in both: how many, and how much CPU time, are in code of another size. If most of them
 * are, both were compiled otherwise, and nothing is unchanged. The time alone does not tell: one hot one is mended. */
struct recoded {
    double functions, cpu_ns, of_functions, of_cpu_ns;
};

static struct recoded recoded_find(const struct difference *d)
{
    struct recoded r = { 0 };
    const struct observed_program *old = &d->observations->program[ARM_OLD];
    for (size_t i = 0; i < old->site_count; i++) {
        const struct observed_site *a = &old->site[i];
        if (a->kind != DIFFERENCE_FUNCTION || a->partner == DIFFERENCE_NONE)
            continue;
        const struct observed_site *b = &d->observations->program[ARM_NEW].site[a->partner];
        if (!a->shape || a->shape != b->shape || !a->code_bytes || !b->code_bytes)
            continue;
        double other = a->code_bytes != b->code_bytes;
        r.functions += other;
        r.cpu_ns += other * a->cpu_ns;
        r.of_functions++;
        r.of_cpu_ns += a->cpu_ns;
    }
    return r;
}

static void crowding_notice(struct difference *d)
{
    double crowding = crowding_change(d);
    if (fabs(crowding) > CROWDING_SAID)
        notice(d, arena_print(&d->arena,
                              "the %s runs waited more for a CPU: work took %.2f times as long for that alone. Elapsed "
                              "times and waits that changed by less are not told",
                              crowding > 0 ? "new" : "old", exp(fabs(crowding))));
}

static void notices_find(struct difference *d)
{
    const struct difference_run *first = &d->run[0];
    bool hosts = false, processors = false;
    d->same_input = true;
    for (size_t i = 1; i < d->run_count; i++) {
        hosts |= strcmp(d->run[i].host, first->host) != 0;
        processors |= *first->cpu_model && *d->run[i].cpu_model && strcmp(d->run[i].cpu_model, first->cpu_model) != 0;
        d->same_input &= strcmp(d->run[i].input, first->input) == 0;
    }
    if (processors)
        notice(d, "the runs were made on different CPUs: their times differ for that alone");
    else if (hosts)
        notice(d, "the runs were made on different machines: their times may differ for that alone");
    crowding_notice(d);
    if (!d->same_input)
        notice(d, "the runs had different arguments: counts may have changed for that alone");
    if (!d->stage[ARM_OLD] && !difference_is_of_one_program(d))
        notice(d, arena_print(&d->arena,
                              "the new program has %zu of the old one's %zu functions: are these runs of one program?",
                              d->matched[DIFFERENCE_FUNCTION], d->sites[ARM_OLD][DIFFERENCE_FUNCTION]));
    if (!d->stage[ARM_OLD] && (d->runs[ARM_OLD] < 2 || d->runs[ARM_NEW] < 2))
        notice(d, "one run of a program does not tell how times vary from run to run: counts are compared, times "
                  "are not judged. Five runs of each are a beginning; `profplug compare` makes them in turn");
}

void difference_judge(struct difference *d, const struct difference_limits *limits)
{
    struct assess_pair *pair;
    if (!d->observations)
        return;
    d->limits = limits ? *limits : (struct difference_limits){ .q = 0.01, .least_effect = 0.03 };
    d->factor = 1;
    match_programs(&d->observations->program[ARM_OLD], &d->observations->program[ARM_NEW]);
    pairs_add(d, &pair);
    size_t untold = counts_assess(d, pair);
    if (untold)
        notice(d, arena_print(&d->arena,
                              "%zu %s in functions whose counts vary from run to run: whether %s changed, five runs of "
                              "each tell",
                              untold, untold == 1 ? "count differs" : "counts differ", untold == 1 ? "it" : "they"));
    singles_list(d);
    if (d->run_count)
        notices_find(d);
    struct recoded recoded = recoded_find(d);
    bool apart = recoded.functions > COMPILED_APART * recoded.of_functions;
    if (apart && !d->stage[ARM_OLD])
        notice(d, arena_print(&d->arena,
                              "%.0f of %.0f functions have other code of the same flow: the programs were compiled "
                              "differently, probably, so the machine's part in a change of times is not known",
                              recoded.functions, recoded.of_functions));
    times_assess(d, pair, !apart && !d->stage[ARM_OLD]);
    if (!apart && recoded.cpu_ns > MOSTLY_RECODED * recoded.of_cpu_ns && !d->stage[ARM_OLD])
        notice(d, d->factor_known ? "most CPU time is in functions whose code changed, so only the others tell the "
                                    "machine's part in a change of times"
                                  : "most CPU time is in functions whose code changed, so too little is left to tell "
                                    "the machine's part in a change of times");
    for (size_t i = 0; i < d->site_count; i++) {
        bool changed = false;
        for (int counter = 0; counter < COUNTERS; counter++)
            changed |= d->site[i].count[counter].changed;
        d->count_changes += changed;
        d->verdict_count[d->site[i].verdict]++;
    }
    free(pair);
    observations_free(d->observations);
    d->observations = NULL;
}

bool difference_is_of_one_program(const struct difference *d)
{
    return 2 * d->matched[DIFFERENCE_FUNCTION] >= d->sites[ARM_OLD][DIFFERENCE_FUNCTION];
}

bool difference_is_worse(const struct difference_site *site)
{
    bool more = false;
    for (int i = 0; i < COUNTERS; i++)
        more |= site->count[i].changed && site->count[i].low[ARM_NEW] > site->count[i].high[ARM_OLD];
    return more || site->verdict == VERDICT_SLOWER;
}

const char *difference_kind_name(enum difference_kind kind)
{
    static const char *const names[] = { "stage", "function", "line" };
    return names[kind];
}
const char *difference_counter_name(enum difference_counter counter)
{
    static const char *const names[] = { "hits",  "trips",      "alloc_blocks", "alloc_bytes",
                                         "reads", "read_bytes", "writes",       "write_bytes" };
    return names[counter];
}
const char *difference_clock_name(enum difference_clock clock)
{
    static const char *const names[] = { "cpu", "wait", "wall" };
    return names[clock];
}
const char *difference_verdict_name(enum difference_verdict verdict)
{
    static const char *const names[] = { "not_tested", "same", "unclear", "faster", "slower" };
    return names[verdict];
}
const char *difference_cause_name(enum difference_cause cause)
{
    static const char *const names[] = { "none", "hits", "cost", "kernel", "wait" };
    return names[cause];
}
