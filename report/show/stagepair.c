/* SPDX-License-Identifier: MIT */
/* stagepair.c: the stages that `diff --stage A --stage B` compares, and those inside them. See changes.h. */
#include "show/changes.h"
#include "words/figure.h"

const struct table_column stage_columns[] = { { "stage", true, 0 },       { "", true, 0 },
                                              { "entries", false, 4 },    { "wall each", false, 0 },
                                              { "CPU each", false, 3 },   { "waits each", false, 2 },
                                              { "allocated", false, 1 },  { "read", false, 1 } };

/* How often the times are measured: iterations of a loop, else entries; 0: not known. */
static double times_of(const struct difference_site *s, enum difference_arm arm)
{
    const struct difference_count *trips = &s->count[COUNTER_TRIPS], *entries = &s->count[COUNTER_HITS];
    const struct difference_count *c = trips->known ? trips : entries;
    return c->known ? ((double)c->low[arm] + (double)c->high[arm]) / 2 : 0;
}

static const char *each(char *to, const struct difference_site *s, enum difference_clock clock,
                        enum difference_arm arm)
{
    double times = times_of(s, arm);
    return s->time[clock].known && times > 0 ? figure_time(to, s->time[clock].ns[arm] / times) : "-";
}

static const char *bytes_of(char *to, const struct difference_count *count, enum difference_arm arm)
{
    return count->known ? figure_size(to, (double)count->high[arm]) : "-";
}

void stages_fill(struct table *table, const struct difference *d)
{
    char text[FIGURE_BYTES];
    for (size_t i = 0; i < d->site_count; i++) {
        const struct difference_site *s = &d->site[i];
        if (s->kind != DIFFERENCE_STAGE)
            continue;
        for (int arm = 0; arm < ARMS; arm++) {
            bool whole = s->parent == DIFFERENCE_NONE;
            table_cell(table, whole ? d->stage[arm] : arm ? "" : s->name);
            table_cell(table, arm ? "new" : "old");
            table_cell(table, figure_count(text, times_of(s, (enum difference_arm)arm)));
            for (int k = 0; k < CLOCKS; k++) {
                static const enum difference_clock order[] = { CLOCK_WALL, CLOCK_CPU, CLOCK_WAIT };
                table_cell(table, each(text, s, order[k], (enum difference_arm)arm));
            }
            table_cell(table, bytes_of(text, &s->count[COUNTER_ALLOC_BYTES], (enum difference_arm)arm));
            table_cell(table, bytes_of(text, &s->count[COUNTER_READ_BYTES], (enum difference_arm)arm));
        }
    }
}
