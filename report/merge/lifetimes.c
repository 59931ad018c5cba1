/* SPDX-License-Identifier: MIT */
/* lifetimes.c: which lines started and joined threads, what each waited for, and what those of one line did together.
 * It must not know how a place is named. See merge.h. */
#include <stdlib.h>

#include "merge/merge.h"
#include "model/namesake.h"

void threads_settle(struct model *model, const uint32_t *point_of, uint32_t most)
{
    for (size_t i = 0; i < model->thread_count; i++) {
        struct model_thread *t = &model->thread[i];
        t->started_point = point_of && t->started_point <= most ? point_of[t->started_point] : 0;
        t->joined_point = point_of && t->joined_point <= most ? point_of[t->joined_point] : 0;
        t->held_point = point_of && t->held_point <= most ? point_of[t->held_point] : 0;
    }
}

/* It waits for a device or a peer, and not for another thread. */
static bool is_held(const struct model *model, const struct model_operation *o)
{
    enum pp_wait wait = operation_wait(model, o);
    return wait == PP_WAIT_IO || wait == PP_WAIT_NETWORK || wait == PP_WAIT_SLEEP;
}

/* Call it while the model's operations are in the order of the profile's. */
void threads_meet(struct model *model, const struct profile *profile)
{
    struct map of = { 0 };
    for (size_t i = 0; i < model->thread_count; i++)
        *map_at(&of, &model->thread[i].id, sizeof model->thread[i].id) = (uint32_t)i;
    for (size_t i = 0; i < profile->operation_count; i++) {
        const struct profile_operation *from = &profile->operation[i];
        uint32_t row = from->block != UINT32_MAX ? profile->block[from->block].row : UINT32_MAX;
        if (row >= profile->thread_count || !operation_is_call(from->kind))
            continue;
        uint32_t thread = map_get(&of, &profile->thread_id[row], sizeof profile->thread_id[row]);
        const struct model_operations *sum = &model->operation[i].sum;
        if (thread == MAP_FRESH)
            continue;
        struct model_thread *t = &model->thread[thread];
        if (from->kind == PP_OPERATION_BARRIER) {
            t->meetings += sum->calls;
            t->met_ns += sum->wait_ns;
        } else if (is_held(model, &model->operation[i]) && sum->wait_ns > t->held_ns) {
            t->held_ns = sum->wait_ns;
            t->held_calls = sum->calls;
            t->held_point = from->point;
        }
    }
    map_free(&of);
}

static void place_find(const struct model *model, const struct locations *where, uint32_t point, uint32_t *line,
                       uint32_t *function)
{
    const struct locate_step *step = point ? locations_user_of_point(model, where, point) : NULL;
    *line = step ? step->line : MODEL_NONE;
    *function = step ? step->function : MODEL_NONE;
}

/* Calls that have not returned are not in the threads' own sums. */
static void unfinished_add(struct model *model)
{
    struct map of = { 0 };
    for (size_t i = 0; model->unfinished_count && i < model->thread_count; i++)
        *map_at(&of, &model->thread[i].id, sizeof model->thread[i].id) = (uint32_t)i;
    for (size_t i = 0; i < model->unfinished_count; i++) {
        const struct model_unfinished *u = &model->unfinished[i];
        uint32_t thread = map_get(&of, &u->thread, sizeof u->thread);
        if (thread != MAP_FRESH)
            model->thread[thread].wait_ns += number_whole(u->ns);
    }
    map_free(&of);
}

struct lifetime {
    uint32_t group;
    uint64_t start_ns, end_ns;
};

static int by_group_and_start(const void *a, const void *b)
{
    const struct lifetime *x = a, *y = b;
    return x->group != y->group         ? (x->group < y->group ? -1 : 1)
           : x->start_ns != y->start_ns ? (x->start_ns < y->start_ns ? -1 : 1)
                                        : 0;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* One group, in the order of the starts. `end` has room for as many. */
static void group_measure(struct model_group *g, const struct lifetime *l, size_t count, uint64_t *end)
{
    uint64_t until = 0;
    size_t over = 0;
    for (size_t i = 0; i < count; i++)
        end[i] = l[i].end_ns;
    qsort(end, count, sizeof *end, by_number);
    for (size_t i = 0; i < count; i++) {
        uint64_t from = l[i].start_ns > until ? l[i].start_ns : until;
        g->lifetime_ns += l[i].end_ns - l[i].start_ns;
        g->union_ns += l[i].end_ns > from ? l[i].end_ns - from : 0;
        until = l[i].end_ns > until ? l[i].end_ns : until;
        while (over < count && end[over] <= l[i].start_ns)
            over++;
        g->most_at_once = i + 1 - over > g->most_at_once ? i + 1 - over : g->most_at_once;
    }
}

static int by_cpu(const void *a, const void *b)
{
    const struct model_group *x = a, *y = b;
    return x->cpu_ns != y->cpu_ns ? (x->cpu_ns < y->cpu_ns ? 1 : -1) : x->line < y->line ? -1 : x->line > y->line;
}

#define TOLD_LEAST 0.5 /* of the time of joins: so long the others computed, had no CPU, or waited in known calls */

/* Who waits for the ends of threads waits for what these do, and their lines tell that. */
static void joins_tell(struct model *model)
{
    double told = 0, joined = 0;
    for (size_t i = 0; i < model->thread_count; i++)
        if (!thread_is_first(model, &model->thread[i]))
            told += (double)(model->thread[i].cpu_ns + model->thread[i].delay_ns + model->thread[i].wait_ns);
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < model->operation_count; i++) {
            const struct model_operation *o = &model->operation[i];
            double all = (double)o->sum.wall_ns;
            double ns = o->kind == PP_OPERATION_JOIN && all > 0
                            ? (double)o->sum.wait_ns * (double)o->sum.first_wall_ns / all : 0;
            if (!pass)
                joined += ns;
            else if (o->line != MODEL_NONE && told >= TOLD_LEAST * joined)
                model->line[o->line].joined_ns += ns;
        }
}

void threads_sum(struct model *model, const struct locations *where)
{
    struct map seen = { 0 };
    struct lifetime *list = memory_zeroed(model->thread_count, sizeof *list);
    uint64_t *end = memory_zeroed(model->thread_count, sizeof *end);
    size_t count = 0;
    unfinished_add(model);
    for (size_t i = 0; i < model->thread_count; i++) {
        struct model_thread *t = &model->thread[i];
        place_find(model, where, t->started_point, &t->started_line, &t->started_function);
        place_find(model, where, t->joined_point, &t->joined_line, &t->joined_function);
        place_find(model, where, t->held_point, &t->held_line, &t->held_function);
        if (t->started_function == MODEL_NONE)
            continue;
        uint32_t key[] = { t->started_line, t->started_function }, *found = map_at(&seen, key, sizeof key);
        if (*found == MAP_FRESH) {
            *found = (uint32_t)model->group_count;
            *ARRAY_PUSH(model->group, model->group_count, model->group_capacity) =
                (struct model_group){ .line = t->started_line, .function = t->started_function };
        }
        struct model_group *g = &model->group[*found];
        g->threads++;
        g->cpu_ns += t->cpu_ns;
        g->most_cpu_ns = t->cpu_ns > g->most_cpu_ns ? t->cpu_ns : g->most_cpu_ns;
        g->delay_ns += t->delay_ns;
        g->wait_ns += t->wait_ns;
        list[count++] = (struct lifetime){ *found, t->start_ns, t->end_ns > t->start_ns ? t->end_ns : t->start_ns };
    }
    if (count)
        qsort(list, count, sizeof *list, by_group_and_start);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i; next < count && list[next].group == list[i].group;)
            next++;
        group_measure(&model->group[list[i].group], list + i, next - i, end);
    }
    if (model->group_count)
        qsort(model->group, model->group_count, sizeof *model->group, by_cpu);
    joins_tell(model);
    map_free(&seen);
    free(list);
    free(end);
}
