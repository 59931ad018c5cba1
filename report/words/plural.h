/* SPDX-License-Identifier: MIT */
/* plural.h: words that agree with a count: "1 sample", "2 samples". It must not know what is counted. */
#ifndef PROFPLUG_PLURAL_H
#define PROFPLUG_PLURAL_H

#include <stddef.h>
#include <stdint.h>

/* `one` for 1, else `many`. */
const char *plural(uint64_t count, const char *one, const char *many);
/* As plural, for a figure shown without decimals: 0.7 is shown as 1. */
const char *plural_figure(double figure, const char *one, const char *many);

/* A unit of throughput and objectives: "entries", "entry". */
const char *plural_unit(uint64_t count, const char *unit);

/* Copies `text`, cut to `room`, choosing one or many in each {one|many}; returns `to`. */
char *plural_text(char *to, size_t room, uint64_t count, const char *text);

#endif
