/* SPDX-License-Identifier: MIT */
/* options.h: the run-time options as the tool sees them: flags and a JSON file become the string that PROFPLUG carries.
 * The rows are in options.def; what the options do is the runtime's business. */
#ifndef PROFPLUG_REPORT_OPTIONS_H
#define PROFPLUG_REPORT_OPTIONS_H

#include <stddef.h>
#include <stdio.h>

/* Zero-initialised is empty. */
struct options {
    char **pairs; /* key=value, later ones win */
    size_t count, capacity;
};

/* Checks one option against its row and appends it. `where` is how the user wrote it, for the message. `key` need not
 * end with a NUL: key_length characters. A NULL value is `on` for a collector, and wrong for others. Returns 0, or
 * DIAG_WRONG after one line. */
int options_add(struct options *options, const char *where, const char *key, size_t key_length, const char *value);

/* Whether the option takes the next word as its value. A collector does only for `on` or `off`. `next` may be
 * NULL. */
int options_takes(const char *key, size_t key_length, const char *next);

/* Adds the options of a JSON object: {"level": "basic", "samples": true, "label": ["a:b"]}. Returns 0, or
 * DIAG_WRONG after one line. */
int options_read(struct options *options, const char *path);

/* The value in effect, or the default; NULL for an unknown key. */
const char *options_value(const struct options *options, const char *key);

/* key=value,key=value; the caller frees it. */
char *options_join(const struct options *options);

void options_describe(FILE *out);
void options_free(struct options *options);

#endif
