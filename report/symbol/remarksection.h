/* SPDX-License-Identifier: MIT */
/* remarksection.h: the bytes of section profplug_remarks, as abi/remark.h describes them, to one structure a remark.
 * Must not know ELF, nor what a remark means. */
#ifndef PROFPLUG_REMARKSECTION_H
#define PROFPLUG_REMARKSECTION_H

#include <stdbool.h>
#include <stddef.h>

#include <profplug/abi/remark.h>

/* The texts lie in the section. */
struct section_remark {
    struct pp_remark raw;
    const char *symbol, *function_file, *file, *detail, *why;
    /* counts the functions in the section: equal for remarks of one function */
    uint32_t function;
};

/* Calls `take` for each remark. Returns how many bytes could not be read, since what is behind the first fault is
 * unknown: 0 if all is well. */
size_t remark_section_read(const uint8_t *bytes, size_t size, void (*take)(void *, const struct section_remark *),
                           void *closure);

#endif
