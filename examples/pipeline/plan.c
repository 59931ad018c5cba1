/* SPDX-License-Identifier: MIT */
/* plan.c: turns a seed into the places where the bad habits are planted, and says where that was. Knows no images. */
#include "pipeline.h"

const char *const place_name[PLACE_COUNT] = { "load", "decode", "preprocess", "augment", "inference", "write" };
const char *const habit_name[HABIT_COUNT] = { "tiny_reads", "churn", "scalar", "wait", "tail", "repeat" };

/* Which habits make sense where: a row per habit, a column per place. */
static const char allowed[HABIT_COUNT][PLACE_COUNT] = {
    [TINY_READS] = { 1, 0, 1, 1, 1, 0 },
    [CHURN]      = { 0, 1, 1, 1, 1, 1 },
    [SCALAR]     = { 0, 1, 1, 1, 1, 1 },
    [WAIT]       = { 1, 1, 1, 1, 1, 1 },
    [TAIL]       = { 1, 1, 1, 1, 1, 1 },
    [REPEAT]     = { 0, 1, 1, 1, 1, 1 },
};

static unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Draws until the places differ and suit: some tens of draws. */
void plan_make(struct plan *plan, unsigned seed, int only)
{
    unsigned state = seed * 2654435761u + 12345u;
    int ok = 0;
    while (!ok) {
        unsigned taken = 0;
        ok = 1;
        for (int h = 0; h < HABIT_COUNT; h++) {
            int p = (int)(next_random(&state) % PLACE_COUNT);
            if (!allowed[h][p] || (taken >> p & 1))
                ok = 0;
            taken |= 1u << p;
            plan->place[h] = p;
        }
    }
    plan->tail_batch = (int)(next_random(&state) % 4);
    for (int h = 0; h < HABIT_COUNT; h++)
        if (seed == 0 || (only >= 0 && only != h))
            plan->place[h] = -1;
}

void plan_print(const struct plan *plan, FILE *out)
{
    for (int h = 0; h < HABIT_COUNT; h++) {
        fprintf(out, "%s %s", habit_name[h], plan->place[h] < 0 ? "nowhere" : place_name[plan->place[h]]);
        if (h == TAIL && plan->place[h] >= 0)
            fprintf(out, " %d", plan->tail_batch);
        fputc('\n', out);
    }
}
