/* SPDX-License-Identifier: MIT */
/* sizes: 1 2 */
/* rule: lengths */
/* libraries: -pthread */
/* most: 58 */
/* kind: measured */
/* scrolls.c: letters of long lines are put into capitals, by one thread that has a CPU for itself. Then more threads
 * than there are CPUs make seals. That these had to wait for a CPU is no part of what the lines took. */
#include <ctype.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEALERS 4u

static double scale = 1;

static void line_fill(char *line, size_t length, unsigned seed)
{
    for (size_t i = 0; i < length; i++) {
        seed = seed * 1103515245 + 12345;
        line[i] = "etaoin shrdlu, cmfwyp"[(seed >> 16) % 21];
    }
    line[length] = 0;
}

static unsigned long line_raise(char *line)
{
    unsigned long seen = 0;
#ifndef FIXED
    for (size_t i = 0; i < strlen(line); i++) { /* @ */
#else
    size_t length = strlen(line);
    for (size_t i = 0; i < length; i++) {
#endif
        line[i] = (char)toupper((unsigned char)line[i]);
        seen += line[i] == 'E';
    }
    return seen;
}

static void *seal_make(void *argument)
{
    uint64_t *seal = argument, rounds = (uint64_t)(0.6e8 * scale);
    for (uint64_t i = 0; i < rounds; i++)
        *seal = (*seal ^ (*seal >> 7)) * 6364136223846793005u + 1442695040888963407u;
    return NULL;
}

int main(int argc, char **argv)
{
    scale = argc > 1 ? atof(argv[1]) : 1;
    size_t length = 20000;
    char *line = malloc(length + 1);
    unsigned long seen = 0;
    uint64_t seal[SEALERS], all = 0;
    pthread_t sealer[SEALERS];
    for (unsigned i = 0; i < 75 * scale; i++) {
        line_fill(line, length, i);
        seen += line_raise(line);
    }
    for (unsigned i = 0; i < SEALERS; i++) {
        seal[i] = i + seen;
        if (pthread_create(&sealer[i], NULL, seal_make, &seal[i]))
            return 1;
    }
    for (unsigned i = 0; i < SEALERS; i++) {
        pthread_join(sealer[i], NULL);
        all ^= seal[i];
    }
    printf("%lu times E, %llx\n", seen, (unsigned long long)all);
    free(line);
    return 0;
}
