/* SPDX-License-Identifier: MIT */
/* sizes: 0.5 1 3 */
/* base: 5 */
/* pauses.c: an editor's keystrokes, saved now and then. Saving takes longer than a busy machine takes the CPU away. */
#include <profplug.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LINES 98304u
#define BETWEEN 1536u

static struct {
    uint64_t text[16], digest;
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
    for (unsigned i = 0; i < LINES; i++)
        line[i].digest = digest_of(line[i].text);
}

__attribute__((noinline)) static void key_type(unsigned number)
{
    unsigned at = number * 2654435761u % LINES;
    line[at].text[number % 16] += number;
    for (int i = 0; i < 60; i++)
        line[at].text[(number + (unsigned)i) % 16] ^= digest_of(line[at].text) & 1;
#ifdef FIXED
    line[at].digest = digest_of(line[at].text);
#endif
}

int main(int argc, char **argv)
{
    unsigned edits = (unsigned)(30000 * (argc > 1 ? atof(argv[1]) : 1));
    uint64_t sum = 0;
    for (unsigned i = 0; i < LINES; i++)
        line[i].digest = digest_of(line[i].text);
    PROFPLUG_LOOP("keys")
    for (unsigned i = 0; i < edits; i++) {
        key_type(i);
#ifndef FIXED
        if (i % BETWEEN == BETWEEN / 2)
            lines_save();
#endif
    }
    lines_save();
    for (unsigned i = 0; i < LINES; i++)
        sum += line[i].digest;
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
