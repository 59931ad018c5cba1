/* SPDX-License-Identifier: MIT */
/* sizes: 0.1 1 10 */
/* rescans.c: a viewer shows rows of a long text here and there; it looks for each row from the start of the text. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 4000u
#define WIDE 40u

static char text[ROWS * WIDE + 1];
#ifdef FIXED
static const char *row[ROWS];
#endif

static const char *row_find(unsigned number)
{
#ifdef FIXED
    return row[number];
#else
    const char *at = text;
    for (unsigned i = 0; i < number; i++)
        at = strchr(at, '\n') + 1; /* @ */
    return at;
#endif
}

static uint64_t row_hash(const char *at)
{
    uint64_t h = 14695981039346656037ULL;
    for (int again = 0; again < 40; again++)
        for (const char *p = at; *p != '\n'; p++)
            h = (h ^ (unsigned char)*p) * 1099511628211ULL;
    return h;
}

int main(int argc, char **argv)
{
    unsigned views = (unsigned)(100000 * (argc > 1 ? atof(argv[1]) : 1));
    uint64_t sum = 0, seed = 42;
    for (unsigned i = 0; i < ROWS; i++) {
#ifdef FIXED
        row[i] = text + i * WIDE;
#endif
        memset(text + i * WIDE, 'a' + (int)(i % 26), WIDE);
        text[i * WIDE + WIDE - 1] = '\n';
    }
    for (unsigned i = 0; i < views; i++) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        sum += row_hash(row_find((unsigned)(seed >> 33) % ROWS));
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
