/* SPDX-License-Identifier: MIT */
/* names.c: more names of counts than there is room for, names that are too long, names that come from two places, and one that is said where
 * nothing of the runtime knows the thread yet. */
#include "expect.h"
#include <pthread.h>
#include <stdlib.h>

enum { NAMES = 1100, ROOM = 1008 };

QUIET static void *elsewhere(void *unused)
{
    profplug_count("shared", 2);
    return unused;
}

PROFPLUG_STAGE("many") KEEP void many(struct profplug_number *number)
{
    for (int turn = 0; turn < 3; turn++)
        for (int i = 0; i < NAMES; i++)
            __profplug_number(&number[i], i);
}

int main(void)
{
    struct profplug_number *number = calloc(NAMES, sizeof *number);
    pthread_t thread;
    profplug_count("shared", 1);
    profplug_gauge("shared", 3);                         /* a count already */
    pthread_create(&thread, 0, elsewhere, 0);
    pthread_join(thread, 0);
    for (int i = 0; i < NAMES; i++) {
        char *name = malloc(200);
        memset(name, 'x', 200);
        sprintf(name, "name-%d", i);
        number[i].name = name;
        if (i == 7 || i == 8) {                          /* the longest that there is, and one more */
            memset(name, 'a' + i, 200);
            name[120 + i] = 0;
        }
    }
    many(number);
    int lost = NAMES - (ROOM - 1) - 1;                   /* the shared one has a place, one is too long and has none */
    expect("tally shared 3 6");
    expect("tally name-5 3 15");
    expect("tally name-1000 3 3000");
    expect("tally_long 127 3 21");
    expect("tally_names %d", ROOM);
    expect("losses NUMBERS %d", 3 * (lost + 1));
    return 0;
}
