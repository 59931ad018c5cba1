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

enum { ENTRIES = 0, TAKEN, SUM, COUNTERS }; /* in a loop's array; TAKEN: our own mark */

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

/* One or two, in hexadecimal; what follows them. */
static char *ids_read(const char *text, uint64_t ids[2])
{
    char *end;
    ids[0] = strtoull(text, &end, 16);
    ids[1] = strtoull(end, &end, 16);
    return end;
}

/* Sums the counters of every id that a remark names. */
static void sums_find(struct stepping *s, const struct model *model)
{
    for (size_t i = 0; i < model->remark_count; i++) {
        const struct model_remark *r = &model->remark[i];
        uint64_t ids[2] = { 0 };
        if (r->kind == PP_REMARK_COUNTED || r->kind == PP_REMARK_PIECE || r->kind == PP_REMARK_ROUNDS)
            ids_read(r->detail, ids);
        for (unsigned k = 0; k < 2; k++) {
            uint32_t *found = ids[k] ? map_at(&s->ids, &ids[k], sizeof ids[k]) : NULL;
            if (!found || *found != MAP_FRESH)
                continue;
            *found = (uint32_t)s->sum_count;
            memset(ARRAY_PUSH(s->sum, s->sum_count, s->sum_capacity), 0, sizeof *s->sum);
        }
    }
    for (size_t i = 0; i < s->profile->use_count; i++) {
        const struct profile_use *use = &s->profile->use[i];
        uint32_t found = map_get(&s->ids, &use->id, sizeof use->id);
        for (uint32_t k = 0; found != MAP_FRESH && k < use->counters && k < COUNTERS; k += SUM - ENTRIES)
            s->sum[found][k] += counters_sum(s->counter, s->profile->counter_count, use->key + k);
    }
}

static struct loop_sum *loop_of(struct stepping *s, const struct model_remark *r)
{
    char key[4608];
    int n = snprintf(key, sizeof key, "%d:%u:%u:%s", r->kind == PP_REMARK_PIECE, r->loop_first, r->loop_last, r->file);
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

static double sum_of(const struct stepping *s, uint64_t id, unsigned counter)
{
    uint32_t found = id ? map_get(&s->ids, &id, sizeof id) : MAP_FRESH;
    return found == MAP_FRESH ? 0 : (double)s->sum[found][counter];
}

/* How often the loop around goes: the text after the ids says what a round adds to the sum. 0: not known. */
static double rounds_read(const struct stepping *s, uint64_t id, char *text)
{
    double each = (double)llabs(strtoll(text, &text, 10)), more = (double)strtoll(text, NULL, 10);
    return each > 0 ? sum_of(s, id, SUM) / each + more * sum_of(s, id, ENTRIES) : 0;
}

/* A loop that some rounds of another skip. Its value has its last line, whether it is inlined there, and what every
 * round enters (seldom.cc). Where a copy's entries are not known, the time of its lines is that of both. */
static void piece_add(struct stepping *s, struct model_remark *r)
{
    uint64_t ids[2];
    double rounds = rounds_read(s, ids[1], ids_read(r->detail, ids)), entries = sum_of(s, ids[0], ENTRIES);
    r->loop_first = r->line;
    r->loop_last = (uint32_t)(r->value >> 32);
    r->is_inlined = r->value >> 31 & 1;
    r->value &= 0x7fffffff;
    struct loop_sum *loop = loop_of(s, r);
    uint32_t found = ids[0] ? map_get(&s->ids, &ids[0], sizeof ids[0]) : MAP_FRESH;
    loop->is_partial |= !ids[0] && r->function != MODEL_NONE;
    if (found == MAP_FRESH || s->sum[found][TAKEN]++)
        return;
    loop->entries += entries;
    loop->steps += rounds;
    loop->is_stepless |= entries > 0 && rounds <= 0;
}

/* Of calls and loops that not every round comes to. Units that share a function share its counters: one id is added
 * once. */
static void rounds_merge(struct stepping *s, struct model *model)
{
    for (size_t i = 0; i < model->remark_count; i++) {
        struct model_remark *r = &model->remark[i];
        uint64_t ids[2];
        if (r->kind == PP_REMARK_PIECE)
            piece_add(s, r);
        else if (r->kind == PP_REMARK_ROUNDS)
            r->steps = rounds_read(s, ids[1], ids_read(r->detail, ids));
        if (r->kind == PP_REMARK_PIECE || r->kind == PP_REMARK_ROUNDS)
            r->detail = "";
    }
}

void steps_merge(struct model *model, const struct profile *profile)
{
    struct stepping s = { .profile = profile };
    size_t kept = 0;
    s.counter = counters_sorted(profile);
    sums_find(&s, model);
    rounds_merge(&s, model);
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
        if (r->kind == PP_REMARK_LOOP || r->kind == PP_REMARK_PIECE) {
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
