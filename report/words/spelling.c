/* SPDX-License-Identifier: MIT */
/* spelling.c: see spelling.h. */
#include "words/spelling.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* How many letters to change, add, leave out or swap with their neighbour. */
static unsigned distance(const char *a, const char *b)
{
    enum { MOST = 63 };
    unsigned before[MOST + 1], last[MOST + 1], row[MOST + 1];
    size_t n = strlen(b);
    if (n >= MOST || strlen(a) >= MOST)
        return 99;
    for (unsigned k = 0; k <= n; k++)
        last[k] = before[k] = k;
    for (unsigned i = 0; a[i]; i++) {
        row[0] = i + 1;
        for (unsigned k = 1; k <= n; k++) {
            unsigned change = last[k - 1] + (a[i] != b[k - 1]);
            unsigned step = last[k] < row[k - 1] ? last[k] + 1 : row[k - 1] + 1;
            row[k] = change < step ? change : step;
            bool swapped = i && k > 1 && a[i] == b[k - 2] && a[i - 1] == b[k - 1];
            if (swapped && before[k - 2] + 1 < row[k])
                row[k] = before[k - 2] + 1;
        }
        memcpy(before, last, sizeof last);
        memcpy(last, row, sizeof last);
    }
    return last[n];
}

void spelling_offer(struct spelling *s, const char *name)
{
    unsigned far = distance(s->said, name);
    if (strlen(s->said) >= 3 && strstr(name, s->said))
        far = 1;
    if (far > 1 + strlen(s->said) / 3 || far >= strlen(name))
        return;
    for (int i = 0; i < SPELLINGS; i++) {
        if (s->name[i] && strcmp(s->name[i], name) == 0)
            return;
        if (s->name[i] && far >= s->distance[i])
            continue;
        const char *moved = s->name[i];
        unsigned moved_far = s->distance[i];
        s->name[i] = name;
        s->distance[i] = far;
        name = moved;
        far = moved_far;
        if (!name)
            return;
    }
}

const char *spelling_ask(const struct spelling *s, char to[SPELLING_BYTES])
{
    to[0] = 0;
    if (s->name[0])
        snprintf(to, SPELLING_BYTES, " (did you mean %.200s?)", s->name[0]);
    return to;
}
