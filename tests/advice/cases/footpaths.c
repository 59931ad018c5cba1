/* SPDX-License-Identifier: MIT */
/* rule: extremes */
/* sizes: 0.7 1 2 */
/* wide: 0.7 1 3 */
/* does: heap */
/* least: 70 */
/* footpaths.c: how far it is to all places of a park by its footpaths, after Dijkstra. The nearest place that is left is
 * looked for among all places. */
#include <stdio.h>
#include <stdlib.h>

#define MOST 40000
#define PATHS 4

static struct path {
    int to;
    unsigned length;
} path[MOST][PATHS];
static unsigned far[MOST];
static char is_done[MOST];
static int places;

#ifdef FIXED
static struct {
    unsigned far;
    int place;
} heap[MOST * PATHS];
static int heaped;

static void heap_put(unsigned length, int place)
{
    int at = ++heaped;
    for (; at > 1 && heap[at / 2].far > length; at /= 2)
        heap[at] = heap[at / 2];
    heap[at].far = length;
    heap[at].place = place;
}

static int heap_take(void)
{
    int place = heap[1].place, at = 1;
    unsigned length = heap[heaped].far, last = (unsigned)heap[heaped].place;
    heaped--;
    for (int below; (below = 2 * at) <= heaped; at = below) {
        below += below < heaped && heap[below + 1].far < heap[below].far;
        if (heap[below].far >= length)
            break;
        heap[at] = heap[below];
    }
    heap[at].far = length;
    heap[at].place = (int)last;
    return place;
}
#endif

static int nearest(void)
{
    int found = -1;
#ifdef FIXED
    while (heaped && found < 0) {
        int place = heap_take();
        found = is_done[place] ? -1 : place;
    }
#else
    unsigned best = ~0u;
    for (int i = 0; i < places; i++)
        if (!is_done[i] && far[i] < best) { /* @ */
            best = far[i];
            found = i;
        }
#endif
    return found;
}

int main(int argc, char **argv)
{
    places = (int)(9000 * (argc > 1 ? atof(argv[1]) : 1));
    unsigned state = 3, sum = 0;
    for (int i = 0; i < places; i++) {
        far[i] = ~0u;
        for (int k = 0; k < PATHS; k++) {
            state = state * 1664525u + 1013904223u;
            path[i][k] = (struct path){ k ? (int)((state >> 8) % (unsigned)places) : (i + 1) % places, 1 + (state >> 24) };
        }
    }
    far[0] = 0;
#ifdef FIXED
    heap_put(0, 0);
#endif
    for (int at; (at = nearest()) >= 0;) {
        is_done[at] = 1;
        for (int k = 0; k < PATHS; k++)
            if (far[at] + path[at][k].length < far[path[at][k].to]) {
                far[path[at][k].to] = far[at] + path[at][k].length;
#ifdef FIXED
                heap_put(far[path[at][k].to], path[at][k].to);
#endif
            }
    }
    for (int i = 0; i < places; i++)
        sum = sum * 31 + far[i];
    printf("%u\n", sum);
    return 0;
}
