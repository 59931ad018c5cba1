/* SPDX-License-Identifier: MIT */
/* rule: formatting */
/* sizes: 0.3 1 3 */
/* does: fwrite digits */
/* shows: fprintf */
/* gauges.c: levels of rivers go to a file as text. It is no key and no log: what helps is to make the digits at hand, or
 * not to write text. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct level {
    uint32_t gauge, hour, millimetres;
};

#ifdef FIXED
static char *digits_put(char *at, uint32_t number, char after)
{
    char text[12];
    int n = 0;
    do
        text[n++] = (char)('0' + number % 10);
    while ((number /= 10));
    while (n)
        *at++ = text[--n];
    *at++ = after;
    return at;
}
#endif

static void level_put(FILE *to, const struct level *l)
{
#ifndef FIXED
    fprintf(to, "%u,%u,%u\n", l->gauge, l->hour, l->millimetres); /* @ */
#else
    char line[48], *at = digits_put(line, l->gauge, ',');
    at = digits_put(digits_put(at, l->hour, ','), l->millimetres, '\n');
    fwrite(line, 1, (size_t)(at - line), to);
#endif
}

int main(int argc, char **argv)
{
    unsigned count = (unsigned)(800000 * (argc > 1 ? atof(argv[1]) : 1)), random = 3;
    char path[] = "gauges-XXXXXX";
    int fd = mkstemp(path);
    FILE *to = fdopen(fd, "w");
    for (unsigned i = 0; i < count && to; i++) {
        random = random * 1664525u + 1013904223u;
        struct level l = { random >> 22, i / 1024, (random >> 8) % 9000 };
        level_put(to, &l);
    }
    printf("%u levels, %ld bytes\n", count, to ? ftell(to) : 0);
    if (to)
        fclose(to);
    remove(path);
    return 0;
}
