/* SPDX-License-Identifier: MIT */
/* rule: pagefaults */
/* sizes: 1 2 */
/* wide: 1 2 */
/* charts.c: pilots look for shoals, each on a chart of their own. It is a copy in memory, or with FIXED the file
 * itself, which each maps: its pages are handed out, too, but none is new, and MAP_POPULATE saves 5 % where up to 60
 * were told. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CHART (32u << 20)

static uint8_t sea[CHART];

static const uint8_t *chart_get(int fd)
{
#ifdef FIXED
    void *chart = mmap(NULL, CHART, PROT_READ, MAP_PRIVATE, fd, 0);
    return chart == MAP_FAILED ? NULL : chart;
#else
    uint8_t *chart = malloc(CHART); /* @ */
    (void)fd;
    return chart ? memcpy(chart, sea, CHART) : NULL; /* @ */
#endif
}

static uint64_t shoals_count(const uint8_t *chart)
{
    uint64_t shoals = 0;
    for (size_t i = 0; i < CHART; i += 64)
        shoals += chart[i] < 20;
    return shoals;
}

int main(int argc, char **argv)
{
    unsigned pilots = (unsigned)(12 * (argc > 1 ? atof(argv[1]) : 1));
    char path[] = "charts-XXXXXX";
    int fd = mkstemp(path);
    uint64_t shoals = 0;
    unlink(path);
    for (uint32_t i = 0; i < CHART; i += 64)
        sea[i] = (uint8_t)(i * 2654435761u >> 24);
    if (fd < 0 || write(fd, sea, CHART) != CHART)
        return 1;
    for (unsigned i = 0; i < pilots; i++) {
        const uint8_t *chart = chart_get(fd);
        if (!chart)
            return 1;
        shoals += shoals_count(chart);
    }
    printf("%u pilots, %llu shoals\n", pilots, (unsigned long long)shoals);
    return 0;
}
