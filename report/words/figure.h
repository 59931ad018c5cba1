/* SPDX-License-Identifier: MIT */
/* figure.h: numbers as a person reads them: 36.9 ms, 1.2 GiB, 8 410, 97.7%. Knows nothing of what they measure. */
#ifndef PROFPLUG_FIGURE_H
#define PROFPLUG_FIGURE_H

#include <stdint.h>

#define FIGURE_BYTES 32

/* Each writes into `to` (FIGURE_BYTES) and returns it. */
const char *figure_time(char *to, double ns);     /* three digits and a unit; "-" below 0 */
const char *figure_size(char *to, double bytes);  /* KiB, MiB: units of 1024; "-" below 0 */
const char *figure_count(char *to, double count); /* exact and grouped to 99 999, then 1.2 M; "-" below 0 */
const char *figure_times(char *to, double times); /* three digits to 999, then as a count: 2.46, 2 043; no exponent */
const char *figure_share(char *to, double share); /* of 1, in percent with one decimal */
const char *figure_part(char *to, uint64_t part, uint64_t whole); /* in percent; "-" of nothing */

#endif
