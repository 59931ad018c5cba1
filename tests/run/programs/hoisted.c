/* SPDX-License-Identifier: MIT */
/* A loop whose condition asks a function that has no effects. GCC asks it once, before the loop, also where lines or
 * loops are counted: else the loop would take quadratic time. */
#include "expect.h"
#include <stdlib.h>
#include <string.h>

struct text { const char *at; size_t bytes; };
static unsigned char kind[256];

#define WORDS(name, first)                                                                                              \
    static int name(const struct text *t, int from)                                                                     \
    {                                                                                                                   \
        int n = first, in = 0;                                                                                          \
        for (size_t i = (size_t)from; i < t->bytes; i++) {                                                              \
            int k = kind[(unsigned char)t->at[i]];                                                                      \
            if (k == 1 && !in) {                                                                                        \
                n++;                                                                                                    \
                in = 1;                                                                                                 \
            } else if (k == 2)                                                                                          \
                in = i + 1 < t->bytes && t->at[i + 1] == '\n';                                                          \
            else if (k == 3)                                                                                            \
                n -= in;                                                                                                \
            else                                                                                                        \
                in = k == 1;                                                                                            \
        }                                                                                                               \
        return n;                                                                                                       \
    }
WORDS(plainly, 0)
WORDS(staged, 0)
static __attribute__((noinline)) int within(const struct text *t, int from);
WORDS(within, 1)

/* A function without loops that calls one. */
static __attribute__((noinline)) int around(const struct text *t, int from) { return within(t, from) / 2 + from; }

static long sum(const struct text *t, const int *v, int limit)
{
    long s = 0;
    for (int i = 0; i < limit && i < plainly(t, 0); i++)
        s += v[i];
    return s + plainly(t, 1);
}

PROFPLUG_STAGE("add", "compute") static long add(const struct text *t, const int *v, int limit)
{
    long s = 0;
    for (int i = 0; i < limit && i < staged(t, 0); i++)
        s += v[i];
    return s + staged(t, 1);
}

PROFPLUG_STAGE("halves", "compute") static long halves(const struct text *t, const int *v, int limit)
{
    long s = 0;
    for (int i = 0; i < limit && i < around(t, 0); i++)
        s += v[i];
    return s + around(t, 1);
}

/* A stage is entered as often as it is called, whatever it does. */
PROFPLUG_STAGE("same", "compute") static unsigned same(unsigned n)
{
    unsigned s = 0;
    for (unsigned i = 0; i < n; i++)
        s = s * 17 + (s >> 3) + i;
    return s;
}

int main(int argc, char **argv)
{
    unsigned all = 0;
    int n = 3000 + (argc < 0);
    char *at = malloc((size_t)n * 5);
    int *v = calloc((size_t)n, sizeof *v);
    if (!at || !v)
        return 1;
    for (int i = 0; i < n; i++)
        memcpy(at + i * 5, "word ", 5);
    for (int i = 'a'; i <= 'z'; i++)
        kind[i] = 1;
    kind[' '] = 2;
    kind[';'] = 3;
    v[3] = 1;
    struct text t = { at, (size_t)n * 5 };
    if (sum(&t, v, n) != n + 1 || add(&t, v, n) != n + 1 || halves(&t, v, n) != n / 2 + 2)
        return 1;
    for (int i = 0; i < 100; i++)
        all += same(50 + (unsigned)(argc < 0));
    if (all != 100 * same(50))
        return 1;
    expect("calls plainly 2");
    expect("calls staged 2");
    expect("calls within 2");
    expect("calls around 2");
    expect("stage add stage 1");
    expect("stage halves stage 1");
    expect("stage same stage 101");
    expect("exit EXIT 0");
    return 0;
}
