/* SPDX-License-Identifier: MIT */
/* injection.h: whether a name of a data file became something else in what the tool wrote. It must not know how that is written. */
#ifndef INJECTION_H
#define INJECTION_H

#include <stddef.h>

/* Where an element or attribute stands that the page does not have of its own, or NULL. */
const char *injection_page(const char *html, size_t size);
/* A line that begins as none of the callgrind format does, or NULL. */
const char *injection_callgrind(const char *text);

#endif
