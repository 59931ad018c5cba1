/* SPDX-License-Identifier: MIT */
/* rule: unoptimised */
/* sizes: 0.3 1 3 */
/* most: 45 */
/* says: libraries */
/* etiquettes.c: long labels are looked for by strcmp, which is fast however the program is compiled. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LABELS 50
#define BYTES 300

#ifndef FIXED
#define SETTING __attribute__((optimize("O0")))
#else
#define SETTING
#endif

static char label[LABELS][BYTES];

SETTING static unsigned label_find(const char *text) /* @ */
{
    unsigned i = 0;
    while (i < LABELS && strcmp(label[i], text) != 0)
        i++;
    return i;
}

SETTING static uint64_t labels_find(unsigned count) /* @ as hot as its callee, where the CPU says so */
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < count; i++) {
        const char *text = label[i % LABELS];
        for (unsigned k = 0; k < 100; k++)
            sum += (unsigned char)text[k];
        sum += label_find(text);
    }
    return sum;
}

int main(int argc, char **argv)
{
    unsigned count = (unsigned)(600000 * (argc > 1 ? atof(argv[1]) : 1));
    for (unsigned i = 0; i < LABELS; i++) {
        memset(label[i], 'x', BYTES - 16);
        snprintf(label[i] + BYTES - 16, 16, "%u", i);
    }
    printf("%llu\n", (unsigned long long)labels_find(count));
    return 0;
}
