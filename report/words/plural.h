/* SPDX-License-Identifier: MIT */
/* plural.h: words that agree with a count: "1 sample", "2 samples". It must not know what is counted. */
#ifndef PROFPLUG_PLURAL_H
#define PROFPLUG_PLURAL_H

#include <stddef.h>
#include <stdint.h>

/* `one` for 1, else `many`. */
const char *plural(uint64_t count, const char *one, const char *many);
/* The same for a figure that is shown without decimals: 0.7 shows as 1. */
const char *plural_figure(double figure, const char *one, const char *many);

/* A unit of throughput and objectives: "entries", "entry". */
const char *plural_unit(uint64_t count, const char *unit);

/* `text` with each {one|many} in it as `count` asks, cut to `room`; returns `to`. */
char *plural_text(char *to, size_t room, uint64_t count, const char *text);

#endif
