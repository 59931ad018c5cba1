/* SPDX-License-Identifier: MIT */
/* rule: searches */
/* sizes: 1 3 */
/* wide: 1 3 10 */
/* essays.c: essays that come in are looked for among those that came before. All begin with the same long preface, so
 * that next to none of the time is in code of the program: strcmp has it. FIXED compares the ends, which differ. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PREFACE 8000
#define ESSAYS 60

static char *essay[ESSAYS];
static unsigned essays;

static unsigned essay_find(const char *text)
{
    unsigned i = 0;
#ifndef FIXED
    while (i < essays && strcmp(essay[i], text) != 0) /* @ */
        i++;
#else
    i = (unsigned)atoi(text + PREFACE);
    if (i < essays && strcmp(essay[i], text) != 0)
        i = essays;
#endif
    return i < essays ? i : essays;
}

static void essay_write(char *text, unsigned number)
{
    memset(text, 'a', PREFACE);
    snprintf(text + PREFACE, 16, "%u", number);
}

int main(int argc, char **argv)
{
    unsigned count = (unsigned)(10000 * (argc > 1 ? atof(argv[1]) : 1)), known = 0;
    char *text = malloc(PREFACE + 16);
    uint32_t random = 9;
    for (; text && essays < ESSAYS; essays++)
        if ((essay[essays] = malloc(PREFACE + 16)))
            essay_write(essay[essays], essays);
    essay_write(text, 0);
    for (unsigned i = 0; i < count; i++) {
        random = random * 1664525u + 1013904223u;
        snprintf(text + PREFACE, 16, "%u", (random >> 8) % (ESSAYS + 5));
        known += essay_find(text) < essays;
        if (i % 1000 == 999)
            usleep(60000); /* the next one comes */
    }
    printf("%u essays, %u known\n", count, known);
    return 0;
}
