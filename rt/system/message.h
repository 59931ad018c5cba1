/* SPDX-License-Identifier: MIT */
/* message.h: the one line on standard error. */
#ifndef PP_MESSAGE_H
#define PP_MESSAGE_H

#include "rt.h"

/* Writes one line on standard error, with "profplug: " before it, without stdio. It knows %s %d %u %lu. */
void pp_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *pp_digits(char text[static 24], uint64_t v);
/* remembers what standard error is now; nothing is written if another file gets its number */
void pp_outlet_remember(void);

#endif
