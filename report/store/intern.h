/* SPDX-License-Identifier: MIT */
/* intern.h: strings kept once. Equal texts give equal pointers, which live until intern_close. Must not know what they
 * name. */
#ifndef PROFPLUG_INTERN_H
#define PROFPLUG_INTERN_H

#include <stddef.h>

struct intern {
    char **slot;
    size_t count, capacity;
}; /* zeros are an empty set */

const char *intern_text(struct intern *set, const char *text, size_t size); /* NULL only when memory is short */
void intern_close(struct intern *set);

#endif
