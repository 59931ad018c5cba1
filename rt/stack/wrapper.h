/* SPDX-License-Identifier: MIT */
/* wrapper.h: functions in which a call is not the user's: wrappers, and functions of the system's headers. It must not
 * know what is booked at a call. */
#ifndef PP_WRAPPER_H
#define PP_WRAPPER_H

#include "stack/modules.h"

/* Adds the functions that the words from `start` to `stop` lead to (emitted.h), once. Under the runtime's lock. */
void pp_wrappers_add(const int32_t *start, const int32_t *stop);

/* Is that code of such a function? Async-signal-safe. */
bool pp_wrapper_at(uint64_t place, const struct pp_image *image);

#endif
