/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* pauses.c: an editor's keystrokes, saved now and then. */
#include <profplug.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LINES 4096u
#define BETWEEN 64u

static struct {
    uint64_t text[16], digest;
    int changed;
} line[LINES];

static uint64_t digest_of(const uint64_t text[16])
{
    uint64_t h = 14695981039346656037ULL;
    for (int pass = 0; pass < 10; pass++)
        for (int i = 0; i < 16; i++)
            h = (h ^ text[i]) * 1099511628211ULL;
    return h;
}

__attribute__((noinline)) static void lines_save(void) /* @ */
{
    for (unsigned i = 0; i < LINES; i++) {
#ifdef FIXED
        if (!line[i].changed)
            continue;
#endif
        line[i].digest = digest_of(line[i].text);
        line[i].changed = 0;
    }
}

__attribute__((noinline)) static void key_type(unsigned number)
{
    unsigned at = number * 2654435761u % LINES;
    line[at].text[number % 16] += number;
    line[at].changed = 1;
    for (int i = 0; i < 60; i++)
        line[at].text[(number + (unsigned)i) % 16] ^= digest_of(line[at].text) & 1;
}

int main(int argc, char **argv)
{
    unsigned edits = (unsigned)(4000 * (argc > 1 ? atof(argv[1]) : 1));
    uint64_t sum = 0;
    for (unsigned i = 0; i < LINES; i++)
        line[i].digest = digest_of(line[i].text);
    PROFPLUG_LOOP("keys")
    for (unsigned i = 0; i < edits; i++) {
        key_type(i);
        if (i % BETWEEN == 0)
            lines_save();
    }
    lines_save();
    for (unsigned i = 0; i < LINES; i++)
        sum += line[i].digest;
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
