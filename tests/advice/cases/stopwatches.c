/* SPDX-License-Identifier: MIT */
/* rule: dearcalls */
/* sizes: 0.3 1 3 */
/* titled: clock */
/* stopwatches.c: how long each line takes to parse is added up, by the thread's clock. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static char text[60000];
static uint64_t spent;

static unsigned line_sum(const char **at)
{
    unsigned sum = 0, number = 0;
    for (; **at != '\n'; (*at)++)
        if (**at == ' ') {
            sum += number;
            number = 0;
        } else
            number = 10 * number + (unsigned)(**at - '0');
    (*at)++;
    return sum + number;
}

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); /* @ */
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int main(int argc, char **argv)
{
    int rounds = (int)(150 * (argc > 1 ? atof(argv[1]) : 1));
    unsigned sum = 0, state = 5;
    size_t used = 0;
    while (used + 40 < sizeof text) {
        state = state * 1664525u + 1013904223u;
        used += (size_t)sprintf(text + used, "%u %u %u\n", state >> 20, state >> 28, state >> 24 & 15);
    }
    for (int r = 0; r < rounds; r++) {
#ifdef FIXED
        uint64_t start = now();
        for (const char *p = text; *p;)
            sum += line_sum(&p);
        spent += now() - start;
#else
        for (const char *p = text; *p;) {
            uint64_t start = now();
            sum += line_sum(&p);
            spent += now() - start;
        }
#endif
    }
    printf("%u%s\n", sum, spent ? "" : " in no time");
    return 0;
}
