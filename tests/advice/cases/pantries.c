/* SPDX-License-Identifier: MIT */
/* rule: extremes */
/* sizes: 0.3 1 3 */
/* does: list */
/* least: 70 */
/* pantries.c: a pantry has room for a number of jars. When another one is wanted, the one that was used longest ago has
 * to go, which is looked for among all of them. In the twin the jars are in a list, the last used one in front. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 1500
#define KINDS 12000

static struct jar {
    unsigned used;
    int kind, before, after;
} jar[ROOM];
static int shelf[KINDS], jars, first = -1, last = -1;
static unsigned now;

#ifdef FIXED
static void jar_out(int at)
{
    *(jar[at].before >= 0 ? &jar[jar[at].before].after : &first) = jar[at].after;
    *(jar[at].after >= 0 ? &jar[jar[at].after].before : &last) = jar[at].before;
}

static void jar_in(int at)
{
    jar[at].before = -1;
    jar[at].after = first;
    *(first >= 0 ? &jar[first].before : &last) = at;
    first = at;
}
#endif

static int oldest(void)
{
#ifdef FIXED
    int found = last;
    jar_out(found);
#else
    int found = 0;
    for (int i = 1; i < ROOM; i++)
        if (jar[i].used < jar[found].used) /* @ */
            found = i;
#endif
    return found;
}

static int pantry_take(int kind)
{
    int at = shelf[kind], is_there = at >= 0;
    if (!is_there) {
        at = jars < ROOM ? jars++ : oldest();
        if (jar[at].used)
            shelf[jar[at].kind] = -1;
        jar[at].kind = kind;
        shelf[kind] = at;
    }
#ifdef FIXED
    else
        jar_out(at);
    jar_in(at);
#endif
    jar[at].used = ++now;
    return is_there;
}

int main(int argc, char **argv)
{
    int meals = (int)(120000 * (argc > 1 ? atof(argv[1]) : 1)), found = 0;
    unsigned state = 3;
    memset(shelf, 255, sizeof shelf);
    for (int i = 0; i < meals; i++) {
        state = state * 1664525u + 1013904223u;
        int kind = (int)((state >> 8) % KINDS);
        found += pantry_take(i % 3 ? kind / 6 : kind);
    }
    printf("%d of %d, %d %d\n", found, meals, first < ROOM, last < ROOM);
    return 0;
}
