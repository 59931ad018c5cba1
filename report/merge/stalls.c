/* SPDX-License-Identifier: MIT */
/* stalls.c: see stalls.h. A long wait is recorded itself. A short one is recorded by chance, and stands for all since
 * the last (rt/sample/blocked.c). So its variance is the sum of squares of what each record stands for, times the
 * share of all other waits, as for samples (region.c). Waits after the last record belong to no path. */
#include "merge/stalls.h"
#include "merge/paths.h"
#include "merge/unfinished.h"

#include <math.h>
#include <stdlib.h>

/* CPU time of calls becomes a sample at the line of the call, which is where its path begins. */
static void call_merge(struct model *model, const struct pp_blocked_path *s, uint32_t path, uint32_t node)
{
    const struct model_path *first = &model->path[path];
    if (!path)
        return;
    *ARRAY_PUSH(model->sample, model->sample_count, model->sample_capacity) =
        (struct model_sample){ .address = first->address,
                               .module = first->module,
                               .node = node,
                               .path = first->parent,
                               .function = MODEL_NONE,
                               .line = MODEL_NONE,
                               .call = true,
                               .system = { (double)s->ns, (double)s->squares_us2 * 1e6 } };
}

void stalls_merge(struct model *model, const struct profile_block *b, const uint32_t *path_of, const uint32_t *node_of)
{
    for (size_t i = 0; i < b->stall_count; i++) {
        const struct pp_blocked_path *s = &b->stall[i];
        if (s->busy) {
            call_merge(model, s, path_of[s->path], b->node_count ? node_of[s->node] : 0);
            continue;
        }
        *ARRAY_PUSH(model->stall, model->stall_count, model->stall_capacity) =
            (struct model_stall){ .kind = (enum pp_operation_kind)s->kind,
                                  .path = path_of[s->path],
                                  .node = b->node_count ? node_of[s->node] : 0,
                                  .line = MODEL_NONE,
                                  .time = { (double)s->ns, (double)s->squares_us2 * 1e6 } };
    }
}

static void value_add(struct value *to, struct value more)
{
    to->ns += more.ns;
    to->variance += more.variance;
}

/* What is known exactly: how long a line waited in calls of a kind, whatever led there. Its recorded waits are scaled
 * to that, so that only their shares are estimated. */
struct known {
    double waited, finished, unfinished, variance;
};
#define WHOLE (MODEL_NONE - 1) /* a line that is none: all of a kind */

static struct known *known_at(struct map *at, struct known **list, size_t *count, size_t *room,
                              enum pp_operation_kind kind, uint32_t line)
{
    uint32_t key[] = { kind, line }, *found = map_at(at, key, sizeof key);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)*count;
        *ARRAY_PUSH(*list, *count, *room) = (struct known){ 0 };
    }
    return *list + *found;
}

struct part { /* what a sum has of the waits of one line and kind */
    struct value *of, sum;
    uint32_t known;
};
struct seen {
    uint32_t *function, *line; /* number of the last wait that was added to it, plus 1 */
    struct map at;
    struct part *part;
    size_t part_count, part_capacity;
    uint32_t known; /* of the wait that is being added; MODEL_NONE: its line's are not known */
};

/* Where all waits of a line are known, the error of what a sum has of them is told when it has them all. */
static void wait_add(struct seen *seen, struct value *to, struct value time)
{
    struct {
        const struct value *to;
        uint64_t known;
    } key = { to, seen->known };
    uint32_t *found;
    if (seen->known == MODEL_NONE) {
        value_add(to, time);
        return;
    }
    to->ns += time.ns;
    found = map_at(&seen->at, &key, sizeof key);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)seen->part_count;
        *ARRAY_PUSH(seen->part, seen->part_count, seen->part_capacity) =
            (struct part){ .of = to, .known = seen->known };
    }
    value_add(&seen->part[*found].sum, time);
}

/* All waits of a line and kind are what its operations waited. A part that has the share p of them errs by the square
 * root of 1 - p, too. */
static struct value part_of(struct value sum, const struct known *k)
{
    double share = k->finished > 0 ? fmin(1, sum.ns / k->finished) : 0;
    return (struct value){ sum.ns, sum.variance * (1 - share) + k->variance * share * share };
}

/* Adds the wait to a function once, even if it is on the path several times. */
static void function_pass(struct model *model, struct seen *seen, uint32_t function, uint32_t stall)
{
    if (function == MODEL_NONE || seen->function[function] == stall + 1)
        return;
    seen->function[function] = stall + 1;
    wait_add(seen, &model->function[function].stalled, model->stall[stall].time);
}

/* The same for the functions and lines of a place, to which `path` led. The first place of a wait is its call's. */
static void place_pass(struct model *model, const struct locations *where, struct seen *seen, uint32_t of,
                       uint32_t path, uint32_t stall)
{
    const struct locate_place *place = of == MODEL_NONE ? NULL : &where->place[of];
    struct model_stall *s = &model->stall[stall];
    bool first = !s->placed;
    s->placed = true;
    if (first && place && place->count)
        s->line = locations_user(model, where, of, path)->line;
    if (first && place)
        s->unsure = place->unsure;
    for (uint32_t k = 0; place && k < place->count; k++) {
        const struct locate_step *step = &where->step[place->first + k];
        if (!paths_show(model, step))
            continue;
        function_pass(model, seen, step->function, stall);
        if (step->line == MODEL_NONE || seen->line[step->line] == stall + 1)
            continue;
        seen->line[step->line] = stall + 1;
        wait_add(seen, &model->line[step->line].stalled, s->time);
    }
}

/* `own` is the waiting of its own calls, which is known even without paths. */
static void stalled_settle(struct value *stalled, uint64_t own, double all_ns2, double rest)
{
    if (stalled->ns > 0)
        stalled->variance = stalled->variance * (1 - stalled->variance / fmax(1, all_ns2)) + rest * rest / 3;
    stalled->ns = fmax(stalled->ns, (double)own);
}

/* The line of a wait's call; MODEL_NONE: not known. */
static uint32_t line_of(const struct model *model, const struct locations *where, size_t stall)
{
    const struct model_stall *s = &model->stall[stall];
    bool by_point = s->unfinished && model->point[s->point].known;
    uint32_t of = by_point ? where->of_point[s->point] : where->of_wait[stall];
    uint32_t callers = by_point || !s->path ? 0 : model->path[s->path].parent;
    const struct locate_step *user = of == MODEL_NONE ? NULL : locations_user(model, where, of, callers);
    return user ? user->line : MODEL_NONE;
}

/* What finished calls of this row may be off by chance; never more than they are themselves. */
static double chance_ns2(const struct model_stall *s)
{
    double own = s->time.ns - s->unfinished_ns;
    return fmin(s->time.variance, own * own);
}

/* All rows of a line and kind have what its operations waited. What they are off is made good by rows that stand for
 * waits which were not recorded, as far as chance explains it, and then by all alike. */
static void lines_settle(struct model *model, const struct locations *where)
{
    struct map at = { 0 };
    struct known *list = NULL;
    size_t count = 0, room = 0;
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        if (o->line != MODEL_NONE && operation_is_call(o->kind))
            known_at(&at, &list, &count, &room, o->kind, o->line)->waited += (double)o->sum.wait_ns;
    }
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < model->stall_count; i++) {
            struct model_stall *s = &model->stall[i];
            uint32_t line = line_of(model, where, i);
            if (line == MODEL_NONE)
                continue;
            struct known *k = known_at(&at, &list, &count, &room, s->kind, line);
            if (!pass) {
                k->finished += s->time.ns - s->unfinished_ns;
                k->unfinished += s->unfinished_ns;
                k->variance += chance_ns2(s);
                continue;
            }
            s->settled = k->waited > 0;
            if (k->finished > 0 && k->waited > k->unfinished) {
                double all = k->waited - k->unfinished, most = sqrt(k->variance),
                       chance = fmax(-most, fmin(most, all - k->finished)), scale = all / (k->finished + chance),
                       drawn = most > 0 ? chance * chance_ns2(s) / k->variance : 0;
                s->time.ns = s->unfinished_ns + (s->time.ns - s->unfinished_ns + drawn) * scale;
                s->time.variance *= scale * scale;
            }
        }
    map_free(&at);
    free(list);
}

/* Time of all operations' waits that no recorded wait stands for. Waits of which no line tells more are cut to what is
 * left for them, because operations.c cuts times to what was possible. */
static double rest_find(struct model *model)
{
    double waited = 0, known = 0, unsettled = 0;
    for (size_t i = 0; i < model->operation_count; i++)
        waited += operation_is_call(model->operation[i].kind) ? (double)model->operation[i].sum.wait_ns : 0;
    for (size_t i = 0; i < model->stall_count; i++) {
        known += model->stall[i].time.ns;
        unsettled += model->stall[i].settled ? 0 : model->stall[i].time.ns;
    }
    double scale = fmax(0, 1 - (known - waited) / fmax(1, unsettled));
    for (size_t i = 0; i < model->stall_count && known > waited; i++)
        if (!model->stall[i].settled) {
            model->stall[i].time.ns *= scale;
            model->stall[i].time.variance *= scale * scale;
        }
    return fmax(0, waited - known);
}

/* Operations tell how long these lines waited, and no record does: none of their waits was drawn, or the stack could
 * not be read. They get a row without callers, and rows of which no line tells more have less by that, as far as all
 * waits together are known to be less. */
static void lines_complete(struct model *model)
{
    struct map at = { 0 };
    struct known *list = NULL;
    size_t count = 0, room = 0;
    for (size_t i = 0; i < model->stall_count; i++) {
        const struct model_stall *s = &model->stall[i];
        known_at(&at, &list, &count, &room, s->kind, s->line)->finished += s->time.ns;
        known_at(&at, &list, &count, &room, s->kind, WHOLE)->finished += s->time.ns;
        known_at(&at, &list, &count, &room, s->kind, WHOLE)->unfinished +=
            s->settled ? 0 : s->time.ns - s->unfinished_ns;
    }
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        if (!operation_is_call(o->kind) || !o->sum.wait_ns)
            continue;
        known_at(&at, &list, &count, &room, o->kind, WHOLE)->waited += (double)o->sum.wait_ns;
        if (o->line == MODEL_NONE || known_at(&at, &list, &count, &room, o->kind, o->line)->finished > 0)
            continue;
        known_at(&at, &list, &count, &room, o->kind, WHOLE)->finished += (double)o->sum.wait_ns;
        *ARRAY_PUSH(model->stall, model->stall_count, model->stall_capacity) =
            (struct model_stall){ .kind = o->kind,
                                  .line = o->line,
                                  .unsure = o->unsure,
                                  .time = { (double)o->sum.wait_ns, 0 },
                                  .placed = true,
                                  .settled = true };
    }
    size_t kept = 0;
    for (size_t i = 0; i < model->stall_count; i++) {
        struct model_stall s = model->stall[i];
        const struct known *k = known_at(&at, &list, &count, &room, s.kind, WHOLE);
        if (!s.settled && k->finished > k->waited) {
            double part = fmax(0, 1 - (k->finished - k->waited) / fmax(1, k->unfinished));
            s.time = (struct value){ s.unfinished_ns + (s.time.ns - s.unfinished_ns) * part,
                                     s.time.variance * part * part };
        }
        if (s.time.ns >= 1 || s.unfinished)
            model->stall[kept++] = s;
    }
    model->stall_count = kept;
    map_free(&at);
    free(list);
}

static void variances_add(const struct model *model, struct map *at, struct known **list, size_t *count, size_t *room)
{
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        if (o->line != MODEL_NONE && operation_is_call(o->kind))
            known_at(at, list, count, room, o->kind, o->line)->variance += operations_wait_variance(o);
    }
}

static void rows_settle(struct model *model)
{
    struct map at = { 0 };
    struct known *list = NULL;
    size_t count = 0, room = 0;
    variances_add(model, &at, &list, &count, &room);
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < model->stall_count; i++) {
            struct model_stall *s = &model->stall[i];
            struct known *k = known_at(&at, &list, &count, &room, s->kind, s->line);
            if (!pass) {
                k->finished += s->time.ns;
            } else if (s->line != MODEL_NONE && k->finished > 0) {
                s->time = part_of(s->time, k);
            }
        }
    map_free(&at);
    free(list);
}

static int by_time(const void *a, const void *b)
{
    const struct model_stall *x = a, *y = b;
    if (x->time.ns != y->time.ns)
        return x->time.ns < y->time.ns ? 1 : -1;
    return x->node != y->node   ? (x->node < y->node ? -1 : 1)
           : x->line != y->line ? (x->line < y->line ? -1 : 1)
           : x->kind < y->kind  ? -1
                                : x->kind > y->kind;
}

struct sums { /* the waits of functions, lines and nodes */
    struct seen seen;
    struct map at; /* by kind and line, what is known of these */
    struct known *list;
    size_t count, room;
};

static void sums_begin(struct model *model, struct sums *sums, const struct locations *where)
{
    for (uint32_t i = 0; i < model->stall_count; i++)
        if (model->stall[i].settled)
            known_at(&sums->at, &sums->list, &sums->count, &sums->room, model->stall[i].kind, line_of(model, where, i))
                ->finished += model->stall[i].time.ns;
    variances_add(model, &sums->at, &sums->list, &sums->count, &sums->room);
}

/* The number of what is known of the wait's line. */
static uint32_t sums_known(const struct model *model, struct sums *sums, const struct locations *where, uint32_t stall)
{
    const struct model_stall *s = &model->stall[stall];
    uint32_t key[] = { s->kind, s->settled ? line_of(model, where, stall) : MODEL_NONE };
    return s->settled ? *map_at(&sums->at, key, sizeof key) : MODEL_NONE;
}

static void sums_end(struct sums *sums)
{
    for (size_t i = 0; i < sums->seen.part_count; i++) {
        const struct part *p = &sums->seen.part[i];
        p->of->variance += part_of(p->sum, &sums->list[p->known]).variance;
    }
    map_free(&sums->at);
    map_free(&sums->seen.at);
    free(sums->list);
    free(sums->seen.part);
    free(sums->seen.function);
    free(sums->seen.line);
}

/* Joins rows that agree in line, kind and node. The longest come first. */
static void rows_join(struct model *model)
{
    struct map seen = { 0 };
    size_t kept = 0;
    for (size_t i = 0; i < model->stall_count; i++) {
        struct model_stall s = model->stall[i];
        uint32_t key[] = { s.kind, s.line, s.node, s.unsure != NULL };
        uint32_t *found = map_at(&seen, key, sizeof key);
        if (*found == MAP_FRESH) {
            *found = (uint32_t)kept;
            model->stall[kept++] = s;
        } else {
            struct model_stall *to = &model->stall[*found];
            value_add(&to->time, s.time);
            to->unfinished += s.unfinished;
            to->idle += s.idle;
            to->unfinished_ns += s.unfinished_ns;
        }
    }
    model->stall_count = kept;
    map_free(&seen);
    if (kept)
        qsort(model->stall, kept, sizeof *model->stall, by_time);
}

/* What a pool waited in at the end is what it waited in before. */
static void idle_sum(struct model *model)
{
    struct map at = { 0 };
    struct known *list = NULL;
    size_t count = 0, room = 0;
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < model->stall_count; i++) {
            const struct model_stall *s = &model->stall[i];
            struct known *k = known_at(&at, &list, &count, &room, s->kind, s->line);
            if (!pass) {
                k->unfinished += s->unfinished;
                k->finished += s->idle;
            } else if (s->line != MODEL_NONE && k->unfinished > 0 && k->finished >= k->unfinished) {
                model->line[s->line].idle_ns += s->time.ns;
            }
        }
    map_free(&at);
    free(list);
}

void stalls_sum(struct model *model, const struct locations *where)
{
    struct sums sums = { .seen = { .function = memory_zeroed(model->function_count, sizeof *sums.seen.function),
                                   .line = memory_zeroed(model->line_count, sizeof *sums.seen.line) } };
    for (size_t i = 0; i < model->stall_count; i++)
        if (!stage_is_within(model, model->node[model->stall[i].node].stage)) {
            model->stall[i].time = (struct value){ 0, 0 };
            model->stall[i].unfinished = model->stall[i].idle = 0;
        }
    lines_settle(model, where);
    double rest = rest_find(model), all_ns2 = 0;
    sums_begin(model, &sums, where);
    for (uint32_t i = 0; i < model->stall_count; i++) {
        struct model_stall *s = &model->stall[i];
        all_ns2 += s->time.variance;
        sums.seen.known = sums_known(model, &sums, where, i);
        for (uint32_t n = s->node; n; n = model->node[n].parent) {
            function_pass(model, &sums.seen, model->node[n].function, i);
            wait_add(&sums.seen, &model->node[n].stalled, s->time);
        }
        wait_add(&sums.seen, &model->node[0].stalled, s->time);
        wait_add(&sums.seen, &model->node[s->probed_node].paused, s->time);
        if (s->unfinished && model->point[s->point].known)
            place_pass(model, where, &sums.seen, where->of_point[s->point], 0, i);
        for (uint32_t p = s->path; p; p = model->path[p].parent)
            place_pass(model, where, &sums.seen, p == s->path ? where->of_wait[i] : where->of_path[p],
                       model->path[p].parent, i);
    }
    unfinished_judge(model);
    for (size_t i = 1; i < model->node_count; i++)
        stalled_settle(&model->node[i].stalled, 0, all_ns2, rest);
    for (size_t i = 0; i < model->function_count; i++)
        stalled_settle(&model->function[i].stalled, traffic_wait_ns(&model->function[i].traffic), all_ns2, rest);
    for (size_t i = 0; i < model->line_count; i++)
        stalled_settle(&model->line[i].stalled, traffic_wait_ns(&model->line[i].traffic), all_ns2, rest);
    sums_end(&sums);
    if (!model->narrowed)
        lines_complete(model);
    rows_join(model);
    rows_settle(model);
    idle_sum(model);
    size_t kept = 0;
    for (size_t i = 0; i < model->stall_count; i++)
        if (!model->narrowed || model->stall[i].time.ns > 0)
            model->stall[kept++] = model->stall[i];
    model->stall_count = kept;
}
