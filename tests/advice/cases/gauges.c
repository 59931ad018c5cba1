/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 */
/* wide: 0.3 0.5 0.9 */
/* rule: reallocs */
/* not: copies */
/* gauges.c: what gauges of a river have read is kept for each of them. Messages of the gauges wait in a short queue. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAUGES = 20, WAITING = 8, TEXT = 120 };

struct reading {
    uint32_t hour, level;
};
static struct gauge {
    struct reading *reading;
    size_t count, capacity;
} gauge[GAUGES];
static char *waiting[WAITING];
static size_t in_use;

/* The program's own, for it counts what is in use. */
static void *resize(void *old, size_t had, size_t wants)
{
    void *block = malloc(wants); /* @ */
    if (!block)
        exit(1);
    if (old)
        memcpy(block, old, had < wants ? had : wants);
    free(old);
    in_use += wants - had;
    return block;
}

static void keep(struct gauge *g, uint32_t hour, uint32_t level)
{
#ifndef FIXED
    size_t capacity = g->count + 1;
#else
    size_t capacity = g->capacity > g->count ? g->capacity : 2 * g->capacity + 16;
#endif
    if (capacity != g->capacity)
        g->reading = resize(g->reading, g->capacity * sizeof *g->reading, capacity * sizeof *g->reading);
    g->capacity = capacity;
    g->reading[g->count++] = (struct reading){ hour, level };
}

static char *message_make(uint32_t number)
{
    char text[TEXT];
    snprintf(text, sizeof text, "gauge %u of %d", number % GAUGES, GAUGES);
    char *message = malloc(TEXT);
    if (!message)
        exit(1);
    memcpy(message, text, TEXT);
    return message;
}

static uint32_t message_read(char *message)
{
    uint32_t number = message ? (uint32_t)strtoul(message + 6, NULL, 10) : 0;
    free(message);
    return number;
}

int main(int argc, char **argv)
{
    uint32_t count = (uint32_t)(240000 * (argc > 1 ? atof(argv[1]) : 1)), number = 1, sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        number = number * 1664525 + 1013904223;
        sum += message_read(waiting[i % WAITING]);
        waiting[i % WAITING] = message_make(i);
        keep(&gauge[number >> 16 & 15], i / GAUGES, number >> 20);
    }
    for (int g = 0; g < GAUGES; g++)
        for (size_t i = 0; i < gauge[g].count; i++)
            sum = sum * 31 + gauge[g].reading[i].level;
    printf("%u readings, %u\n", count, sum);
    return 0;
}
