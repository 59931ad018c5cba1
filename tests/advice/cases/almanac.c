/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* rule: repeatedcalls */
/* does: localtime */
/* least: 75 */
/* neither: pagefaults */
/* almanac.c: tides are counted by the hour of the day. Without TZ each localtime asks the kernel for the date of a file,
 * in the library, so that no wrapper has it: all of that time is its line's, and none is that of the lines around. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t tides[24];

int main(int argc, char **argv)
{
    uint32_t count = (uint32_t)(200000 * (argc > 1 ? atof(argv[1]) : 1));
    time_t first = 1700000000;
    uint64_t random = 1;
    unsetenv("TZ");
#ifdef FIXED
    struct tm begin;
    localtime_r(&first, &begin);
#endif
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 80; k++)
            random = (random ^ random >> 13) * 0x9e3779b97f4a7c15u;
        time_t at = first + (time_t)(random % 86400);
#ifndef FIXED
        const struct tm *tide = localtime(&at); /* @ */
        tides[tide->tm_hour]++;
#else
        tides[(at + begin.tm_gmtoff) / 3600 % 24]++;
#endif
    }
    printf("%llu at three, %llu at seven\n", (unsigned long long)tides[3], (unsigned long long)tides[7]);
    return 0;
}
