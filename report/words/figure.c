/* SPDX-License-Identifier: MIT */
/* figure.c: see figure.h. */
#include "words/figure.h"

#include <math.h>
#include <stdio.h>

static const char *scaled(char *to, double value, double base, const char *const *unit, int units)
{
    int u = 0;
    /* 999.6 shows as 1000 with no decimals: it belongs to the next unit */
    while (u + 1 < units && value >= (base == 1000 ? 999.5 : 1023.5)) {
        value /= base;
        u++;
    }
    int decimals = u == 0 && value == floor(value) ? 0 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    snprintf(to, FIGURE_BYTES, "%.*f %s", decimals, value, unit[u]);
    return to;
}

static const char *none(char *to)
{
    to[0] = '-';
    to[1] = 0;
    return to;
}

const char *figure_time(char *to, double ns)
{
    static const char *const unit[] = { "ns", "us", "ms", "s" };
    if (!(ns >= 0))
        return none(to);
    if (ns == 0)
        return snprintf(to, FIGURE_BYTES, "0"), to;
    return scaled(to, ns, 1000, unit, 4);
}

const char *figure_size(char *to, double bytes)
{
    static const char *const unit[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB" };
    if (!(bytes >= 0))
        return none(to);
    if (bytes == 0)
        return snprintf(to, FIGURE_BYTES, "0"), to;
    return scaled(to, bytes, 1024, unit, 6);
}

const char *figure_count(char *to, double count)
{
    static const char *const unit[] = { "", "k", "M", "G", "T", "P", "E" };
    if (!(count >= 0))
        return none(to);
    if (count < 999.5)
        snprintf(to, FIGURE_BYTES, "%.0f", count);
    else if (count < 99999.5)
        snprintf(to, FIGURE_BYTES, "%d %03d", (int)(count + 0.5) / 1000, (int)(count + 0.5) % 1000);
    else
        return scaled(to, count, 1000, unit, 7);
    return to;
}

const char *figure_times(char *to, double times)
{
    if (!(times >= 0.01 && times < 999.5))
        return figure_count(to, times);
    snprintf(to, FIGURE_BYTES, "%.3g", times);
    return to;
}

const char *figure_share(char *to, double share)
{
    if (!(share >= 0))
        return none(to);
    snprintf(to, FIGURE_BYTES, "%.1f%%", share * 100);
    return to;
}

const char *figure_part(char *to, uint64_t part, uint64_t whole)
{
    if (whole)
        snprintf(to, FIGURE_BYTES, "%.0f%%", 100 * (double)part / (double)whole);
    return whole ? to : "-";
}
