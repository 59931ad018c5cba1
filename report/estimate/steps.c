/* SPDX-License-Identifier: MIT */
/* steps.c: entries and steps of innermost loops that nobody annotated, from counters (loops=auto). See steps.h. It must
 * not know how code counts them.
 *
 * A remark names the id of an array of counters with entries and a sum. Its value is what one step adds to the sum.
 * Copies of a loop have counters of their own, and are added up by file and lines. */
#include "estimate/steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 0, SUM = 2, COUNTERS }; /* in a loop's array */

struct stepping {
    const struct profile *profile;
    struct profile_counter *counter; /* sorted by key, one for each thread block that counted */
    struct map ids, loops;
    uint64_t (*sum)[COUNTERS]; /* by id */
    size_t sum_count, sum_capacity;
    struct loop_sum {
        double entries, steps;
        bool is_partial, is_stepless;
    } *loop;
    size_t loop_count, loop_capacity;
};

static int by_key(const void *a, const void *b)
{
    const struct profile_counter *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

struct profile_counter *counters_sorted(const struct profile *profile)
{
    struct profile_counter *counter = memory_zeroed(profile->counter_count + 1, sizeof *counter);
    if (profile->counter_count)
        memcpy(counter, profile->counter, profile->counter_count * sizeof *counter);
    qsort(counter, profile->counter_count, sizeof *counter, by_key);
    return counter;
}

uint64_t counters_sum(const struct profile_counter *counter, size_t count, uint64_t key)
{
    size_t low = 0, high = count;
    uint64_t sum = 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (counter[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < count && counter[low].key == key; low++)
        sum += counter[low].calls;
    return sum;
}

/* Sums the counters of every id that a remark names. */
static void sums_find(struct stepping *s, const struct model *model)
{
    for (size_t i = 0; i < model->remark_count; i++) {
        uint64_t id = model->remark[i].kind == PP_REMARK_COUNTED ? strtoull(model->remark[i].detail, NULL, 16) : 0;
        uint32_t *found = id ? map_at(&s->ids, &id, sizeof id) : NULL;
        if (!found || *found != MAP_FRESH)
            continue;
        *found = (uint32_t)s->sum_count;
        memset(ARRAY_PUSH(s->sum, s->sum_count, s->sum_capacity), 0, sizeof *s->sum);
    }
    for (size_t i = 0; i < s->profile->use_count; i++) {
        const struct profile_use *use = &s->profile->use[i];
        uint32_t found = map_get(&s->ids, &use->id, sizeof use->id);
        for (uint32_t k = 0; found != MAP_FRESH && k < use->counters && k < COUNTERS; k++)
            s->sum[found][k] += counters_sum(s->counter, s->profile->counter_count, use->key + k);
    }
}

static struct loop_sum *loop_of(struct stepping *s, const struct model_remark *r)
{
    char key[4608];
    int n = snprintf(key, sizeof key, "%u:%u:%s", r->loop_first, r->loop_last, r->file);
    uint32_t *found = map_at(&s->loops, key, n < (int)sizeof key ? (size_t)n : sizeof key - 1);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)s->loop_count;
        *ARRAY_PUSH(s->loop, s->loop_count, s->loop_capacity) = (struct loop_sum){ 0 };
    }
    return &s->loop[*found];
}

/* The same counters may be named twice, by units that share a function: each id is taken once. */
static void loop_add(struct stepping *s, const struct model_remark *r)
{
    uint64_t id = strtoull(r->detail, NULL, 16);
    uint32_t found = map_get(&s->ids, &id, sizeof id);
    struct loop_sum *loop = loop_of(s, r);
    if (found == MAP_FRESH || !s->sum[found][ENTRIES])
        return;
    double entries = (double)s->sum[found][ENTRIES], each = (double)llabs(r->value);
    if (!r->value)
        loop->is_stepless = true; /* its entries alone are counted */
    else if (strcmp(r->why, "entries") == 0)
        loop->steps += entries * each;
    else
        loop->steps += (double)s->sum[found][SUM] / each + (strcmp(r->why, "sum+entries") == 0 ? entries : 0);
    loop->entries += entries;
    s->sum[found][ENTRIES] = 0;
}

void steps_merge(struct model *model, const struct profile *profile)
{
    struct stepping s = { .profile = profile };
    size_t kept = 0;
    s.counter = counters_sorted(profile);
    sums_find(&s, model);
    for (size_t i = 0; i < model->remark_count; i++) {
        struct model_remark *r = &model->remark[i];
        if (r->kind == PP_REMARK_COUNTED)
            loop_add(&s, r);
        else if (r->kind == PP_REMARK_LOOP && !r->is_counted && r->function != MODEL_NONE)
            loop_of(&s, r)->is_partial = true;
    }
    for (size_t i = 0; i < model->remark_count; i++) {
        struct model_remark *r = &model->remark[i];
        if (r->kind == PP_REMARK_COUNTED || r->kind == PP_REMARK_NEST)
            continue;
        if (r->kind == PP_REMARK_LOOP) {
            const struct loop_sum *sum = loop_of(&s, r);
            r->is_counted = sum->entries > 0 && !sum->is_partial;
            r->entries = sum->entries;
            r->steps = sum->is_stepless ? 0 : sum->steps;
        }
        model->remark[kept++] = *r;
    }
    model->remark_count = kept;
    map_free(&s.ids);
    map_free(&s.loops);
    free(s.counter);
    free(s.sum);
    free(s.loop);
}
