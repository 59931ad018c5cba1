/* SPDX-License-Identifier: MIT */
/* steps.c: innermost loops, unannotated. It prints for each marked line how often the loop is entered, and the fewest
 * and most steps that may be counted, by arithmetic of its own: a step that leaves halfway may count or not. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OWN __attribute__((noinline, noclone))
enum { SIZE = 500, ROUNDS = 40 };

struct link {
    struct link *next;
    int value, colour;
};

OWN long sum(const int *a, long n)
{
    long s = 0;
    for (long i = 0; i < n; i++) /* sum */
        s += a[i];
    return s;
}

OWN float scale(float *a, unsigned n)
{
    for (unsigned i = 0; i < n; i += 3) /* scale */
        a[i] = a[i] * 0.5f + 1;
    return a[0];
}

OWN long text_length(const char *s)
{
    const char *p = s;
    while (*p && *p != '|') /* text */
        p++;
    return p - s;
}

static const unsigned short class_of[256] = { ['x'] = 2, [' '] = 4 };

OWN long class_length(const char *s)
{
    const char *p = s;
    while (*p && class_of[(unsigned char)*p] & 2) /* class */
        p++;
    return p - s;
}

OWN int find_last(const int *a, unsigned n, int value)
{
    for (unsigned i = n; i-- > 0;) /* last */
        if (a[i] == value)
            return (int)i;
    return -1;
}

OWN void insertion(int *a, int n)
{
    for (int i = 1; i < n; i++) {
        int value = a[i], j = i;
        while (j > 0 && a[j - 1] > value) { /* insertion */
            a[j] = a[j - 1];
            j--;
        }
        a[j] = value;
    }
}

OWN void product(const double *a, const double *b, double *c, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++) /* product */
                s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}

OWN int chain(const struct link *at)
{
    int s = 0;
    for (; at; at = at->next) /* chain */
        s ^= at->value;
    return s;
}

OWN const struct link *search(const struct link *at, int value, int colour)
{
    for (; at; at = at->next) /* search */
        if (at->value == value && at->colour == colour)
            return at;
    return NULL;
}

OWN int two_ways_out(const int *a, int n, int value)
{
    int turns = 0;
    for (int i = 0; i < n; i += 2) { /* ways */
        if (a[i] == value)
            return turns;
        turns += a[i];
        if (a[i + 1] == value)
            break;
    }
    return -turns;
}

static void say(const char *mark, uint64_t entries, uint64_t fewest, uint64_t most)
{
    printf("%s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", mark, entries, fewest, most);
}

int main(void)
{
    static int a[SIZE];
    static float f[SIZE];
    static double m[3][SIZE * 4];
    static struct link link[SIZE];
    static char text[SIZE];
    volatile double kept = 0;
    uint64_t steps = 0;
    for (int i = 0; i < SIZE; i++) {
        a[i] = i;
        link[i] = (struct link){ i + 1 < SIZE ? &link[i + 1] : NULL, i, i % 7 };
    }
    for (int r = 1; r <= ROUNDS; r++, steps += (uint64_t)r * 10 - 10)
        kept += (double)sum(a, r * 10);
    say("sum", ROUNDS, steps, steps);
    for (int r = steps = 0; r < ROUNDS; r++, steps += SIZE / 3)
        kept += scale(f, SIZE / 3 * 3);
    say("scale", ROUNDS, steps, steps);
    memset(text, 'x', SIZE - 1);
    text[300] = '|';
    for (int r = steps = 0; r < ROUNDS; r++, steps += (uint64_t)(300 - r))
        kept += (double)text_length(text + r);
    for (int r = 0; r < ROUNDS; r++)
        kept += (double)class_length(text + r);
    say("class", ROUNDS, 300 * ROUNDS - ROUNDS * (ROUNDS - 1) / 2, 301 * ROUNDS - ROUNDS * (ROUNDS - 1) / 2);
    say("text", ROUNDS, 300 * ROUNDS - ROUNDS * (ROUNDS - 1) / 2, 301 * ROUNDS - ROUNDS * (ROUNDS - 1) / 2);
    for (int r = 0; r < ROUNDS; r++)
        kept += find_last(a, SIZE, r % 2 ? -1 : 100);
    steps = ROUNDS / 2 * (uint64_t)(SIZE + SIZE - 101);
    say("last", ROUNDS, steps, steps + ROUNDS);
    for (int r = 0; r < ROUNDS; r++)
        kept += two_ways_out(a, SIZE, r % 2 ? 200 : 301);
    steps = ROUNDS / 2 * (uint64_t)(100 + 150);
    say("ways", ROUNDS, steps, steps + ROUNDS);
    product(m[0], m[1], m[2], 40);
    say("product", 1600, 64000, 64000);
    kept += chain(link);
    say("chain", 0, 0, 0);
    for (int r = 0; r < ROUNDS; r++)
        kept += search(link, r % 2 ? -1 : 100, 100 % 7) != NULL;
    steps = ROUNDS / 2 * (uint64_t)(SIZE + 101);
    say("search", ROUNDS, steps, steps + ROUNDS / 2);
    for (int i = 0; i < SIZE; i++)
        a[i] = SIZE - i;
    insertion(a, SIZE);
    say("insertion", SIZE - 1, SIZE * (SIZE - 1) / 2, SIZE * (SIZE - 1) / 2 + SIZE - 1);
    return kept == 0.5;
}
